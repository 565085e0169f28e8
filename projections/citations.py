"""What runs cite, and how far runs and people have been told what has become of it."""

from typing import Final
from uuid import UUID

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.notifying import Cited, Untold
from domain.asking.source_changes import Slice
from domain.knowledge.events import ValidPeriod

_SQL: Final = statements("projections", "citations.sql")


class PostgresCitations:
    """Reads the views of runs and of what is known for all mandates, under the role ``projector``.

    Implements ``Citations``. What a person is shown is read under the role ``reader``.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def told(self) -> int:
        """Return the journal position up to which every run has been told."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            row = await (await connection.execute(_SQL["told"])).fetchone()
        return 0 if row is None else row[0]

    async def tell_from(self, position: int) -> None:
        """Remember that every run has been told up to ``position``."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            await connection.execute(_SQL["tell_from"], {"position": position})

    async def forget(self) -> None:
        """Let all be gone through once more: a view that was built anew may hold what was set aside before."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            await connection.execute(_SQL["forget"])

    async def changed(self, behind: int, up_to: int) -> tuple[Cited, ...]:
        """Return the citations for which something changed on the day of the run."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            rows = await (await connection.execute(_SQL["changed"], {"behind": behind, "up_to": up_to})).fetchall()
        return tuple(Cited(*row) for row in rows)

    async def history(self, owner: UUID, ordinal: int, up_to: int) -> tuple[Slice, ...]:
        """Return all slices of a version, as known at ``up_to``."""
        values = {"owner": owner, "ordinal": ordinal, "up_to": up_to}
        async with self._database.connection(Role.PROJECTOR) as connection:
            rows = await (await connection.execute(_SQL["history"], values)).fetchall()
        return tuple(
            Slice(known_from, None if known_to is None or known_to > up_to else known_to, ValidPeriod(start, end))
            for known_from, known_to, start, end in rows
        )

    async def untold(self, mandate: UUID, person: UUID) -> tuple[Untold, ...]:
        """Return what own runs of a person have been told since the person was."""
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"mandate": str(mandate)})
            values = {"mandate": mandate, "person": person}
            rows = await (await connection.execute(_SQL["untold"], values)).fetchall()
        return tuple(Untold(*row) for row in rows)

    async def tell_person(self, mandate: UUID, person: UUID, position: int) -> None:
        """Remember that a person has been told up to ``position``."""
        values = {"mandate": mandate, "person": person, "position": position}
        async with self._database.connection(Role.PROJECTOR) as connection:
            await connection.execute(_SQL["tell_person"], values)
