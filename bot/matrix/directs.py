"""Rooms for one person and us: found again where there is one; encrypted and closed, whatever the server's custom."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bot.chat.ports import Room
from bot.matrix.api import Api, RefusedError, path
from bot.matrix.machine import MEGOLM
from bot.matrix.shapes import text
from domain.errors import AccessError

_log = logging.getLogger(__name__)

AFRESH: Final = 3600.0
"""Seconds until somebody is asked in again whom the server has refused to ask in."""


class DirectRooms:
    """The rooms that our account's data name as direct, for other programs to see too.

    Args:
        api: the homeserver.
        account: our identity.
        read: reads a room as it is now.
    """

    def __init__(self, api: Api, account: str, read: Callable[[str], Awaitable[Room | None]]) -> None:
        self._api = api
        self._read = read
        self._place = path("user", account, "account_data", "m.direct")
        self._changing = asyncio.Lock()
        self._refused: dict[str, float] = {}

    async def with_person(self, person: str) -> str:
        """Return the newest protected room with a person alone; one is opened where there is none.

        Raises:
            AccessError: the server refuses that the person is asked in, now or a short while ago.
        """
        async with self._changing:
            known = await self._known()
            room = await self._newest(known, person)
            if room is not None and person in room.members:
                return room.id
            self._must_be_reachable(person)
            try:
                if room is not None:
                    await self._ask_in(room, person)
                    return room.id
                made = await self._open(person)
            except (AccessError, RefusedError) as error:
                self._refused[person] = asyncio.get_running_loop().time() + AFRESH
                _log.warning("nobody can be asked into a room for two: %s", error)
                raise AccessError from error
            await self._name(known, person, made)
            return made

    def _must_be_reachable(self, person: str) -> None:
        """Ask a server no more for a while that has refused: each attempt may leave an empty room behind."""
        now = asyncio.get_running_loop().time()
        self._refused = {one: until for one, until in self._refused.items() if now < until}
        if person in self._refused:
            raise AccessError

    async def known(self, person: str) -> str | None:
        """Return the newest protected room with a person alone, if there is one."""
        room = await self._newest(await self._known(), person)
        return None if room is None else room.id

    async def remember(self, room: Room) -> None:
        """Remember a room as direct, if it is for two."""
        if room.is_direct:
            async with self._changing:
                await self._name(await self._known(), next(iter(room.members)), room.id)

    async def _newest(self, known: dict[str, list[str]], person: str) -> Room | None:
        for name in reversed(known.get(person, [])):
            room = await self._read(name)
            if room and room.is_protected and room.members <= {person} and room.successor is None:
                return room
        return None

    async def _known(self) -> dict[str, list[str]]:
        try:
            known = await self._api.call("GET", self._place)
        except RefusedError as error:
            if error.code == "M_NOT_FOUND":
                return {}
            raise
        lists = {person: names for person, names in known.items() if isinstance(names, list)}
        return {person: [name for name in names if isinstance(name, str)] for person, names in lists.items()}

    async def _name(self, known: dict[str, list[str]], person: str, room: str) -> None:
        names = [name for name in known.get(person, []) if name != room]
        await self._api.call("PUT", self._place, {**known, person: [*names, room]})

    async def _ask_in(self, room: Room, person: str) -> None:
        """Ask somebody in who has left; else each answer for them alone would leave an empty room behind."""
        await self._api.call("POST", path("rooms", room.id, "invite"), {"user_id": person})

    async def _open(self, person: str) -> str:
        # Closed from the invitation on, not from the entry: what we say until then is what the person is asked in for.
        first: dict[str, dict[str, Any]] = {
            "m.room.encryption": {"algorithm": MEGOLM},
            "m.room.history_visibility": {"history_visibility": "invited"},
            "m.room.guest_access": {"guest_access": "forbidden"},
        }
        body = {
            "preset": "trusted_private_chat",
            "visibility": "private",
            "is_direct": True,
            "invite": [person],
            "initial_state": [{"type": kind, "state_key": "", "content": of} for kind, of in first.items()],
        }
        answer = await self._api.call("POST", path("createRoom"), body, is_repeatable=False)
        return text(answer.get("room_id"))
