"""What the system should say, read from the journal as naively as possible: no view, no index, no interval.

Everything is folded anew for each question, and the searches are twins that hold what is visible and nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from adapters.search.feed import VersionWords
from domain.asking.admission import Admission
from domain.asking.pipeline import Asking
from domain.asking.ports import PassageId
from domain.asking.retrieval import Retrieval
from domain.asking.run import Run
from domain.asking.searches import Sparse
from domain.asking.values import Answer, Ask, Finding
from domain.asking.visibility import Horizon, Visible, VisibleVersion
from domain.errors import AccessError, InputError
from domain.journal.as_of import Moment
from domain.knowledge.events import DocumentRegistered, VersionIngested
from domain.knowledge.passage_words import search_texts
from domain.mandates.events import (
    ClearanceChanged,
    LibrarySubscribed,
    MandateOpened,
    MemberAdmitted,
    MemberRemoved,
)
from domain.mandates.state import replay
from domain.recording import Actor, Event, Recorded
from tests.knowledge_model import Row, answering, fold, levels_now
from tests.memory import InMemoryEventStore
from tests.simulation.system import ENCODER, OneRetrieval, System
from tests.twins import SUBWORDS, InMemoryDenseIndex, InMemoryLexicalIndex, InMemorySubwordIndex

LEVELS = ("public", "internal", "confidential", "secret")
ZONE = ZoneInfo("Europe/Berlin")


@dataclass(frozen=True)
class Document:
    """A document with its events and their positions."""

    mandate: UUID
    stream: UUID
    key: str
    events: tuple[tuple[int, Event], ...]


class Model:
    """The journal as it stands, and what follows from it."""

    def __init__(self, system: System, journal: Sequence[Recorded]) -> None:
        self.system = system
        self.journal = journal
        self.mandates = {one.event.key: one.stream for one in journal if isinstance(one.event, MandateOpened)}

    # Who may see what, and when.
    def position_at(self, instant: datetime) -> int:
        """Return the last position logged at or before ``instant``."""
        return max((one.position for one in self.journal if one.logged_at <= instant), default=0)

    def clearance(self, mandate: UUID, person: UUID) -> str | None:
        """Return the highest level that somebody may see today."""
        found: str | None = None
        for one in self.journal:
            event = one.event
            if one.stream != mandate:
                continue
            if isinstance(event, MandateOpened) and event.founder == person:
                found = LEVELS[-1]
            if isinstance(event, MemberAdmitted | ClearanceChanged) and event.person == person:
                found = event.clearance
            if isinstance(event, MemberRemoved) and event.person == person:
                found = None
        return found

    def scope(self, mandate: UUID, position: int) -> tuple[UUID, ...]:
        """Return the mandate and the libraries that it reads at a position."""
        events = [one.event for one in self.journal if one.stream == mandate and one.position <= position]
        libraries = [event.library for event in events if isinstance(event, LibrarySubscribed)]
        return (mandate, *dict.fromkeys(libraries))

    # What is known.
    def documents(self) -> list[Document]:
        found: dict[UUID, Document] = {}
        for one in self.journal:
            if isinstance(one.event, DocumentRegistered):
                found[one.stream] = Document(one.mandate, one.stream, one.event.key, ())
            elif one.stream in found and one.event is not None:
                before = found[one.stream]
                found[one.stream] = replace(before, events=(*before.events, (one.position, one.event)))
        return list(found.values())

    def rows(self, horizon: Horizon) -> list[tuple[Document, Row]]:
        """Return the versions inside a horizon, each document looked at for that one day."""
        found = []
        for document in self.documents():
            if document.mandate not in horizon.scope:
                continue
            if horizon.documents is not None and document.key not in horizon.documents:
                continue
            known = [(place, event) for place, event in document.events if place <= horizon.position]
            row = answering(fold(known), horizon.valid_on)
            present = levels_now(document.events)
            if row and row.level in horizon.levels and present[row.version] in horizon.levels:
                found.append((document, row))
        return found

    def horizon(self, admission: Admission, valid_on: date | None) -> Horizon:
        position = len(self.journal) if admission.position is None else admission.position
        return Horizon(admission.scope, admission.levels, position, valid_on or admission.today)

    def admission(self, ask: Ask, now: datetime) -> Admission:
        """Return what somebody may search, as ``Admits`` does."""
        mandate = self.mandates[ask.mandate]
        clearance = None if ask.asker is None else self.clearance(mandate, ask.asker)
        if ask.asker is None or clearance is None:
            raise AccessError
        moment = None if ask.at is None else self.moment(ask.at, now)
        position = len(self.journal) if moment is None else moment.position
        events = [one for one in self.journal if one.stream == mandate]
        state, present = (replay([one for one in events if one.position <= end]) for end in (position, 10**9))
        if present is None:
            raise AccessError
        levels = LEVELS[: LEVELS.index(clearance) + 1]
        return Admission(
            ask.asker,
            state or replace(present, libraries={}),
            self.scope(mandate, position),
            levels,
            now.astimezone(ZONE).date(),
            None if moment is None else moment.at,
            None if moment is None else moment.position,
            present,
        )

    def moment(self, at: str, now: datetime) -> Moment:
        """Return what an instant means: a bare date its end by the clock of the mandate, today's date now."""
        if len(at) > len("2026-01-01"):
            instant = datetime.fromisoformat(at)
        elif date.fromisoformat(at) == now.astimezone(ZONE).date():
            instant = now
        else:
            midnight = datetime.combine(date.fromisoformat(at) + timedelta(days=1), datetime.min.time(), ZONE)
            instant = datetime.fromtimestamp(midnight.timestamp(), ZONE) - timedelta(microseconds=1)
        if instant > now:
            raise InputError("instant_future")
        return Moment(instant, self.position_at(instant))

    # What is found and answered.
    async def search(self, ask: Ask, now: datetime) -> Finding:
        return await (await self._asking(ask, now)).search(ask)

    async def ask(self, ask: Ask, now: datetime) -> Answer:
        return await (await self._asking(ask, now)).ask(ask)

    async def _asking(self, ask: Ask, now: datetime) -> Asking:
        admission = self.admission(ask, now)
        view = NaiveView(self, admission)
        retrieval = await self._retrieval(self.horizon(admission, ask.valid_on))
        parts = self.system.parts
        parts = replace(parts, store=InMemoryEventStore(lambda: now), admissions=view, views=view, knowledge=view)
        return Asking(replace(parts, rules=view, retrievals=OneRetrieval(retrieval), clock=lambda: now))

    async def _retrieval(self, horizon: Horizon) -> Retrieval:
        """Return searches over nothing but what is inside the horizon."""
        dense, words, pieces = InMemoryDenseIndex(), InMemoryLexicalIndex(), InMemorySubwordIndex()
        for _, row in self.rows(horizon):
            recorded = self.journal[row.position - 1]
            event = recorded.event
            assert isinstance(event, VersionIngested)
            text = await self.system.recording.blobs.get(recorded.mandate, event.blob)
            texts = search_texts(event, text)
            vectors = await ENCODER.encode(texts)
            dense.add({PassageId(row.position, number): vector for number, vector in enumerate(vectors)})
            for index in (words, pieces):
                index.put([VersionWords(recorded.mandate, row.position, texts)])
        real = self.system.parts.retrievals.bound(None).retrieval  # type: ignore[arg-type]
        return Retrieval(
            encoder=ENCODER,
            dense=dense,
            bm25=words,
            sparse=Sparse(SUBWORDS, pieces),
            texts=real._texts,
            reranker=real.reranker,
            weights={},
            seconds=60,
        )


@dataclass(frozen=True)
class NaiveView:
    """Admissions, views and knowledge of a question, by the model; what a question does not ask for is the system's."""

    model: Model
    admitted: Admission

    async def admit(self, ask: Ask, now: datetime) -> Admission:
        return self.model.admission(ask, now)

    async def again(self, run: Run, reader: UUID | None, now: datetime) -> Admission:
        return await self.model.system.parts.admissions.again(run, reader, now)

    async def rehearse(self, run: Run, reader: UUID | None, moment: Moment, version: int) -> Admission:
        return await self.model.system.parts.admissions.rehearse(run, reader, moment, version)

    async def reach(self, position: int | None = None) -> int:
        return len(self.model.journal) if position is None else position

    async def visible(self, horizon: Horizon) -> Visible:
        return Visible(horizon, {row.position: self._version(document, row) for document, row in self._rows(horizon)})

    async def documents(self, horizon: Horizon) -> frozenset[str]:
        return await self.model.system.known.documents(horizon)

    async def history(self, horizon: Horizon) -> tuple[VisibleVersion, ...]:
        return await self.model.system.known.history(horizon)

    async def of(self, question: str, visible: Visible) -> object:
        return await self.model.system.parts.rules.of(question, visible)

    def _rows(self, horizon: Horizon) -> list[tuple[Document, Row]]:
        return self.model.rows(horizon)

    def _version(self, document: Document, row: Row) -> VisibleVersion:
        recorded = self.model.journal[row.position - 1]
        event = recorded.event
        assert isinstance(event, VersionIngested)
        return VisibleVersion(
            row.position,
            document.mandate,
            document.stream,
            document.key,
            row.version,
            row.title,
            None,
            row.level,
            event.blob,
            row.valid_from,
            row.valid_to,
            event.valid_from_kind,
            recorded.logged_at,
        )


def asked(mandate: str, person: UUID, text: str, at: str | None = None, valid_on: date | None = None) -> Ask:
    return Ask(mandate, person, Actor(person), text, at=at, valid_on=valid_on)
