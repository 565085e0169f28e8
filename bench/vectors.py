"""How long a search by meaning and one by learned weights take, exact and by graph, and what the graph finds.

    python bench/vectors.py [PASSAGES of the largest mandate] [DIMENSIONS]

Fifty mandates of skewed sizes (Zipf), synthetic unit vectors around a few hundred centres. Prints JSON lines.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from statistics import median, quantiles
from uuid import UUID

import numpy as np

from adapters.postgres import roles
from adapters.postgres.database import Database, open_database
from adapters.postgres.endpoint import Role
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sparsevec import SparsevecIndex, sparse_literal
from domain.asking.ports import Hit
from domain.asking.visibility import Visible
from projections.graphs import open_graph
from tests.servers import reachable_folder, wait_until_stopped
from tests.twins import Entry, horizon, visible

ENCODER = "bench/1"
PER_VERSION = 20
QUESTIONS = 60
MANDATES = 50
NONZERO = 150
random = np.random.default_rng(7)


def clustered(count: int, dimensions: int, centres: np.ndarray) -> np.ndarray:
    found = centres[random.integers(0, len(centres), count)] + random.normal(
        0, 0.6 / dimensions**0.5, (count, dimensions)
    )
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def weights() -> dict[str, float]:
    tokens = np.minimum(random.zipf(1.3, NONZERO * 2), 30_000)
    return {str(token): float(weight) for token, weight in zip(tokens, random.random(NONZERO * 2), strict=True)}


class World:
    def __init__(self, database: Database, sizes: list[int], centres: np.ndarray) -> None:
        self.database = database
        self.sizes = sizes
        self.centres = centres
        self.entries: dict[int, list[Entry]] = {}

    async def fill(self) -> None:
        ordinal = 0
        for number, size in enumerate(self.sizes, 1):
            mandate = UUID(int=number)
            versions = -(-size // PER_VERSION)
            self.entries[number] = [Entry(ordinal + one, mandate, ()) for one in range(1, versions + 1)]
            async with self.database.connection(Role.PROJECTOR) as connection:
                await connection.execute("SELECT open_passage_partition(%s)", [mandate])
                await connection.execute("SELECT open_weight_partition(%s)", [mandate])
            await asyncio.to_thread(self._copy, mandate, ordinal, versions)
            ordinal += versions

    def _copy(self, mandate: UUID, behind: int, versions: int) -> None:
        with roles.connect(self.database.admin) as connection:
            for table in ("passage_encodings", "weight_encodings"):
                versions_of = (
                    f"INSERT INTO fundstelle.{table} SELECT %s, %s + one, %s, %s FROM generate_series(1, %s) AS one"  # noqa: S608
                )
                connection.execute(versions_of, [mandate, behind, ENCODER, PER_VERSION, versions])
            columns = "(mandate, ordinal, number, encoder, search_text, embedding)"
            vectors = np.round(clustered(versions * PER_VERSION, self.centres.shape[1], self.centres), 4)
            with connection.cursor().copy(f"COPY fundstelle.passage_vectors {columns} FROM STDIN") as copy:
                for row, vector in enumerate(vectors.tolist()):
                    copy.write_row(
                        (mandate, behind + 1 + row // PER_VERSION, row % PER_VERSION, ENCODER, b"", str(vector))
                    )
            pool = [sparse_literal(weights()) for _ in range(500)]
            with connection.cursor().copy(f"COPY fundstelle.passage_weights {columns} FROM STDIN") as copy:
                for row in range(versions * PER_VERSION):
                    literal = pool[int(random.integers(0, 500))]
                    copy.write_row((mandate, behind + 1 + row // PER_VERSION, row % PER_VERSION, ENCODER, b"", literal))

    async def analyze(self) -> None:
        with roles.connect(self.database.admin) as connection:
            connection.execute("VACUUM ANALYZE")


Search = Callable[[int], Awaitable[tuple[Hit, ...]]]


def tell(**figures: object) -> None:
    print(json.dumps(figures), flush=True)


async def timed(what: str, search: Search, **about: object) -> list[tuple[Hit, ...]]:
    """Ask some questions to warm up, then all of them, one after the other."""
    for one in range(8):
        await search(one)
    found, took = [], []
    for one in range(QUESTIONS):
        began = time.perf_counter()
        found.append(await search(one))
        took.append((time.perf_counter() - began) * 1000)
    tell(search=what, **about, p50_ms=round(median(took), 2), p95_ms=round(quantiles(took, n=20)[-1], 2))
    return found


class Measuring:
    def __init__(self, world: World) -> None:
        self.world = world
        self.exact = PgvectorIndex(world.database, ENCODER)
        self.graph = PgvectorIndex(world.database, ENCODER, exact_up_to=0)
        self.sparse = SparsevecIndex(world.database, ENCODER)
        self.questions = clustered(QUESTIONS, world.centres.shape[1], world.centres).tolist()
        self.asked = [dict(list(weights().items())[:40]) for _ in range(QUESTIONS)]

    def seen(self, number: int, share: int = 100, *, exact: bool = False) -> Visible:
        mandate = UUID(int=number)
        chosen = visible(self.world.entries[number][:: 100 // share], horizon([mandate]))
        return replace(chosen, horizon=replace(chosen.horizon, exact=exact))

    async def scans(self, number: int) -> None:
        seen, size = self.seen(number, exact=True), self.world.sizes[number - 1]
        await timed("exact", lambda one: self.exact.search(self.questions[one], seen, 20), size=size)
        await timed("sparse", lambda one: self.sparse.search(self.asked[one], seen, 20), size=size)

    async def graphs(self, number: int) -> None:
        size, began = self.world.sizes[number - 1], time.perf_counter()
        async with self.world.database.connection(Role.PROJECTOR) as connection:
            await open_graph(connection, UUID(int=number), ENCODER, 0)
        tell(graph=size, built_s=round(time.perf_counter() - began, 1))
        for share in (1, 10, 100):
            await self._filtered(number, size, share)

    async def _filtered(self, number: int, size: int, share: int) -> None:
        seen, whole = self.seen(number, share), self.seen(number, share, exact=True)
        by_graph = await timed(
            "graph", lambda one: self.graph.search(self.questions[one], seen, 20), size=size, share=share
        )
        exactly = await timed(
            "exact", lambda one: self.exact.search(self.questions[one], whole, 20), size=size, share=share
        )
        both = ({hit.passage for hit in a} & {hit.passage for hit in b} for a, b in zip(by_graph, exactly, strict=True))
        wanted = sum(map(len, exactly))
        tell(size=size, share=share, recall=round(sum(map(len, both)) / wanted, 4))


async def measure(database: Database, largest: int, dimensions: int) -> None:
    centres = random.normal(0, 1 / dimensions**0.5, (300, dimensions))
    sizes = [max(200, round(largest / rank)) for rank in range(1, MANDATES + 1)]
    world = World(database, sizes, centres)
    began = time.perf_counter()
    await world.fill()
    await world.analyze()
    tell(passages=sum(sizes), dimensions=dimensions, filled_s=round(time.perf_counter() - began, 1))
    measuring = Measuring(world)
    picks = (1, 2, 3, 12, MANDATES)
    for number in picks:
        await measuring.scans(number)
    for number in picks:
        await measuring.graphs(number)


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 22_000
    dimensions = int(sys.argv[2]) if len(sys.argv) > 2 else 512
    with reachable_folder() as folder:
        database = open_database(folder / "data", None)

        async def run() -> None:
            try:
                await database.migrate()
                await measure(database, largest, dimensions)
            finally:
                await database.close()

        asyncio.run(run())
        wait_until_stopped(folder / "data")


if __name__ == "__main__":
    main()
