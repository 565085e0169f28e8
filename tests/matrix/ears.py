"""Listen to a platform in tests: everything that it tells, in order, as long as the block runs."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar

from bot.chat.incoming import Batch, Incoming
from bot.matrix.client import MatrixPlatform

PATIENCE = 60.0
"""Seconds to wait for something to be told."""

Kind = TypeVar("Kind", bound=Incoming)


@dataclass
class Ears:
    """What was told.

    Attributes:
        batches: in order, the baseline included.
    """

    batches: list[Batch] = field(default_factory=list)
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def events(self) -> list[Incoming]:
        """Everything after the baseline."""
        return [event for batch in self.batches if not batch.is_baseline for event in batch.events]

    @property
    def token(self) -> str:
        """The place behind the last batch."""
        return self.batches[-1].token

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Everything of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    async def first(self, kind: type[Kind], wanted: Callable[[Kind], bool] = lambda _: True) -> Kind:
        """Wait for something of a kind."""
        async with asyncio.timeout(PATIENCE):
            while not (found := [event for event in self.of(kind) if wanted(event)]):
                self._more.clear()
                await self._more.wait()
        return found[0]

    async def begun(self) -> None:
        """Wait for the first batch."""
        async with asyncio.timeout(PATIENCE):
            await self._more.wait()

    async def listen(self, platform: MatrixPlatform, token: str | None) -> None:
        """Listen for ever."""
        async for batch in platform.batches(token):
            self.batches.append(batch)
            self._more.set()


@asynccontextmanager
async def listening(platform: MatrixPlatform, token: str | None = None) -> AsyncIterator[Ears]:
    """Listen as long as the block runs; it begins when the first batch is there."""
    ears = Ears()
    task = asyncio.create_task(ears.listen(platform, token))
    try:
        await ears.begun()
        yield ears
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
