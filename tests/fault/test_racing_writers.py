"""Many writers at once, their commits held for random times, while a projection follows."""

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recorder import JournalRecorder
from adapters.eventstore.recording import Recording, open_recording
from adapters.eventstore.topics import TOPICS
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.errors import ConflictError
from domain.knowledge.events import DocumentRegistered, LevelAssigned
from domain.recording import Actor, Event, Recorded
from projections.runner import ProjectionRunner
from tests.stored_form import Row, faults

WRITERS, APPENDS, SEEDS = 8, 8, 20
ACTOR = Actor(uuid4())


class LostError(Exception):
    """Thrown into a transaction before its commit."""


class Seen:
    """Writes down what it has seen; the same position twice would break its primary key."""

    name, version, takes = "seen", 1, TOPICS.classes()

    async def clear(self, connection: AsyncConnection) -> None:
        await connection.execute("DELETE FROM seen")

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        for recorded in events:
            await connection.execute("INSERT INTO seen VALUES (%s, %s)", (recorded.position, recorded.stream))


def hold_commits(monkeypatch: pytest.MonkeyPatch, chance: random.Random) -> None:
    """Hold each transaction for up to 4 ms when all is inserted, and roll one in eight back."""
    real = JournalRecorder._fetch_ids_after_insert_events

    def held(self: JournalRecorder, *args: Any, **kwargs: Any) -> Any:
        ids = real(self, *args, **kwargs)
        time.sleep(chance.uniform(0, 0.004))
        if chance.random() < 0.125:
            raise LostError
        return ids

    monkeypatch.setattr(JournalRecorder, "_fetch_ids_after_insert_events", held)


async def write(recording: Recording, chance: random.Random, mandates: list[UUID], shared: UUID) -> set[int]:
    """Append to streams of its own and to one that all fight for; return the acknowledged positions."""
    acknowledged: set[int] = set()
    for _ in range(APPENDS):
        stream, version, mandate = uuid4(), 0, chance.choice(mandates)
        if chance.random() < 0.3:
            stream, mandate = shared, mandates[0]
            version = len(await recording.events.read(stream))
        events: list[Event] = [DocumentRegistered("x"), *[LevelAssigned("secret")] * chance.randrange(3)]
        try:
            recorded = await recording.events.append(mandate, stream, version, events, ACTOR)
        except (LostError, ConflictError):
            continue
        acknowledged |= {one.position for one in recorded}
    return acknowledged


async def tail(recording: Recording, position: int, stop: asyncio.Event) -> list[int]:
    """Read the journal as it grows."""
    seen: list[int] = []
    while True:
        stopping = stop.is_set()
        batch = await recording.events.after(position, 5)
        seen += [one.position for one in batch]
        position = seen[-1] if seen else position
        if stopping and not batch:
            return seen
        await asyncio.sleep(0)


async def test_a_tailing_reader_skips_and_doubles_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """In 20 seeded runs of 8 writers: reader and projection see each acknowledged event once, in order."""
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("CREATE TABLE seen (position bigint PRIMARY KEY, stream uuid)")
        await connection.execute(f'GRANT ALL ON seen TO "{database.role_name(Role.PROJECTOR)}"')
    recordings = [await open_recording(database, MasterKey(bytes(32))) for _ in range(WRITERS)]
    reader = await open_recording(database, MasterKey(bytes(32)))
    stop_following, runner = asyncio.Event(), ProjectionRunner(database, reader.events, [Seen()])
    following = asyncio.create_task(runner.run(stop_following))
    for seed in range(SEEDS):
        before, stop = await reader.events.head(), asyncio.Event()
        chances = [random.Random(f"{seed} {writer}") for writer in range(WRITERS)]  # noqa: S311
        mandates, shared = [uuid4() for _ in range(3)], uuid4()
        with monkeypatch.context() as patch:
            hold_commits(patch, random.Random(seed))  # noqa: S311
            tailing = asyncio.create_task(tail(reader, before, stop))
            written = await asyncio.gather(
                *(write(one, chance, mandates, shared) for one, chance in zip(recordings, chances, strict=True))
            )
        stop.set()
        acknowledged = sorted(position for positions in written for position in positions)
        assert acknowledged == list(range(before + 1, before + 1 + len(acknowledged))), seed
        assert await tailing == acknowledged, seed
        assert len(acknowledged) > WRITERS, seed
    head = await reader.events.head()
    assert await runner.reach(head) == head
    stop_following.set()
    await following
    async with database.connection(Role.OWNER) as connection:
        seen = await (await connection.execute("SELECT position, stream FROM seen ORDER BY position")).fetchall()
        rows = await (
            await connection.execute(
                "SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events ORDER BY 5"
            )
        ).fetchall()
    assert seen == [(row[4], row[0]) for row in rows]
    assert faults([Row(*row) for row in rows]) == []
    for one in (*recordings, reader):
        await one.close()
