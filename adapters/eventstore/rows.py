"""Rows of the database, read with their types."""

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar, cast
from uuid import UUID

from eventsourcing.persistence import InterfaceError, Notification, OperationalError, StoredEvent
from eventsourcing.utils import retry
from psycopg import Cursor
from psycopg.rows import DictRow

from adapters.eventstore.form import event_hash
from adapters.eventstore.keys import OwnerKind, WrappedOwnerKey
from adapters.postgres.sql import statements

SQL: Final = statements("adapters.eventstore", "eventstore.sql")

_MOST_ATTEMPTS: Final = 10
_PAUSE_SECONDS: Final = 0.2

NO_ROW: Final = (ValueError, OverflowError, TypeError, AttributeError)
"""What reading a row as an event ends in when it is none."""

P = ParamSpec("P")
T = TypeVar("T")


class UnreadableRowError(Exception):
    """A table of the store holds a row that no program of ours has written, or lacks one that is always there."""


def persistent(work: Callable[P, T]) -> Callable[P, T]:
    """Let ``work`` try again when its connection is lost, long enough for a killed server to come back.

    It must bear to run twice: the answer to a commit may be what was lost.
    """
    repeated = retry((InterfaceError, OperationalError), max_attempts=_MOST_ATTEMPTS, wait=_PAUSE_SECONDS)(work)
    return cast("Callable[P, T]", repeated)


def stream_of(row: StoredEvent) -> UUID:
    """Return the stream of a row; the library would also allow text.

    Raises:
        ValueError: the id of the stream is no UUID.
    """
    if not isinstance(row.originator_id, UUID):
        raise ValueError("streams are named by UUIDs")  # noqa: TRY004 - a damaged row, not a fault of the caller
    return row.originator_id


def row_hash(row: Notification) -> bytes:
    """Return the hash of a stored row."""
    return event_hash(stream_of(row), row.originator_version, row.topic, row.state, row.id)


def has_hash(row: Notification, recorded: bytes | None) -> bool:
    """Whether a stored row gives the hash that the journal has recorded for it."""
    try:
        return row_hash(row) == recorded
    except NO_ROW:
        return False


def one(cursor: Cursor[DictRow]) -> DictRow:
    """Return the one row of a statement that always has one.

    Raises:
        UnreadableRowError: somebody has taken it away.
    """
    row = cursor.fetchone()
    if row is None:
        raise UnreadableRowError
    return row


def wrapped_owner_key(row: DictRow) -> WrappedOwnerKey:
    """Read the columns of ``keyring`` from a row."""
    return WrappedOwnerKey(row["key_id"], OwnerKind(row["kind"]), row["owner"], row["wrapped"])
