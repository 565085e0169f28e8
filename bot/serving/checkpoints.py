"""Posts the journal's checkpoints to a room, where the operator is not alone with them: each once, in order.

A room that is new gets the latest one, which speaks for all before it. How far a room is stands in the database, and
the transaction of each message comes from the checkpoint, so that a death between the two posts nothing twice.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol
from uuid import UUID, uuid5

from bot.chat.markup import element, html, plain
from bot.chat.outgoing import Content
from bot.chat.ports import Platform
from bot.serving.life import Fault
from bot.text import Texts
from domain.errors import FundstelleError
from domain.journal.events import CheckpointCosigned, CheckpointSigned, JournalKeyTaken
from domain.journal.handler import Log, Signed
from domain.recording import EventStore

_NAMESPACE: Final = UUID("3b0f9b0c-7f0f-5a53-8d0a-51f0c8a1c2d4")

LOOK_SECONDS: Final = 20.0
"""How often somebody looks for a new checkpoint: another process signs it."""

SIGNED: Final = (CheckpointSigned, CheckpointCosigned, JournalKeyTaken)
_BATCH: Final = 500


class Posts(Protocol):
    """How far rooms are."""

    async def posted(self, room: str) -> int | None:
        """Return how many checkpoints a room has had, ``None`` for a room that is new."""
        ...

    async def post(self, room: str, count: int) -> None:
        """Remember that a room has had the first ``count`` checkpoints."""
        ...


class Posting:
    """Posts checkpoints to one room.

    Args:
        log: returns what the journal has signed.
        posts: how far the room is.
        room: where they are posted.
        texts: the language of what is said beside them.
        store: tells cheaply whether anything was signed since.
    """

    def __init__(
        self, log: Callable[[], Awaitable[Log]], posts: Posts, room: str, texts: Texts, store: EventStore
    ) -> None:
        self._log = log
        self._posts = posts
        self._room = room
        self._texts = texts
        self._store = store
        self._looked: int | None = None
        self._is_behind = True

    async def post(self, platform: Platform) -> int:
        """Post what is new and return how much that was.

        Raises:
            AccessError: we may not speak in the room.
            PartError: the platform or the database does not answer.
        """
        signed = (await self._log()).signed
        posted = await self._posts.posted(self._room)
        first = max(0, len(signed) - 1) if posted is None else posted
        for number, one in enumerate(signed[first:], first + 1):
            transaction = str(uuid5(_NAMESPACE, f"{platform.account} {self._room} {one.note}"))
            await platform.send(self._room, posting(one, self._texts), transaction=transaction)
            await self._posts.post(self._room, number)
        return max(0, len(signed) - first)

    async def keep_posting(self, platform: Platform, fault: Fault) -> None:
        """Post what is new now and whenever there is something; what goes wrong is told and tried again."""
        while True:
            try:
                await self._look()
                if self._is_behind:
                    await self.post(platform)
                    self._is_behind = False
            except FundstelleError as error:
                fault(error)
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self) -> None:
        """Find out whether anything was signed since this was last asked, without reading what was signed before."""
        head = await self._store.head()
        position = head if self._looked is None else self._looked
        while position < head:
            batch = await self._store.batch(position, _BATCH, SIGNED)
            self._is_behind |= bool(batch.events)
            position = max(batch.reached, position + 1)
        self._looked = position


def posting(signed: Signed, texts: Texts) -> Content:
    """Return a checkpoint as a message: line for line as it is verified, so that it can be copied from there."""
    events = texts.counted("event", signed.checkpoint.size)
    nodes = (element("p", texts("rooms.checkpoint", events=events)), element("pre", element("code", str(signed.note))))
    return Content(plain(nodes), html(nodes), is_notice=True)
