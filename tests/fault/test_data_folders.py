"""Data folders of every kind: odd paths work, hopeless ones are a clear error, nobody else's folder is touched."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.postgres.account import choose_account
from adapters.postgres.database import Database, open_database
from adapters.postgres.endpoint import Role
from adapters.postgres.layout import find_home, prepare_data
from domain.errors import FundstelleError, InputError, PartError
from tests.servers import reachable_folder, until, wait_until_stopped


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def _works(data: Path) -> None:
    async with open_database(data, None) as database:
        await database.migrate()
        async with database.connection(Role.READER) as connection:
            await connection.execute("SELECT count(*) FROM migrations")


def _refused(data: Path) -> FundstelleError:
    with pytest.raises(FundstelleError) as refusal:
        open_database(data, None)
    return refusal.value


async def test_folders_are_private_and_parents_stay_as_they_are(data_folder: Path) -> None:
    """What we make is closed to others; what was there keeps its mode and group."""
    parents = [(path, path.stat()) for path in data_folder.parents]
    await _works(data_folder)
    assert [(path.stat().st_mode, path.stat().st_gid) for path, _ in parents] == [
        (status.st_mode, status.st_gid) for _, status in parents
    ]
    passage = 0o710 if choose_account().other else 0o700
    assert [_mode(data_folder / name) for name in ("", "run", "log")] == [passage] * 3
    closed = ["postgres", "secrets", "keys", "index", "log/postgresql", "run/socket"]
    assert {_mode(data_folder / name) for name in closed} == {0o700}
    assert {_mode(path) for path in (data_folder / "secrets").iterdir()} == {0o600}
    assert len(list((data_folder / "secrets").iterdir())) == len(Role) + 1


async def test_nobody_is_trusted_and_no_port_is_open(data_folder: Path) -> None:
    """Every way in asks for a password, and the only way in is the socket."""
    async with open_database(data_folder, None) as database:
        async with database.connection(Role.OWNER) as connection:
            row = await (await connection.execute("SHOW listen_addresses")).fetchone()
        assert row == ("",)
        rules = (data_folder / "postgres" / "pg_hba.conf").read_text().splitlines()
        methods = {line.split()[-1] for line in rules if line and not line.startswith("#")}
        assert methods == {"scram-sha-256"}


async def test_the_log_holds_no_words_of_a_statement(data_folder: Path) -> None:
    """A failing statement leaves neither its text nor its values in the server's log."""
    async with open_database(data_folder, None) as database:
        for statement in ("SELECT 'geheim'::integer", "SELECT geheim", "SELECT $1::integer"):
            with pytest.raises(Exception, match="geheim"):
                await _run(database, statement)
    assert wait_until_stopped(data_folder)
    logged = "".join(path.read_text() for path in (data_folder / "log" / "postgresql").iterdir())
    assert "ready to accept connections" in logged
    assert "geheim" not in logged


async def _run(database: Database, statement: str) -> None:
    async with database.connection(Role.OWNER) as connection:
        values = ["geheim"] if "$1" in statement else None
        await connection.execute(statement.replace("$1", "%s").encode(), values)


@pytest.mark.parametrize("name", ['it\'s "so" $(touch x)$HOME`id`\\ Prüfung', "a,b", "-dash", "x" * 120])
async def test_odd_paths(data_folder: Path, name: str) -> None:
    """Quotes, commas, umlauts and a path too long for a socket: the folder works, and is left tidy."""
    folder = data_folder.parent / name
    folder.mkdir(mode=0o711)
    await _works(folder / "data")
    assert wait_until_stopped(folder / "data")
    home = find_home(folder / "data")
    assert home.socket == home.run / "socket" or not home.socket.exists()


async def test_a_folder_reached_through_a_link(data_folder: Path) -> None:
    """A link to a data folder is that data folder: both names share one server."""
    link = data_folder.parent / "link"
    link.symlink_to(data_folder)
    data_folder.mkdir(mode=0o700)
    async with open_database(data_folder, None) as first, open_database(link, None) as second:
        assert first.endpoint(Role.READER) == second.endpoint(Role.READER)


def test_a_file_in_the_place_of_the_folder(data_folder: Path) -> None:
    """A file is no folder; it is left alone."""
    data_folder.write_text("mine")
    assert _refused(data_folder).key == "data_folder"
    assert data_folder.read_text() == "mine"
    data_folder.unlink()


def test_a_file_in_the_place_of_a_folder_inside(data_folder: Path) -> None:
    """The same for the folders that we make ourselves."""
    data_folder.mkdir(mode=0o700)
    (data_folder / "run").write_text("mine")
    refusal = _refused(data_folder)
    assert isinstance(refusal, InputError)
    assert refusal.key == "data_folder"
    shutil.rmtree(data_folder)


def test_a_folder_that_cannot_be_made() -> None:
    """Where nobody may make a folder, the error names it."""
    refusal = _refused(Path("/proc/fundstelle/data"))
    assert isinstance(refusal, InputError)
    assert refusal.values["folder"].startswith("/proc/fundstelle")


async def test_a_folder_with_other_things_keeps_its_mode(data_folder: Path) -> None:
    """We do not close a folder that holds more than our data; what we put into it is closed by itself."""
    data_folder.mkdir()
    data_folder.chmod(0o755)
    (data_folder / "letter.txt").write_text("mine")
    await _works(data_folder)
    assert _mode(data_folder) == 0o755
    assert _mode(data_folder / "secrets") == 0o700


@pytest.mark.parametrize(
    "names", [(), ("watch", "log", "run"), ("matrix",), ("demo", "format", "config.toml", "postgres.location")]
)
def test_a_widened_folder_of_ours_is_closed_again(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Whatever the program has put into it: it holds nothing of others, so nobody else has to get in."""
    data = tmp_path / "data"
    for name in ("", *names):
        (data / name).mkdir()
    data.chmod(0o755)
    prepare_data(data)
    assert _mode(data) == 0o700


@pytest.mark.parametrize(
    ("version", "key"), [("19\n", "postgres_version"), ("9.6\n", "postgres_version"), (None, "postgres_damaged")]
)
async def test_a_cluster_of_another_version(data_folder: Path, version: str | None, key: str) -> None:
    """A cluster that this program cannot run is refused, and not touched."""
    await _works(data_folder)
    assert wait_until_stopped(data_folder)
    mark = data_folder / "postgres" / "PG_VERSION"
    mark.unlink() if version is None else mark.write_text(version)
    refusal = _refused(data_folder)
    assert isinstance(refusal, PartError)
    assert refusal.key == key
    assert (data_folder / "postgres" / "global").is_dir()


async def test_lost_passwords(data_folder: Path) -> None:
    """Without the passwords nobody gets in, and the error says which to look for."""
    await _works(data_folder)
    assert wait_until_stopped(data_folder)
    shutil.rmtree(data_folder / "secrets")
    assert _refused(data_folder).key == "database_password"


async def test_an_interrupted_initdb_is_started_afresh(data_folder: Path) -> None:
    """Half a cluster is never taken for one."""
    (data_folder / "postgres.new" / "base").mkdir(parents=True, mode=0o700)
    await _works(data_folder)
    assert not (data_folder / "postgres.new").exists()


@pytest.fixture
def small_disk(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A file system of its own, of as many megabytes as the test says."""
    with reachable_folder() as folder:
        options = f"size={request.param}m,mode=0711"
        subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
        try:
            yield folder
        finally:
            assert until(lambda: subprocess.run(["/bin/umount", folder], check=False).returncode == 0)


@pytest.mark.mount
@pytest.mark.parametrize("small_disk", [60], indirect=True)
def test_too_little_space_for_a_cluster(small_disk: Path) -> None:
    """Said before anything is written, with what is needed and what is there."""
    refusal = _refused(small_disk / "data")
    assert isinstance(refusal, PartError)
    assert refusal.key == "disk_low"
    assert int(refusal.values["free"]) < int(refusal.values["needed"])
    assert not (small_disk / "data" / "postgres").exists()
    assert wait_until_stopped(small_disk / "data")


@pytest.mark.mount
@pytest.mark.parametrize("small_disk", [220], indirect=True)
async def test_a_full_disk_loses_nothing(small_disk: Path) -> None:
    """Filled while it runs: a clear error; with room again, all that was acknowledged is there."""
    data = small_disk / "data"
    stored: list[int] = []
    async with open_database(data, None) as database:
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("CREATE TABLE heap (number integer, filling text)")
        ballast = small_disk / "ballast"
        ballast.write_bytes(b"\0" * (shutil.disk_usage(small_disk).free - 12 * 2**20))
        with pytest.raises(PartError) as refusal:
            await _store_until_full(database, stored)
        ballast.unlink()
        assert refusal.value.key == "disk_full"
    async with open_database(data, None) as database, database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute("SELECT number FROM heap")).fetchall()
    assert stored
    assert set(stored) <= {row[0] for row in rows}
    assert wait_until_stopped(data)


async def _store_until_full(database: Database, stored: list[int]) -> None:
    for number in range(1000):
        async with database.connection(Role.OWNER) as connection:
            filling = os.urandom(100_000).hex()
            await connection.execute("INSERT INTO heap VALUES (%s, %s)", [number, filling])
        stored.append(number)


@pytest.mark.mount
@pytest.mark.parametrize("small_disk", [220], indirect=True)
async def test_a_full_write_ahead_log_loses_nothing(small_disk: Path) -> None:
    """PostgreSQL stops dead without room for its log: the error says so until there is room, and nothing is lost."""
    data = small_disk / "data"
    async with open_database(data, None) as database:
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("CREATE TABLE counter AS SELECT 0 AS number")
        ballast = small_disk / "ballast"
        ballast.write_bytes(b"\0" * (shutil.disk_usage(small_disk).free - 2**20))
        counted: list[int] = []
        with pytest.raises(PartError) as refusal:
            await _count_until_full(database, counted)
        assert refusal.value.key in {"database", "disk_full"}
        keys = [await _refusal_key(database) for _ in range(3)]
        assert keys[-1] == "disk_full"
        ballast.unlink()
        async with database.connection(Role.OWNER) as connection:
            row = await (await connection.execute("SELECT number FROM counter")).fetchone()
        assert row is not None
        assert row[0] in {counted[-1], counted[-1] + 1}
    assert wait_until_stopped(data)


async def _count_until_full(database: Database, counted: list[int]) -> None:
    for number in range(1, 100_000):
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("UPDATE counter SET number = %s", [number])
            await connection.execute("SELECT pg_logical_emit_message(true, 'ballast', repeat('x', 100000))")
        counted.append(number)


async def _refusal_key(database: Database) -> str:
    try:
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("UPDATE counter SET number = number")
    except PartError as error:
        return error.key
    return ""
