"""Judge what a homeserver says about people's devices: which are whole, and which their owners have confirmed.

Pure, over the answer of ``/keys/query`` as it came. A chain of signatures leads from the master key of a person to each
confirmed device: the master key signs the self-signing key, that one the device. The server hands all of it out and may
lie in every part; what does not hold up is left out, and nothing raises.

Source: Matrix specification v1.16, Client-Server API, "Cross-signing" and "POST /_matrix/client/v3/keys/query".
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.matrix.crypto import Device
from bot.matrix.signatures import decode, is_signed, key_id, part


@dataclass(frozen=True, slots=True)
class Owner:
    """What holds up of what is said about a person.

    Attributes:
        master: the master key, unpadded base64; ``None`` when the person has none or none that is whole.
        confirmed: devices that the master key vouches for.
    """

    person: str
    master: str | None
    confirmed: frozenset[Device]


def owners(answer: object) -> Iterator[Owner]:
    """Yield everybody whom an answer of ``/keys/query`` tells about; whose server did not answer is missing."""
    for person, listed in part(answer, "device_keys").items():
        if isinstance(person, str) and person.startswith("@") and person.isprintable():
            yield _owner(answer, person, listed if isinstance(listed, Mapping) else {})


def listed(answer: object, person: str) -> frozenset[Device]:
    """Return the devices of a person that are whole, whether the person has confirmed them or not."""
    found = part(part(answer, "device_keys"), person)
    return frozenset(Device(person, name, ed25519) for name, ed25519 in _devices(person, found))


def _owner(answer: object, person: str, told_of: Mapping[object, object]) -> Owner:
    master = _key(part(part(answer, "master_keys"), person), person, "master")
    told = part(part(answer, "self_signing_keys"), person)
    signing = _key(told, person, "self_signing")
    if master is None or signing is None or master == signing or not is_signed(told, person, master, master):
        return Owner(person, master, frozenset())
    signed = (
        Device(person, name, ed25519)
        for name, ed25519 in _devices(person, told_of)
        if is_signed(part(told_of, name), person, signing, signing)
    )
    return Owner(person, master, frozenset(signed))


def _key(told: Mapping[str, object], person: str, usage: str) -> str | None:
    """Return a cross-signing key of a person, if it is one and for this use alone."""
    keys = part(told, "keys")
    if told.get("user_id") != person or told.get("usage") != [usage] or len(keys) != 1:
        return None
    ((name, key),) = keys.items()
    return key if isinstance(key, str) and decode(key, 32) is not None and name == key_id(key) else None


def _devices(person: str, told_of: Mapping[Any, object]) -> Iterator[tuple[str, str]]:
    """Yield name and signing key of the devices that are whole and have signed themselves.

    Two devices with one key cannot be told apart, so neither counts.
    """
    whole = [device for name in told_of if (device := _device(person, name, part(told_of, str(name)))) is not None]
    uses = Counter(key for _, *keys in whole for key in keys)
    for name, ed25519, curve25519 in whole:
        if uses[ed25519] == uses[curve25519] == 1:
            yield name, ed25519


def _device(person: str, name: object, told: Mapping[str, object]) -> tuple[str, str, str] | None:
    if not isinstance(name, str) or told.get("user_id") != person or told.get("device_id") != name:
        return None
    keys = part(told, "keys")
    ed25519, curve25519 = keys.get(key_id(name)), keys.get(f"curve25519:{name}")
    if not isinstance(ed25519, str) or not isinstance(curve25519, str) or decode(curve25519, 32) is None:
        return None
    return (name, ed25519, curve25519) if is_signed(told, person, name, ed25519) else None
