"""Random small worlds for the searches: mandates, levels, recorded positions, validity."""

from datetime import timedelta
from uuid import UUID

from hypothesis import strategies as st

from tests.twins import DAY, Entry

MANDATES = [UUID(int=number) for number in (1, 2, 3)]
LEVELS = ["public", "internal", "secret"]
WORDS = ["Frist", "Fristen", "Kündigung", "Vertrag", "Verträge", "Masse", "Maße", "§", "5", "5a", "VVG", "der", "1.000"]

days = st.none() | st.integers(-3, 3).map(lambda shift: DAY + timedelta(days=shift))
passages = st.lists(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), max_size=5).map(tuple)
questions = st.lists(st.sampled_from([*WORDS, "„Maße“", "§ 5 a VVG", "Anderes"]), max_size=8).map(" ".join)


@st.composite
def entries(draw: st.DrawFn, most: int = 8) -> list[Entry]:
    """Versions with growing ordinals."""
    ordinals = sorted(draw(st.sets(st.integers(1, 40), max_size=most)))
    return [
        Entry(
            ordinal,
            draw(st.sampled_from(MANDATES)),
            draw(passages),
            draw(st.sampled_from(LEVELS)),
            draw(days),
            draw(days),
        )
        for ordinal in ordinals
    ]
