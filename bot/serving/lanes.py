"""Deals with what came in: a few at a time, and in a room one after the other.

What fails because a part does not answer is tried again, after pauses that grow, and the room waits for it. What fails
for a reason that nobody foresaw is written down and left for the next start after a few tries, so that it stops nobody.
"""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Final

from bot.serving.logs import facts, short
from domain.errors import PartError
from domain.inbox import Noted

_LOG: Final = logging.getLogger(__name__)

AT_A_TIME: Final = 4
"""Events that are dealt with at the same time; a question keeps a processor busy."""

MOST_TRIES: Final = 3
"""How often an event is tried whose fault nobody foresaw."""

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0

Deal = Callable[[Noted], Awaitable[None]]
"""Deals with an event to its end, so that it is finished in the inbox; may be called again for the same one."""

Fault = Callable[[Exception], None]
"""Is told of an error."""


def pause_before(attempt: int, longest: float = _LONGEST_PAUSE, first: float = _FIRST_PAUSE) -> float:
    """Return how many seconds to wait before an attempt, counted from 1: twice as long each time, and never alike."""
    return min(longest, first * 2.0 ** min(attempt - 1, 30)) * random.uniform(0.5, 1)  # noqa: S311 - no secret


class Lanes:
    """The events that wait, a lane for each room.

    Args:
        deal: deals with an event.
        fault: is told of each error.
        at_a_time: how many events are dealt with at once.
    """

    def __init__(self, deal: Deal, fault: Fault, *, at_a_time: int = AT_A_TIME) -> None:
        self._deal = deal
        self._fault = fault
        self._places = asyncio.Semaphore(at_a_time)
        self._waiting: dict[str, deque[Noted]] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._known: set[str] = set()
        self._closing = asyncio.Event()

    @property
    def pending(self) -> int:
        """How many events wait or are dealt with."""
        return len(self._known)

    def add(self, events: Iterable[Noted]) -> None:
        """Let events wait behind what their rooms wait for already; what is waiting is not added again."""
        for event in events:
            if self._closing.is_set() or event.event in self._known:
                continue
            self._known.add(event.event)
            lane = self._waiting.get(event.room)
            if lane is None:
                self._waiting[event.room] = deque([event])
                task = asyncio.create_task(self._run(event.room))
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            else:
                lane.append(event)

    async def close(self, seconds: float) -> int:
        """Begin nothing new, let what runs end within ``seconds``, and return how many events are left as they are."""
        self._closing.set()
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        return self.pending

    async def _run(self, room: str) -> None:
        lane = self._waiting[room]
        try:
            while lane and not self._closing.is_set():
                if await self._to_its_end(lane[0]):
                    self._known.discard(lane.popleft().event)
        finally:
            del self._waiting[room]

    async def _to_its_end(self, event: Noted) -> bool:
        """Deal with an event until nothing is left to try, and return ``False`` when we close before."""
        unforeseen = attempt = 0
        while not self._closing.is_set():
            try:
                async with self._places:
                    await self._deal(event)
            except PartError as error:
                self._fault(error)
            except Exception as error:  # noqa: BLE001 - one event must not end the others
                self._fault(error)
                unforeseen += 1
                if unforeseen == MOST_TRIES:
                    _LOG.error("an event is left for the next start", extra=facts(event=short(event.event)))
                    return True
            else:
                return True
            attempt += 1
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_before(attempt)):
                    await self._closing.wait()
        return False
