"""Feeds the index by learned weights: what each passage says, in weighted features."""

import asyncio
from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection

from domain.knowledge.events import VersionIngested
from domain.knowledge.passage_words import search_texts
from domain.recording import BlobStore, Recorded
from projections.encodings import SPARSE, Encodings, Live, Marks, Words


class WeightProjection:
    """Keeps ``passage_weights`` and ``weight_encodings``."""

    name = "weights"
    version = 1
    takes = (VersionIngested,)

    def __init__(self, blobs: BlobStore, live: Live[dict[str, float]], marks: Marks) -> None:
        """Keep the weights of the ``live`` encoders."""
        self._blobs = blobs
        self._live = live
        self._encodings = Encodings(SPARSE, marks)

    async def clear(self, connection: AsyncConnection[Any]) -> None:
        """Empty the view, weights of encoders that are not live excepted."""
        await self._encodings.forget_live(connection, self._live)

    async def apply(self, connection: AsyncConnection[Any], events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        for recorded in events:
            if isinstance(recorded.event, VersionIngested):
                await self._ingest(connection, recorded, recorded.event)

    async def _ingest(self, connection: AsyncConnection[Any], recorded: Recorded, event: VersionIngested) -> None:
        encoders = await self._live(connection, recorded.mandate)
        if not encoders:
            return
        text = await self._blobs.get(recorded.mandate, event.blob)
        texts = await asyncio.to_thread(search_texts, event, text)
        words = Words(recorded.mandate, recorded.position, texts)
        for encoder in encoders:
            await self._encodings.encode(connection, words, encoder)
