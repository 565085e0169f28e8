"""The database goes away and comes back under a following runner and its writers."""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from psycopg import AsyncConnection

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.eventstore.topics import TOPICS
from adapters.postgres.database import open_database
from adapters.postgres.endpoint import Role
from domain.errors import PartError
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor, Recorded
from projections.runner import ProjectionRunner
from tests.servers import postmaster_pid


class Seen:
    """Writes down what it has seen."""

    name, version, takes = "seen", 1, TOPICS.classes()

    async def clear(self, connection: AsyncConnection) -> None:
        await connection.execute("DELETE FROM seen")

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        for recorded in events:
            await connection.execute("INSERT INTO seen VALUES (%s)", (recorded.position,))


async def test_following_goes_on_after_restarts(data_folder: Path) -> None:
    """After an orderly stop and after a kill the same runner catches up; no acknowledged event is missing anywhere."""
    async with open_database(data_folder, None) as database:
        await database.migrate()
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("CREATE TABLE seen (position bigint PRIMARY KEY)")
            await connection.execute(f'GRANT ALL ON seen TO "{database.role_name(Role.PROJECTOR)}"')
        recording = await open_recording(database, MasterKey(bytes(32)))
        stop, runner = asyncio.Event(), ProjectionRunner(database, recording.events, [Seen()])
        following = asyncio.create_task(runner.run(stop))
        streams, refused = set(), set()

        async def write() -> None:
            while not stop.is_set():
                stream = uuid4()
                try:
                    await recording.events.append(uuid4(), stream, 0, [DocumentRegistered("x")], Actor(uuid4()))
                except PartError as error:
                    refused.add(error.key)
                else:
                    streams.add(stream)
                await asyncio.sleep(0.01)

        async def grown_by(count: int) -> None:
            goal = len(streams) + count
            while len(streams) < goal:
                assert not following.done()
                await asyncio.sleep(0.01)

        async with asyncio.timeout(60):
            writing = [asyncio.create_task(write()) for _ in range(3)]
            await grown_by(20)
            for how in (signal.SIGINT, signal.SIGKILL):
                pid = postmaster_pid(data_folder)
                assert pid is not None
                os.kill(pid, how)
                await grown_by(20)
            stop.set()
            await asyncio.gather(*writing)
            await following
            head = await runner.reach()
        journal = []
        while batch := await recording.events.after(len(journal), 500):
            journal += batch
        async with database.connection(Role.OWNER) as connection:
            rows = await (await connection.execute("SELECT position FROM seen ORDER BY 1")).fetchall()
        assert [row[0] for row in rows] == [one.position for one in journal] == list(range(1, head + 1))
        assert refused <= {"database"}
        assert streams <= {one.stream for one in journal}
        await recording.close()


async def test_a_lone_writer_starts_its_killed_server_again(data_folder: Path) -> None:
    """The next append brings the server back by itself, and what was acknowledged before is there."""
    async with open_database(data_folder, None) as database:
        await database.migrate()
        recording = await open_recording(database, MasterKey(bytes(32)))
        before = await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("x")], Actor(uuid4()))
        pid = postmaster_pid(data_folder)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

        async with asyncio.timeout(60):
            after = await _append_at_last(recording)

        assert await recording.events.after(0, 10) == before + after
        await recording.close()


async def _append_at_last(recording: Recording) -> tuple[Recorded, ...]:
    mandate, stream = uuid4(), uuid4()
    while True:
        try:
            return await recording.events.append(mandate, stream, 0, [DocumentRegistered("y")], Actor(uuid4()))
        except PartError:
            await asyncio.sleep(0.1)
