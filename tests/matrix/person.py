"""Somebody in the rooms of a homeserver, by its interface for clients and without encryption."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import aiohttp

Event = dict[str, Any]

PATIENCE = 60.0
"""Seconds to wait for something to be said."""

_V3 = "/_matrix/client/v3"


class RefusedError(AssertionError):
    """The homeserver has refused a request; ``code`` is its own, such as ``M_FORBIDDEN``."""

    def __init__(self, status: int, reply: Any) -> None:
        super().__init__(f"{status}: {reply}")
        self.status = status
        self.code = reply.get("errcode", "") if isinstance(reply, dict) else ""


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in.

    Attributes:
        url: the homeserver's address.
        id: of the person, ``@name:server``.
        token: of the session.
        device: of the session, by its id.
    """

    url: str
    id: str
    token: str
    device: str

    async def call(
        self, method: str, path: str, body: Any = None, query: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Ask the homeserver for anything; ``path`` is quoted already."""
        async with aiohttp.request(
            method,
            self.url + path,
            json=({} if body is None else body) if method != "GET" else None,
            params=query,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=aiohttp.ClientTimeout(PATIENCE),
        ) as response:
            reply = await response.json()
            if response.status != 200:
                raise RefusedError(response.status, reply)
            return dict(reply)

    async def create_room(
        self,
        *,
        invite: Sequence[str] = (),
        name: str | None = None,
        is_direct: bool = False,
        is_encrypted: bool = False,
        history: str | None = None,
        version: str | None = None,
        **more: Any,
    ) -> str:
        """Open a room.

        Args:
            invite: who is invited, by id.
            name: of the room.
            is_direct: meant for two.
            is_encrypted: messages are end-to-end encrypted, from the start.
            history: who may read it, ``joined`` and so on; the server's usual, ``shared``, for none.
            version: of the room's rules; the server's usual for none.
            more: what the homeserver takes besides.
        """
        first = [_state("m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})] if is_encrypted else []
        first += [_state("m.room.history_visibility", {"history_visibility": history})] if history else []
        body = {"preset": "private_chat", "invite": list(invite), "is_direct": is_direct, "initial_state": first}
        body |= {"name": name} if name else {}
        body |= {"room_version": version} if version else {}
        return str((await self.call("POST", f"{_V3}/createRoom", body | more))["room_id"])

    async def invite(self, room: str, other: str) -> None:
        await self.call("POST", f"{_room(room)}/invite", {"user_id": other})

    async def join(self, room: str) -> None:
        await self.call("POST", f"{_room(room)}/join")

    async def leave(self, room: str) -> None:
        await self.call("POST", f"{_room(room)}/leave")

    async def kick(self, room: str, other: str) -> None:
        await self.call("POST", f"{_room(room)}/kick", {"user_id": other})

    async def ban(self, room: str, other: str) -> None:
        await self.call("POST", f"{_room(room)}/ban", {"user_id": other})

    async def unban(self, room: str, other: str) -> None:
        await self.call("POST", f"{_room(room)}/unban", {"user_id": other})

    async def upgrade(self, room: str, version: str = "11") -> str:
        """Close a room in favour of a new one, and return the new one's id."""
        return str((await self.call("POST", f"{_room(room)}/upgrade", {"new_version": version}))["replacement_room"])

    async def state(self, room: str, kind: str, key: str = "") -> dict[str, Any]:
        """Return the content of a piece of the room's state; empty when there is none."""
        try:
            return await self.call("GET", f"{_room(room)}/state/{quote(kind)}/{_quoted(key)}")
        except RefusedError as error:
            if error.code == "M_NOT_FOUND":
                return {}
            raise

    async def set_state(self, room: str, kind: str, content: Any, key: str = "") -> None:
        await self.call("PUT", f"{_room(room)}/state/{quote(kind)}/{_quoted(key)}", content)

    async def encrypt(self, room: str) -> None:
        """Have everything encrypted that is said in a room from now on."""
        await self.set_state(room, "m.room.encryption", {"algorithm": "m.megolm.v1.aes-sha2"})

    async def memberships(self, room: str) -> dict[str, str]:
        """Return who is, was or shall be in a room: ``join``, ``invite``, ``leave`` or ``ban`` by id."""
        chunk = (await self.call("GET", f"{_room(room)}/members"))["chunk"]
        return {event["state_key"]: event["content"]["membership"] for event in chunk}

    async def send(
        self,
        room: str,
        text: str,
        *,
        mentions: Sequence[str] = (),
        thread: str | None = None,
        replies_to: str | None = None,
        msgtype: str = "m.text",
        **more: Any,
    ) -> str:
        """Say something, and return the event's id; ``more`` is content besides."""
        content = message(text, mentions, thread, replies_to)
        return await self.send_event(room, content | {"msgtype": msgtype} | more)

    async def edit(self, room: str, target: str, text: str, *, mentions: Sequence[str] = ()) -> str:
        """Put another text in the place of an own message."""
        return await self.send_event(room, edited(target, text, mentions))

    async def react(self, room: str, target: str, key: str) -> str:
        """Put a sign under a message."""
        relation = {"rel_type": "m.annotation", "event_id": target, "key": key}
        return await self.send_event(room, {"m.relates_to": relation}, kind="m.reaction")

    async def redact(self, room: str, target: str) -> str:
        """Take a message back."""
        path = f"{_room(room)}/redact/{_quoted(target)}/{uuid4().hex}"
        return str((await self.call("PUT", path))["event_id"])

    async def send_event(
        self, room: str, content: Any, *, kind: str = "m.room.message", transaction: str | None = None
    ) -> str:
        """Send content as it is."""
        path = f"{_room(room)}/send/{quote(kind)}/{transaction or uuid4().hex}"
        return str((await self.call("PUT", path, content))["event_id"])

    async def event(self, room: str, event: str) -> Event:
        return await self.call("GET", f"{_room(room)}/event/{_quoted(event)}")

    async def timeline(self, room: str, limit: int = 500) -> list[Event]:
        """Return the last events of a room, oldest first."""
        found: list[Event] = []
        query = {"dir": "b", "limit": str(min(limit, 100))}
        while len(found) < limit:
            page = await self.call("GET", f"{_room(room)}/messages", query=query)
            found += page["chunk"]
            if "end" not in page or not page["chunk"]:
                break
            query["from"] = page["end"]
        return found[:limit][::-1]

    async def said(self, room: str, sender: str | None = None) -> list[Event]:
        """Return the messages in a room, of one sender if given, oldest first; edits are messages of their own."""
        return [
            event
            for event in await self.timeline(room)
            if event["type"] in {"m.room.message", "m.room.encrypted"} and sender in {None, event["sender"]}
        ]

    async def thread(self, room: str, root: str) -> list[Event]:
        """Return the replies in a thread, oldest first."""
        return [event for event in await self.said(room) if _root(event) == root]

    async def await_in(
        self, room: str, is_it: Callable[[Event], bool], *, count: int = 1, patience: float = PATIENCE
    ) -> list[Event]:
        """Wait until a room has ``count`` events of a kind, and return all of that kind, oldest first."""
        deadline = time.monotonic() + patience
        while True:
            place = await self._place()
            found = [event for event in await self.timeline(room) if is_it(event)]
            if len(found) >= count:
                return found
            if time.monotonic() > deadline:
                latest = [(event["sender"], event["type"], event["content"]) for event in await self.timeline(room, 10)]
                raise AssertionError(f"{len(found)} of {count} events after {patience} seconds; the latest: {latest}")
            await self._sync({"since": place, "timeout": "1000"})

    async def await_reply(
        self, room: str, root: str, sender: str, *, count: int = 1, patience: float = PATIENCE
    ) -> list[Event]:
        """Wait for ``count`` answers (no notices, no edits) of one sender in a thread, and return all of them."""

        def is_answer(event: Event) -> bool:
            return event["sender"] == sender and _root(event) == root and event["content"].get("msgtype") == "m.text"

        return await self.await_in(room, is_answer, count=count, patience=patience)

    async def await_member(self, room: str, other: str, membership: str = "join") -> None:
        """Wait until somebody is in a room, or out of it."""

        def is_it(event: Event) -> bool:
            of = event["type"] == "m.room.member" and event.get("state_key") == other
            return of and event["content"]["membership"] == membership

        await self.await_in(room, is_it)

    async def invitations(self) -> list[str]:
        """Return the rooms that this person is invited to."""
        rooms = (await self._sync({"timeout": "0"})).get("rooms", {})
        return list(rooms.get("invite", {}))

    async def set_name(self, name: str) -> None:
        """Choose the name that others read."""
        await self.call("PUT", f"{_V3}/profile/{_quoted(self.id)}/displayname", {"displayname": name})

    async def end_all_sessions(self) -> None:
        """Make every token of this person invalid, of other devices too."""
        await self.call("POST", f"{_V3}/logout/all")

    async def _place(self) -> str:
        nothing = '{"room":{"timeline":{"limit":0},"state":{"types":[]}}}'
        return str((await self._sync({"timeout": "0", "filter": nothing}))["next_batch"])

    async def _sync(self, query: dict[str, str]) -> dict[str, Any]:
        return await self.call("GET", f"{_V3}/sync", query=query)


def message(text: str, mentions: Sequence[str], thread: str | None, replies_to: str | None) -> dict[str, Any]:
    """Return the content of a message, with the relation that clients give it in a thread or in a reply."""
    content: dict[str, Any] = {"msgtype": "m.text", "body": text, "m.mentions": _named(mentions)}
    if thread is None and replies_to is None:
        return content
    relation: dict[str, Any] = {"m.in_reply_to": {"event_id": replies_to or thread}}
    if thread:
        relation |= {"rel_type": "m.thread", "event_id": thread, "is_falling_back": replies_to is None}
    return content | {"m.relates_to": relation}


def edited(target: str, text: str, mentions: Sequence[str]) -> dict[str, Any]:
    """Return the content of a message that puts another text in the place of ``target``."""
    return {
        "msgtype": "m.text",
        "body": f"* {text}",
        "m.mentions": {},
        "m.new_content": {"msgtype": "m.text", "body": text, "m.mentions": _named(mentions)},
        "m.relates_to": {"rel_type": "m.replace", "event_id": target},
    }


def _named(people: Sequence[str]) -> dict[str, Any]:
    return {"user_ids": list(people)} if people else {}


def _root(event: Event) -> str | None:
    relation = event["content"].get("m.relates_to", {})
    return relation.get("event_id") if relation.get("rel_type") == "m.thread" else None


def _room(room: str) -> str:
    return f"{_V3}/rooms/{_quoted(room)}"


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _state(kind: str, content: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "state_key": "", "content": content}
