"""Which rooms we are in: invitations, being put out, and rooms that take the place of others."""

import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

from bot import identity
from bot.chat import notices
from bot.chat.conversation import Guests
from bot.chat.desk import Desk
from bot.chat.incoming import Invited, Removed, Upgraded
from bot.chat.outgoing import Content
from domain.errors import AccessError, PartError

_LOG: Final = logging.getLogger(__name__)

ATTEMPTS: Final = 3
"""How often an invitation is tried to be followed or declined, before others who wait are dealt with."""


class Membership:
    """Follows invitations of those who may invite, and tells whoever looks after us and the mandates of the rest.

    Args:
        desk: the parts.
        guests: who may invite us.
        tell: identities that are told of trouble.
    """

    def __init__(self, desk: Desk, guests: Guests, tell: Collection[str]) -> None:
        self._desk = desk
        self._guests = guests
        self._tell = tuple(tell)

    async def take(self, event: Invited | Removed | Upgraded) -> None:
        """Do what an event asks for. The same event once more changes nothing.

        Raises:
            PartError: the platform does not answer.
        """
        texts = self._desk.texts
        match event:
            case Invited():
                await self._invited(event)
            case Removed(room, sender):
                _LOG.warning("we have been put out of a room")
                await self._tell_all(
                    f"removed {room} {self._today()}", notices.removed(texts, room, sender), self._tell
                )
            case Upgraded(room, _, successor):
                _LOG.warning("a room was closed in favour of another")
                people = (*self._tell, *await self._administrators(room))
                await self._tell_all(f"upgraded {room} {successor}", notices.upgraded(texts, room, successor), people)

    async def _invited(self, event: Invited) -> None:
        if self._guests.may_invite(event.sender):
            await self._patiently(self._desk.platform.join, event.room)
            return
        _LOG.warning("an invitation is declined: whoever sent it is not among inviters and servers")
        await self._patiently(self._desk.platform.leave, event.room)
        content = notices.invitation_refused(self._desk.texts, event.room, event.sender)
        # Whoever invites us a hundred times is told of once: in the transaction stands who it was and on which day.
        await self._tell_all(f"invited {event.sender} {self._today()}", content, self._tell)

    async def _patiently(self, move: Callable[[str], Awaitable[None]], room: str) -> None:
        """Come or go; what cannot be done, since a server far away is gone, must not keep others waiting for ever."""
        for attempt in range(ATTEMPTS):
            try:
                with suppress(AccessError):  # the invitation has been taken back
                    await move(room)
            except PartError as error:
                _LOG.warning("an invitation could not be dealt with: %s", error.key)
                await self._desk.sleep(2.0**attempt)
            else:
                return

    def _today(self) -> str:
        return self._desk.app.now().date().isoformat()

    async def _administrators(self, room: str) -> list[str]:
        """Return who administers the mandate of a room and is on our platform."""
        mandate = await self._desk.app.mandates.of_channel(room)
        if mandate is None:
            return []
        names = await self._desk.app.people.names(mandate.administrators)
        return sorted(name for name in names.values() if identity.is_like(name, self._desk.platform.account))

    async def _tell_all(self, what: str, content: Content, people: Collection[str]) -> None:
        platform = self._desk.platform
        for person in dict.fromkeys(people):
            # Nobody waits for news of trouble: who cannot be reached now finds it in the log.
            with suppress(AccessError, PartError):
                room = await platform.direct_room(person)
                transaction = self._desk.transaction(what, f"tell {person}")
                await platform.send(room, content, transaction=transaction)
