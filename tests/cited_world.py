"""Answers that cite documents, over a real database: runs are written down, documents come in through the handler."""

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePath
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from domain.asking.events import QuestionAsked
from domain.asking.notifying import SourceChanges
from domain.asking.outcome import AnswerDelivered, SourceShown
from domain.asking.source_changes import SourceChangeNotified
from domain.knowledge.documents import Statement
from domain.knowledge.events import VersionIngested
from domain.knowledge.handler import NAME_KIND, Knowledge, Material
from domain.knowledge.text import Span
from domain.mandates.handler import Mandates
from domain.recording import Actor, StreamName
from projections.citations import PostgresCitations
from projections.knowledge import KnowledgeProjection
from projections.runner import ProjectionRunner
from projections.runs import RunsProjection
from tests.crashing import ACTOR, MASTER
from tests.unit.test_knowledge_handler import PlainReaders


@dataclass
class CitedWorld:
    """The mandates ``m`` and the library ``lib``, and one that tells."""

    database: Database
    recording: Recording
    mandates: Mandates
    knowledge: Knowledge
    views: ProjectionRunner
    citations: PostgresCitations
    asker: UUID

    @classmethod
    async def open(cls, database: Database) -> "CitedWorld":
        """Open the parts over a database, whatever is in it."""
        recording = await open_recording(database, MASTER)
        mandates = Mandates(recording.events, recording.people, uuid4)
        knowledge = Knowledge(recording.events, recording.blobs, PlainReaders(), mandates, clock=now, new_id=uuid4)
        views = ProjectionRunner(database, recording.events, [KnowledgeProjection(), RunsProjection()])
        asker = await recording.people.register("anna")
        return cls(database, recording, mandates, knowledge, views, PostgresCitations(database), asker)

    @property
    def changes(self) -> SourceChanges:
        """Return a teller of its own."""
        return SourceChanges(self.recording.events, self.mandates, self.views, self.citations)

    async def ingest(
        self, text: str, valid_from: date | None = None, *, key: str = "handbuch", mandate: str = "m"
    ) -> None:
        """Bring a text in."""
        owner = await self.mandates.find(mandate)
        stated = Statement("internal", valid_from=valid_from)
        await self.knowledge.ingest(owner.id, Material(key, PurePath("a.txt"), text.encode(), stated), ACTOR)

    async def withdraw(self, key: str = "handbuch") -> None:
        """Withdraw a document."""
        await self.knowledge.withdraw((await self.mandates.find("m")).id, key, "überholt", ACTOR)

    async def version(self, number: int, key: str = "handbuch", mandate: str = "m") -> tuple[int, UUID]:
        """Return the ordinal of a version and its mandate."""
        owner = await self.mandates.find(mandate)
        stream = await self.recording.events.find(StreamName(NAME_KIND, key, owner.id))
        assert stream is not None
        found = await self.recording.events.read(stream)
        ordinals = (
            one.position for one in found if isinstance(one.event, VersionIngested) and one.event.version == number
        )
        return next(ordinals), owner.id

    async def answer(
        self,
        *cited: tuple[int, UUID],
        valid_on: date | None = None,
        known: int | None = None,
        today: date | None = None,
    ) -> UUID:
        """Write down a run of today whose answer cites versions."""
        owner, run = await self.mandates.find("m"), uuid4()
        position = known or await self.recording.events.head()
        day = valid_on or now().date()
        asked = QuestionAsked(
            "Frage?", self.asker, None, (owner.id,), owner.levels, None, None, day, position, today=today
        )
        shown = tuple(source(f"S{number}", *one) for number, one in enumerate(cited, 1))
        events = (asked, AnswerDelivered("verified", (), shown, len(shown)))
        await self.recording.events.append(owner.id, run, 0, events, Actor(self.asker), subject=self.asker)
        return run

    async def told(self, run: UUID) -> list[SourceChangeNotified]:
        """Return what a run has been told."""
        found = (one.event for one in await self.recording.events.read(run))
        return [event for event in found if isinstance(event, SourceChangeNotified)]


def now() -> datetime:
    """Return the present by the clock of the mandates, whose day can be another than that of UTC."""
    return datetime.now(ZoneInfo("Europe/Berlin"))


def source(label: str, ordinal: int, owner: UUID) -> SourceShown:
    return SourceShown(
        label=label,
        ordinal=ordinal,
        mandate=owner,
        document="handbuch",
        version=1,
        title="Handbuch",
        url=None,
        section=(),
        place="",
        page=None,
        page_label=None,
        markup="plain",
        span=Span(0, 5),
        lead_in=None,
        level="internal",
        valid_from=None,
        valid_to=None,
        valid_from_kind="legal",
        in_force=True,
        ended_on=None,
        in_force_as_known=True,
    )
