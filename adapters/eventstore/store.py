"""The event store on PostgreSQL.

An append: each event gets a data key of its own and is sealed (``mapper.py``); the data key is wrapped by the key of
the mandate, or of the person for personal events (``keys.py``); under the lock the recorder puts the header before
each seal and writes events, keys, journal entries and name in one transaction (``recorder.py``).
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from eventsourcing.persistence import Notification

from adapters.eventstore.codec import UnknownShapeError
from adapters.eventstore.form import Header
from adapters.eventstore.keyring import Keyring
from adapters.eventstore.keys import Marking, MasterKey, OwnerKey
from adapters.eventstore.mapper import Draft, Mapper
from adapters.eventstore.recorder import Append, Claim, Companion, EventKey, JournalRecorder
from adapters.eventstore.rows import NO_ROW, UnreadableRowError, has_hash, stream_of
from adapters.eventstore.seal import BrokenSealError, new_key
from adapters.eventstore.threads import Threads
from domain.errors import InputError, PartError
from domain.recording import Actor, Batch, Event, Recorded, StreamName

EVENT: Final = b"event"
"""Purpose of the keys that wrap data keys of events."""

_WHOLE_STORE: Final = UUID(int=0)
_BATCH_BYTES: Final = 4_000_000
"""Stored bytes after which ``after`` stops: large events would otherwise fill the memory."""


class PostgresEventStore:
    """Implements ``EventStore``."""

    def __init__(
        self,
        threads: Threads,
        recorder: JournalRecorder,
        keyring: Keyring,
        mapper: Mapper,
        *,
        master: MasterKey,
        marking: Marking,
    ) -> None:
        self._threads = threads
        self._recorder = recorder
        self._keyring = keyring
        self._master = master
        self._marking = marking
        self._mapper = mapper

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
        """See ``EventStore``."""
        if not events:
            return ()
        if subject is None and any(event.PERSONAL for event in events):
            raise ValueError("personal events need a subject")
        drafts = [
            Draft(event, actor, mandate, stream, version, new_key())
            for version, event in enumerate(events, start=expected + 1)
        ]
        claim = None if name is None else self._claim(name)
        return await self._threads.run(self._append, drafts, claim, subject)

    async def read(self, stream: UUID, *, up_to: int | None = None) -> tuple[Recorded, ...]:
        """See ``EventStore``."""
        return await self._threads.run(self._read, stream, up_to)

    async def after(self, position: int, limit: int) -> tuple[Recorded, ...]:
        """See ``EventStore``."""
        return await self._threads.run(self._after, position, limit)

    async def batch(self, position: int, limit: int, kinds: Collection[type[Event]]) -> Batch:
        """See ``EventStore``."""
        return await self._threads.run(self._batch, position, limit, kinds)

    async def find(self, name: StreamName) -> UUID | None:
        """See ``EventStore``."""
        return await self._threads.run(self._recorder.find_name, self._claim(name))

    async def named(self, kind: str) -> tuple[UUID, ...]:
        """See ``EventStore``."""
        return await self._threads.run(self._recorder.find_names, _WHOLE_STORE, kind)

    async def personal(self, person: UUID) -> tuple[UUID, ...]:
        """See ``EventStore``."""
        return await self._threads.run(self._recorder.select_personal, person)

    async def head(self) -> int:
        """See ``EventStore``."""
        return await self._threads.run(self._recorder.max_notification_id) or 0

    async def position_at(self, instant: datetime) -> int:
        """See ``EventStore``."""
        if instant > self._recorder.clock():
            raise InputError("instant_future", instant=instant.isoformat())
        return await self._threads.run(self._recorder.position_at, instant)

    def _append(self, drafts: list[Draft], claim: Claim | None, subject: UUID | None) -> tuple[Recorded, ...]:
        mandate = drafts[0].mandate
        owner = self._keyring.of_mandate(mandate)
        # Also where no event is personal: nothing more is recorded about somebody who has been erased meanwhile.
        person = None if subject is None else self._keyring.of_person(subject)
        keys = [self._wrap(draft, owner, person) for draft in drafts]
        stored = [self._mapper.to_stored_event(draft) for draft in drafts]
        rows = self._recorder.record(Append(mandate, stored, keys, claim))
        return tuple(
            _recorded(row, Header.of(row.state), (draft.event, draft.actor))
            for row, draft in zip(rows, drafts, strict=True)
        )

    @staticmethod
    def _wrap(draft: Draft, owner: OwnerKey, person: OwnerKey | None) -> EventKey:
        key = person if draft.event.PERSONAL and person is not None else owner
        return EventKey(key.key_id, key.wrap(draft.data_key, EVENT))

    def _after(self, position: int, limit: int) -> tuple[Recorded, ...]:
        try:
            rows = self._recorder.select_notifications(position, limit, inclusive_of_start=False)
        except NO_ROW as error:
            raise UnreadableRowError from error
        return self._opened(_bounded(rows))

    def _batch(self, position: int, limit: int, kinds: Collection[type[Event]]) -> Batch:
        names, known = self._mapper.names(kinds), self._mapper.names()
        rows, head = self._recorder.select_batch(position, limit, names, known)
        batch = _bounded(rows)
        is_last = len(rows) < limit and len(batch) == len(rows)
        return Batch(self._opened(batch), max(position, head) if is_last else batch[-1].id)

    def _read(self, stream: UUID, up_to: int | None) -> tuple[Recorded, ...]:
        rows = self._recorder.select_stream(stream, up_to)
        # Without rows as well: what does not exist costs the same statements as what is not open to somebody.
        companions = self._recorder.select_companions(rows)
        return tuple(self._open(row, companions[row.id]) for row in rows)

    def _opened(self, rows: Sequence[Notification]) -> tuple[Recorded, ...]:
        companions = self._recorder.select_companions(rows) if rows else {}
        return tuple(self._open(row, companions[row.id]) for row in rows)

    def _open(self, row: Notification, companion: Companion) -> Recorded:
        """Check the row against the journal and open its seal, unless its key is gone."""
        if not has_hash(row, companion.hash):
            raise PartError("event_damaged", position=row.id)
        try:
            header = Header.of(row.state)
            if companion.wrapped is None or companion.owner_key is None:
                return _recorded(row, header, (None, None))
            data_key = self._master.opened(companion.owner_key).unwrap(companion.wrapped, EVENT)
            return _recorded(row, header, self._mapper.to_domain_event(row, header.mandate, data_key))
        except (BrokenSealError, ValueError) as error:
            raise PartError("event_damaged", position=row.id) from error
        except UnknownShapeError as error:
            raise PartError("event_unknown", position=row.id, topic=row.topic) from error

    def _claim(self, name: StreamName) -> Claim:
        mandate = name.mandate or _WHOLE_STORE
        return Claim(mandate, name.kind, self._marking.name_mac(name.kind, mandate, name.name))


def _bounded(rows: Sequence[Notification]) -> list[Notification]:
    """Return the first rows, up to the one with which they become too large."""
    total, batch = 0, []
    for row in rows:
        batch.append(row)
        total += len(row.state)
        if total > _BATCH_BYTES:
            break
    return batch


def _recorded(row: Notification, header: Header, opened: tuple[Event | None, Actor | None]) -> Recorded:
    event, actor = opened
    return Recorded(
        event=event,
        stream=stream_of(row),
        version=row.originator_version,
        mandate=header.mandate,
        actor=actor,
        position=row.id,
        number=header.number,
        logged_at=header.logged_at,
    )
