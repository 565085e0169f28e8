"""The commands on documents: ingest, withdraw, assign a level.

A text is stored before its events are, and the events of one command are appended together. So a crash at any moment
leaves either the old state or the new one, and at worst a stored text that no event names.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import PurePath
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.errors import AccessError, ConflictError, FundstelleError, InputError
from domain.knowledge.anchors import document_key
from domain.knowledge.documents import (
    Document,
    KnownText,
    NewVersion,
    Statement,
    decide_ingest,
    decide_level,
    decide_withdraw,
    document,
)
from domain.knowledge.events import DocumentRegistered, IngestFailed
from domain.knowledge.ports import Readers
from domain.knowledge.preparation import Prepared, consequences, digest, segment, surprises
from domain.knowledge.text import Extract
from domain.mandates.access import must_administer
from domain.mandates.handler import Mandates
from domain.mandates.state import Mandate
from domain.recording import ATTEMPTS, Actor, BlobStore, Event, EventStore, StreamName

NAME_KIND: Final = "document"
"""Kind of the names that documents claim in their mandate."""


@dataclass(frozen=True, slots=True)
class Material:
    """A file to ingest under a document key, with what is stated about it."""

    key: str
    name: PurePath
    content: bytes
    stated: Statement


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a file.

    ``changed`` tells whether anything was recorded, ``corrected`` whether that was about a version known before.
    ``level`` is the version's; ``notes`` name what nobody may have meant: ``revived`` (it had been withdrawn),
    ``level_kept`` (a lower one was stated), ``level_raised`` (nothing else has changed).
    """

    document: str
    version: int
    changed: bool
    corrected: bool
    sha256: str
    characters: int
    sentences: int
    passages: int
    level: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stream:
    id: UUID
    version: int
    state: Document


class Knowledge:
    """Handles the commands on the documents of a mandate.

    Args:
        store: where events are appended.
        blobs: where texts are stored.
        readers: turn files into texts.
        mandates: finds mandates.
        clock: tells the present instant, with a time zone.
        new_id: makes random ids.
    """

    def __init__(
        self,
        store: EventStore,
        blobs: BlobStore,
        readers: Readers,
        mandates: Mandates,
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], UUID],
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._readers = readers
        self._mandates = mandates
        self._clock = clock
        self._new_id = new_id

    @property
    def suffixes(self) -> frozenset[str]:
        """Return the endings of files that can be read, lower case with dot."""
        return self._readers.suffixes()

    async def administered(self, mandate: UUID, actor: Actor) -> Mandate:
        """Return the mandate to one of its administrators.

        Raises:
            AccessError: to anybody else, and when there is no such mandate.
        """
        found = await self._mandates.by_id(mandate)
        must_administer(found, actor.person)
        if found is None:
            raise AccessError
        return found

    async def ingest(self, mandate: UUID, material: Material, actor: Actor) -> Ingested:
        """Make the text of a file known; a file that cannot be read is recorded as failed.

        Raises:
            AccessError: the actor does not administer the mandate.
            InputError: the file cannot be read, or what is stated about it makes no sense.
        """
        own = await self.administered(mandate, actor)
        material = replace(material, key=document_key(material.key))
        try:
            extract = await asyncio.to_thread(self._readers.read, material.name, material.content)
        except InputError as error:
            await self.record_failure(mandate, material.key, material.name, error, actor)
            raise
        prepared: Prepared | None = None
        for _ in range(ATTEMPTS):
            stream = await self._load(mandate, material.key)
            decision = self._decide(stream.state, extract, material.stated, own)
            if isinstance(decision, NewVersion) and prepared is None:
                prepared = await self._prepare(mandate, extract, material.name)
            events = consequences(stream.state, decision, material.key, prepared)
            if await self._append(mandate, stream, events, actor):
                corrected = bool(events) and isinstance(decision, KnownText)
                notes = surprises(stream.state, events, decision, material.stated)
                known = document(events, stream.state)
                return _ingested(known, decision.number, changed=bool(events), corrected=corrected, notes=notes)
        raise ConflictError

    async def withdraw(self, mandate: UUID, key: str, because: str, actor: Actor) -> None:
        """Let the document answer no longer.

        Raises:
            AccessError: the actor does not administer the mandate, or no such document answers.
            InputError: no reason is given.
        """
        await self.administered(mandate, actor)
        await self._change(mandate, document_key(key), actor, lambda state: (decide_withdraw(state, because),))

    async def assign_level(self, mandate: UUID, key: str, level: str, actor: Actor) -> bool:
        """Give all versions of the document a level from now on; false when it was so already.

        Raises:
            AccessError: the actor does not administer the mandate, or there is no such document.
            InputError: the mandate has no such level.
        """
        own = await self.administered(mandate, actor)
        return await self._change(
            mandate, document_key(key), actor, lambda state: decide_level(state, level, own.levels)
        )

    async def answers(self, mandate: UUID, key: str) -> bool:
        """Say whether a version of the document has not been withdrawn."""
        return bool((await self._load(mandate, key)).state.live)

    async def record_failure(
        self, mandate: UUID, key: str | None, name: PurePath, error: FundstelleError, actor: Actor
    ) -> None:
        """Record that a file could not be read, on the document's stream if there is one.

        Raises:
            AccessError: the actor does not administer the mandate.
        """
        await self.administered(mandate, actor)
        failed = IngestFailed(name.name, error.key)
        await self._change(mandate, key, actor, lambda _: (failed,))

    def _decide(self, state: Document, extract: Extract, stated: Statement, own: Mandate) -> NewVersion | KnownText:
        today: date = self._clock().astimezone(ZoneInfo(own.time_zone)).date()
        return decide_ingest(state, digest(extract.text), stated, today, own.levels)

    async def _prepare(self, mandate: UUID, extract: Extract, name: PurePath) -> Prepared:
        sentences, passages = await asyncio.to_thread(segment, extract)
        return Prepared(extract, name.name, sentences, passages, await self._blobs.put(mandate, extract.text))

    async def _change(
        self, mandate: UUID, key: str | None, actor: Actor, decide: Callable[[Document], Sequence[Event]]
    ) -> bool:
        for _ in range(ATTEMPTS):
            stream = await self._load(mandate, key)
            events = decide(stream.state)
            if await self._append(mandate, stream, events, actor):
                return bool(events)
        raise ConflictError

    async def _load(self, mandate: UUID, key: str | None) -> _Stream:
        found = None if key is None else await self._store.find(StreamName(NAME_KIND, key, mandate))
        if found is None:
            return _Stream(self._new_id(), 0, Document())
        recorded = await self._store.read(found)
        return _Stream(found, len(recorded), document(entry.event for entry in recorded))

    async def _append(self, mandate: UUID, stream: _Stream, events: Sequence[Event], actor: Actor) -> bool:
        """Append ``events``; false when somebody else recorded first."""
        if not events:
            return True
        first = events[0]
        name = StreamName(NAME_KIND, first.key, mandate) if isinstance(first, DocumentRegistered) else None
        try:
            await self._store.append(mandate, stream.id, stream.version, events, actor, name=name)
        except ConflictError:
            return False
        return True


def _ingested(state: Document, number: int, *, changed: bool, corrected: bool, notes: tuple[str, ...]) -> Ingested:
    version = next(version for version in state.versions if version.number == number)
    return Ingested(
        document=state.key or "",
        version=number,
        changed=changed,
        corrected=corrected,
        sha256=version.sha256,
        characters=version.characters,
        sentences=version.sentences,
        passages=version.passages,
        level=version.level,
        notes=notes,
    )
