"""Work in lanes: in order within a room, a few rooms at a time, and again until it is done."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Final, Generic, TypeVar

from domain.errors import PartError

_LOG: Final = logging.getLogger(__name__)

LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts at most."""

T = TypeVar("T")


class Lanes(Generic[T]):
    """Does work, a lane a key.

    Args:
        work: does one piece; is told which attempt this is, from 1. A ``PartError`` means that it is tried again.
        workers: how many pieces are worked on at once.
        sleep: waits, in seconds.
        pause: how many seconds a piece lies before it is begun; it holds up nobody but its own lane.
    """

    def __init__(
        self,
        work: Callable[[T, int], Awaitable[None]],
        workers: int,
        sleep: Callable[[float], Awaitable[None]],
        pause: Callable[[T], float] = lambda _: 0.0,
    ) -> None:
        self._work = work
        self._sleep = sleep
        self._pause = pause
        self._slots = asyncio.Semaphore(workers)
        self._lanes: dict[str, deque[T]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._under_way: dict[str, T] = {}
        self._is_closing = False

    @property
    def waiting(self) -> int:
        """Return how many pieces are not done."""
        return sum(map(len, self._lanes.values()))

    def has(self, key: str) -> bool:
        """Say whether a lane has pieces that are not done."""
        return key in self._lanes

    def add(self, key: str, piece: T) -> None:
        """Put a piece at the end of a lane; once closing, it is left to the next start."""
        if self._is_closing:
            return
        self._lanes.setdefault(key, deque()).append(piece)
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._go(key))

    async def settle(self) -> None:
        """Wait until nothing is left to do."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values())

    async def close(self, grace: float) -> tuple[T, ...]:
        """Begin nothing more, let what is under way end within ``grace`` seconds, and return what did not."""
        self._is_closing = True
        tasks = dict(self._tasks)
        for key in tasks.keys() - self._under_way.keys():
            tasks[key].cancel()
        if tasks:
            await asyncio.wait(tasks.values(), timeout=grace)
        parked = tuple(self._under_way.values())
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        return parked

    async def _go(self, key: str) -> None:
        lane = self._lanes[key]
        try:
            while lane and not self._is_closing:
                await self._patiently(key, lane[0])
                lane.popleft()
        finally:
            del self._tasks[key]
            if not lane:
                del self._lanes[key]

    async def _patiently(self, key: str, piece: T) -> None:
        if pause := self._pause(piece):
            await self._sleep(pause)
        for attempt in count(1):
            try:
                async with self._slots:
                    await self._once(key, piece, attempt)
            except PartError as error:
                _LOG.warning("attempt %d has failed: %s", attempt, error.key)
            else:
                return
            await self._sleep(min(2.0 ** (attempt - 1), LONGEST_PAUSE))

    async def _once(self, key: str, piece: T, attempt: int) -> None:
        self._under_way[key] = piece
        try:
            await self._work(piece, attempt)
        finally:
            del self._under_way[key]
