"""A platform on which nothing is said without the lease: asked before each word, so that two never answer.

What goes wrong with the platform is counted on its way, whoever bears it.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar
from uuid import UUID

from bot.chat.incoming import Said
from bot.chat.outgoing import Content
from bot.chat.ports import Platform, Room
from domain.errors import PartError

T = TypeVar("T")


class Lease(Protocol):
    """Tells whether an account is ours to answer for."""

    async def check(self) -> None:
        """Raise ``PartError("lease_lost")`` unless it is."""
        ...


class Leased:
    """Implements ``Platform`` by another one; what it changes there waits for the lease.

    Args:
        platform: the other one.
        lease: asked first.
        failed: is told the key of each error of the platform.
    """

    def __init__(self, platform: Platform, lease: Lease, failed: Callable[[str], None]) -> None:
        self._platform = platform
        self._lease = lease
        self._failed = failed

    @property
    def account(self) -> str:
        """See ``Platform``."""
        return self._platform.account

    async def room(self, room: str) -> Room | None:
        """See ``Platform``."""
        return await self._told(self._platform.room(room))

    async def message(self, room: str, event: str) -> Said | None:
        """See ``Platform``."""
        return await self._told(self._platform.message(room, event))

    async def is_locked(self, room: str, event: str) -> bool:
        """See ``Platform``."""
        return await self._told(self._platform.is_locked(room, event))

    async def send(
        self,
        room: str,
        content: Content,
        *,
        transaction: str,
        thread: str | None = None,
        only_trusted: bool = False,
        seen: Room | None = None,
    ) -> str:
        """See ``Platform``."""
        sending = self._platform.send(
            room, content, transaction=transaction, thread=thread, only_trusted=only_trusted, seen=seen
        )
        return await self._leased(sending)

    async def edit(
        self,
        room: str,
        target: str,
        content: Content,
        *,
        transaction: str,
        only_trusted: bool = False,
        seen: Room | None = None,
    ) -> str:
        """See ``Platform``."""
        editing = self._platform.edit(
            room, target, content, transaction=transaction, only_trusted=only_trusted, seen=seen
        )
        return await self._leased(editing)

    async def redact(self, room: str, target: str, *, transaction: str) -> None:
        """See ``Platform``."""
        await self._leased(self._platform.redact(room, target, transaction=transaction))

    async def typing(self, room: str, *, is_typing: bool) -> None:
        """See ``Platform``."""
        await self._told(self._platform.typing(room, is_typing=is_typing))

    async def sent(self, room: str, thread: str | None, run: UUID) -> str | None:
        """See ``Platform``."""
        return await self._told(self._platform.sent(room, thread, run))

    async def shown(self, room: str, thread: str | None) -> tuple[UUID, ...]:
        """See ``Platform``."""
        return await self._told(self._platform.shown(room, thread))

    def link(self, room: str, event: str) -> str:
        """See ``Platform``."""
        return self._platform.link(room, event)

    async def direct_room(self, person: str) -> str:
        """See ``Platform``."""
        return await self._leased(self._platform.direct_room(person))

    async def known_direct_room(self, person: str) -> str | None:
        """See ``Platform``."""
        return await self._told(self._platform.known_direct_room(person))

    async def join(self, room: str) -> None:
        """See ``Platform``."""
        await self._leased(self._platform.join(room))

    async def leave(self, room: str) -> None:
        """See ``Platform``."""
        await self._leased(self._platform.leave(room))

    async def _leased(self, doing: Coroutine[Any, Any, T]) -> T:
        try:
            await self._lease.check()
        except BaseException:
            doing.close()
            raise
        return await self._told(doing)

    async def _told(self, doing: Awaitable[T]) -> T:
        try:
            return await doing
        except PartError as error:
            self._failed(error.key)
            raise
