"""Matrix as the ``Platform`` of a conversation."""

import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import aiohttp

from bot.chat.incoming import Batch, Said
from bot.chat.outgoing import Content
from bot.chat.ports import Room
from bot.matrix import content as contents
from bot.matrix import login as logins
from bot.matrix.api import Api, RefusedError, path
from bot.matrix.crypto import Trust
from bot.matrix.directs import DirectRooms
from bot.matrix.files import private_folder
from bot.matrix.keys import Keys
from bot.matrix.login import Login, Session
from bot.matrix.machine import Machine
from bot.matrix.parse import ENCRYPTED
from bot.matrix.reading import ABSENT, Reading
from bot.matrix.rooms import readers, room_of
from bot.matrix.shapes import rows, text
from bot.matrix.sync import Stream
from bot.matrix.waiting import FILE as WAITING
from bot.matrix.waiting import Waiting
from domain.errors import AccessError, ConflictError, PartError

_log = logging.getLogger(__name__)

_MESSAGE: Final = "m.room.message"
_TYPING_MILLISECONDS: Final = 30_000
_MALFORMED: Final = 400

Published = Callable[[Api, Machine], Awaitable[None]]
"""What is done when the keys of our device are with the server, such as signing them."""


class MatrixPlatform:
    """A homeserver, as somebody who is logged in there; made by ``connect``.

    Attributes:
        session: our device; ``is_new`` when administrators should be told that there is another one.
        machine: our device's keys.
    """

    def __init__(self, api: Api, session: Session, machine: Machine, keys: Keys, stream: Stream) -> None:
        self._api = api
        self._keys = keys
        self._stream = stream
        self._reading = Reading(api, keys, session.account)
        self._directs = DirectRooms(api, session.account, self.room)
        self.session = session
        self.machine = machine

    @property
    def account(self) -> str:
        """See ``Platform``."""
        return self.session.account

    @property
    def api(self) -> Api:
        """Return the homeserver's interface."""
        return self._api

    async def batches(self, token: str | None) -> AsyncIterator[Batch]:
        """See ``Stream.batches``; before, once more, whoever waits for us to come."""
        if token is not None and (invited := await self._stream.invitations()):
            yield Batch(token, invited)
        async for batch in self._stream.batches(token):
            yield batch

    def forget(self, person: str) -> None:
        """Let what is in memory go of a person's devices and of what waits for their keys."""
        self._keys.forget(person)
        self._stream.forget(person)

    async def room(self, room: str) -> Room | None:
        """See ``Platform``."""
        return self._room(room, await self._state(room))

    async def message(self, room: str, event: str) -> Said | None:
        """See ``Platform``."""
        return await self._reading.message(room, event)

    async def is_locked(self, room: str, event: str) -> bool:
        """See ``Platform``."""
        return await self._reading.is_locked(room, event)

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
        said = contents.message(content, thread)
        put = partial(self._put, room, content, transaction=transaction, only_trusted=only_trusted, seen=seen)
        try:
            return await put(said)
        except RefusedError as error:
            if thread is None or error.status != _MALFORMED:
                raise
            # What stands in a thread itself, or relates to something else, cannot begin one.
            return await put(contents.reply(content, thread))

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
        said = contents.edit(content, target)
        return await self._put(room, content, said, transaction=transaction, only_trusted=only_trusted, seen=seen)

    async def redact(self, room: str, target: str, *, transaction: str) -> None:
        """See ``Platform``."""
        await self._api.call("PUT", path("rooms", room, "redact", target, transaction), {})

    async def typing(self, room: str, *, is_typing: bool) -> None:
        """See ``Platform``; a decoration, so what goes wrong with it is passed over."""
        body: dict[str, Any] = {"typing": is_typing} | ({"timeout": _TYPING_MILLISECONDS} if is_typing else {})
        try:
            await self._api.call("PUT", path("rooms", room, "typing", self.account), body, patience=2)
        except (PartError, AccessError) as error:
            _log.debug("typing is not shown: %s", error)

    async def sent(self, room: str, thread: str | None, run: UUID) -> str | None:
        """See ``Platform``."""
        return await self._reading.sent(room, thread, run)

    async def shown(self, room: str, thread: str | None) -> tuple[UUID, ...]:
        """See ``Platform``."""
        return await self._reading.shown(room, thread)

    def link(self, room: str, event: str) -> str:
        """See ``Platform``."""
        return contents.link(room, event, self.account)

    async def direct_room(self, person: str) -> str:
        """See ``Platform``; encrypted and closed, whatever the server's custom is."""
        return await self._directs.with_person(person)

    async def known_direct_room(self, person: str) -> str | None:
        """See ``Platform``."""
        return await self._directs.known(person)

    async def join(self, room: str) -> None:
        """See ``Platform``; a room for two is remembered as this person's direct room."""
        await self._move(room, "join")
        found = await self.room(room)
        if found is not None:
            await self._directs.remember(found)

    async def leave(self, room: str) -> None:
        """See ``Platform``."""
        await self._move(room, "leave")

    async def _move(self, room: str, how: str) -> None:
        """Come or go; whatever the server has against it, such as a room that it has never heard of, it is final."""
        try:
            await self._api.call("POST", path("rooms", room, how), {})
        except RefusedError as error:
            raise AccessError from error

    async def _put(
        self,
        room: str,
        content: Content,
        said: Mapping[str, Any],
        *,
        transaction: str,
        only_trusted: bool,
        seen: Room | None,
    ) -> str:
        """Say something as the room is at this moment: the server is asked before each message.

        Whoever comes in after that has no key of what is said in an encrypted room.
        """
        state = await self._state(room)
        now = self._room(room, state)
        if now is None or (only_trusted and not now.is_encrypted):
            raise AccessError
        if seen is not None and not now.protects_as(seen):
            raise ConflictError
        kind = _MESSAGE
        if now.is_encrypted:
            people, needed = readers(state), content.mentions if only_trusted else ()
            said = await self._keys.encrypt(room, people, kind, said, only_trusted=only_trusted, needed=needed)
            kind = ENCRYPTED
        answer = await self._api.call("PUT", path("rooms", room, "send", kind, transaction), said)
        return text(answer.get("event_id"))

    def _room(self, room: str, state: list[dict[str, Any]]) -> Room | None:
        found = room_of(room, state, self.account, is_known_encrypted=self.machine.is_encrypted(room))
        if found is not None and found.is_encrypted:
            self.machine.remember_encrypted(room)
        return found

    async def _state(self, room: str) -> list[dict[str, Any]]:
        """Return a room's whole state, nothing when we are not in it: one answer, so its parts belong together."""
        try:
            answer = await self._api.listed(path("rooms", room, "state"))
        except AccessError:
            return []
        except RefusedError as error:
            if error.code in ABSENT:
                return []
            raise
        return rows(answer)


@asynccontextmanager
async def connect(
    homeserver: str,
    login: Login,
    folder: Path,
    trust: Trust,
    *,
    context: ssl.SSLContext | None = None,
    published: Published | None = None,
) -> AsyncIterator[MatrixPlatform]:
    """Log in, give the server our device's keys, and be there as long as the block runs.

    Args:
        homeserver: its address.
        login: who we are there.
        folder: ``DATA/matrix``: session, keys, and what waits for keys.
        trust: which devices may read what we write.
        context: who may vouch for the server; ``None`` leaves it to the system.
        published: called when the keys of our device are with the server: at the start, and when it had forgotten them.

    Raises:
        PartError: ``matrix_unreachable``, ``matrix_busy``, ``matrix_login``, ``matrix_disk``, ``matrix_store``.
    """
    private_folder(folder)
    async with aiohttp.ClientSession() as connections:
        api = Api(homeserver, connections, context)
        session = await logins.log_in(api, login, folder)
        machine = Machine(session.account, session.device, folder)
        keys = Keys(api, machine, trust)
        try:
            if session.was_renewed:
                machine.forget_upload()
            await keys.publish()
            if published is not None:
                await published(api, machine)
                keys.published = partial(published, api, machine)
            api.renew = partial(_renew, api, login, folder, session, keys)
            stream = Stream(api, keys, machine, Waiting(folder / WAITING))
            yield MatrixPlatform(api, session, machine, keys, stream)
        finally:
            keys.close()
            machine.close()


async def _renew(api: Api, login: Login, folder: Path, session: Session, keys: Keys) -> None:
    await logins.renew(api, login, folder, session)
    keys.publish_anew()
