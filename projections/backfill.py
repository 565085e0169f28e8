"""Encodes all versions of a mandate with one more encoder, beside the live ones, and retires encoders.

How a model is swapped::

    backfill = Backfill(database, events, blobs, text_mac, DENSE)    # SPARSE for learned weights
    await backfill.run(mandate, encoder, progress)                   # as often as it takes
    ...                                                              # record that the encoder is bound from now on
    await backfill.run(mandate, encoder)                             # what came in before projections knew
    await backfill.retire(mandate, old_fingerprint)                  # one day, or never

Live rows are neither read nor written. Each batch is a transaction of its own, so whoever is killed goes on where
they stopped, and several may run at once. Models run outside of transactions.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar
from uuid import UUID

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.errors import InputError, PartError
from domain.knowledge.events import VersionIngested
from domain.knowledge.passage_words import search_texts
from domain.recording import BlobStore, EventStore
from projections.encodings import DENSE, Encoder, Encodings, Kind, Marks, Words, encode_new
from projections.graphs import drop_graph, open_graph

T = TypeVar("T")

BATCH_VERSIONS: Final = 32
"""Versions that are encoded together and written in one transaction."""

Progress = Callable[[int, int], None]
"""Is told how many versions have been dealt with, and how many there were to deal with."""


@dataclass(frozen=True, slots=True)
class Backfilled:
    """What a run did.

    Attributes:
        versions, passages: what it encoded.
        unreadable: ordinals of versions whose text has been erased or is damaged; no question can see them either.
    """

    versions: int
    passages: int
    unreadable: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Encoded:
    """How many versions and passages of a mandate an encoder has been through."""

    encoder: str
    versions: int
    passages: int


class Backfill(Generic[T]):
    """Encodings of one kind, apart from what projections keep."""

    def __init__(self, database: Database, events: EventStore, blobs: BlobStore, marks: Marks, kind: Kind[T]) -> None:
        self._database = database
        self._events = events
        self._blobs = blobs
        self._kind = kind
        self._encodings = Encodings(kind, marks)

    async def waiting(self, mandate: UUID, encoder: str) -> tuple[int, ...]:
        """Return the ordinals of versions that an encoder, named by its fingerprint, has not been through."""
        values = {"mandate": mandate, "encoder": encoder, "behind": 0}
        async with self._database.connection(Role.PROJECTOR) as connection:
            rows = await (await connection.execute(self._kind.sql["waiting"], values)).fetchall()
        return tuple(ordinal for (ordinal,) in rows)

    async def encoders(self, mandate: UUID) -> tuple[Encoded, ...]:
        """Return which encoders have been through a mandate, and how far, by fingerprint."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            rows = await (await connection.execute(self._kind.sql["encoders"], {"mandate": mandate})).fetchall()
        return tuple(Encoded(*row) for row in rows)

    async def run(self, mandate: UUID, encoder: Encoder[T], progress: Progress | None = None) -> Backfilled:
        """Encode the versions of ``mandate`` that ``encoder`` has not been through, oldest first.

        Versions that come in meanwhile are not waited for: run again until ``waiting`` is empty. The view
        ``passages`` names the versions, so bring it to the head before.

        Raises:
            PartError: the database or the model does not answer; what was written stays.
        """
        ordinals = await self.waiting(mandate, encoder.fingerprint)
        unreadable: list[int] = []
        passages = 0
        for start in range(0, len(ordinals), BATCH_VERSIONS):
            batch = ordinals[start : start + BATCH_VERSIONS]
            found = [await self._words(mandate, ordinal) for ordinal in batch]
            readable = [words for words in found if words is not None]
            unreadable += sorted(set(batch) - {words.ordinal for words in readable})
            await self._encode(mandate, readable, encoder)
            passages += sum(len(words.texts) for words in readable)
            if progress is not None:
                progress(start + len(batch), len(ordinals))
        await self._finish(mandate, encoder.fingerprint)
        return Backfilled(len(ordinals) - len(unreadable), passages, tuple(unreadable))

    async def retire(self, mandate: UUID, encoder: str) -> None:
        """Delete what an encoder has made in a mandate; the caller sees to it that it is not live.

        Questions about the time of that encoder cannot be answered with it from then on.
        """
        async with self._database.connection(Role.PROJECTOR) as connection:
            await self._encodings.forget(connection, mandate, encoder)
            if self._kind is DENSE:
                await drop_graph(connection, mandate, encoder)

    async def _words(self, mandate: UUID, ordinal: int) -> Words | None:
        """Return the search texts of a version, ``None`` where it cannot be read any more."""
        found = await self._events.after(ordinal - 1, 1)
        event = found[0].event if found else None
        if not isinstance(event, VersionIngested):
            return None
        try:
            text = await self._blobs.get(mandate, event.blob)
        except InputError:
            return None
        except PartError as error:
            if error.key != "blob_damaged":
                raise
            return None
        return Words(mandate, ordinal, await asyncio.to_thread(search_texts, event, text))

    async def _encode(self, mandate: UUID, versions: Sequence[Words], encoder: Encoder[T]) -> None:
        texts = [text for words in versions for text in words.texts]
        async with self._database.connection(Role.PROJECTOR) as connection:
            known = await self._encodings.known(connection, mandate, encoder.fingerprint, texts)
        made = await encode_new(texts, known, encoder)
        async with self._database.connection(Role.PROJECTOR) as connection:
            for words in versions:
                await self._encodings.keep(connection, words, encoder.fingerprint, made)

    async def _finish(self, mandate: UUID, encoder: str) -> None:
        if self._kind is DENSE:
            async with self._database.connection(Role.PROJECTOR) as connection:
                await open_graph(connection, mandate, encoder)
