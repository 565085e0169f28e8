"""Our device and those of others: what ``client.connect`` needs for encryption to be worth something.

What is found out here that administrators should know is told to them: our device is a new one, former ones are still
logged in, or the server names other keys of somebody than before.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from bot.matrix.api import Api
from bot.matrix.cross_signing import OwnDevice, Started, reset, start
from bot.matrix.cross_signing_keys import KeyFile
from bot.matrix.crypto import Device
from bot.matrix.pins import KeyChanged, Pin, Pins
from bot.matrix.signatures import part
from bot.matrix.trust import Owner, owners

Tell = Callable[[Started | KeyChanged], None]


class DeviceTrust:
    """Which devices may read what we write. Implements ``Trust``.

    Args:
        pins: master keys as they were first seen.
        tell: hears when the server names another master key of somebody, us included.
    """

    def __init__(self, pins: Pins, tell: Tell) -> None:
        self._pins = pins
        self._tell = tell
        self._owners: dict[str, Owner] = {}
        self._ours = Owner("", None, frozenset())

    def we_are(self, account: str, master: str) -> None:
        """Say which account is ours, and its master key; its other devices never get a key, since none is ours."""
        self._ours = Owner(account, master, frozenset())

    def learn(self, answer: Mapping[str, Any]) -> None:
        """See ``Trust``.

        Raises:
            PartError: ``matrix_trust``.
        """
        learnt = {owner.person: owner for owner in owners(answer)}
        self._watch_ours(learnt.pop(self._ours.person, None))
        # Until the pins are noted, nobody in the answer is trusted by what was said before.
        for person in learnt:
            self._owners.pop(person, None)
        changed = self._pins.note({person: owner.master for person, owner in learnt.items() if owner.master})
        self._owners |= learnt
        for change in changed:
            self._tell(change)

    def recipients(self, devices: Collection[Device], *, only_trusted: bool) -> frozenset[Device]:
        """See ``Trust``.

        Raises:
            PartError: ``matrix_trust``.
        """
        others = frozenset(device for device in devices if device.person != self._ours.person)
        if not only_trusted:
            return others
        pins = self._pins.all()
        return frozenset(device for device in others if self._is_trusted(device, pins))

    def _is_trusted(self, device: Device, pins: Mapping[str, Pin]) -> bool:
        owner, pin = self._owners.get(device.person), pins.get(device.person)
        return owner is not None and pin is not None and owner.master == pin.key and device in owner.confirmed

    def _watch_ours(self, found: Owner | None) -> None:
        if found is not None and found.master is not None and found.master != self._ours.master:
            self._tell(KeyChanged(found.person, self._ours.master or "", found.master))
            self._ours = Owner(found.person, found.master, frozenset())


class Devices:
    """Our device, signed, and the trust in others.

    Args:
        folder: ``DATA/keys``, where cross-signing keys and pins lie.
        password: of our account, with which former devices of ours are logged out.
        tell: hears what administrators should know.

    Attributes:
        trust: for ``client.connect``.
    """

    def __init__(self, folder: Path, password: str | None, tell: Tell) -> None:
        self._folder = folder
        self._password = password
        self._tell = tell
        self.trust = DeviceTrust(Pins(folder), tell)

    async def sign(self, api: Api, device: OwnDevice) -> None:
        """See to it that others trust our device; to be called when its keys are with the server.

        Raises:
            InputError: see ``cross_signing.start``.
            PartError: see ``cross_signing.start``.
        """
        files = KeyFile(self._folder, device.account)
        started = await start(api.call, files, device, self._password)
        self._are_known(files, device)
        if started != Started():
            self._tell(started)

    async def reset(self, api: Api, device: OwnDevice) -> None:
        """Give our account new keys; in the place of ``sign``, when an administrator asks for it.

        Raises:
            InputError: see ``cross_signing.reset``.
            PartError: see ``cross_signing.reset``.
        """
        files = KeyFile(self._folder, device.account)
        await reset(api.call, files, device, self._password)
        self._are_known(files, device)

    def _are_known(self, files: KeyFile, device: OwnDevice) -> None:
        ours, told = files.make(), device.keys()
        self.trust.we_are(device.account, ours.public("master"))
        signatures = told["signatures"][device.account] | part(part(ours.vouched(told), "signatures"), device.account)
        device.introduce({**told, "signatures": {device.account: signatures}})
