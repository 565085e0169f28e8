"""Somebody whose client encrypts: matrix-js-sdk, which knows nothing of our code (``js/client.mjs``)."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.matrix.person import PATIENCE, Event, Person, edited, message
from tests.matrix.synapse import PASSWORD

FOLDER = Path(__file__).parent / "js"
"""Its libraries are installed there by ``npm ci``."""


class JsClient:
    """A logged-in client. It reads from the start all that its rooms tell.

    Events are told with ``is_encrypted``, ``is_redacted``, ``failure`` (why it cannot be read, or None) and ``shield``:
    none, grey or red, as Element shows it beside the message.

    Attributes:
        person: the same account without encryption, for all that is not encrypted: rooms, members, state.
    """

    def __init__(self, person: Person, *, is_signed: bool = True, is_trusting: bool = False) -> None:
        """Start the client.

        Args:
            person: a session; each client needs one of its own, for its device.
            is_signed: whether its device is signed by its owner's keys, which are made here, in the place of others.
            is_trusting: whether it talks with devices that their owners have not signed, as older clients do.
        """
        self.person = person
        self._process = subprocess.Popen(
            [str(shutil.which("node")), "client.mjs"], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        account = {
            "url": person.url,
            "user": person.id,
            "token": person.token,
            "device": person.device,
            "password": PASSWORD,
        }
        try:
            self._ask("start", **account, signed=is_signed, trusting=is_trusting)
        except BaseException:
            self.close()
            raise

    async def send(
        self,
        room: str,
        text: str,
        *,
        mentions: Sequence[str] = (),
        thread: str | None = None,
        replies_to: str | None = None,
        **more: Any,
    ) -> str:
        """Say something in an encrypted room, and return the event's id; waits until the room is known as such."""
        return await self._send(room, message(text, mentions, thread, replies_to) | more)

    async def edit(self, room: str, target: str, text: str, *, mentions: Sequence[str] = ()) -> str:
        """Put another text in the place of an own message."""
        return await self._send(room, edited(target, text, mentions))

    async def events(self, room: str, **what: Any) -> list[Event]:
        """Return what was said in a room, without waiting; ``what`` as for ``await_in``."""
        return await self.await_in(room, count=0, **what)

    async def await_in(self, room: str, *, count: int = 1, patience: float = PATIENCE, **what: Any) -> list[Event]:
        """Wait until ``count`` messages are there, and return all of that kind, oldest first.

        Args:
            room: where.
            count: so many.
            patience: in seconds.
            what: ``sender``; ``thread``: its first message; ``target``: the message whose text they replace;
                ``msgtype``; ``readable``: only those that could be decrypted; ``failure``: only those that could not be
                for this reason.
        """
        reply = await self._asked("wait", room=room, count=count, patience=patience, **what)
        events: list[Event] = reply["events"]
        assert len(events) >= count, f"{len(events)} of {count} after {patience} seconds: {events}"
        return events

    async def await_reply(self, room: str, root: str, sender: str, *, count: int = 1) -> list[Event]:
        """Wait for ``count`` answers (no notices, no edits) of one sender in a thread that can be read."""
        return await self.await_in(room, count=count, sender=sender, thread=root, msgtype="m.text", readable=True)

    async def devices(self, user: str) -> dict[str, dict[str, bool]]:
        """Return ``is_signed`` (by its owner) and ``is_verified`` of each device of a user, by its id."""
        found: dict[str, dict[str, bool]] = (await self._asked("devices", user=user, fresh=True))["devices"]
        return found

    async def has_changed(self, user: str) -> bool:
        """Say whether somebody has other keys than when they were first met."""
        return bool((await self._asked("devices", user=user, fresh=True))["has_changed"])

    async def approve(self, user: str) -> None:
        """Accept the keys that somebody has now."""
        await self._asked("approve", user=user)

    async def reread(self, room: str, *, patience: float = PATIENCE) -> None:
        """Try once more what could not be read in a room, as a client does that is started anew."""
        await self._asked("reread", room=room, patience=patience)

    def close(self) -> None:
        """End it; what it had read is forgotten."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _send(self, room: str, content: Any) -> str:
        given = {"type": "m.room.message", "content": content, "patience": PATIENCE}
        return str((await self._asked("send", room=room, **given))["event_id"])

    async def _asked(self, name: str, **given: Any) -> dict[str, Any]:
        return await asyncio.to_thread(self._ask, name, **given)

    def _ask(self, name: str, **given: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": name, **given}).encode() + b"\n")
        self._process.stdin.flush()
        reply: dict[str, Any] = json.loads(self._process.stdout.readline() or '{"error": "the client has ended"}')
        assert "error" not in reply, reply["error"]
        return reply


def is_installed() -> bool:
    """Whether Node and the client's libraries are there."""
    return shutil.which("node") is not None and (FOLDER / "node_modules" / "matrix-js-sdk").is_dir()
