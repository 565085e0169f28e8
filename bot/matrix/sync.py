"""What comes in: the server's stream in batches, without gaps, each event once, nothing from before we came."""

import asyncio
import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final

from bot.chat.incoming import Batch, Incoming
from bot.matrix.api import Api, RefusedError, path
from bot.matrix.keys import Keys
from bot.matrix.machine import Machine
from bot.matrix.parse import ENCRYPTED, begins_stay, incoming, invitation, said_to_us
from bot.matrix.shapes import identifier, rows, table, text
from bot.matrix.waiting import Waiting
from domain.errors import AccessError, FundstelleError, PartError

_log = logging.getLogger(__name__)

_HELD: Final = 30.0
"""Seconds that the server holds a request back while nothing happens."""

_PAUSE: Final = 5.0
"""Seconds between attempts when the server does not answer; ``Api`` has been patient before."""

_AT_ONCE: Final = 1.0
"""Seconds within which no server answers a request that it shall hold back, unless it has something to tell."""

_FIRST_BREATH: Final = 0.25
"""Seconds until we ask again a server that answers at once and tells nothing; twice as long each time."""

_TIMELINE: Final = 20
"""Events of a room that come at once; what is more is a gap, which is filled."""

_PAGE: Final = "100"
_MOST_PAGES: Final = 100
"""Pages of a gap that are fetched: 10,000 events, more than any room says while we are away for maintenance."""

_MOST_FAILURES: Final = 5
"""Times that a gap may fail to be filled, each with ``Api``'s own patience, before the other rooms wait no longer."""

_MOST_EMPTY: Final = 5
"""Answers that tell nothing at once, in a row, until the log says so."""

_REMEMBERED: Final = 20_000


class Stream:
    """The stream of an account.

    Args:
        api: the homeserver.
        keys: what decrypts.
        machine: what remembers encrypted rooms.
        waiting: events whose key has not come yet.
    """

    def __init__(self, api: Api, keys: Keys, machine: Machine, waiting: Waiting) -> None:
        self._api = api
        self._keys = keys
        self._machine = machine
        self._waiting = waiting
        self._account = machine.account
        self._seen: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._has_heard = False
        self._opened: list[str] = []
        self._failures = 0
        self._empty = 0

    async def batches(self, token: str | None) -> AsyncIterator[Batch]:
        """Yield what comes in behind a place in the stream, for ever; while the server is away, wait for it.

        A batch counts as taken in when the next one is asked for.

        Args:
            token: of the last batch that was taken in; ``None`` at the very first, which gives a baseline.

        Raises:
            PartError: ``matrix_login``, the server does not let us in any more.
        """
        loop = asyncio.get_running_loop()
        while True:
            asked = loop.time()
            answer = await self._listen(token)
            is_at_once = loop.time() - asked < _AT_ONCE
            if answer is None:
                _log.error("the server does not know our place in its stream any more; starting anew from now")
                self._keys.know_nobody()
                token = None
                continue
            batch = await self._batch(answer, token)
            if batch is None:
                self._failures += 1
                await asyncio.sleep(_PAUSE)
                continue
            self._failures = 0
            self._waiting.save()
            yield batch
            is_empty = is_at_once and _tells_nothing(answer, token)
            token = batch.token
            self._waiting.remove(self._opened)
            self._waiting.save()
            await self._breathe(is_empty=is_empty)

    async def _breathe(self, *, is_empty: bool) -> None:
        """Ask a server less and less often that answers at once though it has nothing to tell."""
        self._empty = self._empty + 1 if is_empty else 0
        if self._empty == _MOST_EMPTY:
            _log.warning("the Matrix server answers at once and tells nothing; it is asked less often")
        if self._empty > 1:
            await asyncio.sleep(min(_PAUSE, _FIRST_BREATH * 2.0 ** min(self._empty - 2, 10)))

    def forget(self, person: str) -> None:
        """Let nothing of a person wait for its key any longer."""
        self._waiting.forget(person)

    async def invitations(self) -> tuple[Incoming, ...]:
        """Return the invitations that stand open; the stream tells of each once, and somebody may have died over it.

        Raises:
            PartError: ``matrix_login``.
        """
        answer = await self._listen(None, query=_query_of_invitations()) or {}
        return tuple(self._invited(table(answer.get("rooms"))))

    def _invited(self, sections: Mapping[str, Any]) -> Iterator[Incoming]:
        for room, section in _rooms(sections.get("invite")):
            asked = invitation(table(section.get("invite_state")).get("events"), room, self._account)
            if asked is not None:
                yield asked

    async def _listen(self, token: str | None, *, query: Mapping[str, str] | None = None) -> dict[str, Any] | None:
        """Return the next answer of the server, ``None`` when it does not understand the token."""
        while True:
            asked = query
            if asked is None:
                asked = _query(token, _HELD if token is not None and self._has_heard else 0.0)
            try:
                answer = await self._api.call("GET", path("sync"), query=asked, patience=2 * _HELD, is_repeatable=True)
            except RefusedError as error:
                if token is not None and error.status == 400:
                    return None
                _log.warning("the Matrix server refuses the stream: %s", error)
            except PartError as error:
                if error.key == "matrix_login":
                    raise
                _log.warning("the Matrix server does not answer: %s", error)
            else:
                if text(answer.get("next_batch")):
                    self._has_heard = self._has_heard or query is None
                    return answer
            await asyncio.sleep(_PAUSE)

    async def _batch(self, answer: Mapping[str, Any], token: str | None) -> Batch | None:
        """Return what an answer tells; ``None`` when a part has not answered meanwhile: ask again then."""
        await self._keys.take_in(answer)
        sections = table(answer.get("rooms"))
        events: list[Incoming] = []
        try:
            events += await self._open()
            for kind in ("join", "leave"):
                for room, section in _rooms(sections.get(kind)):
                    events += await self._of_room(room, section, token)
        except PartError as error:
            if error.key == "matrix_login":
                raise
            _log.warning("what came in is read once more in a while: %s", error)
            return None
        events += self._invited(sections)
        return Batch(text(answer.get("next_batch")), tuple(self._new(events)), is_baseline=token is None)

    async def _of_room(self, room: str, section: Mapping[str, Any], token: str | None) -> list[Incoming]:
        timeline = table(section.get("timeline"))
        raw = rows(timeline.get("events"))
        for event in rows(table(section.get("state")).get("events")) + raw:
            if event.get("type") == "m.room.encryption" and event.get("state_key") == "":
                self._machine.remember_encrypted(room)
        is_cut = timeline.get("limited") is True and token is not None
        if is_cut and not any(begins_stay(event, self._account) for event in raw):
            raw = await self._gap(room, text(timeline.get("prev_batch")), token or "") + raw
        told: list[Incoming] = []
        for event in said_to_us(raw, self._account):
            plain, found = await self._read(event, room)
            if found is not None and plain.get("type") == ENCRYPTED and token is not None:
                self._waiting.add(room, event)
            told += [found] if found else []
        return told

    async def _read(self, event: dict[str, Any], room: str) -> tuple[dict[str, Any], Incoming | None]:
        """Return an event as it was meant and what it tells; one that nobody foresaw must not stop all others."""
        try:
            plain = await self._keys.read(event, room)
            return plain, incoming(plain, room, self._account)
        except FundstelleError:
            raise
        except Exception as error:  # noqa: BLE001
            _log.error("an event is left alone that nobody foresaw (%s)", type(error).__name__)
            return {}, None

    async def _gap(self, room: str, before: str, token: str) -> list[dict[str, Any]]:
        """Return the events between a place in the stream and a timeline that was cut, oldest first."""
        found: list[dict[str, Any]] = []
        for _ in range(_MOST_PAGES):
            if not before:
                break
            query = {"from": before, "to": token, "dir": "b", "limit": _PAGE}
            try:
                page = await self._api.call("GET", path("rooms", room, "messages"), query=query)
            except AccessError:
                break
            except PartError as error:
                if error.key == "matrix_login" or self._failures < _MOST_FAILURES:
                    raise
                _log.error("a gap in a room stays open: %s", error)
                break
            chunk = rows(page.get("chunk"))
            found += chunk
            # A page may be empty though others follow (Client-Server API, "GET /rooms/{roomId}/messages").
            before, last = text(page.get("end")), before
            if before == last or any(begins_stay(event, self._account) for event in chunk):
                break
        else:
            _log.error("more was said in a room while we were away than we read back")
        return found[::-1]

    async def _open(self) -> list[Incoming]:
        """Return the events whose key has come meanwhile."""
        self._opened = []
        told: list[Incoming] = []
        for room, event in self._waiting:
            if not self._keys.can_read(event, room):
                continue
            plain, found = await self._read(event, room)
            if plain.get("type") == ENCRYPTED:
                continue
            self._opened.append(text(event.get("event_id")))
            told += [found] if found else []
        return told

    def _new(self, events: list[Incoming]) -> list[Incoming]:
        """Return the events that were not told before; those without an id are told as often as they come."""
        new = []
        for event in events:
            name = getattr(event, "event", None)
            if name is not None:
                place = (type(event).__name__, name)
                if place in self._seen:
                    continue
                self._seen[place] = None
                if len(self._seen) > _REMEMBERED:
                    self._seen.popitem(last=False)
            new.append(event)
        return new


def _rooms(sections: object) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((room, table(section)) for room, section in table(sections).items() if identifier(room))


def _tells_nothing(answer: Mapping[str, Any], token: str | None) -> bool:
    """Say whether an answer is one of a server, or of something before it, that does not hold requests back."""
    has_news = any(table(answer.get("rooms")).values()) or rows(table(answer.get("to_device")).get("events"))
    return text(answer.get("next_batch")) == token or not has_news


_NOTHING: Final[dict[str, Any]] = {"types": []}


def _query_of_invitations() -> dict[str, str]:
    """Return what is asked for when only invitations are wanted, which a filter never leaves out.

    A first sync may be answered from a cache for two minutes (Synapse), by the very words of the filter; so no two of
    ours are alike.
    """
    of_rooms = dict.fromkeys(("state", "ephemeral", "account_data"), _NOTHING)
    timeline = {**_NOTHING, "not_types": [secrets.token_hex(8)]}
    chosen = {"presence": _NOTHING, "account_data": _NOTHING, "room": {"timeline": timeline, **of_rooms}}
    return {"filter": json.dumps(chosen), "set_presence": "offline"}


def _query(token: str | None, held: float) -> dict[str, str]:
    limit = _TIMELINE if token is not None else 1
    of_rooms = {
        "timeline": {"limit": limit, "lazy_load_members": True},
        "state": {"lazy_load_members": True},
        "ephemeral": _NOTHING,
        "account_data": _NOTHING,
    }
    chosen = {"presence": _NOTHING, "account_data": _NOTHING, "room": of_rooms}
    query = {"filter": json.dumps(chosen), "timeout": str(int(held * 1000)), "set_presence": "offline"}
    return query if token is None else {**query, "since": token}
