"""The one boundary between our asynchronous code and the synchronous library: a few threads, a connection for each."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

from eventsourcing.persistence import DataError, InterfaceError, OperationalError, PersistenceError
from eventsourcing.postgres import PostgresDatastore

from adapters.eventstore.rows import UnreadableRowError
from adapters.postgres.failures import failure
from domain.errors import PartError

THREADS: Final = 8
"""Threads, and connections of the writer."""

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Runs work that blocks, and turns errors of the library into ours.

    Args:
        datastore: the pool that the work uses, closed by ``close``.
    """

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._executor = ThreadPoolExecutor(THREADS, "eventstore")

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what ``work`` returns.

        Raises:
            PartError: the database does not answer, or ``journal_unreadable`` when a row is none of ours.
        """
        call = partial(self._call, partial(work, *args, **kwargs))
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def _call(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (DataError, UnreadableRowError) as error:
            # We write no value that the database refuses, so it is one that was read: a time without end, say.
            raise PartError("journal_unreadable") from error
        except PersistenceError as error:
            found = failure(error.__cause__) if isinstance(error.__cause__, Exception) else None
            if found is None and isinstance(error, (OperationalError, InterfaceError)):
                found = PartError("database")
            if found is None:
                raise
            raise found from error

    async def close(self) -> None:
        """Wait for work in flight and close all connections."""
        await asyncio.to_thread(self._executor.shutdown)
        await asyncio.to_thread(self._datastore.close)
