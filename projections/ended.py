"""Which versions have come to an end, read from the view that ``knowledge.py`` keeps."""

from typing import Final
from uuid import UUID

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.erasing.retention import EndedVersion

_SQL: Final = statements("projections", "ended.sql")


class PostgresEndedVersions:
    """Reads what has come to an end, under the role ``reader`` and row-level security. Implements ``EndedVersions``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ended(self, mandate: UUID, levels: tuple[str, ...]) -> tuple[EndedVersion, ...]:
        """Return the versions at these levels that have come to an end, in the order of their recording."""
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"mandate": str(mandate)})
            values = {"mandate": mandate, "levels": list(levels)}
            rows = await (await connection.execute(_SQL["ended"], values)).fetchall()
        return tuple(EndedVersion(*row) for row in rows)
