"""The runner of the projections, against PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from itertools import chain
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection, sql

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.eventstore.topics import TOPICS
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.errors import InputError, PartError
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor, Recorded
from projections.knowledge import KnowledgeProjection
from projections.runner import ProjectionRunner
from projections.tables import COUNTED

ACTOR = Actor(uuid4())


class Seen:
    """Writes down the positions it has seen."""

    version, takes = 1, TOPICS.classes()

    def __init__(self, name: str = "seen") -> None:
        self.name = name
        self.batches: list[int] = []
        self.failing = False
        self.poisoned: set[int] = set()

    async def clear(self, connection: AsyncConnection) -> None:
        await connection.execute("DELETE FROM seen WHERE name = %s", (self.name,))

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        self.batches.append(len(events))
        for recorded in events:
            row = (self.name, recorded.position, self.version)
            await connection.execute("INSERT INTO seen VALUES (%s, %s, %s)", row)
        if self.failing:
            raise PartError("lexical")
        if self.poisoned & {recorded.position for recorded in events}:
            raise ZeroDivisionError


@pytest.fixture
async def recording(database: Database) -> AsyncIterator[Recording]:
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("CREATE TABLE seen (name text, position bigint, version int, UNIQUE (name, position))")
        await connection.execute(f'GRANT ALL ON seen TO "{database.role_name(Role.PROJECTOR)}"')
    recording = await open_recording(database, MasterKey(bytes(32)))
    yield recording
    await recording.close()


async def record(recording: Recording, count: int) -> list[UUID]:
    streams = [uuid4() for _ in range(count)]
    for stream in streams:
        await recording.events.append(uuid4(), stream, 0, [DocumentRegistered("x")], ACTOR)
    return streams


async def seen(database: Database, name: str = "seen") -> list[tuple[int, int]]:
    async with database.connection(Role.PROJECTOR) as connection:
        cursor = await connection.execute(
            "SELECT position, version FROM seen WHERE name = %s ORDER BY position", (name,)
        )
        return [(row[0], row[1]) for row in await cursor.fetchall()]


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 20) -> None:
    """Wait until ``await condition()`` holds."""
    async with asyncio.timeout(seconds):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)


async def test_reach_brings_all_views_to_the_head(database: Database, recording: Recording) -> None:
    """Whatever was recorded before is in every view afterwards, once, and the position says so."""
    runner = ProjectionRunner(database, recording.events, [Seen("a"), Seen("b")])
    assert await runner.reach() == 0
    await record(recording, 3)

    assert await runner.reach() == 3
    await record(recording, 2)
    assert await runner.reach(5) == 5

    for name in ("a", "b"):
        assert await seen(database, name) == [(position, 1) for position in range(1, 6)]


async def test_events_come_in_batches(
    database: Database, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long journal is applied in several transactions, without loss."""
    monkeypatch.setattr("projections.runner.BATCH_EVENTS", 4)
    projection = Seen()
    runner = ProjectionRunner(database, recording.events, [projection])
    await runner.reach()
    await record(recording, 10)

    assert await runner.reach() == 10
    assert projection.batches == [4, 4, 2]
    assert [position for position, _ in await seen(database)] == list(range(1, 11))


async def test_a_shredded_event_moves_the_position_only(database: Database, recording: Recording) -> None:
    """The projection does not see it, and is not held up by it."""
    streams = await record(recording, 3)
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("DELETE FROM event_keys WHERE stream = ANY (%s)", (streams[1:],))

    assert await ProjectionRunner(database, recording.events, [Seen()]).reach() == 3
    assert [position for position, _ in await seen(database)] == [1]


async def test_a_failing_projection_names_itself_and_leaves_the_others_alone(
    database: Database, recording: Recording
) -> None:
    """Its batch is rolled back whole; the others reach the head; mended, it goes on where it was."""
    good, bad = Seen("good"), Seen("bad")
    runner = ProjectionRunner(database, recording.events, [bad, good])
    await record(recording, 1)
    await runner.reach()
    await record(recording, 2)
    bad.failing = True

    with pytest.raises(PartError, match="lexical"):
        await runner.reach()

    assert await seen(database, "bad") == [(1, 1)]
    assert await seen(database, "good") == [(1, 1), (2, 1), (3, 1)]
    bad.failing = False
    assert await runner.reach() == 3
    assert await seen(database, "bad") == [(1, 1), (2, 1), (3, 1)]


async def test_an_event_that_cannot_be_taken_in_is_set_aside(database: Database, recording: Recording) -> None:
    """It leaves nothing behind and holds nothing up; a rebuild tries it again and forgets that it failed."""
    projection = Seen()
    runner = ProjectionRunner(database, recording.events, [projection])
    await runner.reach()
    projection.poisoned = {2, 5}
    streams = await record(recording, 6)

    assert await runner.reach() == 6
    assert [position for position, _ in await seen(database)] == [1, 3, 4, 6]
    found = await runner.set_aside()
    assert [(one.projection, one.position, one.stream, one.kind) for one in found] == [
        ("seen", 2, streams[1], "ZeroDivisionError"),
        ("seen", 5, streams[4], "ZeroDivisionError"),
    ]

    projection.poisoned = {5}
    await runner.rebuild("seen")
    assert [one.position for one in await runner.set_aside()] == [5]
    assert [position for position, _ in await seen(database)] == [1, 2, 3, 4, 6]


async def test_what_the_database_refuses_in_one_event_is_set_aside(database: Database, recording: Recording) -> None:
    """The rest of its batch is kept, though the statement had failed inside the transaction."""

    class Refused(Seen):
        async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
            await super().apply(connection, events)
            for recorded in events:
                await connection.execute("SELECT 1 / (%s::int - 2)", [recorded.position])

    runner = ProjectionRunner(database, recording.events, [Refused()])
    await record(recording, 4)

    assert await runner.reach() == 4
    assert [position for position, _ in await seen(database)] == [1, 3, 4]
    assert [one.kind for one in await runner.set_aside()] == ["DivisionByZero"]


async def test_while_another_process_is_at_it_its_progress_is_taken(database: Database, recording: Recording) -> None:
    """``reach`` does not wait for a lock; asked for a position it does wait."""
    runner = ProjectionRunner(database, recording.events, [Seen()])
    await record(recording, 1)
    await runner.reach()
    await record(recording, 1)

    async with database.connection(Role.PROJECTOR) as other:
        await other.execute("SELECT FROM projection_positions WHERE name = 'seen' FOR UPDATE")
        assert await runner.reach() == 1
        waiting = asyncio.create_task(runner.reach(2))
        await asyncio.sleep(0.2)
        assert not waiting.done()
    assert await waiting == 2


async def test_positions_are_told_in_the_order_of_the_views(database: Database, recording: Recording) -> None:
    """In whatever order the database has them, and whatever they are called."""
    names = ["second", "third", "first"]
    for order in (names[::-1], names):
        runner = ProjectionRunner(database, recording.events, [Seen(name) for name in order])
        assert list(await runner.positions()) == order


async def test_one_view_is_brought_to_the_head_without_the_others(database: Database, recording: Recording) -> None:
    """What another process is slow to build is not waited for; what is asked for is, until it is whole."""
    runner = ProjectionRunner(database, recording.events, [Seen("runs"), Seen("slow")])
    await record(recording, 2)
    async with database.connection(Role.PROJECTOR) as other:
        await runner.positions()
        await other.execute("SELECT FROM projection_positions WHERE name = 'slow' FOR UPDATE")
        assert await runner.bring("runs") == 2
    assert (len(await seen(database, "runs")), await seen(database, "slow")) == (2, [])

    await record(recording, 1)
    async with database.connection(Role.PROJECTOR) as other:
        await other.execute("SELECT FROM projection_positions WHERE name = 'runs' FOR UPDATE")
        waiting = asyncio.create_task(runner.bring("runs"))
        await asyncio.sleep(0.2)
        assert not waiting.done()
    assert await waiting == 3


async def test_the_view_of_what_is_known_is_always_at_the_head(database: Database, recording: Recording) -> None:
    """However old the position asked for, and while another process builds something else: levels are of today."""
    runner = ProjectionRunner(database, recording.events, [Seen("knowledge"), Seen("slow")])
    await record(recording, 1)
    await runner.reach()
    await record(recording, 2)

    async with database.connection(Role.PROJECTOR) as other:
        await other.execute("SELECT FROM projection_positions WHERE name = 'slow' FOR UPDATE")
        assert await runner.reach(1) == 1
        assert [position for position, _ in await seen(database, "knowledge")] == [1, 2, 3]
        await record(recording, 1)
        assert await runner.reach() == 1
        assert len(await seen(database, "knowledge")) == 4


@pytest.mark.parametrize("position", [1, None])
async def test_nobody_looks_past_a_process_that_is_at_what_is_known(
    database: Database, recording: Recording, position: int | None
) -> None:
    """``reach`` waits for its lock, whatever position it was asked for."""
    runner = ProjectionRunner(database, recording.events, [Seen("knowledge")])
    await record(recording, 1)
    await runner.reach()
    await record(recording, 1)

    async with database.connection(Role.PROJECTOR) as other:
        await other.execute("SELECT FROM projection_positions WHERE name = 'knowledge' FOR UPDATE")
        waiting = asyncio.create_task(runner.reach(position))
        await asyncio.sleep(0.2)
        assert not waiting.done()
    await waiting
    assert len(await seen(database, "knowledge")) == 2


async def test_a_view_that_was_never_built_is_waited_for(database: Database, recording: Recording) -> None:
    """Nobody answers from a view that another process has only begun to build."""
    await record(recording, 3)
    runner = ProjectionRunner(database, recording.events, [Seen()])
    await runner._place()

    async with database.connection(Role.PROJECTOR) as other:
        await other.execute("SELECT FROM projection_positions WHERE name = 'seen' FOR UPDATE")
        waiting = asyncio.create_task(runner.reach())
        await asyncio.sleep(0.2)
        assert not waiting.done()
    assert await waiting == 3


async def test_a_position_behind_the_head_is_a_fault(database: Database, recording: Recording) -> None:
    """Waiting for what nobody has recorded would never end."""
    await record(recording, 1)
    with pytest.raises(ValueError, match="behind the head"):
        await ProjectionRunner(database, recording.events, [Seen()]).reach(2)


async def test_a_newer_version_builds_the_view_anew(database: Database, recording: Recording) -> None:
    """All of it, and once; the older program refuses to touch it from then on."""
    await record(recording, 3)
    await ProjectionRunner(database, recording.events, [Seen()]).reach()
    newer = Seen()
    newer.version = 2
    await record(recording, 1)

    assert await ProjectionRunner(database, recording.events, [newer]).reach() == 4

    assert await seen(database) == [(position, 2) for position in range(1, 5)]
    await record(recording, 1)
    with pytest.raises(PartError, match="projection_newer"):
        await ProjectionRunner(database, recording.events, [Seen()]).reach()


async def test_readers_see_the_old_view_until_the_new_one_is_there(database: Database, recording: Recording) -> None:
    """At no moment of a rebuild is the view empty or partial, and a failed one leaves the old view."""
    await record(recording, 5)
    held, go = asyncio.Event(), asyncio.Event()

    class Held(Seen):
        async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
            await super().apply(connection, events)
            held.set()
            await go.wait()

    go.set()
    projection = Held()
    runner = ProjectionRunner(database, recording.events, [projection])
    await runner.reach()
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("DELETE FROM seen WHERE position = 3")
    held.clear()
    go.clear()

    rebuilding = asyncio.create_task(runner.rebuild("seen"))
    await held.wait()
    assert [position for position, _ in await seen(database)] == [1, 2, 4, 5]
    go.set()
    await rebuilding
    assert [position for position, _ in await seen(database)] == [1, 2, 3, 4, 5]

    projection.failing = True
    with pytest.raises(PartError, match="lexical"):
        await runner.rebuild("seen")
    assert [position for position, _ in await seen(database)] == [1, 2, 3, 4, 5]


async def test_a_view_built_anew_has_been_counted(database: Database, recording: Recording) -> None:
    """PostgreSQL plans with the numbers of its rows at once, and may count every table that is named for it."""
    await record(recording, 3)
    await ProjectionRunner(database, recording.events, [KnowledgeProjection()]).reach()

    warnings = list[str | None]()
    query = "SELECT reltuples FROM pg_class WHERE oid = 'fundstelle.known_documents'::regclass"
    async with database.connection(Role.PROJECTOR) as connection:
        connection.add_notice_handler(lambda notice: warnings.append(notice.message_primary))
        assert await (await connection.execute(query)).fetchone() == (3,)
        for table in chain(*COUNTED.values()):
            await connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table)))
    assert warnings == [], "a table that it may not count is passed over with a warning"


async def test_an_unknown_name_cannot_be_rebuilt(database: Database, recording: Recording) -> None:
    """The error lists the names there are."""
    with pytest.raises(InputError, match="known=a, b"):
        await ProjectionRunner(database, recording.events, [Seen("a"), Seen("b")]).rebuild("c")


async def test_following_takes_in_what_is_recorded_and_outlives_a_failure(
    database: Database, recording: Recording
) -> None:
    """A failing projection is tried again; the others go on meanwhile; stopping ends the task."""
    good, bad, stop = Seen("good"), Seen("bad"), asyncio.Event()
    bad.failing = True
    runner = ProjectionRunner(database, recording.events, [good, bad])
    following = asyncio.create_task(runner.run(stop))
    await record(recording, 3)

    async def has(name: str) -> bool:
        return len(await seen(database, name)) == 3

    await until(lambda: has("good"))
    assert await seen(database, "bad") == []
    bad.failing = False
    await until(lambda: has("bad"))
    stop.set()
    async with asyncio.timeout(10):
        await following


async def test_following_is_woken_by_an_append(
    database: Database, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wake-up comes from the database, not from polling."""
    monkeypatch.setattr("projections.runner._POLL_SECONDS", 600.0)
    projection, stop = Seen(), asyncio.Event()
    following = asyncio.create_task(ProjectionRunner(database, recording.events, [projection]).run(stop))

    async def listening() -> bool:
        async with database.connection(Role.PROJECTOR) as connection:
            query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            row = await (await connection.execute(query)).fetchone()
            return row is not None and row[0] == 1

    await until(listening)
    for count in (1, 2, 3):
        await record(recording, 1)

        async def has(count: int = count) -> bool:
            return len(await seen(database)) == count

        await until(has)
    stop.set()
    async with asyncio.timeout(10):
        await following


class Meeting(Seen):
    """Goes on when all views are in the middle of their transactions, and the positions have been asked for."""

    def __init__(self, name: str, barrier: asyncio.Barrier, runner: list[ProjectionRunner]) -> None:
        super().__init__(name)
        self._barrier = barrier
        self._runner = runner

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        await self._barrier.wait()
        await self._runner[0].positions()
        await self._barrier.wait()
        await super().apply(connection, events)


async def test_all_views_are_brought_forward_at_once(database: Database, recording: Recording) -> None:
    """However long each takes, none waits for a connection that another one holds."""
    await record(recording, 1)
    barrier, runner = asyncio.Barrier(8), list[ProjectionRunner]()
    views = [Meeting(f"view {number}", barrier, runner) for number in range(8)]
    runner.append(ProjectionRunner(database, recording.events, views))

    async with asyncio.timeout(60):
        assert await runner[0].reach() == 1
