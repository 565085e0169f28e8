"""The real parts, with a clock that can be set and crashes that can be planned."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID, uuid4

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from adapters.readers.plain_file import read_text
from adapters.search.feed import LexicalFeed, SubwordFeed
from adapters.search.passages import StoredPassages
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sections import StoredSections
from adapters.search.subwords import SubwordIndex
from adapters.search.tantivy import TantivyIndex
from domain.asking.admission import Admission, Admissions
from domain.asking.again import Again
from domain.asking.bound import BoundRetrieval
from domain.asking.formulation import Extractive
from domain.asking.norms import StoredNorms
from domain.asking.parts import Parts
from domain.asking.pipeline import Asking
from domain.asking.ports import PassageText
from domain.asking.retrieval import Retrieval
from domain.asking.ruling import Rules
from domain.asking.searches import Sparse
from domain.asking.stored import StoredTexts
from domain.knowledge.handler import Knowledge
from domain.knowledge.text import Extract
from domain.mandates.handler import Mandates
from domain.recording import Actor, Event, Recorded, StreamName
from domain.verifying.ports import DeterministicJudge
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.lexical import PartitionProjection
from projections.passages import PassageProjection
from projections.runner import ProjectionRunner
from projections.sections import SectionProjection
from tests.asking_world import share
from tests.live import always
from tests.twins import ANALYZER, SUBWORDS, HalvesEncoder

MASTER = MasterKey(bytes(32))
ENCODER = HalvesEncoder()


class Crash(BaseException):
    """The process dies here."""


@dataclass
class Clock:
    """Tells what it is set to; it may be set back."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, time: timedelta) -> None:
        self.now += time


@dataclass
class CrashingStore:
    """The real store; the process dies before or after the append that ``crash_in`` counts down to."""

    store: Any
    crash_in: int | None = None
    after_it: bool = False

    async def append(
        self,
        mandate: UUID,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        actor: Actor,
        *,
        name: StreamName | None = None,
        subject: UUID | None = None,
    ) -> tuple[Recorded, ...]:
        due = self._due()
        if due and not self.after_it:
            raise Crash
        found: tuple[Recorded, ...] = await self.store.append(
            mandate, stream, expected, events, actor, name=name, subject=subject
        )
        if due:
            raise Crash
        return found

    def _due(self) -> bool:
        if self.crash_in is None:
            return False
        self.crash_in -= 1
        return self.crash_in == 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


class PlainReaders:
    """Reads texts alone."""

    def suffixes(self) -> frozenset[str]:
        return frozenset({".txt"})

    def read(self, name: PurePath, content: bytes) -> Extract:
        return read_text(str(name), content)


@dataclass
class ShareReranker:
    """The share of the question's words that a passage holds."""

    name = "share"
    version = "1"
    fingerprint: str = "share/1"
    threshold: float | None = 0.5

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        return [share(question, passage.search_text) for passage in passages]


@dataclass(frozen=True, slots=True)
class OneRetrieval:
    """The same searches whatever is bound."""

    retrieval: Retrieval

    def bound(self, _admission: Admission) -> BoundRetrieval:
        return BoundRetrieval(self.retrieval)


@dataclass
class System:
    """Everything over one database and one folder; ``reopen`` is what a new process does."""

    database: Database
    folder: Path
    clock: Clock
    recording: Recording = field(init=False)
    read: list[Recorded] = field(default_factory=list)

    async def open(self) -> "System":
        self.recording = await open_recording(self.database, MASTER, self.clock)
        self.store = CrashingStore(self.recording.events)
        blobs, people = self.recording.blobs, self.recording.people
        self.known = PostgresKnowledge(self.database)
        self.mandates = Mandates(self.store, people, uuid4)
        self.knowledge = Knowledge(self.store, blobs, PlainReaders(), self.mandates, clock=self.clock, new_id=uuid4)
        self.views = ProjectionRunner(
            self.database,
            self.store,
            (
                KnowledgeProjection(),
                PassageProjection(blobs, always(ENCODER), self.recording.text_mac),
                SectionProjection(),
                PartitionProjection("lexical", blobs, LexicalFeed(self.folder / "words", ANALYZER)),
                PartitionProjection("subwords", blobs, SubwordFeed(self.folder / "pieces", SUBWORDS)),
            ),
        )
        retrieval = Retrieval(
            encoder=ENCODER,
            dense=PgvectorIndex(self.database, ENCODER.fingerprint),
            bm25=TantivyIndex(self.folder / "words", ANALYZER),
            sparse=Sparse(SUBWORDS, SubwordIndex(self.folder / "pieces")),
            texts=StoredPassages(self.database, blobs),
            reranker=ShareReranker(),
            weights={},
            seconds=60,
        )
        self.parts = self._parts(retrieval)
        self.asking, self.again = Asking(self.parts), Again(self.parts)
        return self

    def _parts(self, retrieval: Retrieval) -> Parts:
        return Parts(
            store=self.store,
            admissions=Admissions(self.mandates),
            views=self.views,
            knowledge=self.known,
            rules=Rules(self.known, StoredSections(self.database)),
            norms=StoredNorms(Rules(self.known, StoredSections(self.database))),
            retrievals=OneRetrieval(retrieval),
            judge=DeterministicJudge(),
            formulator=Extractive,
            stored=StoredTexts(self.recording.blobs),
            clock=self.clock,
            stopwatch=lambda: 0.0,
            new_id=uuid4,
        )

    async def reopen(self) -> None:
        await self.recording.close()
        await self.open()

    async def close(self) -> None:
        await self.recording.close()

    async def journal(self) -> list[Recorded]:
        """Return everything that is recorded."""
        while batch := await self.recording.events.after(len(self.read), 10_000):
            self.read += batch
        return list(self.read)
