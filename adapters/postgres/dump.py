"""Databases into files and back, with the programs of PostgreSQL that the wheel brings along.

All of it runs as the owner of our tables: whoever set the database up need not be superuser, and what a dump says when
it is put back is run with no more rights than that.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.postgres.binaries import wheel_binaries
from adapters.postgres.endpoint import Endpoint
from adapters.postgres.failures import translated
from adapters.postgres.roles import connect
from adapters.postgres.sql import statements
from domain.errors import PartError

_SQL: Final = statements("adapters.postgres", "dump.sql")
_OURS: Final = ("--schema=fundstelle", "--enable-row-security")
_AS_BACKUP: Final = "-c fundstelle.backup=on"
"""Opens tables to reading that row-level security closes to their owner."""

_FORGETTING: Final = (
    "forget_later_event_keys",
    "forget_erased_blobs",
    "forget_later_blob_keys",
    "forget_erased_names",
)


@contextmanager
def snapshot(place: Endpoint) -> Iterator[tuple[str, int]]:
    """Hold a snapshot of the database while the block runs: its name for ``dump``, and how many events it holds.

    Raises:
        PartError: the database does not answer.
    """
    with connect(place) as connection, translated():
        connection.execute(_SQL["no_erasing"])
        connection.execute(_SQL["begin"])
        name = connection.execute(_SQL["export"]).fetchone()
        count = connection.execute(_SQL["count_events"]).fetchone()
        if name is None or count is None:
            raise PartError("database")
        yield str(name[0]), int(str(count[0]))


@dataclass(frozen=True, slots=True)
class Description:
    """Versions and size (bytes) of a database."""

    version: str
    pgvector: str
    size: int


def describe(place: Endpoint) -> Description:
    """Return versions and size of a database.

    Raises:
        PartError: the database does not answer.
    """
    with connect(place) as connection, translated():
        row = connection.execute(_SQL["describe"]).fetchone()
    if row is None:
        raise PartError("database")
    return Description(str(row[0]), str(row[1]), int(str(row[2])))


def count_events(place: Endpoint) -> int:
    """Return how many events a database holds.

    Raises:
        PartError: the database does not answer.
    """
    with snapshot(place) as (_, count):
        return count


def is_empty(place: Endpoint) -> bool:
    """Whether nothing of ours has been recorded in a database.

    Raises:
        PartError: the database does not answer.
    """
    with connect(place) as connection, translated():
        return connection.execute(_SQL["has_tables"]).fetchone() is None


def dump(place: Endpoint, target: Path, snapshot_name: str, without_rows: Sequence[str]) -> None:
    """Write the database, as it is in the snapshot, into a new file that only its owner can read.

    Args:
        place: the database.
        target: the file.
        snapshot_name: name of the snapshot.
        without_rows: tables of ours, partitions included, that come along empty.

    Raises:
        FileExistsError: the file exists.
        PartError: ``dump_failed``.
    """
    left_out = [f"--exclude-table-data-and-children=fundstelle.{table}" for table in without_rows]
    _dump(place, target, snapshot_name, left_out)


def dump_rows(place: Endpoint, target: Path, snapshot_name: str, tables: Sequence[str]) -> None:
    """Write the rows of some tables of ours, as they are in the snapshot, into a file as ``dump`` does.

    Raises:
        FileExistsError: the file exists.
        PartError: ``dump_failed``.
    """
    _dump(place, target, snapshot_name, ["--data-only", *(f"--table=fundstelle.{table}" for table in tables)])


def _dump(place: Endpoint, target: Path, snapshot_name: str, chosen: Sequence[str]) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        # Statistics of the planner hold values of rows.
        options = ("--format=custom", "--no-statistics", f"--snapshot={snapshot_name}", *_OURS, *chosen)
        _run("pg_dump", place, *options, stdout=file.fileno())
        os.fsync(file.fileno())


def restore(place: Endpoint, source: Path) -> None:
    """Put a dump into an empty database of the same name, all of it or nothing.

    Raises:
        PartError: ``dump_failed``.
    """
    _run("pg_restore", place, "--single-transaction", "--clean", "--if-exists", _OURS[0], str(source))
    with connect(place) as connection, translated():
        # They belong to no schema.
        connection.execute(_SQL["default_privileges"])


def restore_keys(place: Endpoint, source: Path) -> int:
    """Put the keys of today to data of then, and return how many of its events have been erased since.

    What the data holds of mandates that have been erased since is removed, and keys of later events are left out.

    Raises:
        PartError: ``dump_failed``, or the database does not answer.
    """
    with connect(place) as connection, translated():
        # Nobody works with the database yet, and rows cannot be copied into a table that is closed to its owner.
        connection.execute(_SQL["open_texts"])
        try:
            _run("pg_restore", place, "--single-transaction", "--data-only", str(source))
            with connection.transaction():
                for name in _FORGETTING:
                    connection.execute(_SQL[name])
                count = connection.execute(_SQL["count_erased"]).fetchone()
        finally:
            connection.execute(_SQL["close_texts"])
    return int(str(count[0])) if count else 0


def _run(name: str, place: Endpoint, *options: str, stdout: int = subprocess.DEVNULL) -> None:
    parts = {key: str(value) for key, value in conninfo_to_dict(place.conninfo).items()}
    password = parts.pop("password", "")
    parts["options"] = f"{parts.get('options', '')} {_AS_BACKUP}".strip()
    done = subprocess.run(
        [wheel_binaries().folder / name, f"--dbname={make_conninfo(**parts)}", "--no-password", *options],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGPASSWORD": password},
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        # The first line names the problem; later ones can quote rows.
        raise PartError("dump_failed", program=name, reason=(done.stderr.splitlines() or ["?"])[0])
