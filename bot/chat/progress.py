"""That an answer is being made: typing, and one notice that follows it, only when it takes a while."""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from bot.chat import notices
from bot.chat.desk import Desk
from bot.chat.outgoing import Content
from bot.chat.ports import Noted
from bot.progress import STAGES
from bot.text import Texts
from domain.errors import AccessError, PartError

EDITS: Final = 3
"""How often the notice is edited at most; the last time it points to the answer."""

_LEAVING: Final = 5.0
"""Seconds that an answer waits for its own progress at most."""


class Progress:
    """Shows how one question gets on, while the block runs. What goes wrong in it concerns nobody."""

    def __init__(self, desk: Desk, noted: Noted, thread: str, texts: Texts) -> None:
        self._desk = desk
        self._noted = noted
        self._thread = thread
        self._texts = texts
        self._step = next(iter(STAGES))
        self._moved = asyncio.Event()
        self._ended = asyncio.Event()
        self._notice: str | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begin to wait."""
        self._task = asyncio.create_task(self._show())
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        """Show nothing more."""
        self._ended.set()
        self._moved.set()
        task = self._task
        if task is not None and (await asyncio.wait([task], timeout=_LEAVING))[1]:
            task.cancel()
            await asyncio.wait([task])

    def begins(self, step: str) -> None:
        """Take the step that begins."""
        if STAGES[step] != STAGES[self._step]:
            self._step = step
            self._moved.set()

    async def point(self, message: str | None) -> None:
        """Let the notice, where there is one, point to the message that ends the question."""
        if self._notice is not None and message is not None:
            link = self._desk.platform.link(self._noted.room, message)
            with suppress(AccessError, PartError):
                await self._edit(notices.pointer(self._texts, link), EDITS)

    async def _show(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._desk.patience):
                await self._ended.wait()
        if self._ended.is_set():
            return
        room, platform = self._noted.room, self._desk.platform
        with suppress(AccessError, PartError):
            await platform.typing(room, is_typing=True)
            try:
                await self._follow()
            finally:
                await platform.typing(room, is_typing=False)

    async def _follow(self) -> None:
        self._moved.clear()
        content = notices.progress(self._step, self._texts)
        self._notice = await self._desk.say(self._noted, content, "progress", thread=self._thread)
        for number in range(1, EDITS):
            await self._moved.wait()
            self._moved.clear()
            if self._ended.is_set():
                return
            await self._edit(notices.progress(self._step, self._texts), number)
        await self._ended.wait()

    async def _edit(self, content: Content, number: int) -> None:
        if self._notice is None:
            return
        transaction = self._desk.transaction(self._noted.event, f"progress {number}")
        await self._desk.platform.edit(self._noted.room, self._notice, content, transaction=transaction)
