"""Queries of the searches inside the scope of a question."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import Statements, statements
from domain.asking.ports import PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError

_SQL: Final = statements("adapters.search", "search.sql")
VECTORS: Final = statements("adapters.search", "vectors.sql")


class Read(Protocol):
    """Runs a statement by its name and returns its rows."""

    async def __call__(self, statement: str, **values: object) -> list[tuple[Any, ...]]:
        """Return the rows of ``statement``, which is prepared once for each connection."""
        ...


@asynccontextmanager
async def reading(database: Database, visible: Visible, sql: Statements = _SQL) -> AsyncIterator[Read]:
    """Lend a function that runs statements of ``sql`` over the visible mandates, in one transaction.

    Row-level security stands behind the filter. The scope travels with the first statement, in one round trip.

    Raises:
        PartError: ``database`` when it does not answer.
    """
    mandates = sorted({version.mandate for version in visible.versions.values()})
    async with in_scope(database, visible) as connection:

        async def read(statement: str, **values: object) -> list[tuple[Any, ...]]:
            found = await connection.execute(sql[statement], {"mandates": mandates, **values}, prepare=True)
            return await found.fetchall()

        yield read


@asynccontextmanager
async def in_scope(database: Database, visible: Visible) -> AsyncIterator[AnyConnection]:
    """Lend a connection of the reader in a transaction that names the scope, in pipeline mode."""
    async with database.connection(Role.READER) as connection, connection.pipeline():
        scope = ",".join(map(str, visible.horizon.scope))
        await connection.execute(_SQL["scope"], {"scope": scope}, prepare=True)
        yield connection


def must_be_visible(passages: Sequence[PassageId], visible: Visible) -> None:
    """Refuse passages outside the horizon, whether they exist or not.

    Raises:
        AccessError: one of them belongs to no visible version.
    """
    if any(passage.ordinal not in visible.versions for passage in passages):
        raise AccessError
