"""Appends a second, single and batched, against plain inserts of the same bytes in the same run.

    python bench/append.py [ROUNDS]

Medians of ROUNDS rounds (default 5), with an embedded server in a temporary folder.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

import psycopg

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database, open_database
from adapters.postgres.endpoint import Role
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor

SINGLE, BATCHES, BATCH, READ = 500, 20, 100, 500
ACTOR = Actor(uuid4())
EVENT = DocumentRegistered("handbuch/reisekosten/kilometergeld")
STATE_BYTES = 112 + 100 + 16
INSERT = "INSERT INTO plain VALUES (%s, %s, %s, %s)"


async def single(recording: Recording) -> int:
    mandate = uuid4()
    for _ in range(SINGLE):
        await recording.events.append(mandate, uuid4(), 0, [EVENT], ACTOR)
    return SINGLE


async def at_once(recording: Recording) -> int:
    mandate = uuid4()
    appends = (recording.events.append(mandate, uuid4(), 0, [EVENT], ACTOR) for _ in range(SINGLE))
    await asyncio.gather(*appends)
    return SINGLE


async def batched(recording: Recording) -> int:
    mandate = uuid4()
    for _ in range(BATCHES):
        await recording.events.append(mandate, uuid4(), 0, [EVENT] * BATCH, ACTOR)
    return BATCHES * BATCH


async def read(recording: Recording) -> int:
    count = position = 0
    while batch := await recording.events.after(position, READ):
        count, position = count + len(batch), batch[-1].position
    return count


def plain_single(connection: psycopg.Connection) -> int:
    for _ in range(SINGLE):
        with connection.transaction():
            connection.execute(INSERT, (uuid4(), 1, "DocumentRegistered:1", os.urandom(STATE_BYTES)))
    return SINGLE


def plain_batched(connection: psycopg.Connection) -> int:
    for _ in range(BATCHES):
        rows = [(uuid4(), 1, "DocumentRegistered:1", os.urandom(STATE_BYTES)) for _ in range(BATCH)]
        with connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(INSERT, rows)
    return BATCHES * BATCH


async def rate(work: Callable[[], Awaitable[int]]) -> float:
    started = time.perf_counter()
    count = await work()
    return count / (time.perf_counter() - started)


async def measure(database: Database, rounds: int) -> dict[str, list[float]]:
    recording = await open_recording(database, MasterKey(bytes(32)))
    rates: dict[str, list[float]] = {}
    with psycopg.connect(database.conninfo(Role.OWNER), autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE plain (id uuid, version bigint, topic text, state bytea, PRIMARY KEY (id, version))"
        )
        works: dict[str, Callable[[], Awaitable[int]]] = {
            "plain insert, single": lambda: asyncio.to_thread(plain_single, connection),
            "append, single": lambda: single(recording),
            "append, 8 at once": lambda: at_once(recording),
            f"plain insert, {BATCH} a transaction": lambda: asyncio.to_thread(plain_batched, connection),
            f"append, {BATCH} events each": lambda: batched(recording),
            f"read the journal, {READ} at a time": lambda: read(recording),
        }
        for _ in range(rounds):
            for name, work in works.items():
                rates.setdefault(name, []).append(await rate(work))
    await recording.close()
    return rates


async def report(data: Path, rounds: int) -> None:
    async with open_database(data, None) as database:
        await database.migrate()
        for name, rates in (await measure(database, rounds)).items():
            low, high = min(rates), max(rates)
            print(f"{name:<36} {statistics.median(rates):>9,.0f} a second ({low:,.0f} to {high:,.0f})")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fundstelle-bench-") as folder:
        # As root, the server's own user must get through to its data.
        Path(folder).chmod(0o711)
        asyncio.run(report(Path(folder) / "data", int(sys.argv[1]) if len(sys.argv) > 1 else 5))


if __name__ == "__main__":
    main()
