"""Which events of a mandate a reader may open in an audit bundle. Whatever no rule opens stays closed.

A bundle leaves the house, so these rules are never wider than those of the views, and narrower where those go by the
day: a document is open to those who may see the highest level that it has ever had.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Final
from uuid import UUID

from domain.asking.admission import levels_open
from domain.asking.events import CandidatesFused, CandidatesReranked, CandidatesRetrieved, QuestionAsked
from domain.asking.naming import NamedSection
from domain.asking.outcome import AnchorsResolved, AnswerDelivered, AnswerDrafted, SourceShown
from domain.asking.ports import PassageId
from domain.asking.replaying import RunReplayed
from domain.asking.run import Run
from domain.asking.source_changes import SourceChangeNotified
from domain.asking.verdicts import ClaimsChecked
from domain.errors import AccessError
from domain.journal.events import AsOfResolved
from domain.journal.viewing import RecordViewed
from domain.knowledge.events import DocumentRegistered, LevelAssigned, VersionIngested
from domain.mandates.access import OVERSIGHT, allowed_levels, member_of
from domain.mandates.state import COMPLIANCE, Mandate
from domain.recording import Event, EventStore, Recorded

_LISTS: Final = (CandidatesRetrieved, CandidatesFused, CandidatesReranked)
_DRAFTS: Final = (AnswerDrafted, AnchorsResolved, ClaimsChecked)


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as a reader sees it: whether its events are open, and those that are closed nevertheless."""

    is_open: bool
    run: Run | None = None
    closed: frozenset[int] = frozenset()


class Disclosure:
    """Decides for one reader; what it has read of the store it remembers.

    Args:
        store: where the events are.
        mandate: as it is today.
        reader: who will read the bundle; must be a member.

    Raises:
        AccessError: the reader is not a member.
    """

    def __init__(self, store: EventStore, mandate: Mandate, reader: UUID) -> None:
        self._store = store
        self.mandate = mandate
        self._reader = reader
        self.member = member_of(mandate, reader)
        self._levels = frozenset(allowed_levels(mandate, self.member.clearance))
        self._streams: dict[UUID, Stream] = {}
        self._documents: dict[UUID, bool] = {}
        self._cited: dict[int, bool] = {}

    @property
    def sees_all(self) -> bool:
        """Whether the reader may know of events that nobody can open any more."""
        return self.member.role == COMPLIANCE and self.member.clearance == self.mandate.highest

    async def is_open(self, one: Recorded) -> bool:
        """Whether the reader may open an event."""
        if one.event is None:
            return False
        stream = await self.stream(one.stream)
        return stream.is_open and one.position not in stream.closed

    async def stream(self, stream: UUID) -> Stream:
        """Return a stream of the mandate as the reader sees it."""
        if stream not in self._streams:
            self._streams[stream] = await self._seen(stream)
        return self._streams[stream]

    async def sees_version(self, ordinal: int) -> bool:
        """Whether the reader may see the version recorded at a position, in whatever mandate it lies."""
        if ordinal not in self._cited:
            found = await self._store.after(ordinal - 1, 1)
            # What has been erased was a version, since it is named as one.
            is_version = bool(found) and (found[0].event is None or isinstance(found[0].event, VersionIngested))
            self._cited[ordinal] = is_version and await self._sees_document(found[0].stream)
        return self._cited[ordinal]

    async def _seen(self, stream: UUID) -> Stream:
        recorded = await self._store.read(stream)
        oversees = self.member.role in OVERSIGHT
        if not recorded or stream == self.mandate.id:
            return Stream(bool(recorded) and oversees)
        match recorded[0].event:
            case QuestionAsked():
                return await self._run(Run(recorded))
            case DocumentRegistered():
                return Stream(oversees and await self._sees_document(stream))
            case AsOfResolved() | RunReplayed():
                return Stream(oversees)
            case RecordViewed(levels=levels):
                return Stream(oversees and set(levels) <= self._levels)
            case other:
                # A run whose question was erased is gone for everybody, though its later events can still be opened.
                return Stream(self.sees_all and other is not None)

    async def _sees_document(self, stream: UUID) -> bool:
        if stream not in self._documents:
            recorded = await self._store.read(stream)
            levels = {one.event.level for one in recorded if isinstance(one.event, VersionIngested | LevelAssigned)}
            # What has been erased may have had any level.
            known = all(one.event is not None for one in recorded) or self.member.clearance == self.mandate.highest
            self._documents[stream] = known and levels <= self._levels
        return self._documents[stream]

    async def _run(self, run: Run) -> Stream:
        is_own = run.asked.asker == self._reader
        try:
            levels_open(self.mandate, run.asked, self._reader)
        except AccessError:
            return Stream(is_open=False)
        if not is_own and self.member.role != COMPLIANCE:
            return Stream(is_open=False)
        hidden = set[int]()
        for one in run.recorded:
            sees = [await self.sees_version(ordinal) for ordinal in ordinals(one.event)]
            if not all(sees):
                hidden.add(one.position)
                if not isinstance(one.event, _LISTS):
                    return Stream(is_open=False)
        # As in looking back at the run: who asked does not read what was withheld, whatever their role.
        was_shown = isinstance(run.end, AnswerDelivered) and run.attempt == 1
        if is_own and not was_shown:
            hidden |= {one.position for one in run.recorded if isinstance(one.event, _DRAFTS)}
        return Stream(is_open=True, run=run, closed=frozenset(hidden))


def ordinals(value: Event | object) -> Iterator[int]:
    """Yield the positions of all versions that an event names."""
    match value:
        case PassageId(ordinal=ordinal) | SourceShown(ordinal=ordinal) | SourceChangeNotified(ordinal=ordinal):
            yield ordinal
        case NamedSection(ordinals=named):
            yield from named
        case tuple():
            for one in value:
                yield from ordinals(one)
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from ordinals(getattr(value, field.name))
        case _:
            pass
