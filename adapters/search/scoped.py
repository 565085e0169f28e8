"""Queries of the searches inside the scope of a question."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.ports import PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError

_SQL: Final = statements("adapters.search", "search.sql")


class Read(Protocol):
    """Runs a statement by its name and returns its rows."""

    async def __call__(self, statement: str, **values: object) -> list[tuple[Any, ...]]:
        """Return the rows of ``statement``."""
        ...


@asynccontextmanager
async def reading(database: Database, visible: Visible) -> AsyncIterator[Read]:
    """Lend a function that runs statements of ``search.sql`` over the visible mandates, in one transaction.

    Row-level security stands behind the filter.

    Raises:
        PartError: ``database`` when it does not answer.
    """
    mandates = sorted({version.mandate for version in visible.versions.values()})
    async with database.connection(Role.READER) as connection:
        await connection.execute(_SQL["scope"], {"scope": ",".join(map(str, visible.horizon.scope))})

        async def read(statement: str, **values: object) -> list[tuple[Any, ...]]:
            found = await connection.execute(_SQL[statement], {"mandates": mandates, **values})
            return await found.fetchall()

        yield read


def must_be_visible(passages: Sequence[PassageId], visible: Visible) -> None:
    """Refuse passages outside the horizon, whether they exist or not.

    Raises:
        AccessError: one of them belongs to no visible version.
    """
    if any(passage.ordinal not in visible.versions for passage in passages):
        raise AccessError
