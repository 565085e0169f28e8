"""Feeds the index of words and the index of pieces of words.

They lie beside the database, in files or in a cluster. A batch is durable there before the position moves on; if the
program is killed in between, the batch comes again and replaces itself.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol
from uuid import UUID

from psycopg import AsyncConnection

from adapters.search.analyzer import RULES
from adapters.search.feed import VersionWords
from domain.knowledge.events import VersionIngested
from domain.knowledge.passage_words import search_texts
from domain.recording import BlobStore, Recorded


class Feed(Protocol):
    """Writes an index; runs in a thread of its own."""

    def put(self, versions: Sequence[VersionWords]) -> None:
        """Write ``versions`` durably; each replaces itself."""
        ...

    def forget(self, mandate: UUID) -> None:
        """Take away all that the index holds of a mandate, files included."""
        ...

    def mend(self) -> None:
        """Take away what is damaged, so that a rebuild starts from nothing there."""
        ...


class PartitionProjection:
    """Keeps one index.

    Args:
        name: names the projection, ``lexical`` or ``subwords``.
    """

    version = RULES
    takes = (VersionIngested,)

    def __init__(self, name: str, blobs: BlobStore, feed: Feed) -> None:
        self.name = name
        self._blobs = blobs
        self._feed = feed

    async def clear(self, connection: AsyncConnection[Any]) -> None:  # noqa: ARG002 - the view is not in the database
        """Prepare a rebuild: versions replace themselves one by one, so searches go on; a broken index is dropped."""
        await asyncio.to_thread(self._feed.mend)

    async def forget(self, mandate: UUID) -> None:
        """Take away all that the index holds of a mandate."""
        await asyncio.to_thread(self._feed.forget, mandate)

    async def apply(self, connection: AsyncConnection[Any], events: Sequence[Recorded]) -> None:  # noqa: ARG002
        """Take in ``events`` in order."""
        versions = [
            await self._words(recorded, recorded.event)
            for recorded in events
            if isinstance(recorded.event, VersionIngested)
        ]
        if versions:
            await asyncio.to_thread(self._feed.put, versions)

    async def _words(self, recorded: Recorded, event: VersionIngested) -> VersionWords:
        text = await self._blobs.get(recorded.mandate, event.blob)
        words = await asyncio.to_thread(search_texts, event, text)
        return VersionWords(recorded.mandate, recorded.position, words)
