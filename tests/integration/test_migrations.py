"""Migrations: each once, in order, whole or not at all."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from psycopg import errors

from adapters.postgres import migrations, roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.migrations import Migration, shipped
from domain.errors import PartError


def _migrate(database: Database, extra: Sequence[Migration]) -> int:
    names = {role.value: database.role_name(role) for role in Role}
    with roles.connect(database.endpoint(Role.OWNER)) as connection:
        return migrations.migrate(connection, [*shipped(), *extra], names)


async def _names(database: Database) -> set[str]:
    async with database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute("SELECT name FROM migrations WHERE number >= 9000")).fetchall()
    return {row[0] for row in rows}


_FIRST = Migration(9001, "first", 'CREATE TABLE first (); GRANT SELECT ON first TO :"reader"')
_SECOND = Migration(9002, "second", "SELECT pg_sleep(0.05); CREATE TABLE second ()")
_BROKEN = Migration(9003, "broken", "CREATE TABLE third (); SELECT no_such_column")


async def test_a_migration_names_roles_by_their_part(database: Database) -> None:
    """The name of a role differs from database to database; a file says reader and means the right one."""
    assert _migrate(database, [_FIRST]) == 1
    async with database.connection(Role.READER) as connection:
        await connection.execute("SELECT * FROM first")
    with pytest.raises(errors.InsufficientPrivilege):
        async with database.connection(Role.WRITER) as connection:
            await connection.execute("SELECT * FROM first")


async def test_eight_at_once(database: Database) -> None:
    """Whoever comes second waits and finds nothing to do."""
    with ThreadPoolExecutor(8) as pool:
        applied = list(pool.map(lambda _: _migrate(database, [_FIRST, _SECOND]), range(8)))
    assert sorted(applied) == [0] * 7 + [2]
    assert await _names(database) == {"first", "second"}


async def test_a_broken_migration_leaves_nothing_of_itself(database: Database) -> None:
    """Those before it stay, it is gone whole, and a mended one goes through."""
    with pytest.raises(errors.UndefinedColumn):
        _migrate(database, [_FIRST, _SECOND, _BROKEN])
    assert await _names(database) == {"first", "second"}
    assert _migrate(database, [_FIRST, _SECOND, Migration(9003, "broken", "CREATE TABLE third ()")]) == 1


async def test_an_edited_migration_is_refused(database: Database) -> None:
    """What was applied is history."""
    _migrate(database, [_FIRST])
    with pytest.raises(PartError) as refusal:
        _migrate(database, [Migration(9001, "first", "CREATE TABLE other ()")])
    assert refusal.value.key == "migration_edited"
    assert refusal.value.values["number"] == "9001"


async def test_a_newer_database_is_refused(database: Database) -> None:
    """An older program keeps its hands off what it does not know."""
    _migrate(database, [_FIRST])
    with pytest.raises(PartError) as refusal:
        await database.migrate()
    assert refusal.value.key == "database_newer"
    assert refusal.value.values == {"number": "9001", "name": "first"}
