"""A journal of a million events: intact, its views rebuilt, the past found in it, with figures on the way there."""

import asyncio
import time
from collections.abc import Sequence
from datetime import date, datetime
from random import Random
from statistics import quantiles
from uuid import UUID, uuid4

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.journal.audit import audit
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.outcome import RunFailed, RunResumed
from domain.asking.visibility import Horizon
from domain.knowledge.events import DocumentRegistered, VersionIngested
from domain.recording import Actor, BlobRef, Event
from projections.journal import PostgresJournalTree
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.runner import ProjectionRunner

SIZES = (10_000, 100_000, 1_000_000)
AT_ONCE, MANDATES, LOOKS = 1_000, 10, 200
DOCUMENTS = 10
"""Of a thousand events two for each of these documents; the others are steps of questions."""

ACTOR = Actor(uuid4())


def _version(number: int) -> VersionIngested:
    return VersionIngested(
        version=1,
        blob=BlobRef(f"address {number}", f"hash {number}"),
        markup="plain",
        characters=1,
        title=f"Titel {number}",
        url=None,
        level="internal",
        valid_from=None,
        valid_to=None,
        valid_from_kind="assumed",
        source="a.txt",
        reader="text/1",
        segmentation="sentences/1",
        sentences=(),
        passages=(),
        pages=(),
    )


async def _grow(recording: Recording, mandate: UUID, number: int) -> tuple[datetime, int]:
    for document in range(DOCUMENTS):
        events = [DocumentRegistered(f"{number}/{document}"), _version(number)]
        await recording.events.append(mandate, uuid4(), 0, events, ACTOR)
    left = (AT_ONCE - 2 * DOCUMENTS) // 2
    steps: list[Event] = [event for _ in range(left) for event in (RunFailed("degraded", "dense"), RunResumed())]
    recorded = await recording.events.append(mandate, uuid4(), 0, steps, ACTOR)
    return recorded[-1].logged_at, recorded[-1].position


def _p95(times: Sequence[float]) -> float:
    return quantiles(times, n=20)[-1] * 1_000


@pytest.mark.nightly
async def test_a_million_events(database: Database) -> None:
    """Written by ten mandates; figures of the run are printed with ``-rP``."""
    recording = await open_recording(database, MasterKey(bytes(32)))
    mandates = [uuid4() for _ in range(MANDATES)]
    moments: list[tuple[datetime, int]] = []
    for size in SIZES:
        begun, before = time.perf_counter(), len(moments)
        numbers = range(before, size // AT_ONCE)
        moments += [await _grow(recording, mandates[number % MANDATES], number) for number in numbers]
        rate = (len(moments) - before) * AT_ONCE / (time.perf_counter() - begun)
        print(f"{size:>9,} events: appended {rate:,.0f} a second", end="")
        await _measure(database, recording, mandates, moments)
    await recording.close()


async def _measure(
    database: Database, recording: Recording, mandates: Sequence[UUID], moments: Sequence[tuple[datetime, int]]
) -> None:
    size = await recording.events.head()
    tree = PostgresJournalTree(database)

    begun = time.perf_counter()
    found = await asyncio.to_thread(audit, database.conninfo(Role.WRITER), [size])
    print(f", verified {size / (time.perf_counter() - begun):,.0f}", end="")
    assert (found.size, found.problems, found.roots[size]) == (size, [], await tree.root(size))

    runner = ProjectionRunner(database, recording.events, [KnowledgeProjection()])
    await runner.reach()
    begun = time.perf_counter()
    await runner.rebuild(KnowledgeProjection.name)
    print(f", rebuilt {size / (time.perf_counter() - begun):,.0f}", end="")

    random, known, times = Random(1), PostgresKnowledge(database), list[float]()  # noqa: S311 - a sample, not a secret
    for instant, position in random.sample(list(moments), min(LOOKS, len(moments))):
        begun = time.perf_counter()
        at = await recording.events.position_at(instant)
        scope = (random.choice(list(mandates)),)
        seen = await known.visible(Horizon(scope, ("internal",), at, date(2026, 1, 1), exact=True))
        times.append(time.perf_counter() - begun)
        assert at == position
        assert all(version.ordinal <= at for version in seen.versions.values())
    print(f", known at an instant p95 {_p95(times):.1f} ms", end="")
    await _prove(tree, size, random.sample(range(1, size + 1), 20))


async def _prove(tree: PostgresJournalTree, size: int, positions: Sequence[int]) -> None:
    times = []
    for position in positions:
        begun = time.perf_counter()
        await tree.inclusion(position, size)
        times.append(time.perf_counter() - begun)
    print(f", a proof p95 {_p95(times):.1f} ms")
