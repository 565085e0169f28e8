"""Queries of the searches inside the scope of a question."""

from collections.abc import Sequence
from typing import Any, Final

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.ports import PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError

_SQL: Final = statements("adapters.search", "search.sql")


async def rows_in_scope(
    database: Database, statement: str, visible: Visible, **values: object
) -> list[tuple[Any, ...]]:
    """Run a statement of ``search.sql`` over the visible mandates, with row-level security behind it.

    Raises:
        PartError: ``database`` when it does not answer.
    """
    mandates = sorted({version.mandate for version in visible.versions.values()})
    async with database.connection(Role.READER) as connection:
        await connection.execute(_SQL["scope"], {"scope": ",".join(map(str, visible.horizon.scope))})
        found = await connection.execute(_SQL[statement], {"mandates": mandates, **values})
        return await found.fetchall()


def must_be_visible(passages: Sequence[PassageId], visible: Visible) -> None:
    """Refuse passages outside the horizon, whether they exist or not.

    Raises:
        AccessError: one of them belongs to no visible version.
    """
    if any(passage.ordinal not in visible.versions for passage in passages):
        raise AccessError
