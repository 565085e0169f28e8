"""Search by graph: what it finds of the nearest, what its limits do, and that nothing it sets stays behind."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np
import psycopg
import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search import pgvector
from adapters.search.pgvector import PgvectorIndex
from domain.asking.ports import PassageId
from domain.asking.visibility import Visible
from projections.graphs import open_graph
from projections.passages import PassageProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import Entry, HalvesEncoder, horizon, ingested, visible

ENCODER, DIMENSIONS = "test/1", 32
SIZES = [max(100, 2400 // rank) for rank in range(1, 51)]
PER_VERSION = 4


class World:
    """Fifty mandates of skewed sizes, their vectors around some centres."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.random = np.random.default_rng(11)
        self.centres = self.random.normal(size=(60, DIMENSIONS))
        self.entries: dict[int, list[Entry]] = {}

    def vectors(self, count: int) -> np.ndarray:
        found = self.centres[self.random.integers(0, 60, count)] + self.random.normal(size=(count, DIMENSIONS)) / 2
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    async def fill(self) -> "World":
        ordinal = 0
        async with self.database.connection(Role.PROJECTOR) as connection:
            for number in range(1, len(SIZES) + 1):
                await connection.execute("SELECT open_passage_partition(%s)", [UUID(int=number)])
        with roles.connect(self.database.admin) as connection:
            for number, size in enumerate(SIZES, 1):
                versions = size // PER_VERSION
                self.entries[number] = [Entry(ordinal + one, UUID(int=number), ()) for one in range(1, versions + 1)]
                self._put(connection, UUID(int=number), ordinal, versions)
                ordinal += versions
            connection.execute("ANALYZE fundstelle.passage_vectors")
        return self

    def _put(
        self, connection: psycopg.Connection[tuple[object, ...]], mandate: UUID, behind: int, versions: int
    ) -> None:
        connection.execute(
            "INSERT INTO fundstelle.passage_encodings SELECT %s, %s + one, %s, %s FROM generate_series(1, %s) AS one",
            [mandate, behind, ENCODER, PER_VERSION, versions],
        )
        columns = "(mandate, ordinal, number, encoder, search_text, embedding)"
        with connection.cursor().copy(f"COPY fundstelle.passage_vectors {columns} FROM STDIN") as copy:
            for row, vector in enumerate(self.vectors(versions * PER_VERSION).tolist()):
                at = behind + 1 + row // PER_VERSION
                copy.write_row((mandate, at, row % PER_VERSION, ENCODER, b"", str(vector)))

    async def open_graph(self, number: int) -> None:
        async with self.database.connection(Role.PROJECTOR) as connection:
            await open_graph(connection, UUID(int=number), ENCODER, 0)

    def seen(self, number: int, step: int = 1) -> Visible:
        return visible(self.entries[number][::step], horizon([UUID(int=number)]))

    async def found(self, seen: Visible, vector: Sequence[float], *, exact: bool) -> list[PassageId]:
        index = PgvectorIndex(self.database, ENCODER, exact_up_to=10**9 if exact else 0)
        return [hit.passage for hit in await index.search(vector, seen, 20)]


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database).fill()


async def test_a_graph_finds_the_nearest_under_any_filter(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall@20 against exact is 0.97 at least, for the smallest and the largest mandate, when 1, 10 or 100 % pass."""
    by_graph = pgvector._by_graph
    calls = []

    async def counted(*arguments: object) -> object:
        calls.append(1)
        return await by_graph(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pgvector, "_by_graph", counted)
    for number in (1, len(SIZES)):
        await world.open_graph(number)
        for step in (100, 10, 1):
            seen, shares = world.seen(number, step), []
            for vector in world.vectors(25).tolist():
                truth = await world.found(seen, vector, exact=True)
                got = await world.found(seen, vector, exact=False)
                assert len(got) == len(truth) == min(20, PER_VERSION * len(seen.versions))
                shares.append(len(set(truth) & set(got)) / len(truth))
            assert sum(shares) / len(shares) >= 0.97, (number, step)
    assert len(calls) == 2 * 3 * 25


async def test_the_graph_is_what_the_search_reads(world: World) -> None:
    """One partition is touched, through its graph; an exact search touches the partitions in scope alone."""
    await world.open_graph(1)
    plan = await _plan(world, "nearest_by_graph", [UUID(int=1)])
    assert "passage_graph_" in plan
    assert "Sort" not in plan
    assert plan.count("passage_vectors_") == 1

    exact = await _plan(world, "nearest", [UUID(int=2), UUID(int=3)])
    assert {f"passage_vectors_{UUID(int=number).hex}" in exact for number in (2, 3)} == {True}
    assert f"passage_vectors_{UUID(int=1).hex}" not in exact
    assert f"passage_vectors_{UUID(int=4).hex}" not in exact


async def _plan(world: World, name: str, mandates: list[UUID]) -> str:
    seen = visible([one for number in (1, 2, 3) for one in world.entries[number]], horizon(mandates))
    statement = pgvector.VECTORS[name].replace("{dimensions}", str(DIMENSIONS))
    values = {"mandate": mandates[0], "mandates": mandates, "encoder": ENCODER, "ordinals": sorted(seen.versions)}
    async with pgvector.in_scope(world.database, seen) as connection:
        if name == "nearest_by_graph":
            limits = {"ef_search": "200", "max_scan_tuples": "20000"}
            await connection.execute(pgvector.VECTORS["graph_settings"], limits)
        values |= {"vector": str(world.vectors(1).tolist()[0]), "limit": 20}
        rows = await (await connection.execute(f"EXPLAIN ANALYZE {statement}", values)).fetchall()  # type: ignore[arg-type]
    return "\n".join(line for (line,) in rows if "never executed" not in line)


async def test_a_list_cut_short_by_the_limit_is_searched_exactly(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the scan gives up before the list is full, the exact list is given, so a filter never empties it."""
    await world.open_graph(1)
    monkeypatch.setattr(pgvector, "MAX_SCAN_TUPLES", 1)
    monkeypatch.setattr(pgvector, "EF_SEARCH", 1)
    seen = world.seen(1, 60)
    for vector in world.vectors(5).tolist():
        assert await world.found(seen, vector, exact=False) == await world.found(seen, vector, exact=True)


async def test_questions_about_the_past_are_exact(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A horizon that asks for exactness never gets the graph."""
    await world.open_graph(1)

    async def refused(*_: object) -> object:
        raise AssertionError("searched by graph")

    monkeypatch.setattr(pgvector, "_by_graph", refused)
    seen = world.seen(1)
    past = Visible(replace(seen.horizon, exact=True), seen.versions)
    (vector,) = world.vectors(1).tolist()

    assert await world.found(past, vector, exact=False) == await world.found(past, vector, exact=True)


async def test_settings_end_with_the_search(world: World) -> None:
    """The next user of the connection has the settings of the server."""
    await world.open_graph(1)
    (vector,) = world.vectors(1).tolist()
    await world.found(world.seen(1), vector, exact=False)
    async with world.database.connection(Role.READER) as connection:
        for name, value in (("enable_sort", "on"), ("hnsw.iterative_scan", "off"), ("hnsw.ef_search", "40")):
            assert await (await connection.execute(f"SHOW {name}")).fetchone() == (value,)


async def test_another_mandate_is_not_reached_by_guessing(world: World) -> None:
    """Row-level security holds for the graph as well: a scope that does not name the mandate gives no row."""
    await world.open_graph(1)
    (vector,) = world.vectors(1).tolist()
    seen = world.seen(1)
    guessed = Visible(horizon([UUID(int=2)]), seen.versions)
    async with pgvector.in_scope(world.database, guessed) as connection:
        wanted = pgvector._Wanted(str(vector), DIMENSIONS, ENCODER, sorted(seen.versions), 20)
        assert await pgvector._by_graph(connection, wanted, UUID(int=1)) == []
        assert await pgvector._exactly(connection, wanted, [UUID(int=1)]) == []


async def test_a_mandate_that_grows_gets_its_graph(database: Database) -> None:
    """The projection builds it when the mandate has reached the size, and twice is fine."""
    mandate, blobs = UUID(int=1), InMemoryBlobs()
    master = MasterKey(bytes(32))
    projection = PassageProjection(blobs, always(HalvesEncoder()), master.first_marking().text_mac, graph_from=5)
    for ordinal, expected in ((1, 0), (2, 1), (3, 1)):
        entry = Entry(ordinal, mandate, ("eins", "zwei", f"drei {ordinal}"))
        async with database.connection(Role.PROJECTOR) as connection:
            await projection.apply(connection, [await ingested(entry, blobs)])
            count = "SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'passage_graph_%%'"
            assert await (await connection.execute(count)).fetchone() == (expected,)


async def test_readers_build_no_graph(database: Database) -> None:
    """Only the projector may have an index built."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.connection(Role.READER) as connection:
            await connection.execute("SELECT open_passage_graph(%s, 'x', 3)", [UUID(int=1)])
