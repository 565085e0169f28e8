"""Which runs repeat words of a version that is erased by itself, and which only came near it."""

from collections.abc import Sequence
from uuid import uuid4

import pytest

from domain.asking.events import LabelledPassage, PassagesSelected
from domain.asking.outcome import (
    AnchorsResolved,
    AnswerDelivered,
    AnswerDrafted,
    AnswerErased,
    AnswerRefused,
    Cut,
    NearPassage,
    RunFailed,
    Sentence,
)
from domain.asking.ports import PassageId
from domain.asking.quoting import Quotes
from domain.knowledge.text import Span
from domain.recording import Actor, Event
from tests.memory import InMemoryEventStore

GONE, OTHER = 7, 8
SELECTED = PassagesSelected(
    (LabelledPassage("S1", PassageId(GONE, 0), 0.5), LabelledPassage("S2", PassageId(OTHER, 0), 0.4))
)
CUT = Cut(Span(0, 4))
RESOLVED = AnchorsResolved((), ("[ein Wort des Modells]",), "discard")
DELIVERED, REFUSED = AnswerDelivered("verified", (), ()), AnswerRefused("coverage", "coverage", 0.1, 0.8, ())


def draft(label: str, *, cut: Cut | None = CUT, reply: str = "") -> AnswerDrafted:
    return AnswerDrafted("f", "1", (Sentence("Wort", (label,), cut=cut),), reply=reply)


def near(ordinal: int) -> AnswerRefused:
    return AnswerRefused("relevance", "relevance", 0.1, 0.3, (NearPassage(PassageId(ordinal, 0), "T", (), "", 0.1),))


@pytest.mark.parametrize(
    ("events", "places", "outcome"),
    [
        ([SELECTED, draft("S1"), RESOLVED, DELIVERED], (2, 3, 4), "answered"),
        ([SELECTED, draft("S2"), RESOLVED, DELIVERED], None, None),
        ([SELECTED, draft("S2", cut=None), RESOLVED, DELIVERED], (2, 3, 4), "answered"),
        ([SELECTED, draft("S2", reply="Wort"), RESOLVED, REFUSED], (2, 3, 4), "refused"),
        ([near(GONE)], (1,), "refused"),
        ([near(OTHER)], None, None),
        ([SELECTED], (), "failed"),
        ([SELECTED, RunFailed("model", "formulator")], (), "failed"),
    ],
    ids=["cut", "cut from another", "free", "reply", "near", "another near", "under way", "failed"],
)
async def test_a_run_goes_with_the_version_that_it_repeats(
    events: Sequence[Event], places: tuple[int, ...] | None, outcome: str | None
) -> None:
    """Drafts and what a model wrote for a label among it; a literal answer out of another version stays."""
    store, run = InMemoryEventStore(), uuid4()
    await store.append(uuid4(), run, 0, events, Actor(uuid4()))

    found = await Quotes(store).of_versions([GONE])

    assert [(one.run, tuple(version for _, version in one.places)) for one in found] == (
        [] if places is None else [(run, places)]
    )
    assert [one.erased.outcome for one in found] == ([] if outcome is None else [outcome])


async def test_a_marked_run_is_marked_once() -> None:
    """An erasure that is taken up again adds nothing."""
    store, run, actor = InMemoryEventStore(), uuid4(), Actor(uuid4())
    await store.append(uuid4(), run, 0, [SELECTED, draft("S1"), DELIVERED], actor)
    quotes = Quotes(store)
    for _ in range(2):
        for quote in await quotes.of_versions([GONE]):
            await quotes.mark(quote, actor)
    assert [one.event for one in await store.read(run)][3:] == [AnswerErased("answered", None, 3)]
