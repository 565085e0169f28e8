"""No role may get round the filters, and whoever gave it too much is told so at start."""

import pytest
from psycopg import errors, sql

from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.errors import PartError

_NARROW = [Role.WRITER, Role.PROJECTOR, Role.READER]
_TOO_MUCH = {
    "superuser": ("ALTER ROLE {role} SUPERUSER", "ALTER ROLE {role} NOSUPERUSER"),
    "bypassrls": ("ALTER ROLE {role} BYPASSRLS", "ALTER ROLE {role} NOBYPASSRLS"),
    "createrole": ("ALTER ROLE {role} CREATEROLE", "ALTER ROLE {role} NOCREATEROLE"),
    "createdb": ("ALTER ROLE {role} CREATEDB", "ALTER ROLE {role} NOCREATEDB"),
    "replication": ("ALTER ROLE {role} REPLICATION", "ALTER ROLE {role} NOREPLICATION"),
    "member of fundstelle_owner": ("GRANT {owner} TO {role}", "REVOKE {owner} FROM {role}"),
    "member of pg_read_all_data": ("GRANT pg_read_all_data TO {role}", "REVOKE pg_read_all_data FROM {role}"),
    "owner": ("CREATE TABLE public.own (); ALTER TABLE public.own OWNER TO {role}", "DROP TABLE public.own"),
}


def _execute(database: Database, command: str, role: Role) -> None:
    names = {"role": database.role_name(role), "owner": database.role_name(Role.OWNER)}
    statement = sql.SQL(command).format(**{key: sql.Identifier(name) for key, name in names.items()})
    with roles.connect(database.admin) as connection:
        connection.execute(statement)


@pytest.mark.parametrize("found", _TOO_MUCH)
async def test_a_role_that_may_too_much_is_refused(database: Database, found: str) -> None:
    """Each privilege that opens a way round the filters stops the start and is named, whichever role has it."""
    give, take = _TOO_MUCH[found]
    for role in _NARROW:
        _execute(database, give, role)
        try:
            with pytest.raises(PartError) as refusal:
                await database.check()
        finally:
            _execute(database, take, role)
        assert refusal.value.key == "database_role"
        assert refusal.value.values == {"role": database.role_name(role), "found": found}
    await database.check()


async def _start(database: Database, role: Role) -> None:
    await database.must_be_current()
    async with database.connection(role):
        pass


@pytest.mark.parametrize("found", ["superuser", "bypassrls", "owner"])
async def test_nobody_works_with_a_role_that_may_too_much(database: Database, found: str) -> None:
    """At start the writer is asked, and each other role with its first connection, before anybody works with it."""
    give, take = _TOO_MUCH[found]
    for role in _NARROW:
        _execute(database, give, role)
        fresh = database.in_database(database.admin.dbname)
        try:
            with pytest.raises(PartError) as refusal:
                await _start(fresh, role)
        finally:
            await fresh.close()
            _execute(database, take, role)
        assert refusal.value.key == "database_role"
        assert refusal.value.values["role"] == database.role_name(role)


async def test_a_database_without_pgvector_is_refused(database: Database) -> None:
    """Vectors cannot be stored without it: said at start."""
    _execute(database, "DROP EXTENSION vector CASCADE", Role.OWNER)
    with pytest.raises(PartError) as refusal:
        await database.check()
    assert refusal.value.key == "pgvector"


async def test_only_the_owner_makes_tables(database: Database) -> None:
    """Nobody else does, neither in our schema nor in the public one."""
    for role in _NARROW:
        for schema in ("fundstelle", "public"):
            statement = sql.SQL("CREATE TABLE {}.mine ()").format(sql.Identifier(schema))
            with pytest.raises(errors.InsufficientPrivilege):
                async with database.connection(role) as connection:
                    await connection.execute(statement)


async def test_a_new_table_is_open_to_nobody(database: Database) -> None:
    """What a migration forgets to grant is an error, not an opening."""
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("CREATE TABLE forgotten ()")
    for role in _NARROW:
        with pytest.raises(errors.InsufficientPrivilege):
            async with database.connection(role) as connection:
                await connection.execute("SELECT * FROM forgotten")
