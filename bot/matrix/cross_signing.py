"""Make the device that we speak from one that others trust, at each start and without taking anything over.

matrix-nio knows no cross-signing, and clients such as Element trust signed devices alone. What the server has is read
first and only what is missing is added. Keys of our account that are not ours are never replaced without being asked:
somebody has used the account otherwise, or the server lies, and only a person can tell which.

Source: Matrix specification v1.16, Client-Server API, "Cross-signing" and "User-Interactive Authentication API".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from bot.matrix.api import RefusedError, path
from bot.matrix.cross_signing_keys import USAGES, CrossSigningKeys, KeyFile
from bot.matrix.signatures import is_signed, key_id, part
from domain.errors import AccessError, InputError, PartError

_PASSWORD: Final = "m.login.password"  # noqa: S105 - the name of a stage


class Call(Protocol):
    """``Api.call``."""

    async def __call__(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Ask the homeserver for something and return the answer."""
        ...


class OwnDevice(Protocol):
    """The device that we speak from."""

    @property
    def account(self) -> str:
        """Return the Matrix id that it belongs to."""
        ...

    @property
    def id(self) -> str:
        """Return the name that the server has given it."""
        ...

    @property
    def ed25519(self) -> str:
        """Return the key that it signs with."""
        ...

    @property
    def curve25519(self) -> str:
        """Return the key that others encrypt to."""
        ...

    def sign(self, value: Mapping[str, object]) -> str:
        """Return its signature of an object."""
        ...

    def keys(self) -> dict[str, Any]:
        """Return its keys as others see them, signed by itself."""
        ...

    def introduce(self, keys: Mapping[str, Any]) -> None:
        """Let others have ``keys``, its own with our signature below, with whatever it sends them."""
        ...


@dataclass(frozen=True, slots=True)
class Started:
    """What a start has found and done.

    Attributes:
        new_identity: the account had no keys, and has ours now.
        new_device: the account is ours, and this device was not known to belong to it: the store of the former one is
            lost, and with it what could be read there. Administrators should be told.
        logged_out: former devices of ours that are gone now.
        left: former devices of ours that are still logged in, since the server wants a password for that.
    """

    new_identity: bool = False
    new_device: bool = False
    logged_out: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


async def start(call: Call, files: KeyFile, device: OwnDevice, password: str | None) -> Started:
    """See to it that our device is signed.

    Args:
        call: asks the homeserver as our account.
        files: where our keys lie.
        device: the one that we speak from; its own keys are with the server already.
        password: of our account, for what the server wants it once more.

    Raises:
        InputError: ``matrix_keys_lost`` when the account has keys and we do not, ``matrix_keys_foreign`` when it has
            others than ours, ``matrix_device_keys`` when the server tells others of another device than this one,
            ``matrix_password`` when the server wants one that we do not have.
        PartError: ``matrix_server`` or ``matrix_refused``.
    """
    found = await _Published.read(call, device.account)
    keys = _ours(files, found)
    if not all(found.has(keys, usage) for usage in USAGES):
        await _publish(call, keys, password)
    was_known = await _vouch(call, keys, found, device)
    former = () if was_known else found.vouched_for(keys, but=device.id)
    logged_out = await _log_out(call, device.account, former, password)
    return Started(
        new_identity=found.master is None,
        new_device=found.master is not None and not was_known,
        logged_out=logged_out,
        left=tuple(name for name in former if name not in logged_out),
    )


async def reset(call: Call, files: KeyFile, device: OwnDevice, password: str | None) -> Started:
    """Give the account new keys in the place of whatever it has; everybody sees that and has to trust us anew.

    An administrator asks for this when the keys are lost or somebody else may have them. A reset that was broken off
    is taken up where it was. As ``start``.

    Raises:
        InputError: ``matrix_password`` when the server wants one that we do not have.
        PartError: ``matrix_server`` or ``matrix_refused``.
    """
    keys = files.prepare()
    found = await _Published.read(call, device.account)
    if found.master != keys.public("master"):
        await _publish(call, keys, password)
    files.advance()
    return await start(call, files, device, password)


@dataclass(frozen=True, slots=True)
class _Published:
    """What the server tells of our account."""

    user: str
    answer: Mapping[str, Any]

    @classmethod
    async def read(cls, call: Call, user: str) -> "_Published":
        return cls(user, await call("POST", path("keys", "query"), {"device_keys": {user: []}}))

    @property
    def master(self) -> str | None:
        """Return the name of the master key, ``None`` for none."""
        names = list(part(part(part(self.answer, "master_keys"), self.user), "keys").values())
        return str(names[0]) if names else None

    def device(self, name: str) -> Mapping[str, Any]:
        return part(part(part(self.answer, "device_keys"), self.user), name)

    def has(self, keys: CrossSigningKeys, usage: str) -> bool:
        """Say whether one of our keys is told of as it should be."""
        told = part(part(self.answer, f"{usage}_keys"), self.user)
        is_named = told.get("keys") == keys.published(usage)["keys"] and told.get("usage") == [usage]
        return is_named and (
            usage == "master" or is_signed(told, self.user, keys.public("master"), keys.public("master"))
        )

    def vouched_for(self, keys: CrossSigningKeys, *, but: str) -> tuple[str, ...]:
        """Return the other devices that we have signed, so that were ours."""
        name = keys.public("self_signing")
        known = part(part(self.answer, "device_keys"), self.user)
        return tuple(one for one in known if one != but and is_signed(part(known, one), self.user, name, name))


def _ours(files: KeyFile, found: _Published) -> CrossSigningKeys:
    coming = files.read_next()
    if coming is not None and found.master == coming.public("master"):
        files.advance()
    keys = files.read()
    if keys is None:
        if found.master is not None:
            raise InputError("matrix_keys_lost", account=found.user, file=files.path)
        return files.make()
    if found.master not in {None, keys.public("master")}:
        raise InputError("matrix_keys_foreign", account=found.user, file=files.path)
    return keys


async def _publish(call: Call, keys: CrossSigningKeys, password: str | None) -> None:
    body = {f"{usage}_key": keys.published(usage) for usage in USAGES}
    await _with_password(call, path("keys", "device_signing", "upload"), body, keys.user, password)


async def _vouch(call: Call, keys: CrossSigningKeys, found: _Published, device: OwnDevice) -> bool:
    """Sign the device with the account and the account with the device; say whether the device was signed before."""
    told = found.device(device.id)
    own = {key_id(device.id): device.ed25519, f"curve25519:{device.id}": device.curve25519}
    # What the device has not signed itself, the server may have written, and our signature would stand below it.
    if part(told, "keys") != own or not is_signed(told, keys.user, device.id, device.ed25519):
        raise InputError("matrix_device_keys", account=found.user, device=device.id)
    name = keys.public("self_signing")
    was_known = is_signed(told, keys.user, name, name)
    missing: dict[str, object] = {} if was_known else {device.id: keys.vouched(told)}
    master = part(part(found.answer, "master_keys"), keys.user)
    if not (found.has(keys, "master") and is_signed(master, keys.user, device.id, device.ed25519)):
        told_master = keys.published("master")
        signature = {keys.user: {key_id(device.id): device.sign(told_master)}}
        missing[keys.public("master")] = {**told_master, "signatures": signature}
    if missing:
        answer = await call("POST", path("keys", "signatures", "upload"), {keys.user: missing})
        if answer.get("failures"):
            raise PartError("matrix_refused", code="keys/signatures/upload")
    return was_known


async def _log_out(call: Call, user: str, devices: tuple[str, ...], password: str | None) -> tuple[str, ...]:
    """Take away former devices of ours; a server that does not let us is no reason not to start."""
    if not devices:
        return ()
    try:
        await _with_password(call, path("delete_devices"), {"devices": list(devices)}, user, password)
    except (InputError, PartError):
        return ()
    return devices


async def _with_password(call: Call, path: str, body: Mapping[str, object], user: str, password: str | None) -> None:
    """Ask for something that the server may want our password for."""
    try:
        await call("POST", path, body)
    except RefusedError as error:
        session, flows = error.answer.get("session"), error.answer.get("flows")
        if session is None or flows is None:
            raise
    else:
        return
    stages = [flow.get("stages") for flow in flows if isinstance(flow, dict)] if isinstance(flows, list) else []
    if password is None or [_PASSWORD] not in stages:
        raise InputError("matrix_password", account=user)
    identifier = {"type": "m.id.user", "user": user}
    proof = {"type": _PASSWORD, "identifier": identifier, "password": password, "session": session}
    try:
        await call("POST", path, {**body, "auth": proof})
    except (AccessError, RefusedError) as error:
        raise InputError("matrix_password", account=user) from error
