"""Numbered migrations: ``migrations/NNNN_name.sql``, each applied once, in its own transaction, never edited.

Names of roles differ from database to database, so a file writes them as psql does: ``:"writer"``, ``:"projector"``,
``:"reader"``, ``:"owner"``. A new table is open to nobody: each migration grants what each role needs.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, cast

import psycopg
from psycopg import sql

from adapters.postgres.sql import statements
from domain.errors import PartError

_SQL: Final = statements("adapters.postgres", "migrations.sql")
_FILE: Final = re.compile(r"^(\d{4})_(\w+)\.sql$")
_ROLE: Final = re.compile(r':"(owner|writer|projector|reader)"')


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema.

    Attributes:
        number: its place in the order.
        name: what it brings.
        text: its SQL.
    """

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text, hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def shipped() -> tuple[Migration, ...]:
    """Return the migrations of this program, in order.

    Raises:
        ValueError: two have the same number, or a file name is malformed (a fault of ours, found by the tests).
    """
    found: dict[int, Migration] = {}
    for file in files("adapters.postgres").joinpath("migrations").iterdir():
        match = _FILE.match(file.name)
        if match is None:
            raise ValueError(f"{file.name} is no migration")
        number = int(match[1])
        if number in found:
            raise ValueError(f"two migrations have the number {number}")
        found[number] = Migration(number, match[2], file.read_text(encoding="utf-8"))
    return tuple(found[number] for number in sorted(found))


def migrate(
    connection: psycopg.Connection[tuple[object, ...]], migrations: Sequence[Migration], roles: Mapping[str, str]
) -> int:
    """Bring the schema up to date and return how many migrations were applied.

    Args:
        connection: of the owner, in autocommit mode; its end frees the lock that holds others off.
        migrations: those of this program.
        roles: name of each role by its word in the files.

    Raises:
        PartError: the database is newer than the program, or an applied migration was edited since.
    """
    connection.execute(_SQL["lock"])
    connection.execute(_SQL["create_table"])
    pending = missing(connection, migrations)
    for migration in pending:
        _apply(connection, migration, roles)
    return len(pending)


def missing(
    connection: psycopg.Connection[tuple[object, ...]], migrations: Sequence[Migration]
) -> tuple[Migration, ...]:
    """Return the migrations that have not been applied yet, in order.

    Raises:
        PartError: the database is newer than the program, or an applied migration was edited since.
    """
    known = {migration.number: migration for migration in migrations}
    applied = connection.execute(_SQL["applied"]).fetchall()
    for number, name, checksum in applied:
        migration = known.get(cast("int", number))
        if migration is None:
            raise PartError("database_newer", number=number, name=name)
        if migration.checksum != checksum:
            raise PartError("migration_edited", number=number, name=name)
    done = {row[0] for row in applied}
    return tuple(migration for migration in migrations if migration.number not in done)


def _apply(connection: psycopg.Connection[tuple[object, ...]], migration: Migration, roles: Mapping[str, str]) -> None:
    text = _ROLE.sub(lambda match: sql.Identifier(roles[match[1]]).as_string(), migration.text)
    with connection.transaction():
        # A migration is shipped with the program and as trusted as its code.
        connection.execute(text)
        row = {"number": migration.number, "name": migration.name, "checksum": migration.checksum}
        connection.execute(_SQL["record"], row)
