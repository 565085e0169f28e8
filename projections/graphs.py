"""Graphs (HNSW) over the vectors of large partitions; decision 0006 says from which size on, and why."""

from typing import Final
from uuid import UUID

from adapters.postgres.database import AnyConnection
from adapters.postgres.sql import statements
from projections.encodings import DENSE

GRAPH_FROM: Final = 10_000
"""Passages of an encoder in a mandate from which on a graph is built; below, an exact scan is quick enough."""

MOST_DIMENSIONS: Final = 4_000
"""A graph over ``halfvec`` takes no more."""

_SQL: Final = statements("projections", "graphs.sql")


async def open_graph(connection: AnyConnection, mandate: UUID, encoder: str, graph_from: int = GRAPH_FROM) -> None:
    """Build the graph of an encoder's vectors in a mandate when they have become many; nothing if it is there.

    Readers go on meanwhile; who writes into the partition waits.
    """
    values = {"mandate": mandate, "encoder": encoder}
    count = await (await connection.execute(DENSE.sql["passages"], values)).fetchone()
    if count is None or count[0] < graph_from:
        return
    there = await (await connection.execute(_SQL["has_graph"], values)).fetchone()
    found = await (await connection.execute(_SQL["dimensions"], values)).fetchone()
    if found is not None and found[0] <= MOST_DIMENSIONS and not (there and there[0]):
        await connection.execute(_SQL["open_graph"], {**values, "dimensions": found[0]})


async def drop_graph(connection: AnyConnection, mandate: UUID, encoder: str) -> None:
    """Give the graph of an encoder's vectors in a mandate up, if there is one."""
    await connection.execute(_SQL["drop_graph"], {"mandate": mandate, "encoder": encoder})
