"""Random histories of documents in several mandates, and what is visible of them, said as naively as possible."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

from hypothesis import strategies as st

from domain.asking.visibility import Horizon
from domain.knowledge.events import (
    DocumentRegistered,
    DocumentWithdrawn,
    LevelAssigned,
    VersionCorrected,
    VersionIngested,
)
from domain.recording import BlobStore, Event, Recorded
from tests.knowledge_model import answering, fold, levels_now
from tests.twins import DAY, Entry, ingested
from tests.worlds import LEVELS, MANDATES, WORDS, questions

KEYS = ("d0", "d1")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
Document = tuple[UUID, str]
levels = st.sampled_from(LEVELS)
passages = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=3).map(tuple)
days = st.integers(-2, 2).map(lambda shift: DAY + timedelta(days=shift))


@dataclass(frozen=True)
class Ingest:
    texts: tuple[str, ...]
    level: str
    valid: tuple[object, object]


@dataclass(frozen=True)
class Story:
    """Recorded events in order, and the texts of each version by ordinal."""

    events: tuple[Recorded, ...]
    texts: dict[int, tuple[str, ...]]
    documents: dict[Document, list[tuple[int, Event]]]

    def visible(self, horizon: Horizon) -> dict[int, tuple[str, ...]]:
        """Return the texts of the versions inside ``horizon``, by looking at every document for one day."""
        found = {}
        for (mandate, key), events in self.documents.items():
            if mandate not in horizon.scope or (horizon.documents is not None and key not in horizon.documents):
                continue
            known = [(place, event) for place, event in events if place <= horizon.position]
            row = answering(fold(known), horizon.valid_on)
            if row and row.level in horizon.levels and levels_now(events)[row.version] in horizon.levels:
                found[row.position] = self.texts[row.position]
        return found


@st.composite
def periods(draw: st.DrawFn) -> tuple[object, object]:
    start, end = draw(st.none() | days), draw(st.none() | days)
    return start, start + timedelta(days=1) if start and end and end <= start else end


steps = st.lists(
    st.tuples(
        st.sampled_from([MANDATES[0], *MANDATES[:2]]),
        st.sampled_from(KEYS),
        st.one_of(
            st.builds(Ingest, passages, levels, periods()),
            st.builds(Ingest, passages, levels, periods()),
            st.builds(LevelAssigned, levels),
            periods(),
            st.just(DocumentWithdrawn("überholt")),
        ),
    ),
    min_size=3,
    max_size=14,
)


@st.composite
def horizons(draw: st.DrawFn) -> Horizon:
    keys = st.none() | st.lists(st.sampled_from(KEYS), min_size=1, unique=True).map(tuple)
    return Horizon(
        scope=tuple(draw(st.lists(st.sampled_from(MANDATES), min_size=1, unique=True))),
        levels=tuple(draw(st.lists(levels, min_size=1, unique=True))),
        position=draw(st.integers(1, 16)),
        valid_on=draw(days),
        documents=draw(keys),
    )


asked = st.lists(st.tuples(horizons(), questions, st.integers(1, 9)), min_size=6, max_size=6)


async def told(plan: list[tuple[UUID, str, object]], blobs: BlobStore) -> Story:
    """Return the story of a plan; steps that make no sense where they stand are left out."""
    story = Story((), {}, {})
    for mandate, key, step in plan:
        story = await _told(story, (mandate, key), step, blobs)
    return story


async def _told(story: Story, document: Document, step: object, blobs: BlobStore) -> Story:
    of = story.documents.get(document, [])
    live = [row.version for row in fold(of)]
    mandate, key = document
    if not isinstance(step, Ingest) and not live:
        return story
    if not of:
        story = _recorded(story, document, DocumentRegistered(key))
    if isinstance(step, Ingest):
        ordinal = len(story.events) + 1
        version = 1 + sum(isinstance(event, VersionIngested) for _, event in of)
        start, end = step.valid
        entry = Entry(ordinal, mandate, step.texts, step.level, start, end)  # type: ignore[arg-type]
        event = (await ingested(entry, blobs)).event
        assert isinstance(event, VersionIngested)
        story = _recorded(story, document, replace(event, version=version))
        return replace(story, texts={**story.texts, ordinal: step.texts})
    if isinstance(step, tuple):
        start, end = step
        return _recorded(story, document, VersionCorrected(live[-1], "", None, start, end, "legal"))
    assert isinstance(step, LevelAssigned | DocumentWithdrawn)
    return _recorded(story, document, step)


def _recorded(story: Story, document: Document, event: Event) -> Story:
    position = len(story.events) + 1
    stream = uuid5(document[0], document[1])
    recorded = Recorded(event, stream, 1, document[0], None, position, position, NOW)
    of = [*story.documents.get(document, []), (position, event)]
    return Story((*story.events, recorded), story.texts, {**story.documents, document: of})


def open_to(scope: list[UUID], position: int) -> Horizon:
    return Horizon(tuple(scope), ("public",), position, DAY)


FRIST = Ingest(("Frist", "Vertrag"), "public", (None, None))
RAISED = (
    [(MANDATES[0], "d0", FRIST), (MANDATES[0], "d0", LevelAssigned("secret"))],
    [(open_to(MANDATES[:1], 2), "Frist", 5)],
)
"""A level that was raised later hides the past as well."""

SECRET = Ingest(("Frist",), "secret", (None, None))
LOWERED = (
    [(MANDATES[0], "d0", SECRET), (MANDATES[0], "d0", LevelAssigned("public"))],
    [(open_to(MANDATES[:1], 2), "Frist", 5)],
)
"""A level that was lowered later opens nothing of the past."""
