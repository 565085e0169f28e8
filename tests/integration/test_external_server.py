"""A server of one's own, by its address, works as the embedded one does."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import errors

from adapters.postgres.database import Database, open_database
from adapters.postgres.endpoint import Role
from domain.errors import FundstelleError, InputError, PartError
from tests.servers import ExternalServer, external_server


@pytest.fixture(scope="module")
def server() -> Iterator[ExternalServer]:
    with external_server() as running:
        yield running


@pytest.fixture
def name(server: ExternalServer, request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty database of the server, named after the test."""
    name = request.node.name.removeprefix("test_")[:40]
    server.execute(f'CREATE DATABASE "{name}"')
    yield name
    server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _refused(data: Path, url: str) -> FundstelleError:
    with pytest.raises(FundstelleError) as refusal:
        open_database(data, url)
    return refusal.value


async def _works(database: Database) -> None:
    await database.migrate()
    await database.check()
    for role in Role:
        async with database.connection(role) as connection:
            row = await (await connection.execute("SELECT current_user, count(*) FROM migrations")).fetchone()
        assert row is not None
        assert row[0] == database.role_name(role)


async def test_it_works_the_same(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """Roles, schema and migrations are made on the first opening, and found on the second."""
    for _ in range(2):
        async with open_database(tmp_path, server.url(name)) as database:
            await _works(database)
            assert not (tmp_path / "postgres").exists()
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "secrets").iterdir()}
    assert modes == {0o600}


async def test_two_databases_do_not_clash(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """Each database has roles of its own, which cannot read the other's."""
    server.execute(f'CREATE DATABASE "{name}_2"')
    async with (
        open_database(tmp_path / "1", server.url(name)) as first,
        open_database(tmp_path / "2", server.url(f"{name}_2")) as second,
    ):
        await _works(first)
        await _works(second)
        stranger = second.in_database(name)
        with pytest.raises((errors.InsufficientPrivilege, errors.UndefinedTable)):
            async with stranger.connection(Role.READER) as connection:
                await connection.execute("SELECT * FROM fundstelle.migrations")
        await stranger.close()
    server.execute(f'DROP DATABASE "{name}_2" WITH (FORCE)')


async def test_an_administrator_without_superuser(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """CREATEROLE and the database are enough, once somebody has installed pgvector."""
    admin = f"admin_{name}"
    server.execute(f"CREATE ROLE {admin} LOGIN CREATEROLE PASSWORD 'pw'", f"ALTER DATABASE {name} OWNER TO {admin}")
    url = server.url(name, admin, "pw")
    assert _refused(tmp_path, url).key == "pgvector"
    server.execute("CREATE EXTENSION vector", database=name)
    async with open_database(tmp_path, url) as database:
        await _works(database)


async def test_roles_made_by_hand(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """An address whose user may do nothing works where roles and passwords were prepared."""
    server.execute("CREATE EXTENSION vector", database=name)
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    for role in Role:
        server.execute(f"CREATE ROLE {name}_{role.value} LOGIN PASSWORD 'made by hand'")
        (secrets / f"{name}_{role.value}.password").write_text("made by hand\n")
    server.execute(f"GRANT CREATE ON DATABASE {name} TO {name}_owner", f"CREATE ROLE guest_{name} LOGIN PASSWORD 'pw'")
    async with open_database(tmp_path, server.url(name, f"guest_{name}", "pw")) as database:
        await _works(database)


def test_an_administrator_without_rights(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """Who may create no roles is told so."""
    server.execute(f"CREATE ROLE guest_{name} LOGIN PASSWORD 'pw'")
    refusal = _refused(tmp_path, server.url(name, f"guest_{name}", "pw"))
    assert isinstance(refusal, InputError)
    assert refusal.key == "database_admin"


async def test_roles_of_another_installation(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """A second installation does not take the roles away from the first by setting new passwords."""
    async with open_database(tmp_path / "1", server.url(name)) as first:
        await first.migrate()
        refusal = _refused(tmp_path / "2", server.url(name))
        assert refusal.key == "database_password_missing"
        shutil.copytree(tmp_path / "1" / "secrets", tmp_path / "2" / "secrets", dirs_exist_ok=True)
        async with open_database(tmp_path / "2", server.url(name)) as second:
            await _works(second)
        await _works(first)


def test_a_wrong_password(server: ExternalServer, tmp_path: Path) -> None:
    """A refused login is told from a server that is not there."""
    refusal = _refused(tmp_path, server.url(password="wrong"))
    assert isinstance(refusal, PartError)
    assert refusal.key == "database_password"


def test_nobody_there(tmp_path: Path) -> None:
    """Where nothing listens, the part is named at once."""
    refusal = _refused(tmp_path, "postgresql://postgres:pw@127.0.0.1:1/postgres")
    assert isinstance(refusal, PartError)
    assert refusal.key == "database"


@pytest.mark.parametrize(
    "url",
    ["", "postgresql://", "postgresql://host/db", "postgresql://user@host", "http://x", "postgresql://u@h:port/d"],
)
def test_an_incomplete_address(tmp_path: Path, url: str) -> None:
    """An address must name user, host and database."""
    assert _refused(tmp_path, url).key == "database_url"


def test_too_long_a_name(tmp_path: Path) -> None:
    """Names of roles carry the database's, and PostgreSQL would cut them off."""
    assert _refused(tmp_path, f"postgresql://u:p@127.0.0.1/{'x' * 60}").key == "database_name"


def test_no_password_is_shown(server: ExternalServer, name: str, tmp_path: Path) -> None:
    """Endpoint and errors may be logged: neither holds a password."""
    database = open_database(tmp_path, server.url(name))
    secret = (tmp_path / "secrets" / f"{name}_reader.password").read_text().strip()
    assert secret in database.conninfo(Role.READER)
    assert secret not in repr(database.endpoint(Role.READER))
    assert server.password not in str(_refused(tmp_path, server.url("nowhere")))


def test_another_encoding(server: ExternalServer, tmp_path: Path) -> None:
    """A database that does not keep Unicode cannot keep our texts."""
    server.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    refusal = _refused(tmp_path, server.url("latin"))
    assert isinstance(refusal, PartError)
    assert refusal.key == "database_encoding"
    assert refusal.values["found"] == "LATIN1"


def test_an_old_server_is_refused(tmp_path: Path) -> None:
    """PostgreSQL 16 lacks what we use; the error names both versions."""
    with external_server("pginstall") as old:
        refusal = _refused(tmp_path, old.url())
    assert isinstance(refusal, PartError)
    assert refusal.key == "postgres_old"
    assert (refusal.values["found"], refusal.values["needed"]) == ("16", "17")
