"""The SQL view of what is known against the naive model, at any position, day and set of levels."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.visibility import Horizon
from domain.knowledge.events import (
    DocumentRegistered,
    DocumentWithdrawn,
    LevelAssigned,
    VersionCorrected,
    VersionIngested,
)
from domain.recording import BlobRef, Event, Recorded
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from tests.examples import examples
from tests.knowledge_model import answering, fold, levels_now

FIRST = date(2020, 1, 1)
LEVELS = ("public", "internal", "secret")
NOW = datetime(2026, 1, 1, tzinfo=UTC)

days = st.integers(0, 8).map(lambda n: FIRST + timedelta(days=n))
levels = st.sampled_from(LEVELS)


@st.composite
def periods(draw: st.DrawFn) -> tuple[date | None, date | None]:
    start, end = draw(st.none() | days), draw(st.none() | days)
    return start, start + timedelta(days=1) if start and end and end <= start else end


@dataclass
class Story:
    """A journal of some documents, with the positions of each."""

    journal: list[tuple[int, Event]] = field(default_factory=list)
    of: dict[int, list[tuple[int, Event]]] = field(default_factory=dict)

    def tell(self, document: int, event: Event) -> None:
        entry = (len(self.journal) + 1, event)
        self.journal.append((document, event))
        self.of.setdefault(document, []).append(entry)

    def versions(self, document: int) -> int:
        return sum(isinstance(event, VersionIngested) for _, event in self.of.get(document, []))

    def live(self, document: int) -> list[int]:
        return [row.version for row in fold(self.of.get(document, []))]


def version(number: int, level: str, valid: tuple[date | None, date | None]) -> VersionIngested:
    return VersionIngested(
        version=number,
        blob=BlobRef(f"address {number}", f"hash {number}"),
        markup="plain",
        characters=1,
        title=f"Titel {number}",
        url=None,
        level=level,
        valid_from=valid[0],
        valid_to=valid[1],
        valid_from_kind="legal",
        source="a.txt",
        reader="text/1",
        segmentation="sentences/1",
        sentences=(),
        passages=(),
        pages=(),
    )


@st.composite
def stories(draw: st.DrawFn) -> Story:
    story = Story()
    for step in range(draw(st.integers(1, 12))):
        document = draw(st.integers(0, 1))
        if document not in story.of:
            story.tell(document, DocumentRegistered(f"document {document}"))
        live = story.live(document)
        kind = (
            draw(st.sampled_from(["ingest", "ingest", "ingest", "correct", "level", "withdraw"])) if live else "ingest"
        )
        match kind:
            case "ingest":
                story.tell(document, version(story.versions(document) + 1, draw(levels), draw(periods())))
            case "correct":
                start, end = draw(periods())
                number = draw(st.sampled_from(live))
                story.tell(document, VersionCorrected(number, f"Titel {step}", None, start, end, "legal"))
            case "level":
                story.tell(document, LevelAssigned(draw(levels)))
            case _:
                story.tell(document, DocumentWithdrawn("überholt"))
    return story


def recorded(story: Story, mandate: UUID) -> list[Recorded]:
    streams = {document: uuid4() for document in story.of}
    return [
        Recorded(event, streams[document], 0, mandate, None, place, place, NOW)
        for place, (document, event) in enumerate(story.journal, 1)
    ]


def expected(story: Story, horizon: Horizon) -> set[tuple[str, int, str, str]]:
    found = set()
    for document, events in story.of.items():
        known = [(place, event) for place, event in events if place <= horizon.position]
        row = answering(fold(known), horizon.valid_on)
        if row and row.level in horizon.levels and levels_now(events)[row.version] in horizon.levels:
            found.add((f"document {document}", row.version, row.title, row.level))
    return found


async def shown(known: PostgresKnowledge, horizon: Horizon) -> set[tuple[str, int, str, str]]:
    visible = await known.visible(horizon)
    for one in visible.versions.values():
        assert one.valid_from is None or one.valid_from <= horizon.valid_on
        assert one.valid_to is None or horizon.valid_on < one.valid_to
    return {(one.key, one.version, one.title, one.level) for one in visible.versions.values()}


@settings(max_examples=examples(120), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(stories(), st.data())
async def test_the_view_answers_as_the_model_at_any_position_day_and_levels(
    database: Database, story: Story, data: st.DataObject
):
    """Whatever happened to the documents, each past position gives each day the version that the naive rule names."""
    mandate, projection = uuid4(), KnowledgeProjection()
    events = recorded(story, mandate)
    cut = data.draw(st.integers(0, len(events)), label="batch boundary")
    known = PostgresKnowledge(database)
    for batch in (events[:cut], events[cut:]):
        async with database.connection(Role.PROJECTOR) as connection:
            await projection.apply(connection, batch)

    for _ in range(8):
        horizon = Horizon(
            scope=(mandate,),
            levels=tuple(data.draw(st.sets(levels), label="levels")),
            position=data.draw(st.integers(0, len(events)), label="position"),
            valid_on=data.draw(days, label="day"),
        )
        assert await shown(known, horizon) == expected(story, horizon)
