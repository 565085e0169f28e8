"""Which parts a German word has."""

import pytest

from adapters.search.compounds import Compounds

COMPOUNDS = Compounds()


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("kündigungsfrist", ("kündigung", "frist")),
        ("widerrufsfristen", ("widerruf", "fristen")),
        ("solvenzkapitalanforderung", ("solvenz", "kapital", "anforderung")),
        ("rechtsanwaltsgesellschaft", ("recht", "anwalt", "gesellschaft")),
        ("dreimonatsfrist", ("drei", "monat", "frist")),
    ],
)
def test_a_compound_has_parts(word: str, parts: tuple[str, ...]) -> None:
    """Known parts, and an unknown one before known ones; linking letters are left out."""
    assert COMPOUNDS.parts(word) == COMPOUNDS.split(word) == parts


@pytest.mark.parametrize(
    "word", ["gesellschaft", "kurzehose", "verpflichtung", "antragstellerin", "frist", "", "anwartschaften", "a1b2c3d4"]
)
def test_a_simple_word_has_none(word: str) -> None:
    """No syllable is taken for a word."""
    assert COMPOUNDS.parts(word) == ()
