"""A homeserver in memory that keeps the keys of one account, as ``/keys`` of the specification says."""

import copy
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st

from bot.matrix.api import RefusedError
from bot.matrix.signatures import key_id, public_key, sign
from tests.unit.matrix.tampering import tamper

USER = "@fundstelle:kanzlei.example"
PASSWORD = "nur-fuer-diesen-test"


class Device:
    """A device of ours; its second key is a name alone, since nothing is encrypted here."""

    def __init__(self, name: str, user: str = USER) -> None:
        self.id = name
        self.account = user
        self._key = Ed25519PrivateKey.generate()
        self.curve25519 = public_key(Ed25519PrivateKey.generate())
        self.introduced: Mapping[str, Any] = {}

    def introduce(self, keys: Mapping[str, Any]) -> None:
        """See ``OwnDevice``."""
        self.introduced = keys

    @property
    def ed25519(self) -> str:
        return public_key(self._key)

    def sign(self, value: Mapping[str, object]) -> str:
        return sign(self._key, value)

    def keys(self) -> dict[str, Any]:
        """Return what the device has uploaded of itself."""
        keys = {key_id(self.id): self.ed25519, f"curve25519:{self.id}": self.curve25519}
        told = {"user_id": self.account, "device_id": self.id, "algorithms": ["m.megolm.v1.aes-sha2"], "keys": keys}
        return {**told, "signatures": {self.account: {key_id(self.id): self.sign(told)}}}


class OwnServer:
    """Keeps keys; asks for the password before keys are replaced and devices are taken away."""

    def __init__(self, *devices: Device) -> None:
        self.devices = {device.id: device.keys() for device in devices}
        self.published: dict[str, Any] = {}
        self.writes: list[str] = []

    async def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """See ``Api.call``."""
        assert method == "POST"
        asked = copy.deepcopy(dict(body or {}))
        what = path.removeprefix("/_matrix/client/v3/")
        if what == "keys/query":
            kinds = {f"{name}s": {USER: value} for name, value in self.published.items()}
            return copy.deepcopy({"device_keys": {USER: self.devices}, **kinds})
        if (what == "delete_devices" or self.published) and what != "keys/signatures/upload":
            self._must_have_password(asked.pop("auth", None))
        self.writes.append(what)
        if what == "delete_devices":
            for name in asked["devices"]:
                del self.devices[name]
        elif what == "keys/device_signing/upload":
            self.published = asked
        else:
            self._add(asked[USER])
        return {}

    def _add(self, signed: dict[str, Any]) -> None:
        for name, value in signed.items():
            target = self.devices.get(name, self.published.get("master_key"))
            assert target is not None
            target.setdefault("signatures", {}).setdefault(USER, {}).update(value["signatures"][USER])

    def _must_have_password(self, proof: dict[str, Any] | None) -> None:
        if proof is None:
            raise RefusedError("HTTP_401", 401, {"session": "s", "flows": [{"stages": ["m.login.password"]}]})
        if proof["password"] != PASSWORD or proof["session"] != "s":
            raise RefusedError("M_FORBIDDEN", 401, {"errcode": "M_FORBIDDEN"})


class LyingServer:
    """A server that takes what it is given and answers with something else.

    Attributes:
        signed: what it was given to put signatures to.
    """

    def __init__(self, honest: OwnServer, data: st.DataObject) -> None:
        self._honest = honest
        self._data = data
        self.signed: list[Any] = []

    async def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """See ``Api.call``."""
        if path.endswith("/keys/signatures/upload"):
            self.signed += list((body or {})[USER].values())
        if not path.endswith("/keys/query"):
            return {}
        answer = await self._honest.call(method, path, body)
        for _ in range(self._data.draw(st.integers(1, 3))):
            tamper(answer, self._data)
        return answer
