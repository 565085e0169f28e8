"""A journal of a million events: nothing missing, the chain whole, a view rebuilt from it, instants found in it."""

import time
from collections.abc import Iterator, Sequence
from statistics import quantiles
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import AsyncConnection

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import open_recording
from adapters.eventstore.topics import TOPICS
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.knowledge.events import LevelAssigned
from domain.recording import Actor, Recorded
from projections.runner import ProjectionRunner
from tests.stored_form import Row, faults

EVENTS, AT_ONCE, MANDATES, LOOKS = 1_000_000, 1_000, 10, 200
ROWS = "SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events ORDER BY 5"


class Counted:
    """Counts events; a gap or a repetition breaks the count."""

    name, version, takes = "counted", 1, TOPICS.classes()

    async def clear(self, connection: AsyncConnection[Any]) -> None:
        await connection.execute("UPDATE counted SET events = 0")

    async def apply(self, connection: AsyncConnection[Any], events: Sequence[Recorded]) -> None:
        before = await (await connection.execute("SELECT events FROM counted")).fetchone()
        assert [one.position for one in events] == list(range(before[0] + 1, before[0] + 1 + len(events)))
        await connection.execute("UPDATE counted SET events = %s", [before[0] + len(events)])


def journal(database: Database) -> Iterator[Row]:
    """Read the rows without holding them all."""
    with psycopg.connect(database.conninfo(Role.OWNER)) as connection, connection.cursor("journal") as cursor:
        cursor.itersize = AT_ONCE
        yield from (Row(*row) for row in cursor.execute(ROWS))


@pytest.mark.nightly
async def test_a_million_events(database: Database) -> None:
    """Written in batches by ten mandates; figures of the run are printed with ``-rP``."""
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("CREATE TABLE counted (events bigint NOT NULL)")
        await connection.execute("INSERT INTO counted VALUES (0)")
        await connection.execute(f'GRANT ALL ON counted TO "{database.role_name(Role.PROJECTOR)}"')
    recording = await open_recording(database, MasterKey(bytes(32)))
    mandates = [uuid4() for _ in range(MANDATES)]
    batch = [LevelAssigned(f"level-{number}") for number in range(AT_ONCE)]

    begun = time.perf_counter()
    instants = []
    for number in range(EVENTS // AT_ONCE):
        recorded = await recording.events.append(mandates[number % MANDATES], uuid4(), 0, batch, Actor(uuid4()))
        instants.append((recorded[-1].logged_at, recorded[-1].position))
    print(f"appended {EVENTS / (time.perf_counter() - begun):,.0f} events a second")

    begun = time.perf_counter()
    assert faults(journal(database)) == []
    print(f"chain checked {EVENTS / (time.perf_counter() - begun):,.0f} events a second")

    begun = time.perf_counter()
    runner = ProjectionRunner(database, recording.events, [Counted()])
    assert await runner.reach() == EVENTS
    print(f"projected {EVENTS / (time.perf_counter() - begun):,.0f} events a second")

    times = []
    for instant, position in instants[:: len(instants) // LOOKS]:
        begun = time.perf_counter()
        assert await recording.events.position_at(instant) == position
        times.append(time.perf_counter() - begun)
    print(f"position at an instant, p95 {quantiles(times, n=20)[-1] * 1000:.1f} ms")
    await recording.close()
