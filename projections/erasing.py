"""Takes what views hold of an erased mandate, away."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

from psycopg.sql import SQL, Identifier

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from projections.tables import OF_A_MANDATE, OF_A_VERSION

_SQL: Final = statements("projections", "erasing.sql")

Forget = Callable[[UUID], Awaitable[None]]
"""Removes what an index beside the database holds of a mandate."""


async def forget_mandate(database: Database, mandate: UUID, indexes: Sequence[Forget]) -> None:
    """Delete what all views hold of a mandate whose key is gone.

    Whoever has its events in hand already is waited for, and their rows go too: the rows by which projections take
    turns are held meanwhile, and nothing that comes afterwards can read an event of the mandate.

    Raises:
        PartError: the database or an index does not answer.
    """
    async with database.connection(Role.PROJECTOR) as connection:
        await connection.execute(_SQL["take_all_turns"])
        await connection.execute(_SQL["drop_partitions"], {"mandate": mandate})
        for table in OF_A_MANDATE:
            await connection.execute(SQL(_SQL["forget"]).format(table=Identifier(table)), {"mandate": mandate})
        for forget in indexes:
            await forget(mandate)


async def forget_person(database: Database, person: UUID) -> None:
    """Delete the runs of a person from their view: built anew it would not have them, since nobody can read who asked.

    Raises:
        PartError: the database does not answer.
    """
    async with database.connection(Role.PROJECTOR) as connection:
        await connection.execute(_SQL["take_all_turns"])
        await connection.execute(_SQL["forget_person"], {"person": person})


async def forget_records(
    database: Database, mandate: UUID, runs: Sequence[UUID], ordinals: Sequence[int], indexes: Sequence[Forget]
) -> None:
    """Delete what views hold of single runs and versions, and all that ``indexes`` hold of the mandate.

    An index keeps the words of a version until it is made anew, which is the caller's to do.

    Raises:
        PartError: the database or an index does not answer.
    """
    async with database.connection(Role.PROJECTOR) as connection:
        await connection.execute(_SQL["take_all_turns"])
        await connection.execute(_SQL["forget_runs"], {"mandate": mandate, "runs": list(runs)})
        for table in OF_A_VERSION:
            statement = SQL(_SQL["forget_versions"]).format(table=Identifier(table))
            await connection.execute(statement, {"mandate": mandate, "ordinals": list(ordinals)})
        for forget in indexes:
            await forget(mandate)


async def partitions(database: Database, mandate: UUID) -> list[str]:
    """Return the tables that hold what encoders make of a mandate.

    Raises:
        PartError: the database does not answer.
    """
    async with database.connection(Role.PROJECTOR) as connection:
        rows = await (await connection.execute(_SQL["partitions"], {"mandate": mandate})).fetchall()
    return [name for (name,) in rows]
