"""The view of looks: who looked at what in audit views and bundles."""

from collections.abc import Sequence
from datetime import UTC
from typing import Any, Final
from uuid import UUID

from psycopg import AsyncConnection

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.journal.viewing import Look, RecordViewed
from domain.recording import Actor, Recorded

_SQL: Final = statements("projections", "looks.sql")


class LooksProjection:
    """Keeps ``looks``."""

    name = "looks"
    version = 1
    takes = (RecordViewed,)

    async def clear(self, connection: AsyncConnection) -> None:
        """Empty the view."""
        await connection.execute(_SQL["clear"])

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        for recorded in events:
            viewed, actor = recorded.event, recorded.actor
            if isinstance(viewed, RecordViewed) and actor is not None:
                await connection.execute(_SQL["look"], _row(recorded, viewed, actor))


class PostgresLooks:
    """Reads the view of looks, under the role ``reader`` and row-level security."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def looks(self, mandate: UUID, levels: tuple[str, ...]) -> tuple[Look, ...]:
        """Return the looks at what is open to ``levels``, in the order in which they were recorded."""
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"mandate": str(mandate)})
            values = {"mandate": mandate, "levels": list(levels)}
            rows = await (await connection.execute(_SQL["looks"], values)).fetchall()
        return tuple(_look(row) for row in rows)


def _row(recorded: Recorded, viewed: RecordViewed, actor: Actor) -> dict[str, Any]:
    return {
        "mandate": recorded.mandate,
        "position": recorded.position,
        "viewed_at": recorded.logged_at,
        "person": actor.person,
        "operator": actor.operator,
        "what": viewed.what,
        "runs": list(viewed.runs),
        "levels": list(viewed.levels),
        "of_person": viewed.person,
        "since": viewed.since,
        "until": viewed.until,
        "told_up_to": viewed.position,
    }


def _look(row: tuple[Any, ...]) -> Look:
    at, person, operator, what, runs, levels, *narrowed = row
    return Look(at.astimezone(UTC), Actor(person, operator), RecordViewed(what, tuple(runs), tuple(levels), *narrowed))
