"""Connection pools, one for each role, opened when first needed.

Row-level security holds only against roles that cannot get round it, so each new connection is asked what its role
may do before anybody works with it.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any, Final
from weakref import WeakSet

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from adapters.postgres import roles
from adapters.postgres.endpoint import Role

AnyConnection = AsyncConnection[tuple[Any, ...]]

_SIZE: Final = {Role.OWNER: 2, Role.WRITER: 4, Role.PROJECTOR: 12, Role.READER: 8}
"""Views are brought forward all at once, each in a transaction that lasts as long as encoding a large ingest takes. One
that waited for the others would take the database for silent, so there is a connection for each and some to spare."""

_WAIT_SECONDS: Final = 0.5
_CLOSE_SECONDS: Final = 1.0

# A pool warns at each attempt to connect; what comes of it is an error of ours, or nothing that anybody need know.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


class Pools:
    """The pools of one database."""

    def __init__(self, conninfo: Callable[[Role], str]) -> None:
        self._conninfo = conninfo
        self._pools: dict[Role, AsyncConnectionPool[AnyConnection]] = {}
        self._asserted: WeakSet[AnyConnection] = WeakSet()

    async def lend(self, role: Role, stack: AsyncExitStack) -> AnyConnection:
        """Return a connection that ``stack`` gives back at its end.

        Raises:
            PoolTimeout: none came free in a moment; ask again if you have more patience.
            PoolClosed: the pools were renewed meanwhile; ask again.
            PartError: ``database_role``: the role may do too much.
        """
        pool = self._pools.get(role) or self._make(role)
        await pool.open()
        connection = await stack.enter_async_context(pool.connection(timeout=_WAIT_SECONDS))
        if role is not Role.OWNER and connection not in self._asserted:
            await roles.assert_lent(connection)
            self._asserted.add(connection)
        return connection

    async def renew(self) -> None:
        """Drop all connections: after the death of a server new ones are faster than finding out which are dead."""
        old, self._pools = self._pools, {}
        await asyncio.gather(*(pool.close(timeout=_CLOSE_SECONDS) for pool in old.values()))

    def _make(self, role: Role) -> AsyncConnectionPool[AnyConnection]:
        pool: AsyncConnectionPool[AnyConnection] = AsyncConnectionPool(
            self._conninfo(role),
            min_size=0,
            max_size=_SIZE[role],
            open=False,
            check=AsyncConnectionPool.check_connection,
            num_workers=1,
            name=f"fundstelle-{role.value}",
        )
        self._pools[role] = pool
        return pool
