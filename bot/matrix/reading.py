"""Reading what stands in a room: one message once more, or our own answer to a question."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from bot.chat.incoming import Edited, Said, Unreadable
from bot.matrix.api import V1, Api, RefusedError, path
from bot.matrix.keys import Keys
from bot.matrix.parse import ENCRYPTED, incoming
from bot.matrix.shapes import rows, table, text
from domain.errors import AccessError

ABSENT: Final = frozenset({"M_NOT_FOUND", "M_UNKNOWN", "M_INVALID_PARAM"})
"""What a server says of what is not there, or not for us."""

_NO_MESSAGE: Final = frozenset({400, 404})

_MOST_PAGES: Final = 100
"""Pages of a thread that are read at most: 10,000 messages."""

_MOST_LATEST: Final = 10
"""Pages of a room, likewise: 1,000 messages, more than are said to somebody alone before they take something back."""


class Reading:
    """Reads the messages of an account's rooms; decrypts what it has the keys of.

    Args:
        api: the homeserver.
        keys: those of our device.
        account: our identity.
    """

    def __init__(self, api: Api, keys: Keys, account: str) -> None:
        self._api = api
        self._keys = keys
        self._account = account

    async def message(self, room: str, event: str) -> Said | None:
        """See ``Platform``."""
        raw = await self._raw(room, event)
        said = None if raw is None else await self._as_edited(raw, room)
        if raw is None or said is None:
            return None
        edit = _last_edit(raw)
        for one in (raw, edit):
            self._keys.act_on(one)
        # Which message an edit is about is for the server to say, so it is not certain that its text stands there.
        return replace(said, is_assured=not edit and await self._keys.is_confirmed(raw, room))

    async def is_locked(self, room: str, event: str) -> bool:
        """See ``Platform``; of a message that was redacted nothing is left to be encrypted."""
        raw = await self._raw(room, event)
        if raw is None:
            return False
        return isinstance(incoming(await self._keys.read(raw, room), room, self._account), Unreadable)

    async def sent(self, room: str, thread: str | None, run: UUID) -> str | None:
        """See ``Platform``."""
        async for page in self._pages(room, thread):
            for raw in page:
                if await self._run(raw, room) == run:
                    return text(raw.get("event_id"))
        return None

    async def shown(self, room: str, thread: str | None) -> tuple[UUID, ...]:
        """See ``Platform``."""
        async for page in self._pages(room, thread):
            return tuple([run for raw in page if (run := await self._run(raw, room)) is not None])
        return ()

    async def _pages(self, room: str, thread: str | None) -> AsyncIterator[list[dict[str, Any]]]:
        """Yield our own messages of a thread, the last ones first; without one, of the latest of the room."""
        query, most, further = {"limit": "100"}, _MOST_PAGES, "next_batch"
        if thread is None:
            place, query["dir"], most, further = path("rooms", room, "messages"), "b", _MOST_LATEST, "end"
        else:
            place = path("rooms", room, "relations", thread, "m.thread", base=V1)
        for _ in range(most):
            try:
                page = await self._api.call("GET", place, query=query)
            except AccessError:
                return
            except RefusedError as error:
                if error.code in ABSENT:
                    return
                raise
            yield [raw for raw in rows(page.get("chunk")) if text(raw.get("sender")) == self._account]
            following = text(page.get(further))
            if following in {"", query.get("from")}:
                return
            query["from"] = following

    async def _raw(self, room: str, event: str) -> dict[str, Any] | None:
        try:
            return await self._api.call("GET", path("rooms", room, "event", event))
        except AccessError:
            return None
        except RefusedError as error:
            if error.code in ABSENT or error.status in _NO_MESSAGE:
                return None
            raise

    async def _run(self, raw: Mapping[str, Any], room: str) -> UUID | None:
        said = await self._as_edited(raw, room)
        return None if said is None else said.run

    async def _as_edited(self, raw: Mapping[str, Any], room: str) -> Said | None:
        """Return a message with what its sender has last put in its place; the server hands both out together.

        What was encrypted is edited by what is encrypted alone: anything else is not the sender's.
        """
        said = incoming(await self._keys.read(raw, room), room, self._account)
        if not isinstance(said, Said):
            return None
        newest = _last_edit(raw)
        if raw.get("type") == ENCRYPTED and newest.get("type") != ENCRYPTED:
            return said
        edit = incoming(await self._keys.read(newest, room), room, self._account)
        if not isinstance(edit, Edited) or edit.sender != said.sender or edit.target != said.event:
            return said
        return replace(said, text=edit.text, by_id="", mentions_us=edit.mentions_us or said.mentions_us, run=edit.run)


def _last_edit(raw: Mapping[str, Any]) -> dict[str, Any]:
    return table(table(table(raw.get("unsigned")).get("m.relations")).get("m.replace"))
