"""The database as everybody uses it, on the embedded server."""

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role


async def test_a_connection_has_the_role_asked_for(database: Database) -> None:
    """Each role connects as itself and finds the schema without naming it."""
    for role in Role:
        async with database.connection(role) as connection:
            row = await (await connection.execute("SELECT current_user, count(*) FROM migrations")).fetchone()
        assert row is not None
        assert row[0] == database.role_name(role)
        assert row[1] > 0


async def test_the_roles_pass_their_own_check(database: Database) -> None:
    """The roles we make ourselves are as narrow as we ask of others."""
    await database.check()


async def test_migrating_again_changes_nothing(database: Database) -> None:
    """A migrated database has nothing pending."""
    assert await database.migrate() == 0
