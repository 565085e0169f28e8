"""Feeds the index by meaning: where the passages of each version stand, and a vector for each.

Texts are not copied into the view. Versions of a document share most of their passages, so a search text that the
mandate has had encoded before is not encoded again; a vector depends on its text alone, so this changes nothing.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from psycopg import AsyncConnection

from adapters.postgres.sql import statements
from domain.asking.ports import DenseEncoder
from domain.knowledge.events import VersionIngested
from domain.knowledge.passage_words import page_of, search_texts
from domain.knowledge.text import Passage
from domain.recording import BlobStore, Recorded

_SQL: Final = statements("projections", "passages.sql")


class PassageProjection:
    """Keeps ``passage_versions``, ``passages``, ``passage_vectors`` and ``passage_encodings``."""

    name = "passages"
    version = 3

    def __init__(self, blobs: BlobStore, encoder: DenseEncoder, text_mac: Callable[[UUID, str], bytes]) -> None:
        """Mark search texts with ``text_mac``: a plain hash would let whoever reads the table confirm a guess."""
        self._blobs = blobs
        self._encoder = encoder
        self._text_mac = text_mac

    async def clear(self, connection: AsyncConnection[Any]) -> None:
        """Empty the view, vectors of other encoders excepted."""
        await connection.execute(_SQL["clear"], {"encoder": self._encoder.fingerprint})

    async def apply(self, connection: AsyncConnection[Any], events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        for recorded in events:
            if isinstance(recorded.event, VersionIngested):
                await self._ingest(connection, recorded, recorded.event)

    async def _ingest(self, connection: AsyncConnection[Any], recorded: Recorded, event: VersionIngested) -> None:
        version = {"mandate": recorded.mandate, "ordinal": recorded.position}
        await connection.execute(_SQL["version"], {**version, "title": event.title, "markup": event.markup})
        await connection.cursor().executemany(_SQL["passage"], list(_rows(recorded, event)))
        text = await self._blobs.get(recorded.mandate, event.blob)
        words = await asyncio.to_thread(search_texts, event, text)
        await self._encode(connection, recorded.mandate, recorded.position, words)

    async def _encode(
        self, connection: AsyncConnection[Any], mandate: UUID, ordinal: int, words: Sequence[str]
    ) -> None:
        hashes = [self._text_mac(mandate, text) for text in words]
        values = {"mandate": mandate, "ordinal": ordinal, "encoder": self._encoder.fingerprint, "hashes": hashes}
        await connection.execute(_SQL["open_partition"], values)
        known = await (await connection.execute(_SQL["reuse"], values)).fetchall()
        done = {number for (number,) in known}
        missing = [number for number in range(len(words)) if number not in done]
        new = {hashes[number]: words[number] for number in missing}
        vectors = dict(zip(new, map(_literal, await self._encoder.encode(list(new.values()))), strict=True))
        digests = [hashes[number] for number in missing]
        rows = {"numbers": missing, "hashes": digests, "vectors": [vectors[digest] for digest in digests]}
        await connection.execute(_SQL["vectors"], {**values, **rows})
        await connection.execute(_SQL["encoded"], values)


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


def _literal(vector: Sequence[float]) -> str:
    return "[" + ",".join(f"{number:.8g}" for number in vector) + "]"
