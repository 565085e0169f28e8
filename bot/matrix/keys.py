"""End-to-end encryption over the network: which devices there are, who gets a room's key, what opens what we read.

The key of a room goes to exactly the devices that may read at the moment of writing. As soon as that set differs from
the one before (somebody came or went, a device was added or confirmed, a stricter rule holds), a new key is made.
"""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Final

from bot.chat.ports import UnconfirmedError
from bot.matrix.api import Api, RefusedError, path
from bot.matrix.crypto import Device, Trust
from bot.matrix.machine import MEGOLM, ONE_TIME_KEY, Machine
from bot.matrix.parse import ENCRYPTED
from bot.matrix.shapes import table, text
from domain.errors import AccessError, FundstelleError, PartError

_log = logging.getLogger(__name__)

_AFRESH: Final = 600.0
"""Seconds until a device that has offered no key to talk to it by is asked for one again."""

_UNTOLD: Final = 60.0
"""Seconds until we ask again about a sender whose devices were not told; that takes seconds and holds up everybody."""

_ASK_MILLISECONDS: Final = 10_000
"""Milliseconds that our server waits for the servers of others."""


class Keys:
    """Our device among the others.

    Args:
        api: the homeserver.
        machine: keys and sessions.
        trust: which devices may read.
    """

    def __init__(self, api: Api, machine: Machine, trust: Trust) -> None:
        self._api = api
        self._machine = machine
        self._trust = trust
        self._known: set[str] = set()
        self._changed: set[str] = set()
        self._silent: dict[Device, float] = {}
        self._untold: dict[str, float] = {}
        self._mending: dict[tuple[str, str], float] = {}
        self._readers: dict[str, frozenset[Device]] = {}
        self._writing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._asking = asyncio.Lock()
        self._publishing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self.published: Callable[[], Awaitable[None]] | None = None

    async def take_in(self, answer: Mapping[str, Any]) -> None:
        """Take in what a sync says about keys and devices, and do at once what follows from it.

        What fails on the way to the server is done with the next sync.
        """
        lists = table(answer.get("device_lists"))
        for kind in ("changed", "left"):
            people = lists.get(kind)
            names = {name for name in people if isinstance(name, str)} if isinstance(people, list) else set()
            self._known -= names
            self._changed |= names
            self._untold = {person: until for person, until in self._untold.items() if person not in names}
        self._machine.counted(answer.get("device_one_time_keys_count"))
        self._machine.receive(table(answer.get("to_device")).get("events"))
        try:
            await self.publish()
            await self._mend()
            await self._flush()
        except PartError as error:
            _log.warning("keys could not be exchanged: %s", error)

    async def publish(self) -> None:
        """Give the server what it lacks of our keys; ``published`` is called when it lacked the device itself."""
        async with self._publishing:
            keys = self._machine.keys_to_upload()
            if keys is not None and not await self._upload(keys):
                await self._upload(self._machine.keys_to_upload() or {})

    async def _upload(self, keys: Mapping[str, Any]) -> bool:
        """Upload keys; false when meanwhile the server has forgotten our device, and those of the device are due."""
        answer = await self._api.call("POST", path("keys", "upload"), keys)
        has_device = "device_keys" in keys
        if not has_device and not self._machine.is_published():
            return False
        self._machine.uploaded(answer.get("one_time_key_counts"))
        if has_device and self.published is not None:
            await self.published()
        return True

    def publish_anew(self) -> None:
        """Give the server our keys once more, since it has forgotten our device; nobody waits for that here."""
        self._machine.forget_upload()
        task = asyncio.create_task(self._publish_or_tell())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Leave what nobody waits for: another process of ours may have the store by now."""
        for task in self._tasks:
            task.cancel()

    async def _publish_or_tell(self) -> None:
        try:
            await self.publish()
        except FundstelleError as error:
            _log.warning("our keys could not be given to the server: %s", error)

    async def read(self, event: Mapping[str, Any], room: str) -> dict[str, Any]:
        """Return an event as it was meant: decrypted if it is encrypted, else as it is; so too when it stays closed."""
        if event.get("type") != ENCRYPTED:
            return dict(event)
        self._machine.remember_encrypted(room)
        plain = self._machine.decrypt(event, room)
        sender = text(event.get("sender"))
        if plain is None and self._machine.has_key(event, room):
            await self._ask_about(sender)
            plain = self._machine.decrypt(event, room)
        return dict(event) if plain is None else plain

    def can_read(self, event: Mapping[str, Any], room: str) -> bool:
        """Say whether the key of an encrypted event has come."""
        return self._machine.has_key(event, room)

    def act_on(self, event: Mapping[str, Any]) -> None:
        """See ``Machine.act_on``."""
        self._machine.act_on(event)

    async def is_confirmed(self, event: Mapping[str, Any], room: str) -> bool:
        """Say whether an event was encrypted on a device of the sender that they have confirmed, as it is now.

        Raises:
            PartError: the server does not tell which devices there are.
        """
        device = self._machine.writer(event, room)
        if device is None:
            return False
        await self._ask_about(device.person)
        return device in self._trust.recipients({device}, only_trusted=True)

    def know_nobody(self) -> None:
        """Ask about everybody's devices anew: the news of some has not come, and will not."""
        self._known.clear()

    def forget(self, person: str) -> None:
        """Let go of a person's devices; they are asked for anew when something is to be encrypted to them."""
        self._known.discard(person)
        self._untold.pop(person, None)
        self._changed.discard(person)
        self._silent = {device: until for device, until in self._silent.items() if device.person != person}
        self._mending = {device: until for device, until in self._mending.items() if device[0] != person}
        self._machine.forget(person)

    async def encrypt(
        self,
        room: str,
        people: Collection[str],
        kind: str,
        content: Mapping[str, Any],
        *,
        only_trusted: bool,
        needed: Collection[str] = (),
    ) -> dict[str, Any]:
        """Return the content of an encrypted event that the devices of ``people`` can read.

        Args:
            room: where it will be said.
            people: who may read there.
            kind: type of the event.
            content: of the event.
            only_trusted: only devices that their owners have confirmed.
            needed: those to whom it is said; it is not said at all when no device of theirs may read.

        Raises:
            UnconfirmedError: none of the devices of those who are ``needed`` may read.
            PartError: the server does not tell which devices there are; nothing is encrypted on a guess.
        """
        if not self._machine.is_published():
            await self.publish()
        async with self._writing[room]:
            await self._ask(people)
            devices = frozenset(self._machine.devices(people))
            allowed = self._trust.recipients(devices, only_trusted=only_trusted) & devices
            theirs = frozenset(device for device in devices if device.person in needed)
            if theirs and not theirs & allowed:
                raise UnconfirmedError
            if self._readers.get(room) != self._reachable(allowed) or not self._machine.has_room_key(room):
                await self._share(room, allowed, devices - allowed)
            return self._machine.encrypt(room, kind, content)

    def _reachable(self, devices: frozenset[Device]) -> frozenset[Device]:
        """Return the devices but those that have offered no key of late, such as a phone that was lost."""
        now = asyncio.get_running_loop().time()
        return frozenset(device for device in devices if self._silent.get(device, now) <= now)

    async def _share(self, room: str, allowed: frozenset[Device], others: frozenset[Device]) -> None:
        self._readers.pop(room, None)
        self._machine.drop_room_key(room)
        allowed = await self._met(self._reachable(allowed))
        try:
            for messages in self._machine.share(room, allowed):
                await self._send(ENCRYPTED, messages)
            if others:
                await self._send("m.room_key.withheld", self._refusals(room, others))
        except FundstelleError:
            self._machine.drop_room_key(room)
            raise
        self._machine.shared(room)
        self._readers[room] = allowed

    def _refusals(self, room: str, devices: Collection[Device]) -> dict[str, Any]:
        """Tell devices why they read nothing, so that they can tell their owners."""
        refusal = {
            "room_id": room,
            "algorithm": MEGOLM,
            "session_id": self._machine.room_key_name(room),
            "sender_key": self._machine.curve25519,
            "code": "m.unverified",
            "reason": "The sender sends keys to verified devices only.",
        }
        messages: dict[str, dict[str, Any]] = {}
        for device in devices:
            messages.setdefault(device.person, {})[device.id] = refusal
        return {"messages": messages}

    async def _ask_about(self, sender: str) -> None:
        """Ask about a sender; one whom the server does not want to know of stays unread, and holds up nobody else."""
        now = asyncio.get_running_loop().time()
        self._untold = {person: until for person, until in self._untold.items() if now < until}
        if sender in self._untold:
            return
        try:
            await self._ask({sender})
        except (RefusedError, AccessError) as error:
            self._untold[sender] = now + _UNTOLD
            _log.warning("the server does not tell the devices of a sender: %s", error)

    async def _ask(self, people: Collection[str]) -> None:
        """Ask which devices people have, where that is not known or has changed since."""
        async with self._asking:
            unknown = set(people) - self._known
            if not unknown:
                return
            self._changed -= unknown
            body = {"device_keys": {person: [] for person in unknown}, "timeout": _ASK_MILLISECONDS}
            answer = await self._api.call("POST", path("keys", "query"), body)
            listed = table(answer.get("device_keys"))
            for person in unknown & listed.keys():
                self._machine.learn(person, listed[person])
            self._trust.learn(answer)
            self._known |= (unknown & listed.keys()) - self._changed
            self._untold |= dict.fromkeys(unknown - listed.keys(), asyncio.get_running_loop().time() + _UNTOLD)

    async def _met(self, devices: frozenset[Device]) -> frozenset[Device]:
        """Return the devices that we can talk to, after asking for keys of those that we could not."""
        await self._meet(self._machine.unmet(devices))
        unmet = self._machine.unmet(devices)
        silent = {device for device in devices if device.id in unmet.get(device.person, {})}
        now = asyncio.get_running_loop().time()
        self._silent = {device: until for device, until in self._silent.items() if now < until}
        self._silent |= dict.fromkeys(silent, now + _AFRESH)
        return devices - silent

    async def _meet(self, claim: Mapping[str, Mapping[str, str]]) -> None:
        if claim:
            body = {"one_time_keys": claim, "timeout": _ASK_MILLISECONDS}
            answer = await self._api.call("POST", path("keys", "claim"), body)
            self._machine.met(answer.get("one_time_keys"))

    async def _mend(self) -> None:
        """Begin anew with devices whose session is broken; one that offers no key for that is not asked each time."""
        now = asyncio.get_running_loop().time()
        self._mending = {device: until for device, until in self._mending.items() if now < until}
        broken = {(person, name) for person, names in self._machine.wedged().items() for name in names}
        claim: dict[str, dict[str, str]] = {}
        for person, name in broken - self._mending.keys():
            claim.setdefault(person, {})[name] = ONE_TIME_KEY
            self._mending[person, name] = now + _AFRESH
        await self._meet(claim)

    async def _flush(self) -> None:
        for message in self._machine.outgoing():
            await self._send(message.type, message.as_dict())
            self._machine.sent(message)

    async def _send(self, kind: str, messages: Mapping[str, Any]) -> None:
        try:
            await self._api.call("PUT", path("sendToDevice", kind, secrets.token_hex(16)), messages)
        except AccessError as error:
            raise PartError("matrix_refused", code="M_FORBIDDEN") from error
