"""People whose devices are signed as clients do it, and what a homeserver says about them."""

import copy
from collections.abc import Sequence
from typing import Any

from bot.matrix.cross_signing_keys import CrossSigningKeys
from bot.matrix.crypto import Device
from tests.unit.matrix.own_server import Device as Keys

ANNA = "@anna:kanzlei.example"
BEN = "@ben:kanzlei.example"


class Someone:
    """A person with some devices that are confirmed and some that are not."""

    def __init__(self, person: str, confirmed: Sequence[str] = (), unconfirmed: Sequence[str] = ()) -> None:
        self.id = person
        self.keys = CrossSigningKeys.make(person)
        self.devices = {name: Keys(name, person) for name in (*confirmed, *unconfirmed)}
        self.confirmed = frozenset(self.device(name) for name in confirmed)

    def device(self, name: str) -> Device:
        return Device(self.id, name, self.devices[name].ed25519)

    @property
    def master(self) -> str:
        return self.keys.public("master")

    def listed(self, name: str) -> dict[str, Any]:
        """Return a device as the server lists it."""
        told = self.devices[name].keys()
        if self.device(name) in self.confirmed:
            confirmed: Any = self.keys.vouched(told)["signatures"]
            told["signatures"][self.id].update(confirmed[self.id])
        return {**told, "unsigned": {"device_display_name": "Element"}}


def answer(*people: Someone) -> dict[str, Any]:
    """Return what ``/keys/query`` says about people."""
    return copy.deepcopy(
        {
            "device_keys": {one.id: {name: one.listed(name) for name in one.devices} for one in people},
            "failures": {},
            "master_keys": {one.id: one.keys.published("master") for one in people},
            "self_signing_keys": {one.id: one.keys.published("self_signing") for one in people},
        }
    )
