"""Row-level security, read from the catalogue and tried: no table is forgotten, whatever is added later."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import errors

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role

_TABLES = """
SELECT class.relname, class.relrowsecurity, class.relforcerowsecurity,
    EXISTS (SELECT FROM pg_attribute WHERE attrelid = class.oid AND attname = 'mandate') AS by_mandate,
    has_table_privilege(%(reader)s, class.oid, 'SELECT') AS readable,
    (SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
     WHERE indrelid = class.oid AND indisprimary) AS first_of_key
FROM pg_class AS class
WHERE class.relnamespace = 'fundstelle'::regnamespace AND class.relkind IN ('r', 'p')
"""
_VIEWS = """
SELECT relname FROM pg_class
WHERE relnamespace = 'fundstelle'::regnamespace AND relkind IN ('v', 'm')
    AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)
"""
_WIDE = """
SELECT table_name, grantee, privilege_type FROM information_schema.role_table_grants
WHERE table_schema = 'fundstelle' AND grantee <> %(owner)s AND privilege_type IN ('TRUNCATE', 'REFERENCES', 'TRIGGER')
"""
_PUBLIC = """
SELECT relname FROM pg_class, aclexplode(relacl) AS given
WHERE relnamespace = 'fundstelle'::regnamespace AND given.grantee = 0
"""
_WITHOUT_A_MANDATE = {"live_encoders", "migrations", "projection_positions"}
"""What readers may see that belongs to no mandate: names of views and models, and positions."""


async def _rows(database: Database, statement: str) -> list[Any]:
    names = {"reader": database.role_name(Role.READER), "owner": database.role_name(Role.OWNER)}
    async with database.connection(Role.OWNER) as connection:
        return await (await connection.execute(statement, names)).fetchall()  # type: ignore[arg-type]


async def test_every_table_that_readers_see_is_closed_row_by_row(database: Database) -> None:
    """Each has a mandate, its key begins with it, and row-level security is on, for its owner too."""
    tables = await _rows(database, _TABLES)
    readable = {name: facts for name, *facts, readable, first in tables if readable for facts in [[*facts, first]]}
    assert len(readable) > 10
    open_ones = {name for name, facts in readable.items() if not facts[2]}
    assert open_ones <= _WITHOUT_A_MANDATE
    assert {name: facts for name, facts in readable.items() if name not in open_ones} == {
        name: [True, True, True, "mandate"] for name in readable if name not in open_ones
    }


async def test_texts_and_their_keys_are_closed_to_all(database: Database) -> None:
    """The tables of texts as well, which only the writer decrypts."""
    closed = {name: facts for name, *facts in await _rows(database, _TABLES) if name in {"blobs", "blob_keys"}}
    assert [facts[:3] for facts in closed.values()] == [[True, True, True]] * 2


async def test_no_view_sees_more_than_who_asks_it(database: Database) -> None:
    """A view runs with the rights of its owner unless it says otherwise; ours, if any, say so."""
    assert await _rows(database, _VIEWS) == []


async def test_nobody_may_empty_a_table_or_refer_to_it(database: Database) -> None:
    """TRUNCATE knows no rows, and a foreign key tells whether one exists; nothing is granted to everybody."""
    assert await _rows(database, _WIDE) == []
    assert await _rows(database, _PUBLIC) == []


async def _seen(database: Database, scope: str | None) -> list[UUID]:
    async with database.connection(Role.READER) as connection:
        if scope is not None:
            await connection.execute("SELECT set_config('fundstelle.scope', %s, true)", [scope])
        rows = await (await connection.execute("SELECT mandate FROM runs ORDER BY run")).fetchall()
    return [row[0] for row in rows]


@pytest.fixture
async def mandates(database: Database) -> tuple[UUID, UUID]:
    """Two mandates with a run each."""
    found = (uuid4(), uuid4())
    async with database.connection(Role.PROJECTOR) as connection:
        for mandate in found:
            await connection.execute(
                "INSERT INTO runs (mandate, run, person, asked_at, asked_position, levels, known_position, valid_on) "
                "VALUES (%s, gen_random_uuid(), gen_random_uuid(), now(), 1, '{}', 1, current_date)",
                [mandate],
            )
    return found


async def test_without_a_scope_there_are_no_rows(database: Database, mandates: tuple[UUID, UUID]) -> None:
    """No setting, an empty one, and one that was set in a transaction before: nothing."""
    assert await _seen(database, None) == []
    assert await _seen(database, "") == []
    for mandate in mandates:
        assert await _seen(database, str(mandate)) == [mandate]
        assert await _seen(database, None) == []


async def test_a_scope_opens_what_it_names(database: Database, mandates: tuple[UUID, UUID]) -> None:
    """Several, in any order; a mandate that does not exist adds nothing; what is no id is an error, never all rows."""
    assert set(await _seen(database, f"{mandates[1]},{mandates[0]}")) == set(mandates)
    assert await _seen(database, f"{uuid4()}") == []
    for wrong in ("*", "%", f"{mandates[0]};", "{}"):
        with pytest.raises(errors.DataError):
            await _seen(database, wrong)


async def test_a_reader_cannot_write_nor_read_events(database: Database) -> None:
    """Neither what is recorded, nor keys, nor people; not even how much there is."""
    for table in ("stored_events", "journal_entries", "event_keys", "keyring", "people", "stream_names", "blob_keys"):
        async with database.connection(Role.READER) as connection:
            with pytest.raises(errors.InsufficientPrivilege):
                await connection.execute(f"SELECT count(*) FROM {table}")
    async with database.connection(Role.READER) as connection:
        with pytest.raises(errors.InsufficientPrivilege):
            await connection.execute("DELETE FROM runs")
