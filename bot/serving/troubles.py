"""Tells whoever looks after us of trouble, each in the direct room with them, when the platform can be reached."""

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import Final
from uuid import UUID, uuid5

from bot.chat.outgoing import Content
from bot.chat.ports import Platform
from domain.errors import AccessError, PartError

_LOG: Final = logging.getLogger(__name__)
_NAMESPACE: Final = UUID("8f0a3c86-6a0e-5a37-9a55-0d0b9a1c6e77")

_MOST: Final = 100
"""What waits to be told; a flood is told of by its beginning."""


class Troubles:
    """What is to be told.

    Args:
        people: identities of those who are told.
    """

    def __init__(self, people: Collection[str]) -> None:
        self._people = tuple(people)
        self._waiting: asyncio.Queue[tuple[str, Content]] = asyncio.Queue(_MOST)

    def add(self, what: str, content: Content) -> None:
        """Have something told; ``what`` tells it from other trouble, so that it is said once."""
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait((what, content))

    async def tell(self, platform: Platform) -> None:
        """Tell what there is and whatever comes, for ever; who cannot be reached finds it in the log."""
        while True:
            what, content = await self._waiting.get()
            for person in self._people:
                try:
                    room = await platform.direct_room(person)
                    transaction = str(uuid5(_NAMESPACE, f"{platform.account} {person} {what}"))
                    await platform.send(room, content, transaction=transaction)
                except (AccessError, PartError) as error:
                    _LOG.warning("somebody could not be told of trouble: %s", error.key)
