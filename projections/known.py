"""What is known inside a horizon, read from the view that ``knowledge.py`` keeps."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC
from typing import Any, Final
from uuid import UUID

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.visibility import Horizon, Visible, VisibleVersion
from domain.recording import BlobRef

_SQL: Final = statements("projections", "knowledge.sql")


class PostgresKnowledge:
    """Reads what is known, under the role ``reader`` and row-level security.

    Implements the port ``KnowledgeView``.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def visible(self, horizon: Horizon) -> Visible:
        """Return the versions inside ``horizon``, whose position the views must have reached."""
        rows = await self._rows("visible", horizon.scope, {**_filters(horizon), "valid_on": horizon.valid_on})
        return Visible(horizon, {row[0]: _version(row) for row in rows})

    async def documents(self, horizon: Horizon) -> frozenset[str]:
        """Return the keys of documents with a version inside ``horizon`` on any day."""
        return frozenset(row[0] for row in await self._rows("documents", horizon.scope, _filters(horizon)))

    async def history(self, horizon: Horizon) -> tuple[VisibleVersion, ...]:
        """Return the versions inside ``horizon`` on any day, one entry for each stretch of validity."""
        rows = await self._rows("history", horizon.scope, _filters(horizon))
        return tuple(_version(row) for row in rows)

    async def version(
        self, scope: Sequence[UUID], levels: Sequence[str], key: str, number: int
    ) -> VisibleVersion | None:
        """Return a recorded version by its document key, also one that answers no longer.

        Its level is that of today and its validity the claimed one; of two mandates with the same key, the one that
        stands first in ``scope`` is meant.
        """
        rows = await self._rows("version", scope, {"levels": list(levels), "key": key, "version": number})
        return _version(rows[0]) if rows else None

    async def _rows(self, statement: str, scope: Sequence[UUID], values: dict[str, Any]) -> list[tuple[Any, ...]]:
        async with self._reading(scope) as connection:
            found = await connection.execute(_SQL[statement], {**values, "scope": list(scope)})
            return await found.fetchall()

    @asynccontextmanager
    async def _reading(self, scope: Sequence[UUID]) -> AsyncIterator[AnyConnection]:
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"scope": ",".join(map(str, scope))})
            yield connection


def _filters(horizon: Horizon) -> dict[str, Any]:
    return {
        "position": horizon.position,
        "levels": list(horizon.levels),
        "documents": None if horizon.documents is None else list(horizon.documents),
    }


def _version(row: tuple[Any, ...]) -> VisibleVersion:
    ordinal, mandate, document, key, version, title, url, level, address, sha256, start, end, kind, at = row
    return VisibleVersion(
        ordinal=ordinal,
        mandate=mandate,
        document=document,
        key=key,
        version=version,
        title=title,
        url=url,
        level=level,
        blob=BlobRef(address, sha256),
        valid_from=start,
        valid_to=end,
        valid_from_kind=kind,
        recorded_at=at.astimezone(UTC),
    )
