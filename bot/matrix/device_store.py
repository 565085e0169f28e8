"""Which devices may read what we write: what the server says, held against what we have seen before."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from bot.matrix.crypto import Device
from bot.matrix.pins import KeyChanged, Pin, Pins
from bot.matrix.trust import Owner, owners


class DeviceTrust:
    """Implements ``Trust``.

    Args:
        account: our own; its other devices never get a key, since none of them is ours.
        pins: master keys as they were first seen.
        tell: hears when the server names another master key of somebody; administrators should know.
    """

    def __init__(self, account: str, pins: Pins, tell: Callable[[KeyChanged], None]) -> None:
        self._account = account
        self._pins = pins
        self._tell = tell
        self._owners: dict[str, Owner] = {}

    def learn(self, answer: Mapping[str, Any]) -> None:
        """See ``Trust``.

        Raises:
            PartError: ``matrix_trust``.
        """
        learnt = {owner.person: owner for owner in owners(answer) if owner.person != self._account}
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
        others = frozenset(device for device in devices if device.person != self._account)
        if not only_trusted:
            return others
        pins = self._pins.all()
        return frozenset(device for device in others if self._is_trusted(device, pins))

    def _is_trusted(self, device: Device, pins: Mapping[str, Pin]) -> bool:
        owner, pin = self._owners.get(device.person), pins.get(device.person)
        return owner is not None and pin is not None and owner.master == pin.key and device in owner.confirmed
