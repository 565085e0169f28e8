"""Feeds the index by meaning: where the passages of each version stand, and a vector for each.

Texts are not copied into the view.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from psycopg import AsyncConnection

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.knowledge.events import VersionIngested
from domain.knowledge.passage_words import page_of, search_texts
from domain.knowledge.text import Passage
from domain.recording import BlobStore, Recorded
from projections.encodings import DENSE, Encodings, Live, Marks, Words
from projections.graphs import GRAPH_FROM, open_graph

_SQL: Final = statements("projections", "passages.sql")

Vector = tuple[float, ...]


async def documents(database: Database, position: int, left_out: Collection[int]) -> int:
    """Return how many versions and passages an index of words has to hold at a position.

    Args:
        database: where the view is.
        position: that of the index.
        left_out: ordinals of versions that it could not take in.

    Raises:
        PartError: the database does not answer.
    """
    async with database.connection(Role.PROJECTOR) as connection:
        values = {"position": position, "left_out": list(left_out)}
        row = await (await connection.execute(_SQL["documents"], values)).fetchone()
    return int(row[0]) if row else 0


class PassageProjection:
    """Keeps ``passage_versions``, ``passages``, ``passage_vectors`` and ``passage_encodings``."""

    name = "passages"
    version = 3
    takes = (VersionIngested,)

    def __init__(self, blobs: BlobStore, live: Live[Vector], marks: Marks, graph_from: int = GRAPH_FROM) -> None:
        """Keep the vectors of the ``live`` encoders; ``graph_from`` passages on, a mandate's get a graph."""
        self._blobs = blobs
        self._live = live
        self._encodings = Encodings(DENSE, marks)
        self._graph_from = graph_from

    async def clear(self, connection: AsyncConnection[Any]) -> None:
        """Empty the view, vectors of encoders that are not live excepted."""
        await self._encodings.forget_live(connection, self._live)
        await connection.execute(_SQL["clear"])

    async def apply(self, connection: AsyncConnection[Any], events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        grown = set()
        for recorded in events:
            if isinstance(recorded.event, VersionIngested):
                await self._ingest(connection, recorded, recorded.event)
                grown.add(recorded.mandate)
        for mandate in sorted(grown):
            for encoder in await self._live(connection, mandate):
                await open_graph(connection, mandate, encoder.fingerprint, self._graph_from)

    async def _ingest(self, connection: AsyncConnection[Any], recorded: Recorded, event: VersionIngested) -> None:
        version = {"mandate": recorded.mandate, "ordinal": recorded.position}
        await connection.execute(_SQL["version"], {**version, "title": event.title, "markup": event.markup})
        await connection.cursor().executemany(_SQL["passage"], list(_rows(recorded, event)))
        text = await self._blobs.get(recorded.mandate, event.blob)
        texts = await asyncio.to_thread(search_texts, event, text)
        words = Words(recorded.mandate, recorded.position, texts)
        for encoder in await self._live(connection, recorded.mandate):
            await self._encodings.encode(connection, words, encoder)


def _rows(recorded: Recorded, event: VersionIngested) -> Iterator[tuple[object, ...]]:
    for number, passage in enumerate(event.passages):
        yield (recorded.mandate, recorded.position, number, *_contents(passage, event))


def _contents(passage: Passage, event: VersionIngested) -> tuple[object, ...]:
    first, behind = passage.sentences
    sentences = event.sentences[first:behind]
    page = page_of(event.pages, passage.span)
    return (
        passage.span.start,
        passage.span.end,
        [sentence.start for sentence in sentences],
        [sentence.end for sentence in sentences],
        list(passage.section),
        passage.lead_in.start if passage.lead_in else None,
        passage.lead_in.end if passage.lead_in else None,
        passage.place,
        list(passage.places),
        page.number if page else None,
        page.label if page else None,
    )
