"""An instance is killed while it notes what came in, and while it holds the lease on an account."""

import asyncio
import time

from adapters.chat.inbox import PostgresInbox
from adapters.chat.lease import PostgresLease
from adapters.eventstore.recording import open_recording
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from tests.crashing import MASTER
from tests.fault.conftest import Victims

ACCOUNT = "matrix @bot:example.org"


async def test_events_are_noted_with_the_place_behind_them_or_not_at_all(database: Database, victims: Victims) -> None:
    """Killed before each statement: what the token covers is there whole, and nothing that it does not cover."""
    recording = await open_recording(database, MASTER)
    inbox = PostgresInbox(database, recording.people, ACCOUNT)
    end = ""
    for number in range(1, 100):
        end, acknowledged = await victims.run("note", number)
        token = int(await inbox.token() or 0)
        assert [one.event for one in await inbox.pending()] == [
            f"${place}{part}" for place in range(1, token + 1) for part in "abc"
        ]
        assert token >= max((int(told) for _, told in acknowledged), default=0)
        if end == "done":
            break
        assert end == "killed"
    assert end == "done"
    assert number > 10, "the scenario should have many statements"
    await recording.close()


async def _is_locked(database: Database) -> bool:
    async with database.connection(Role.OWNER) as connection:
        found = await connection.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted")
        return await found.fetchone() is not None


async def test_the_next_instance_takes_over(database: Database, victims: Victims) -> None:
    """It waits as long as the first lives, and has the lease soon after it was killed."""
    first = asyncio.create_task(victims.run("lease", 30))
    deadline = time.monotonic() + 60
    while not await _is_locked(database):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    waited: list[bool] = []
    second = PostgresLease(database, ACCOUNT)
    taking = asyncio.create_task(second.acquire(lambda: waited.append(first.done())))
    assert await first == ("killed", [])
    async with asyncio.timeout(60):
        await taking
    await second.check()
    assert waited == [False]
    await second.release()
