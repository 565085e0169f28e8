"""A killed server comes back by itself and has forgotten nothing; a pid file that lies harms nobody."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import LiteralString

import pytest

from adapters.postgres.account import choose_account
from adapters.postgres.database import Database, open_database
from adapters.postgres.endpoint import Role
from adapters.postgres.layout import find_home
from domain.errors import PartError
from tests.servers import Client, clients, postmaster_pid, wait_until_stopped


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the server's own user that must survive everything."""
    account = choose_account()
    process = subprocess.Popen(
        ["/bin/sleep", "600"],
        user=account.uid if account.other else None,
        group=account.gid if account.other else None,
        cwd="/",
    )
    yield process
    process.kill()
    process.wait()


def _kill_postmaster(data: Path) -> None:
    pid = postmaster_pid(data)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


async def _answer(database: Database, query: LiteralString) -> tuple[object, ...] | None:
    """Ask until the server answers: whoever is in a transaction while it dies gets an error, and asks again."""
    deadline = time.monotonic() + 60
    while True:
        try:
            async with database.connection(Role.OWNER) as connection:
                return await (await connection.execute(query)).fetchone()
        except PartError:
            assert time.monotonic() < deadline


async def test_a_running_database_survives_the_death_of_its_server(data_folder: Path) -> None:
    """The next use starts the server again by itself, and all that was committed is there."""
    async with open_database(data_folder, None) as database:
        await database.migrate()
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("CREATE TABLE numbers AS SELECT 42 AS number")
        _kill_postmaster(data_folder)
        assert await _answer(database, "SELECT number FROM fundstelle.numbers") == (42,)


async def test_a_killed_backend_takes_nobody_along_for_long(data_folder: Path) -> None:
    """PostgreSQL drops all connections when a backend is killed; the pools connect again by themselves."""
    async with open_database(data_folder, None) as database:
        await database.migrate()
        async with database.connection(Role.READER) as connection:
            backend = connection.info.backend_pid
        os.kill(backend, signal.SIGKILL)
        assert await _answer(database, "SELECT 1") == (1,)


def test_server_and_client_killed_together(data_folder: Path) -> None:
    """With nobody left to clean up, the next client finds leftovers only, and opens within seconds."""
    with clients(data_folder, 2) as (first, second):
        first.ask("open")
        _kill_postmaster(data_folder)
        first.kill()
        assert second.ask("open").startswith("opened")
        assert second.ask("query").startswith("answered")
        second.ask("close")


@pytest.mark.parametrize("count", [1, 60, 400])
def test_nothing_acknowledged_is_lost(data_folder: Path, count: int) -> None:
    """Numbers written one by one, the server killed in the middle of it: each acknowledged number is there."""
    with clients(data_folder, 2) as (writer, reader):
        reader.ask("open")
        _make_numbers(data_folder)
        writer.ask("open")
        writer.tell("count")
        acknowledged = _acknowledged(writer, count)
        _kill_postmaster(data_folder)
        writer.kill()
        assert reader.ask("query").startswith("answered")
        assert acknowledged <= _stored(data_folder)
        reader.ask("close")


def _make_numbers(data: Path) -> None:
    async def make() -> None:
        async with open_database(data, None) as database, database.connection(Role.OWNER) as connection:
            await connection.execute("CREATE TABLE numbers (number integer)")

    asyncio.run(make())


def _stored(data: Path) -> set[int]:
    async def read() -> set[int]:
        async with open_database(data, None) as database, database.connection(Role.OWNER) as connection:
            return {row[0] for row in await (await connection.execute("SELECT number FROM numbers")).fetchall()}

    return asyncio.run(read())


def _acknowledged(writer: Client, count: int) -> set[int]:
    return {int(writer.reply()) for _ in range(count)}


_LIES = [
    "",
    "garbage\n",
    "\0\0\0\0",
    "{foreign}\n",
    "{foreign}\n{pgdata}\n",
    "{self}\n",
    "-1\n",
    "0\n",
    "1\n",
    "9" * 30,
]


async def test_a_lying_pid_file_of_a_stopped_server(data_folder: Path, bystander: subprocess.Popen[bytes]) -> None:
    """Whatever a leftover pid file says, the server starts and stops, and the process it names lives on."""
    async with open_database(data_folder, None) as database:
        await database.migrate()
    assert wait_until_stopped(data_folder)
    home = find_home(data_folder)
    for lie in _LIES:
        text = lie.format(foreign=bystander.pid, self=os.getpid(), pgdata=home.pgdata)
        (home.pgdata / "postmaster.pid").write_text(text)
        (home.socket / ".s.PGSQL.5432.lock").write_text(text)
        (home.socket / ".s.PGSQL.5432").write_text("")
        async with open_database(data_folder, None) as database:
            assert await _answer(database, "SELECT 1") == (1,), lie
        assert wait_until_stopped(data_folder), lie
        assert bystander.poll() is None, lie


@pytest.mark.parametrize("lie", ["", "{foreign}\n", "garbage\n"])
async def test_a_lying_pid_file_of_a_running_server(
    data_folder: Path, bystander: subprocess.Popen[bytes], lie: str
) -> None:
    """The server is found without its pid file: others attach, the keeper stops the right process."""
    async with open_database(data_folder, None) as database:
        await database.migrate()
        (find_home(data_folder).pgdata / "postmaster.pid").write_text(lie.format(foreign=bystander.pid))
        async with open_database(data_folder, None) as second, second.connection(Role.READER) as connection:
            await connection.execute("SELECT count(*) FROM migrations")
    assert wait_until_stopped(data_folder)
    assert postmaster_pid(data_folder) is None
    assert bystander.poll() is None
