"""The view of what is known: each version in slices of recorded positions and of validity.

A slice never changes but for its end: whatever happens to a document (a version, a correction, a level, a withdrawal)
closes slices at its position and opens others there, so a question about an older position finds the same slices for
ever. Which slices are open follows from the versions' claims alone (``domain/knowledge/versions.py``); at every
position each day has one answer.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import AsyncConnection

from adapters.postgres.sql import statements
from domain.knowledge.events import (
    DocumentRegistered,
    DocumentWithdrawn,
    LevelAssigned,
    ValidPeriod,
    VersionCorrected,
    VersionIngested,
)
from domain.knowledge.versions import Claim, stretches
from domain.recording import Recorded

SQL: Final = statements("projections", "knowledge.sql")


class _Slice(NamedTuple):
    ordinal: int
    valid_from: date | None
    valid_to: date | None
    title: str
    url: str | None
    level: str
    kind: str


class KnowledgeProjection:
    """Keeps ``known_documents``, ``known_versions`` and ``known_slices``."""

    name = "knowledge"
    version = 1
    takes = (DocumentRegistered, VersionIngested, VersionCorrected, LevelAssigned, DocumentWithdrawn)

    async def clear(self, connection: AsyncConnection) -> None:
        """Empty the view."""
        await connection.execute(SQL["clear"])

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        for recorded in events:
            await self._take(connection, recorded)

    async def _take(self, connection: AsyncConnection, recorded: Recorded) -> None:
        document = {"mandate": recorded.mandate, "document": recorded.stream}
        match recorded.event:
            case DocumentRegistered(key):
                await connection.execute(SQL["register"], {**document, "key": key})
                return
            case VersionIngested() as event:
                await connection.execute(SQL["ingest"], {**document, **_ingested(recorded, event)})
            case VersionCorrected() as event:
                await connection.execute(SQL["correct"], {**document, **_corrected(event)})
            case LevelAssigned(level):
                await connection.execute(SQL["assign_level"], {**document, "level": level})
            case DocumentWithdrawn():
                await connection.execute(SQL["withdraw"], document)
            case _:
                return
        await _reslice(connection, document, recorded.position)


async def _reslice(connection: AsyncConnection, document: dict[str, UUID], position: int) -> None:
    """Close the slices that no longer hold at ``position`` and open those that hold from there on."""
    rows = await (await connection.execute(SQL["live"], document)).fetchall()
    opened = await (await connection.execute(SQL["open_slices"], document)).fetchall()
    before, after = {_Slice(*row) for row in opened}, _slices(rows)
    for name, slices in (("close_slice", before - after), ("open_slice", after - before)):
        for one in sorted(slices, key=lambda one: (one.ordinal, one.valid_from or date.min)):
            await connection.execute(SQL[name], {**document, "position": position, **one._asdict()})


def _slices(rows: Sequence[tuple[Any, ...]]) -> set[_Slice]:
    kept = stretches(Claim(version, ValidPeriod(start, end)) for _, version, start, end, *_ in rows)
    return {
        _Slice(ordinal, valid.start, valid.end, *shown)
        for ordinal, version, _, _, *shown in rows
        for valid in kept[version]
    }


def _ingested(recorded: Recorded, event: VersionIngested) -> dict[str, object]:
    return {
        "ordinal": recorded.position,
        "version": event.version,
        "address": event.blob.address,
        "sha256": event.blob.sha256,
        "characters": event.characters,
        "sentences": len(event.sentences),
        "passages": len(event.passages),
        "recorded_at": recorded.logged_at,
        "title": event.title,
        "url": event.url,
        "level": event.level,
        "valid_from": event.valid_from,
        "valid_to": event.valid_to,
        "kind": event.valid_from_kind,
    }


def _corrected(event: VersionCorrected) -> dict[str, object]:
    return {
        "version": event.version,
        "title": event.title,
        "url": event.url,
        "valid_from": event.valid_from,
        "valid_to": event.valid_to,
        "kind": event.valid_from_kind,
    }
