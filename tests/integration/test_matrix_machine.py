"""The state of our device, on disk, against a server that forgets and lies."""

from pathlib import Path

import pytest

from bot.matrix.crypto import Device
from bot.matrix.machine import Machine
from tests.unit.matrix.own_server import USER
from tests.unit.matrix.people import ANNA, Someone, answer

_ANNA = Someone(ANNA, ["HANDY", "BROWSER"])


def _machine(folder: Path) -> Machine:
    return Machine(USER, "EINS", folder)


def _devices(machine: Machine) -> set[Device]:
    return set(machine.devices([ANNA]))


@pytest.mark.parametrize("restarts", [False, True])
def test_a_device_that_was_missing_for_a_while_counts_again(tmp_path: Path, *, restarts: bool) -> None:
    """A server that leaves a device out of one answer does not shut it out for ever, also not over a restart."""
    machine = _machine(tmp_path)
    listed = answer(_ANNA)["device_keys"][ANNA]
    machine.learn(ANNA, listed)
    machine.learn(ANNA, {"BROWSER": listed["BROWSER"]})
    assert _devices(machine) == {_ANNA.device("BROWSER")}
    if restarts:
        machine.close()
        machine = _machine(tmp_path)
    machine.learn(ANNA, listed)
    assert _devices(machine) == _ANNA.confirmed
    machine.close()
    again = _machine(tmp_path)
    assert _devices(again) == _ANNA.confirmed
    again.close()


def test_a_device_does_not_change_its_key(tmp_path: Path) -> None:
    """A name that comes back with another key is not believed: somebody may have put a device in its place."""
    machine, other = _machine(tmp_path), Someone(ANNA, ["HANDY", "BROWSER"])
    machine.learn(ANNA, answer(_ANNA)["device_keys"][ANNA])
    machine.learn(ANNA, answer(other)["device_keys"][ANNA])
    assert _devices(machine) == _ANNA.confirmed
    machine.close()
