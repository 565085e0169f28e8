"""The life of an instance: wait for the lease, connect, answer; when something breaks, begin again after a pause.

Nothing ends it but a signal, and an installation that is wrong from the start. Whoever waits in vain for a part tells
so in ``/readyz`` and in the log, and tries again.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Final, Protocol

from bot.chat.incoming import Batch
from bot.chat.ports import Platform
from bot.serving.health import Health
from bot.serving.leased import Lease, Leased
from bot.serving.logs import facts
from bot.serving.metrics import Metrics
from domain.errors import AccessError, FundstelleError, InputError
from domain.inbox import Inbox

_LOG: Final = logging.getLogger(__name__)

STOP_SECONDS: Final = 20.0
"""How long questions that are being answered may take to their end once somebody has asked us to stop; what is not
done by then goes on at the next start, where it was left."""

WATCH_SECONDS: Final = 1.0
"""How often the lease is asked for while nothing is said."""

LOOK_SECONDS: Final = 30.0
"""How often it is looked for changes of sources: other processes take documents in."""

_STEADY_SECONDS: Final = 60.0
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 60.0


class Connection(Platform, Protocol):
    """A platform that we are logged in to."""

    def batches(self, token: str | None) -> AsyncIterator[Batch]:
        """Yield what comes in behind ``token``, and an empty batch now and then while nothing does."""
        ...


class Conversation(Protocol):
    """What is said to what comes in (``bot/chat/service.py``)."""

    @property
    def waiting(self) -> int:
        """Return how many messages have no reply yet."""
        ...

    async def begin(self) -> None:
        """Go on with what was noted and not finished."""
        ...

    async def take(self, batch: Batch) -> None:
        """Take in what the platform tells."""
        ...

    async def look_for_news(self) -> None:
        """Tell what has become of the sources of earlier answers."""
        ...

    async def close(self, grace: float) -> None:
        """Begin nothing more, and let what is under way end within ``grace`` seconds."""
        ...


class Tenancy(Lease, Protocol):
    """The lease on an account."""

    async def acquire(self, waiting: Callable[[], None]) -> None:
        """Wait until it is ours."""
        ...

    async def release(self) -> None:
        """Let the next instance have it."""
        ...


Fault = Callable[[Exception], None]
"""Is told of an error."""

Side = Callable[[Platform], Awaitable[None]]
"""Something that is done beside the answering, without an end of its own."""


@dataclass(frozen=True)
class Instance:
    """What an instance consists of.

    Attributes:
        connect: logs in to the platform, as long as the block runs.
        converse: makes the conversation on a platform.
        sides: what is done beside it.
        fault: is told of each error.
        prepare: reads what is needed to answer, before the account is applied for, so that nobody waits for it.
    """

    lease: Tenancy
    inbox: Inbox
    connect: Callable[[], AbstractAsyncContextManager[Connection]]
    converse: Callable[[Platform], Conversation]
    health: Health
    metrics: Metrics
    fault: Fault
    sides: Sequence[Side] = ()
    prepare: Callable[[], Awaitable[None]] | None = None


class Life:
    """Runs an instance until somebody stops it."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._stopping = asyncio.Event()
        self._conversation: Conversation | None = None
        self._has_connected = False
        instance.metrics.gauge("pending", "Messages that have no reply yet.", lambda: self.pending)

    @property
    def pending(self) -> int:
        """How many messages have no reply yet."""
        return 0 if self._conversation is None else self._conversation.waiting

    def stop(self) -> None:
        """Ask for an end."""
        self._instance.health.is_stopping = True
        self._stopping.set()

    async def run(self) -> None:
        """Answer until ``stop``.

        Raises:
            InputError: before the first connection: somebody has to set something right.
        """
        loop, attempt = asyncio.get_running_loop(), 0
        await _first(self._prepare(), self._stopping.wait())
        while not self._stopping.is_set():
            began = loop.time()
            try:
                await self._tenure()
            except Exception as error:
                if isinstance(error, InputError) and not isinstance(error, AccessError) and not self._has_connected:
                    raise
                self._instance.fault(error)
            if self._stopping.is_set():
                break
            attempt = 1 if loop.time() - began > _STEADY_SECONDS else attempt + 1
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_before(attempt)):
                    await self._stopping.wait()
        _LOG.info("stopped", extra=facts(left=self.pending))

    async def _prepare(self) -> None:
        """Get ready; what does not work now is tried again by the first question that needs it."""
        if self._instance.prepare is None:
            return
        try:
            await self._instance.prepare()
        except Exception as error:  # noqa: BLE001 - an instance that is slow at first is better than none
            self._instance.fault(error)

    async def _tenure(self) -> None:
        instance = self._instance
        waiting = instance.lease.acquire(lambda: _LOG.info("another instance answers; waiting for its end"))
        await _first(waiting, self._stopping.wait())
        try:
            if not self._stopping.is_set():
                _LOG.info("the account is ours to answer for")
                await self._connect_and_answer()
        finally:
            instance.health.lost()
            await instance.lease.release()

    async def _connect_and_answer(self) -> None:
        async with AsyncExitStack() as stack:
            # A homeserver that is down is waited for much longer than whoever asks us to stop would wait.
            connecting = asyncio.ensure_future(stack.enter_async_context(self._instance.connect()))
            await _first(connecting, self._stopping.wait())
            if not self._stopping.is_set():
                self._has_connected = True
                await self._answer(connecting.result())

    async def _answer(self, connection: Connection) -> None:
        instance = self._instance
        platform = Leased(connection, instance.lease, instance.metrics.failed)
        conversation = self._conversation = instance.converse(platform)
        try:
            await conversation.begin()
            await _first(
                self._listen(connection, conversation),
                self._look(conversation),
                self._watch(),
                self._stopping.wait(),
                *(side(platform) for side in instance.sides),
            )
        finally:
            await conversation.close(STOP_SECONDS if self._stopping.is_set() else 0)

    async def _listen(self, connection: Connection, conversation: Conversation) -> None:
        async for batch in connection.batches(await self._instance.inbox.token()):
            self._instance.health.heard()
            try:
                await conversation.take(batch)
            except FundstelleError:
                raise
            except Exception as error:  # noqa: BLE001 - one event that nobody foresaw must not stop all others
                self._instance.fault(error)
                await self._one_by_one(batch, conversation)

    async def _one_by_one(self, batch: Batch, conversation: Conversation) -> None:
        """Take in what can be taken in of a batch, and go on behind it without the rest."""
        instance = self._instance
        place = await instance.inbox.token()
        for event in batch.events:
            try:
                await conversation.take(Batch(place or batch.token, (event,), batch.is_baseline))
            except FundstelleError:
                raise
            except Exception as error:  # noqa: BLE001
                instance.fault(error)
        await instance.inbox.take_in(batch.token, [])

    async def _look(self, conversation: Conversation) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await conversation.look_for_news()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            await self._instance.lease.check()


def pause_before(attempt: int) -> float:
    """Return how many seconds to wait before an attempt, counted from 1: twice as long each time, and never alike."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(attempt - 1, 30)) * random.uniform(0.5, 1)  # noqa: S311


async def _first(*awaited: Awaitable[object]) -> None:
    """Wait for the first of several to end, end the others, and raise what it raised."""
    tasks = [asyncio.ensure_future(one) for one in awaited]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()
