"""Search by meaning: cosine over ``halfvec`` in PostgreSQL, a partition for each mandate.

Exact as long as few passages are visible, which is the case for nearly every mandate; by a graph (HNSW) where many
are and the mandate has one. Decision 0006 has the measurements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from psycopg import sql

from adapters.postgres.database import AnyConnection, Database
from adapters.search.scoped import VECTORS, in_scope, must_be_visible, reading
from domain.asking.fusion import best_first
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError, PartError

EXACT_UP_TO: Final = 10_000
"""Visible passages of a mandate that are scanned one by one even where there is a graph."""

OVERFETCH: Final = 4
"""Times as many as asked for are fetched by graph: under a filter the first ones found are not all of the nearest."""

EF_SEARCH: Final = 200
"""Candidates that a graph search keeps; more finds more and takes longer."""

MAX_SCAN_TUPLES: Final = 20_000
"""A graph search that has looked at so many vectors ends, whatever it has found."""


_MOST_EF_SEARCH: Final = 1000


@dataclass(frozen=True, slots=True)
class _Wanted:
    vector: str
    dimensions: int
    encoder: str
    ordinals: list[int]
    limit: int


class PgvectorIndex:
    """``DenseIndex`` for the vectors of one encoder."""

    def __init__(self, database: Database, encoder: str, exact_up_to: int = EXACT_UP_TO) -> None:
        """Search the vectors of the encoder with the fingerprint ``encoder``."""
        self._database = database
        self._encoder = encoder
        self._exact_up_to = exact_up_to

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return the nearest passages by cosine similarity, best first, ties by passage.

        Raises:
            PartError: ``dense`` when a visible version has not been encoded with this encoder.
        """
        if not visible.versions or limit < 1:
            return ()
        wanted = _Wanted(str(list(vector)), len(vector), self._encoder, sorted(visible.versions), limit)
        async with in_scope(self._database, visible) as connection:
            by_graph, exactly = await self._plan(connection, wanted, visible)
            hits: list[Hit] = []
            for mandate, passages in by_graph.items():
                found = await _by_graph(connection, wanted, mandate)
                if len(found) < min(OVERFETCH * limit, passages):
                    exactly.append(mandate)
                else:
                    hits += found
            if exactly:
                hits += await _exactly(connection, wanted, exactly)
        return tuple(sorted(hits, key=best_first)[:limit])

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        """Return the stored vectors in the order asked.

        Raises:
            AccessError: a passage is not visible or does not exist.
        """
        must_be_visible(passages, visible)
        ordinals, numbers = [one.ordinal for one in passages], [one.number for one in passages]
        async with reading(self._database, visible, VECTORS) as read:
            rows = await read("vectors", encoder=self._encoder, ordinals=ordinals, numbers=numbers)
        found = {PassageId(ordinal, number): tuple(embedding) for ordinal, number, embedding in rows}
        if not found.keys() >= set(passages):
            raise AccessError
        return [found[passage] for passage in passages]

    async def _plan(
        self, connection: AnyConnection, wanted: _Wanted, visible: Visible
    ) -> tuple[dict[UUID, int], list[UUID]]:
        """Return the mandates to search by graph, with their visible passages, and those to scan."""
        mandates = sorted({version.mandate for version in visible.versions.values()})
        values = {"mandates": mandates, "encoder": wanted.encoder, "ordinals": wanted.ordinals}
        rows = await (await connection.execute(VECTORS["sizes"], values, prepare=True)).fetchall()
        if sum(versions for _, versions, _, _ in rows) != len(wanted.ordinals):
            raise PartError("dense")
        by_graph = {
            mandate: passages
            for mandate, _, passages, has_graph in rows
            if has_graph and passages > self._exact_up_to and not visible.horizon.exact
        }
        return by_graph, [mandate for mandate, _, passages, _ in rows if passages and mandate not in by_graph]


async def _exactly(connection: AnyConnection, wanted: _Wanted, mandates: list[UUID]) -> list[Hit]:
    values = {
        "mandates": mandates,
        "encoder": wanted.encoder,
        "ordinals": wanted.ordinals,
        "vector": wanted.vector,
        "limit": wanted.limit,
    }
    return _hits(await (await connection.execute(VECTORS["nearest"], values, prepare=True)).fetchall())


async def _by_graph(connection: AnyConnection, wanted: _Wanted, mandate: UUID) -> list[Hit]:
    limits = {
        "ef_search": str(min(max(EF_SEARCH, OVERFETCH * wanted.limit), _MOST_EF_SEARCH)),
        "max_scan_tuples": str(MAX_SCAN_TUPLES),
    }
    await connection.execute(VECTORS["graph_settings"], limits, prepare=True)
    statement = sql.SQL(VECTORS["nearest_by_graph"]).format(dimensions=sql.Literal(wanted.dimensions))
    values = {
        "mandate": mandate,
        "encoder": wanted.encoder,
        "ordinals": wanted.ordinals,
        "vector": wanted.vector,
        "limit": OVERFETCH * wanted.limit,
    }
    return _hits(await (await connection.execute(statement, values, prepare=False)).fetchall())


def _hits(rows: Sequence[tuple[Any, ...]]) -> list[Hit]:
    return [Hit(PassageId(ordinal, number), score) for ordinal, number, score in rows]
