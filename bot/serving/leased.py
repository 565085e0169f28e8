"""A platform on which nothing is said without the lease: asked before each word, so that two never answer."""

from typing import Protocol
from uuid import UUID

from bot.chat.incoming import Said
from bot.chat.outgoing import Content
from bot.chat.ports import Platform, Room


class Lease(Protocol):
    """Tells whether an account is ours to answer for."""

    async def check(self) -> None:
        """Raise ``PartError("lease_lost")`` unless it is."""
        ...


class Leased:
    """Implements ``Platform`` by another one; what it changes there waits for the lease."""

    def __init__(self, platform: Platform, lease: Lease) -> None:
        self._platform = platform
        self._lease = lease

    @property
    def account(self) -> str:
        """See ``Platform``."""
        return self._platform.account

    async def room(self, room: str) -> Room | None:
        """See ``Platform``."""
        return await self._platform.room(room)

    async def message(self, room: str, event: str) -> Said | None:
        """See ``Platform``."""
        return await self._platform.message(room, event)

    async def send(
        self, room: str, content: Content, *, transaction: str, thread: str | None = None, only_trusted: bool = False
    ) -> str:
        """See ``Platform``."""
        await self._lease.check()
        return await self._platform.send(
            room, content, transaction=transaction, thread=thread, only_trusted=only_trusted
        )

    async def edit(
        self, room: str, target: str, content: Content, *, transaction: str, only_trusted: bool = False
    ) -> str:
        """See ``Platform``."""
        await self._lease.check()
        return await self._platform.edit(room, target, content, transaction=transaction, only_trusted=only_trusted)

    async def redact(self, room: str, target: str, *, transaction: str) -> None:
        """See ``Platform``."""
        await self._lease.check()
        await self._platform.redact(room, target, transaction=transaction)

    async def typing(self, room: str, *, is_typing: bool) -> None:
        """See ``Platform``."""
        await self._platform.typing(room, is_typing=is_typing)

    async def sent(self, room: str, thread: str, run: UUID) -> str | None:
        """See ``Platform``."""
        return await self._platform.sent(room, thread, run)

    async def direct_room(self, person: str) -> str:
        """See ``Platform``."""
        await self._lease.check()
        return await self._platform.direct_room(person)

    async def join(self, room: str) -> None:
        """See ``Platform``."""
        await self._lease.check()
        await self._platform.join(room)

    async def leave(self, room: str) -> None:
        """See ``Platform``."""
        await self._lease.check()
        await self._platform.leave(room)
