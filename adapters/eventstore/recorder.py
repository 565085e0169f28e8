"""The library's recorder, with our header, chain and journal written under the lock of its table.

The append path is the library's default: it locks ``stored_events`` against other writers until the commit, so
positions become visible in their order and nobody who tails the journal skips an event. Neither its database functions
nor its DCB recorder are used: they do without the lock.

``record`` stands in for ``insert_events``, around the library's own steps: the original commits what was done so far
when one of its hooks raises an error that does not come from the database.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.postgres import PostgresAggregateRecorder, PostgresApplicationRecorder, PostgresDatastore
from psycopg import Cursor
from psycopg.rows import DictRow, dict_row

from adapters.eventstore.form import NO_EVENT, Header, seal_of
from adapters.eventstore.keys import WrappedOwnerKey
from adapters.eventstore.rows import NO_ROW, SQL, UnreadableRowError, one, persistent, row_hash, wrapped_owner_key
from adapters.postgres.endpoint import Endpoint
from domain.errors import AccessError, ConflictError

_NO_LIMIT: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Claim:
    """A name to be claimed: ``mandate`` is zero for names of the whole store."""

    mandate: UUID
    kind: str
    mac: bytes


@dataclass(frozen=True, slots=True)
class EventKey:
    """A wrapped data key, and the key that wraps it."""

    key_id: UUID
    wrapped: bytes


@dataclass(frozen=True, slots=True)
class Append:
    """What goes into one transaction.

    Attributes:
        events: of one stream, in order; ``state`` is the seal alone.
        keys: the wrapped data key of each event.
    """

    mandate: UUID
    events: Sequence[StoredEvent]
    keys: Sequence[EventKey]
    claim: Claim | None


@dataclass(frozen=True, slots=True)
class Companion:
    """What belongs to an event; ``None`` where it is gone.

    Attributes:
        hash: the hash in the journal.
        wrapped: the wrapped data key; ``owner_key`` wraps it.
    """

    hash: bytes | None
    wrapped: bytes | None
    owner_key: WrappedOwnerKey | None


def datastore(
    endpoint: Endpoint, connections: int, wait_seconds: float, revive: Callable[[], None]
) -> PostgresDatastore:
    """Return the library's pool of connections for the writer.

    Args:
        endpoint: the database, as the writer.
        connections: largest number of connections.
        wait_seconds: how long to wait for one before an attempt counts as failed.
        revive: called before each connect; starts the database again if it is ours and was killed.
    """
    made = PostgresDatastore(
        endpoint.dbname,
        endpoint.host,
        endpoint.port,
        endpoint.user,
        endpoint.password,
        connect_timeout=wait_seconds,
        # A client that hangs inside a transaction holds up all others: the server lets go of it.
        idle_in_transaction_session_timeout=20,
        lock_timeout=30,
        max_overflow=connections - 1,
        pre_ping=True,
        schema="fundstelle",
        enable_db_functions=False,
    )

    def conninfo() -> str:
        revive()
        # The whole connection string, since the library leaves out options such as sslmode.
        return endpoint.conninfo

    made.pool.conninfo = conninfo
    made.pool.kwargs = {"row_factory": dict_row}
    made.pool.reconnect_timeout = wait_seconds
    return made


class JournalRecorder(PostgresApplicationRecorder):
    """Records events with running number, previous hash, time and keys; ``clock`` gives the time (UTC)."""

    def __init__(self, datastore: PostgresDatastore, clock: Callable[[], datetime]) -> None:
        super().__init__(datastore)
        self.clock = clock

    @persistent
    def record(self, append: Append) -> list[Notification]:
        """Record in one transaction and return the rows as stored.

        Raises:
            ConflictError: the stream has moved on, or the name is taken.
            AccessError: the stream belongs to another mandate.
        """
        with (
            self.datastore.get_connection() as connection,
            connection.pipeline() as pipeline,
            connection.transaction(),
            connection.cursor() as cursor,
        ):
            head = self._head_under_lock(cursor, append)
            if head["version"] != append.events[0].originator_version - 1:
                return self._already_recorded(cursor, append)
            if head["mandate"] not in {None, append.mandate.bytes}:
                raise AccessError
            if append.claim is not None:
                self._claim(cursor, append.claim, append.events[0].originator_id)
            rows, entries = self._placed(append, head)
            cursor.execute(SQL["insert_event_keys"], _event_key_columns(append))
            cursor.execute(SQL["insert_entries"], entries)
            # The library's insert without its lock and wake-up, which we have already.
            PostgresAggregateRecorder._insert_stored_events(self, cursor, rows)  # noqa: SLF001
            pipeline.sync()
            if self._fetch_ids_after_insert_events(cursor, rows) != [row.id for row in rows]:
                raise RuntimeError("positions were given out by somebody without the lock")
        return rows

    def _head_under_lock(self, cursor: Cursor[DictRow], append: Append) -> DictRow:
        self._lock_table(cursor)
        self._notify_channel(cursor)
        cursor.execute(SQL["head"], {"stream": append.events[0].originator_id, "mandate": append.mandate})
        return one(cursor)

    def _already_recorded(self, cursor: Cursor[DictRow], append: Append) -> list[Notification]:
        """Find our own rows when the answer to the commit was lost and the attempt was repeated.

        Seals are random, so equal seals are the same append.
        """
        first = append.events[0]
        cursor.execute(SQL["stream"], {"stream": first.originator_id, "up_to": _NO_LIMIT})
        rows = [_notification(row) for row in cursor.fetchall()][first.originator_version - 1 :]
        found = rows[: len(append.events)]
        if [seal_of(row.state) for row in found] != [event.state for event in append.events]:
            raise ConflictError
        return found

    @staticmethod
    def _claim(cursor: Cursor[DictRow], claim: Claim, stream: UUID | str) -> None:
        row = {"mandate": claim.mandate, "kind": claim.kind, "mac": claim.mac, "stream": stream}
        cursor.execute(SQL["claim_name"], row)
        if cursor.fetchone() is None:
            raise ConflictError

    def _placed(self, append: Append, head: DictRow) -> tuple[list[Notification], tuple[list[Any], ...]]:
        """Put the headers before the seals; return the rows, and the columns of their journal entries."""
        logged_at = max(self.clock(), head["logged_at"]).astimezone(UTC)
        previous = bytes(head["hash"] or NO_EVENT)
        rows, hashes = [], []
        for step, event in enumerate(append.events, start=1):
            state = Header(append.mandate, head["number"] + step, previous, logged_at).before(event.state)
            position = head["position"] + step
            row = Notification(event.originator_id, event.originator_version, event.topic, state, position)
            previous = row_hash(row)
            rows.append(row)
            hashes.append(previous)
        count = len(rows)
        numbers = [head["number"] + step for step in range(1, count + 1)]
        columns = ([row.id for row in rows], [logged_at] * count, [append.mandate] * count, numbers, hashes)
        return rows, columns

    @persistent
    def select_stream(self, stream: UUID, up_to: int | None) -> list[Notification]:
        """Return the rows of a stream with their positions, which the library's ``select_events`` leaves out."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(SQL["stream"], {"stream": stream, "up_to": _NO_LIMIT if up_to is None else up_to})
            return [_notification(row) for row in cursor.fetchall()]

    @persistent
    def select_batch(
        self, position: int, limit: int, names: Sequence[str], known: Sequence[str]
    ) -> tuple[list[Notification], int]:
        """Return the next rows whose topics have one of ``names``, or a name that is not ``known``, and the head.

        The head is read first. Commits become visible in the order of positions, so all rows up to it are there.
        """
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(SQL["last_entry"])
            last = cursor.fetchone()
            head = 0 if last is None else int(last["position"])
            wanted = {"after": position, "head": head, "names": names, "known": known, "limit": limit}
            cursor.execute(SQL["batch"], wanted)
            return [_notification(row) for row in cursor.fetchall()], head

    @persistent
    def select_companions(self, rows: Sequence[Notification]) -> dict[int, Companion]:
        """Return hashes and keys of ``rows``, by position."""
        positions = [row.id for row in rows]
        asked = (positions, [row.originator_id for row in rows], [row.originator_version for row in rows])
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(SQL["companions"], asked)
            return {row["asked"]: _companion(row) for row in cursor.fetchall()}

    @persistent
    def find_name(self, claim: Claim) -> UUID | None:
        """Return the stream that holds a name."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(SQL["find_name"], {"mandate": claim.mandate, "kind": claim.kind, "mac": claim.mac})
            row = cursor.fetchone()
            return None if row is None else row["stream"]

    @persistent
    def find_names(self, mandate: UUID, kind: str) -> tuple[UUID, ...]:
        """Return the streams that hold a name of ``kind``."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(SQL["find_names"], {"mandate": mandate, "kind": kind})
            return tuple(row["stream"] for row in cursor.fetchall())

    @persistent
    def select_personal(self, person: UUID) -> tuple[UUID, ...]:
        """Return the streams of events whose keys the key of a person wraps."""
        with self.datastore.get_connection() as connection, connection.cursor() as cursor:
            cursor.execute(SQL["personal"], {"person": person})
            return tuple(row["stream"] for row in cursor.fetchall())

    @persistent
    def position_at(self, instant: datetime) -> int:
        """Return the last position logged at or before ``instant``, once and for all.

        Where something was logged later than ``instant``, nothing can come before it any more. Otherwise we wait for
        appends in flight and see to it that later ones are logged later, even if a clock is set back.
        """
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(SQL["last_entry"])
            last = cursor.fetchone()
            if last is None or last["logged_at"] <= instant:
                cursor.execute(SQL["lock_journal"])
                cursor.execute(SQL["raise_floor"], {"floor": instant + timedelta(microseconds=1)})
            cursor.execute(SQL["position_at"], {"instant": instant})
            return int(one(cursor)["position"])


def _notification(row: DictRow) -> Notification:
    try:
        return Notification(
            row["originator_id"], row["originator_version"], row["topic"], bytes(row["state"]), row["notification_id"]
        )
    except NO_ROW as error:
        raise UnreadableRowError from error


def _companion(row: DictRow) -> Companion:
    owner_key = None if row["key_id"] is None else wrapped_owner_key(row)
    return Companion(row["hash"], row["event_key"], owner_key)


def _event_key_columns(append: Append) -> tuple[list[Any], ...]:
    return (
        [event.originator_id for event in append.events],
        [event.originator_version for event in append.events],
        [key.key_id for key in append.keys],
        [key.wrapped for key in append.keys],
    )
