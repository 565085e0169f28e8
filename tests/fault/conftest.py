"""Processes that die between two statements (``tests/crashing.py``), and a house in which incidents happen."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.postgres.database import Database
from tests.matrix.house import House, house
from tests.matrix.js_client import JsClient
from tests.matrix.synapse import Synapse
from tests.servers import REPOSITORY


@dataclass
class Victims:
    """The process that forks and buries the victims; what they keep in files lies in ``folder``."""

    process: subprocess.Popen[str]
    folder: Path

    async def run(self, scenario: str, number: int) -> tuple[str, list[list[str]]]:
        """Run a scenario up to its statement ``number``; return how it ended and what it acknowledged."""
        return await asyncio.to_thread(self._run, scenario, number)

    def _run(self, scenario: str, number: int) -> tuple[str, list[list[str]]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{scenario} {number}\n")
        self.process.stdin.flush()
        acknowledged = []
        while True:
            kind, *values = json.loads(self.process.stdout.readline())
            if kind in {"done", "killed"} or kind.startswith("status"):
                return kind, acknowledged
            acknowledged.append([kind, *values])


@pytest.fixture
def victims(database: Database, tmp_path: Path) -> Iterator[Victims]:
    admin = database.admin
    place = {
        "endpoint": [admin.host, admin.port, admin.dbname, admin.user, admin.password],
        "prefix": database._prefix,
        "secrets": str(database._secrets),
        "folder": str(tmp_path / "victims"),
    }
    command = [sys.executable, "-m", "tests.crashing"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(REPOSITORY)
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(place) + "\n")
        yield Victims(process, tmp_path / "victims")
        process.stdin.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_house(synapse: Synapse) -> AsyncIterator[House]:
    """An installation that answers on the homeserver, for all tests of incidents."""
    async with house(synapse) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def home(shared_house: House) -> House:
    """The house with its instance at work, whatever the incident before has left; use rooms of your own."""
    await shared_house.at_work()
    return shared_house


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def client_of_anna(shared_house: House) -> AsyncIterator[JsClient]:
    """What Anna reads and writes encrypted with; it has met our device, as strict clients must before they read it."""
    await shared_house.at_work()
    with JsClient(shared_house.synapse.log_in(shared_house.anna.id)) as one:
        scene = await shared_house.room(shared_house.ben, is_encrypted=True, history="joined")
        await one.send(scene.room, "!hilfe")
        await one.await_in(scene.room, sender=shared_house.bot.id, readable=True)
        yield one
