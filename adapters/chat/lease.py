"""Who answers for an account: one instance of all that run, told by a lock of a database session of its own.

The session is the lease. Whoever dies loses it with the connection, and the next instance takes it within a second or
so; whoever loses the connection has lost it as well and must not go on. A pool of connections between us and the
database that parts transactions (PgBouncer with ``pool_mode = transaction``) makes it worthless.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import psycopg

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.failures import translated
from adapters.postgres.sql import statements
from domain.errors import PartError

_SQL: Final = statements("adapters.chat", "lease.sql")

POLL_SECONDS: Final = 1.0
"""How often an instance in waiting asks."""

ANSWER_SECONDS: Final = 5.0
"""A session that does not answer for so long counts as lost."""

_CONNECT_SECONDS: Final = 10


class PostgresLease:
    """The lease on one account.

    Args:
        database: where the lock is.
        account: our own identity, with its platform in front.
    """

    def __init__(self, database: Database, account: str) -> None:
        self._database = database
        self._account = account
        self._session: AnyConnection | None = None
        self._asking = asyncio.Lock()

    @property
    def is_held(self) -> bool:
        """Whether the lease was ours when it was last asked."""
        return self._session is not None

    async def acquire(self, waiting: Callable[[], None] = lambda: None) -> None:
        """Wait until the lease is ours.

        Args:
            waiting: called once when another instance has it.

        Raises:
            PartError: the database does not answer.
        """
        session = await self._connect()
        try:
            is_told = False
            while not await self._ask(session, "take", account=self._account):
                if not is_told:
                    waiting()
                    is_told = True
                await asyncio.sleep(POLL_SECONDS)
        except BaseException:
            await _close(session)
            raise
        self._session = session

    async def check(self) -> None:
        """Make sure that the lease is still ours, before something is said that must not be said twice.

        Raises:
            PartError: ``lease_lost``: another instance may have it by now.
        """
        async with self._asking:
            session = self._session
            if session is None:
                raise PartError("lease_lost")
            try:
                await self._ask(session, "ask")
            except PartError as error:
                await self._lose()
                raise PartError("lease_lost") from error

    async def release(self) -> None:
        """Let the next instance have it."""
        await self._lose()

    async def _connect(self) -> AnyConnection:
        # The embedded server may have been killed.
        await asyncio.to_thread(self._database.revive)
        with translated():
            session: psycopg.AsyncConnection[Any] = await psycopg.AsyncConnection.connect(
                self._database.conninfo(Role.WRITER), autocommit=True, connect_timeout=_CONNECT_SECONDS
            )
        await self._ask(session, "probe_often")
        return session

    async def _ask(self, session: AnyConnection, statement: str, **values: object) -> bool:
        with translated():
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    row = await (await session.execute(_SQL[statement], values)).fetchone()
            except TimeoutError as error:
                raise PartError("database") from error
        return row is not None and bool(row[0])

    async def _lose(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await _close(session)


async def _close(session: AnyConnection) -> None:
    with suppress(psycopg.Error):
        await session.close()
