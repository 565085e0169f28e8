"""State of end-to-end encryption on our device: matrix-nio's state machine and its store, without its client.

No requests to the server here; ``keys.py`` carries them.
"""

import json
import logging
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any, Final

from nio.events import OlmEvent, ToDeviceEvent
from nio.responses import KeysClaimResponse, KeysQueryResponse, KeysUploadResponse, ToDeviceResponse
from peewee import PeeweeException

from bot.matrix.crypto import Device
from bot.matrix.files import make_private, pickle_key, store_file
from bot.matrix.olm import ALGORITHMS, CANNOT, DiskStore, KeepingOlm
from bot.matrix.parse import ENCRYPTED, REDACTION
from bot.matrix.positions import Positions
from bot.matrix.shapes import rows, table, text
from domain.errors import PartError

_log = logging.getLogger(__name__)

MEGOLM: Final = "m.megolm.v1.aes-sha2"
ONE_TIME_KEY: Final = "signed_curve25519"
"""The kind of keys that devices offer to others who begin to talk to them."""

MOST_DEVICES: Final = 500
"""Devices of a person that get keys at most: with thousands of them somebody would keep everybody waiting."""


class Machine:
    """Keys, sessions and what they open.

    Args:
        account: our identity.
        device: our device's id.
        folder: where the store lies; ours alone.

    Raises:
        PartError: ``matrix_disk``, ``matrix_store``; also from whatever keeps something.
    """

    def __init__(self, account: str, device: str, folder: Path) -> None:
        self.account = account
        self.id = device
        file = store_file(folder, account, device)
        try:
            make_private(file)
            store = DiskStore(account, device, str(folder), pickle_key(folder), file.name)
            # One wait for the disk per change instead of three: the loop waits with it.
            store.database.execute_sql("PRAGMA journal_mode=WAL")
            self.olm: Any = KeepingOlm(account, device, store)
            self._encrypted: set[str] = store.load_encrypted_rooms()
            self._positions = Positions(store.database)
        except (PeeweeException, OSError, ValueError) as error:
            raise PartError("matrix_store", folder=folder, reason=type(error).__name__) from error
        self._store = store

    @property
    def ed25519(self) -> str:
        """Return the key that our device signs with."""
        return str(self.olm.account.identity_keys["ed25519"])

    @property
    def curve25519(self) -> str:
        """Return the key that others encrypt to."""
        return str(self.olm.account.identity_keys["curve25519"])

    def sign(self, value: Mapping[str, object]) -> str:
        """Return our device's signature of an object, unpadded base64."""
        return str(self.olm.sign_json(dict(value)))

    def keys(self) -> dict[str, Any]:
        """Return the keys of our device as others see them, signed by itself."""
        names = {f"curve25519:{self.id}": self.curve25519, f"ed25519:{self.id}": self.ed25519}
        told = {"algorithms": ALGORITHMS, "device_id": self.id, "user_id": self.account, "keys": names}
        return {**told, "signatures": {self.account: {f"ed25519:{self.id}": self.sign(told)}}}

    def introduce(self, keys: Mapping[str, Any]) -> None:
        """Let ``keys``, those of our device with all that is signed of them, go with what we send to other devices."""
        self.olm.introduction = keys

    def close(self) -> None:
        """Close the store."""
        self._store.database.close()

    def is_encrypted(self, room: str) -> bool:
        """Say whether a room was ever seen encrypted; no room goes back from that."""
        return room in self._encrypted

    def remember_encrypted(self, room: str) -> None:
        """Remember that a room is encrypted, for good."""
        if room not in self._encrypted:
            self._store.save_encrypted_rooms([room])
            self._encrypted.add(room)

    def receive(self, events: object) -> None:
        """Take in what other devices have sent us: room keys. Requests for keys are not heard; we give none away."""
        for raw in rows(events):
            try:
                event = ToDeviceEvent.parse_event(deepcopy(raw))
                if isinstance(event, OlmEvent):
                    self.olm.handle_to_device_event(event)
            except CANNOT as error:
                _log.warning("a message to our device cannot be read (%s)", type(error).__name__)

    def has_key(self, event: Mapping[str, Any], room: str) -> bool:
        """Say whether we have the room key that opens an encrypted event."""
        return self._session(event, room) is not None

    def decrypt(self, event: Mapping[str, Any], room: str) -> dict[str, Any] | None:
        """Return an encrypted event with what it holds, ``None`` when it cannot be opened or is not what it claims.

        The key must come from a device of the sender as we know it: whoever else has it could put words in others'
        mouths.
        """
        content = table(event.get("content"))
        session = self._session(event, room)
        sender = text(event.get("sender"))
        if session is None or not self._is_of(sender, session):
            return None
        try:
            plain, position = session.decrypt(text(content.get("ciphertext")))
            said = json.loads(plain)
        except (ValueError, RecursionError):
            return None
        is_meant = isinstance(said, dict) and said.get("room_id") == room and said.get("type") != ENCRYPTED
        name = text(event.get("event_id"))
        if not is_meant or not self._positions.is_first(session.sender_key, session.id, position, name):
            return None
        inner = table(said.get("content"))
        relation = content.get("m.relates_to")
        if relation is not None:
            inner = {**inner, "m.relates_to": inner.get("m.relates_to", relation)}
        # A redaction is never encrypted: no server would have asked whether its sender may take that message back.
        kind = "" if said.get("type") == REDACTION else said.get("type")
        return {**event, "type": kind, "content": inner}

    def _session(self, event: Mapping[str, Any], room: str) -> Any:
        """Return the room key of an event: the sender's own, where somebody else has passed it on to us as theirs."""
        content, sender = table(event.get("content")), text(event.get("sender"))
        if content.get("algorithm") != MEGOLM:
            return None
        name, sender_key = text(content.get("session_id")), text(content.get("sender_key"))
        if sender_key:
            return self.olm.inbound_group_store.get(room, sender_key, name)
        of_room = self.olm.inbound_group_store[room]
        found = [sessions[name] for sessions in of_room.values() if name in sessions]
        return next((one for one in found if self._is_of(sender, one)), found[0] if found else None)

    def _is_of(self, sender: str, session: Any) -> bool:
        is_ours = sender == self.account and session.sender_key == self.curve25519
        return is_ours or self._device(sender, session) is not None

    def _device(self, sender: str, session: Any) -> Device | None:
        keys = (session.sender_key, session.ed25519)
        of_sender = self.olm.device_store[sender].values()
        found = (Device(sender, one.id, one.ed25519) for one in of_sender if (one.curve25519, one.ed25519) == keys)
        return next(found, None)

    def writer(self, event: Mapping[str, Any], room: str) -> Device | None:
        """Return the device of the sender that wrote an event which ``decrypt`` opens; ``None`` for others."""
        if event.get("type") != ENCRYPTED or self.decrypt(event, room) is None:
            return None
        return self._device(text(event.get("sender")), self._session(event, room))

    def act_on(self, event: Mapping[str, Any]) -> None:
        """Remember for good an event that was just opened, so that its ciphertext counts as no other one."""
        if event.get("type") == ENCRYPTED:
            self._positions.keep(text(event.get("event_id")))

    # --- keys of ours -------------------------------------------------------------------------------------------

    def keys_to_upload(self) -> dict[str, Any] | None:
        """Return what the server lacks of our keys; it is on the disk before anybody can use it."""
        if not self.olm.should_upload_keys:
            return None
        keys: dict[str, Any] = self.olm.share_keys()
        self.olm.save_account()
        return keys

    def uploaded(self, counts: object) -> None:
        """Take in how many one-time keys the server has now that ours are there."""
        self.olm.handle_response(KeysUploadResponse(0, _count(counts)))

    def counted(self, counts: object) -> None:
        """Take in how many one-time keys the server has left."""
        if isinstance(counts, dict):
            self.olm.uploaded_key_count = _count(counts)

    def is_published(self) -> bool:
        """Say whether the server has our device's keys."""
        return bool(self.olm.account.shared)

    def forget_upload(self) -> None:
        """Have our device's keys sent once more: the server has forgotten the device."""
        self.olm.account.shared = False

    # --- devices of others --------------------------------------------------------------------------------------

    def learn(self, person: str, devices: object) -> None:
        """Take in the devices that a person has now; those that do not hold up count as gone."""
        whole = ((name, one) for name, one in table(devices).items() if self._holds(person, name, one))
        found = dict(islice(whole, MOST_DEVICES))
        known = self.olm.device_store[person]
        back = {name: known[name] for name in found.keys() & known.keys() if known[name].deleted}
        for device in back.values():
            device.deleted = False
        try:
            self._store.save_device_keys({person: back})
            self.olm.handle_response(KeysQueryResponse({person: deepcopy(found)}, {}))
        except CANNOT as error:
            _log.warning("the devices of somebody cannot be read (%s)", type(error).__name__)

    def _holds(self, person: str, name: object, device: object) -> bool:
        listed = table(device)
        keys = table(listed.get("keys"))
        signing, identity = keys.get(f"ed25519:{name}"), keys.get(f"curve25519:{name}")
        if listed.get("user_id") != person or listed.get("device_id") != name or not isinstance(name, str):
            return False
        if not isinstance(signing, str) or not isinstance(identity, str):
            return False
        try:
            return bool(self.olm.verify_json(deepcopy(listed), signing, person, name))
        except CANNOT:
            return False

    def forget(self, person: str) -> None:
        """Let go of the devices of a person; they are asked for anew when something is to be encrypted to them."""
        # matrix-nio has no way to take somebody out.
        self.olm.device_store._entries.pop(person, None)  # noqa: SLF001

    def devices(self, people: Collection[str]) -> Iterator[Device]:
        """Yield the devices that people have now, but ours."""
        for person in people:
            for one in self.olm.device_store.active_user_devices(person):
                if (person, one.id) != (self.account, self.id):
                    yield Device(person, one.id, one.ed25519)

    def unmet(self, devices: Collection[Device]) -> dict[str, dict[str, str]]:
        """Return the devices that we have no session with yet, in the form of a claim for one-time keys."""
        claim: dict[str, dict[str, str]] = {}
        for device in devices:
            known = self.olm.device_store[device.person].get(device.id)
            if known is not None and self.olm.session_store.get(known.curve25519) is None:
                claim.setdefault(device.person, {})[device.id] = ONE_TIME_KEY
        return claim

    def met(self, one_time_keys: object) -> None:
        """Open sessions with the one-time keys that were claimed; a broken key keeps its own device out alone."""
        for person, devices in table(one_time_keys).items():
            for name, key in table(devices).items():
                try:
                    self.olm.handle_response(KeysClaimResponse({person: {name: deepcopy(key)}}, {}))
                except CANNOT as error:
                    _log.warning("there is no session with a device of somebody (%s)", type(error).__name__)

    def wedged(self) -> Mapping[str, Collection[str]]:
        """Return the devices whose session is broken, of each person."""
        if not self.olm.wedged_devices:
            return {}
        broken: Mapping[str, Collection[str]] = self.olm.get_users_for_key_claiming()
        return broken

    # --- room keys ----------------------------------------------------------------------------------------------

    def has_room_key(self, room: str) -> bool:
        """Say whether the key by which we write in a room is shared and not used up (100 messages, 7 days)."""
        return not self.olm.should_share_group_session(room)

    def share(self, room: str, allowed: Collection[Device]) -> Iterator[dict[str, Any]]:
        """Make a new key for a room and yield what is to be sent to the devices that may read, and to no other."""
        self.olm.create_outbound_group_session(room)
        people = {device.person for device in allowed}
        names = {(device.person, device.id) for device in allowed}
        listed = {(device.person, device.id) for device in self.devices(people)}
        self.olm.outbound_group_sessions[room].users_ignored.update(listed - names)
        shares = self.olm.share_group_session_parallel(room, sorted(people), ignore_unverified_devices=True)
        # All at once: who is left out was worked out from the devices of this very moment.
        yield from [messages for _, messages in shares]

    def shared(self, room: str) -> None:
        """Begin to use the new key of a room."""
        self.olm.outbound_group_sessions[room].shared = True

    def drop_room_key(self, room: str) -> None:
        """Never again write with the present key of a room."""
        self.olm.outbound_group_sessions.pop(room, None)

    def encrypt(self, room: str, kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return the content of an encrypted event; a relation stays readable to the server, as it must."""
        hidden: dict[str, Any] = self.olm.group_encrypt(room, {"type": kind, "content": dict(content)})
        if "m.relates_to" in content:
            hidden["m.relates_to"] = content["m.relates_to"]
        return hidden

    def room_key_name(self, room: str) -> str:
        """Return the name of the present key of a room."""
        return str(self.olm.outbound_group_sessions[room].id)

    # --- messages between devices -------------------------------------------------------------------------------

    def outgoing(self) -> list[Any]:
        """Return what waits to be sent to other devices, as matrix-nio's messages."""
        return list(self.olm.outgoing_to_device_messages)

    def sent(self, message: Any) -> None:
        """Take in that one of ``outgoing`` is with the server."""
        self.olm.handle_response(ToDeviceResponse(message))


def _count(counts: object) -> int:
    """Return how many keys the server claims to have; fewer than none would have us make keys without end."""
    count = table(counts).get(ONE_TIME_KEY)
    return max(count, 0) if isinstance(count, int) else 0
