"""Takes deleted rows out of the files of the database, where PostgreSQL leaves them until it needs the room.

A table is written anew without them (``VACUUM FULL``), and its indexes with it. Rows that a transaction may still see
would come along, so those that began before are waited for. Then the write-ahead log is switched, so that its segments
of before are removed. What a file system or a disk keeps of removed files is beyond us.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from psycopg import errors
from psycopg.sql import SQL, Identifier

from adapters.postgres.endpoint import Endpoint
from adapters.postgres.failures import translated
from adapters.postgres.roles import AnyConnection, connect
from adapters.postgres.sql import statements
from domain.errors import PartError

_SQL: Final = statements("adapters.postgres", "scrubbing.sql")
_PATIENCE_SECONDS: Final = 300.0
_POLL_SECONDS: Final = 0.1
_MOST_SEGMENTS: Final = 200


@contextmanager
def alone(place: Endpoint, *, patient: bool) -> Iterator[bool]:
    """Keep backups and other erasures off while the block runs; false when somebody else is at it.

    Args:
        place: the database.
        patient: wait for them; at most for five minutes.

    Raises:
        PartError: the database does not answer, or ``erasing_waits``.
    """
    deadline = time.monotonic() + _PATIENCE_SECONDS
    with connect(place) as connection, translated():
        while not (taken := _is(connection, "attempt")) and patient:
            if time.monotonic() > deadline:
                raise PartError("erasing_waits")
            time.sleep(_POLL_SECONDS)
        yield taken


def scrub(owner: Endpoint, tables: Sequence[str]) -> None:
    """Write tables of ours anew, without a trace of rows that have been deleted.

    Args:
        owner: the database, as the role that owns the tables.
        tables: their names.

    Raises:
        PartError: the database does not answer, or ``erasing_waits`` when a transaction from before does not end.
    """
    with connect(owner) as connection, translated():
        _await_older_transactions(connection)
        for table in tables:
            connection.execute(SQL(_SQL["rewrite"]).format(table=Identifier("fundstelle", table)))


def scrub_server(admin: Endpoint, *, ours: bool) -> None:
    """Do the same for the statistics of the planner and, on a server of our own, for the write-ahead log.

    Args:
        admin: the database, as the role that made ours. Where it may not do this, its administrator has to.
        ours: whether the server is the embedded one.

    Raises:
        PartError: the database does not answer.
    """
    with connect(admin) as connection, translated():
        try:
            connection.execute(_SQL["rewrite_statistics"])
        except errors.InsufficientPrivilege:
            return
        if ours:
            _renew_log(connection)


def _renew_log(connection: AnyConnection) -> None:
    """Leave every segment behind, also those that an older server has made ready out of used ones."""
    for _ in range(_MOST_SEGMENTS):
        connection.execute(_SQL["fill"])
        connection.execute(_SQL["switch"])
        if not _is(connection, "has_prepared"):
            break
    connection.execute(_SQL["checkpoint"])


def _await_older_transactions(connection: AnyConnection) -> None:
    row = connection.execute(_SQL["now"]).fetchone()
    values = {"now": None if row is None else row[0]}
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while _is(connection, "older_transactions", values):
        if time.monotonic() > deadline:
            raise PartError("erasing_waits")
        time.sleep(_POLL_SECONDS)


def _is(connection: AnyConnection, name: str, values: dict[str, object] | None = None) -> bool:
    # LiteralString is lost in a variable; the name is one of ours.
    row = connection.execute(_SQL[name], values).fetchone()
    return bool(row and row[0])
