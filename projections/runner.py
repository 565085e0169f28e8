"""Keeps the projections: brings each forward in batches, and builds it anew when its version has risen.

A batch is one transaction under the role ``projector``: lock the projection's row in ``projection_positions``, apply
the events behind its position, move the position. Whatever dies in between, view and position agree. An event that
cannot be taken in is set aside in the same transaction (``failures.py``).

A rebuild is one transaction as well: empty the view, apply all events, move position and version. Until its commit
every reader sees the old view (that is what MVCC gives for nothing), then all of the new one; the old view stands
still meanwhile. It costs the room of both until the next vacuum. A new projection is built the same way, so that
nobody takes a view that has barely begun for all that is known. Two sets of tables and a switch between them would
let the old view move on during a rebuild, at the price of a name to look up in every query. Questions wait while
the view of what is known is rebuilt, since the old one may not know that a document has been closed.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from enum import Enum
from typing import Final

from psycopg import AsyncConnection, Error, sql

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.errors import InputError, PartError
from domain.recording import EventStore, Recorded
from projections import failures
from projections.failures import SetAside
from projections.projection import Projection
from projections.tables import COUNTED

_SQL: Final = statements("projections", "runner.sql")
_LOG: Final = logging.getLogger(__name__)

BATCH_EVENTS: Final = 500
"""Most events in one transaction; the store cuts batches of large events shorter."""

_LISTEN: Final = "LISTEN stored_events"
_POLL_SECONDS: Final = 2.0
"""A wake-up can be missed between reading and listening, so followers look by themselves as well."""

GUARD: Final = "knowledge"
"""The view that says what is open to whom. No question may read it as it was before somebody closed a document."""

_UNBUILT: Final = -1
_FIRST_PAUSE_SECONDS: Final = 0.1
_LONGEST_PAUSE_SECONDS: Final = 5.0
_BUSY_SECONDS: Final = 0.02
_PATIENCE_SECONDS: Final = 60.0


class Step(Enum):
    """How a step of a projection ended."""

    MOVED = "moved"
    AT_HEAD = "at head"
    BUSY = "another process is at it"


class ProjectionRunner:
    """Keeps ``projections`` in step with the journal; implements ``Views``."""

    def __init__(self, database: Database, events: EventStore, projections: Sequence[Projection]) -> None:
        self._database = database
        self._events = events
        self._projections = {projection.name: projection for projection in projections}
        self._placed = False

    async def reach(self, position: int | None = None) -> int:
        """See ``Views``.

        Raises:
            PartError: ``projection`` names the one that cannot be brought there; the others have been.
            ValueError: ``position`` lies behind the head.
        """
        await self._place()
        head = await self._events.head()
        asked = head if position is None else position
        goals = {name: max(asked, head) if name == GUARD else asked for name in self._projections}
        places = await self._positions()
        late = [projection for name, projection in self._projections.items() if places[name] < goals[name]]
        enough = {name: head if name == GUARD else position or 0 for name in goals}
        results = await asyncio.gather(
            *(self._bring(one, goals[one.name], enough[one.name]) for one in late), return_exceptions=True
        )
        for result in results:
            if isinstance(result, BaseException):
                raise result
        reached = (await self._positions()).values() if late else places.values()
        return min(reached, default=asked) if position is None else position

    async def bring(self, *names: str) -> int:
        """Bring these projections to the head as of this call, and return that position.

        For lists that must be complete; what is slow to build (vectors, words) is not waited for.

        Raises:
            PartError: ``projection`` names one that cannot be brought there.
        """
        await self._place()
        head = await self._events.head()
        for name in names:
            await self._bring(self._projections[name], head, head)
        return head

    async def positions(self) -> dict[str, int]:
        """Return how far each projection has come, in their order; -1 for one that has to be built first."""
        await self._place()
        return await self._positions()

    async def set_aside(self) -> tuple[SetAside, ...]:
        """Return the events that projections could not take in."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            return await failures.found(connection)

    async def rebuild(self, name: str) -> None:
        """Build a projection anew from the first event; readers see the old one until it is done.

        Raises:
            InputError: there is no such projection.
            PartError: it fails, and stays as it was.
        """
        if name not in self._projections:
            raise InputError("projection_unknown", name=name, known=", ".join(self._projections))
        await self._place()
        projection = self._projections[name]
        async with self._transaction(projection) as connection:
            await connection.execute(_SQL["await_turn"], {"name": name})
            await self._build(connection, projection)

    async def run(self, stop: asyncio.Event) -> None:
        """Follow the journal until ``stop`` is set; survives failing projections and restarts of the database."""
        wakes = [asyncio.Event() for _ in self._projections]
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(self._listen(wakes))
            for projection, wake in zip(self._projections.values(), wakes, strict=True):
                group.create_task(self._follow(projection, wake, stop))
            await stop.wait()
            listening.cancel()
            for wake in wakes:
                wake.set()

    async def _follow(self, projection: Projection, wake: asyncio.Event, stop: asyncio.Event) -> None:
        pause = _FIRST_PAUSE_SECONDS
        while not stop.is_set():
            wake.clear()
            try:
                await self._place()
                while not stop.is_set() and await self._step(projection) is Step.MOVED:
                    pass
            except PartError as error:
                _LOG.warning("projection %s pauses for %.1f s: %s", projection.name, pause, error)
                await _wait(stop, pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            else:
                pause = _FIRST_PAUSE_SECONDS
                await _wait(wake, _POLL_SECONDS)

    async def _listen(self, wakes: Sequence[asyncio.Event]) -> None:
        """Wake the followers when something was recorded; connects again for as long as it takes."""
        while True:
            try:
                conninfo = self._database.conninfo(Role.PROJECTOR)
                async with await AsyncConnection.connect(conninfo, autocommit=True) as connection:
                    await connection.execute(_LISTEN)
                    _wake(wakes)
                    async for _ in connection.notifies():
                        _wake(wakes)
            except Error as error:
                _LOG.warning("wake-ups are lost, polling goes on: %s", type(error).__name__)
            await asyncio.sleep(_POLL_SECONDS)

    async def _bring(self, projection: Projection, goal: int, enough: int) -> None:
        """Bring a projection to ``goal``; while another process is at it, having reached ``enough`` will do."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while (place := (await self._positions())[projection.name]) < goal:
            step = await self._step(projection)
            if step is Step.AT_HEAD and (await self._positions())[projection.name] < goal:
                raise ValueError("the position lies behind the head")
            if step is Step.BUSY and place >= enough:
                return
            if step is Step.BUSY:
                if time.monotonic() > deadline:
                    raise PartError("projection", name=projection.name)
                await asyncio.sleep(_BUSY_SECONDS)

    async def _step(self, projection: Projection) -> Step:
        """Apply one batch, or build the projection anew when its version has risen."""
        async with self._transaction(projection) as connection:
            cursor = await connection.execute(_SQL["take"], {"name": projection.name})
            row = await cursor.fetchone()
            if row is None:
                return Step.BUSY
            version, position = row
            if version > projection.version:
                raise PartError("projection_newer", name=projection.name)
            if version < projection.version:
                await self._build(connection, projection)
                return Step.MOVED
            reached = await self._apply(connection, projection, position)
            if reached == position:
                return Step.AT_HEAD
            await _move(connection, projection, reached)
            return Step.MOVED

    async def _build(self, connection: AnyConnection, projection: Projection) -> None:
        await failures.forget(connection, projection.name)
        await projection.clear(connection)
        position = 0
        while (reached := await self._apply(connection, projection, position)) != position:
            position = reached
        for table in COUNTED.get(projection.name, ()):
            # With the numbers of before, a question that joins a thousand versions can take a second instead of 10 ms.
            await connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(table)))
        await _move(connection, projection, position)

    async def _apply(self, connection: AnyConnection, projection: Projection, position: int) -> int:
        """Apply the next batch and return the position behind it; shredded events only move it."""
        batch = await self._events.batch(position, BATCH_EVENTS, projection.takes)
        readable: list[Recorded] = [recorded for recorded in batch.events if recorded.event is not None]
        if readable:
            await failures.take(connection, projection, readable)
        return batch.reached

    @asynccontextmanager
    async def _transaction(self, projection: Projection) -> AsyncIterator[AnyConnection]:
        """Open a transaction whose failure names the projection, unless the database itself is down."""
        try:
            async with self._database.connection(Role.PROJECTOR) as connection:
                yield connection
        except PartError:
            raise
        except Exception as error:
            raise PartError("projection", name=projection.name) from error

    async def _place(self) -> None:
        """See to it that each projection has its row."""
        if self._placed:
            return
        async with self._database.connection(Role.PROJECTOR) as connection:
            for projection in self._projections.values():
                await connection.execute(_SQL["place"], {"name": projection.name})
        self._placed = True

    async def _positions(self) -> dict[str, int]:
        """Return how far each projection of ours has come, -1 for one that has to be built first."""
        async with self._database.connection(Role.PROJECTOR) as connection:
            cursor = await connection.execute(_SQL["positions"], {"names": list(self._projections)})
            return {
                name: position if version >= self._projections[name].version else _UNBUILT
                for name, version, position in await cursor.fetchall()
            }


async def _move(connection: AnyConnection, projection: Projection, position: int) -> None:
    row = {"name": projection.name, "version": projection.version, "position": position}
    await connection.execute(_SQL["move"], row)


async def _wait(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def _wake(wakes: Sequence[asyncio.Event]) -> None:
    for wake in wakes:
        wake.set()
