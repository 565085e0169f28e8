"""That an answer is being made: typing, and one notice that follows it, only when it takes a while.

Nothing more of it is shown before the answer is sent, so the answer stands last.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from bot.chat import notices
from bot.chat.desk import Desk
from bot.chat.outgoing import Content, progress_of
from bot.chat.ports import Noted
from bot.progress import STAGES
from bot.text import Texts
from domain.errors import AccessError, PartError

EDITS: Final = 3
"""How often the notice is edited at most; the last time it points to the answer."""

_LEAVING: Final = 5.0
"""Seconds that an answer waits for its own progress at most."""


class Progress:
    """Shows how one question gets on, while the block runs. What goes wrong in it concerns nobody.

    Args:
        desk: the parts.
        noted: the question.
        thread: where it is shown.
        texts: the language.
        is_resumed: a notice of an earlier attempt may stand there.
    """

    def __init__(self, desk: Desk, noted: Noted, thread: str, texts: Texts, *, is_resumed: bool) -> None:
        self._desk = desk
        self._noted = noted
        self._thread = thread
        self._texts = texts
        self._step = next(iter(STAGES))
        self._moved = asyncio.Event()
        self._ended = asyncio.Event()
        self._run = progress_of(desk.run_of(noted.event))
        self._notice: str | None = None
        self._may_be_there = is_resumed
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
        if message is None:
            return
        platform, room = self._desk.platform, self._noted.room
        with suppress(AccessError, PartError):
            if self._notice is None and self._may_be_there:
                self._notice = await platform.sent(room, self._thread, self._run)
            await self._edit(notices.pointer(self._texts, platform.link(room, message)), EDITS)

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
        content = self._own(notices.progress(self._step, self._texts))
        self._may_be_there = True
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
        await self._desk.platform.edit(self._noted.room, self._notice, self._own(content), transaction=transaction)

    def _own(self, content: Content) -> Content:
        return replace(content, run=self._run)
