"""Who may read: what the server says now, held against what was seen first."""

from pathlib import Path
from typing import Any

import pytest

from bot.matrix.cross_signing import Started
from bot.matrix.cross_signing_keys import KeyFile
from bot.matrix.crypto import Device
from bot.matrix.device_store import Devices, DeviceTrust
from bot.matrix.pins import FILE, KeyChanged, Pin, Pins
from bot.matrix.signatures import is_signed
from domain.errors import InputError, PartError
from tests.unit.matrix.own_server import PASSWORD, USER, OwnServer
from tests.unit.matrix.own_server import Device as ServerDevice
from tests.unit.matrix.people import ANNA, BEN, Someone, answer

OUR_MASTER = Someone(USER).master


class _Known:
    def __init__(self, folder: Path) -> None:
        self.told: list[Started | KeyChanged] = []
        self.pins = Pins(folder)
        self.trust = DeviceTrust(self.pins, self.told.append)
        self.trust.we_are(USER, OUR_MASTER)

    def trusted(self, *people: Someone) -> frozenset[Device]:
        listed = [one.device(name) for one in people for name in one.devices]
        return self.trust.recipients(listed, only_trusted=True)


@pytest.fixture
def known(tmp_path: Path) -> _Known:
    return _Known(tmp_path)


def test_any_device_may_read_unless_only_confirmed_ones_may(known: _Known) -> None:
    """The stricter rule leaves exactly the confirmed devices of those whom we know."""
    anna, ben = Someone(ANNA, ["HANDY"], ["NEU"]), Someone(BEN, ["LAPTOP"])
    known.trust.learn(answer(anna))
    listed = [anna.device("HANDY"), anna.device("NEU"), ben.device("LAPTOP")]
    assert known.trust.recipients(listed, only_trusted=False) == frozenset(listed)
    assert known.trusted(anna, ben) == anna.confirmed


def test_another_device_of_our_own_account_never_reads(known: _Known) -> None:
    """Somebody who logs in to our account gets no keys, not even with a signature of ours."""
    we = Someone(USER, ["ANDERES"])
    known.trust.learn(answer(we))
    assert known.trust.recipients([we.device("ANDERES")], only_trusted=False) == frozenset()


def test_other_keys_of_our_own_account_are_told(known: _Known) -> None:
    """A server that names another master key of ours while we run is told once; none of its devices reads."""
    we = Someone(USER, ["ANDERES"])
    for _ in range(2):
        known.trust.learn(answer(we))
    assert known.told == [KeyChanged(USER, OUR_MASTER, we.master)]
    assert known.trusted(we) == frozenset()


def test_a_device_with_another_key_than_the_confirmed_one_does_not_read(known: _Known) -> None:
    """A confirmed name is no confirmed key."""
    anna = Someone(ANNA, ["HANDY"])
    known.trust.learn(answer(anna))
    assert known.trust.recipients([Device(ANNA, "HANDY", "x" * 43)], only_trusted=True) == frozenset()


def test_a_device_that_loses_its_confirmation_stops_reading(known: _Known) -> None:
    """The last answer counts."""
    anna = Someone(ANNA, ["HANDY"])
    known.trust.learn(answer(anna))
    said = answer(anna)
    del said["self_signing_keys"]
    known.trust.learn(said)
    assert known.trusted(anna) == frozenset()
    known.trust.learn(answer(anna))
    assert known.trusted(anna) == anna.confirmed


def test_an_answer_without_somebody_changes_nothing_for_them(known: _Known) -> None:
    """A server that is down takes no confirmation away."""
    anna = Someone(ANNA, ["HANDY"])
    known.trust.learn(answer(anna))
    known.trust.learn({"device_keys": {}, "failures": {"kanzlei.example": {}}})
    assert known.trusted(anna) == anna.confirmed


def test_another_master_key_is_not_trusted_until_it_is_confirmed(known: _Known) -> None:
    """It is told once, means nothing by itself, also after a restart, and counts when an administrator has said so."""
    before, after = Someone(ANNA, ["HANDY"]), Someone(ANNA, ["HANDY"])
    known.trust.learn(answer(before))
    known.trust.learn(answer(after))
    known.trust.learn(answer(after))
    assert known.told == [KeyChanged(ANNA, before.master, after.master)]
    assert known.trusted(after) == frozenset()
    assert known.pins.all() == {ANNA: Pin(before.master, after.master)}
    known.pins.confirm(ANNA, after.master)
    assert known.trusted(after) == after.confirmed


def test_a_restart_trusts_nobody_anew(tmp_path: Path) -> None:
    """The first key counts for good, whoever sees it again; nothing is told twice."""
    before, after = Someone(ANNA, ["HANDY"]), Someone(ANNA, ["HANDY"])
    _Known(tmp_path).trust.learn(answer(before))
    _Known(tmp_path).trust.learn(answer(after))
    again = _Known(tmp_path)
    again.trust.learn(answer(after))
    assert again.told == []
    assert again.trusted(after) == frozenset()


def test_the_former_master_key_is_trusted_when_it_is_back(known: _Known) -> None:
    """A server that has lied for a while leaves nothing behind."""
    before, after = Someone(ANNA, ["HANDY"]), Someone(ANNA, ["HANDY"])
    for someone in (before, after, before):
        known.trust.learn(answer(someone))
    assert known.trusted(before) == before.confirmed
    assert known.pins.all() == {ANNA: Pin(before.master)}


def test_another_program_confirms_while_we_run(known: _Known, tmp_path: Path) -> None:
    """What an administrator confirms on the command line counts at once."""
    before, after = Someone(ANNA, ["HANDY"]), Someone(ANNA, ["HANDY"])
    for someone in (before, after):
        known.trust.learn(answer(someone))
    Pins(tmp_path).confirm(ANNA, after.master)
    assert known.trusted(after) == after.confirmed


def test_two_programs_note_people_without_losing_any(tmp_path: Path) -> None:
    """What one program has read before the other wrote does not undo what that one has written."""
    one, other = Pins(tmp_path), Pins(tmp_path)
    assert one.all() == other.all() == {}
    one.note({ANNA: Someone(ANNA).master})
    other.note({BEN: Someone(BEN).master})
    assert one.all().keys() == other.all().keys() == {ANNA, BEN}


@pytest.mark.parametrize("person", [ANNA, BEN])
def test_a_key_that_the_server_does_not_name_cannot_be_confirmed(known: _Known, person: str) -> None:
    """A mistyped key is refused, and so is a person whom we have never seen."""
    known.trust.learn(answer(Someone(ANNA, ["HANDY"])))
    with pytest.raises(InputError, match="matrix_trust_key"):
        known.pins.confirm(person, Someone(person).master)


@pytest.mark.parametrize("written", [b"", b"[]", b"{}", b'{"people": {"@a:b": {"key": "x"}}}', b"[" * 9999])
def test_a_damaged_file_trusts_nobody(known: _Known, tmp_path: Path, written: bytes) -> None:
    """Pins that cannot be read are an error, never a fresh start."""
    anna = Someone(ANNA, ["HANDY"])
    known.trust.learn(answer(anna))
    (tmp_path / FILE).write_bytes(written)
    with pytest.raises(PartError, match="matrix_trust"):
        known.trusted(anna)
    with pytest.raises(PartError, match="matrix_trust"):
        known.trust.learn(answer(anna))
    assert (tmp_path / FILE).read_bytes() == written


def test_pins_that_cannot_be_written_trust_nobody(known: _Known, tmp_path: Path) -> None:
    """Somebody who was not noted could change keys unseen later."""
    anna = Someone(ANNA, ["HANDY"])
    tmp_path.rmdir()
    with pytest.raises(PartError, match="matrix_trust"):
        known.trust.learn(answer(anna))
    assert known.trusted(anna) == frozenset()


def test_the_file_is_for_its_owner_alone(known: _Known, tmp_path: Path) -> None:
    """Who is in rooms with us is nobody else's business."""
    known.trust.learn(answer(Someone(ANNA, ["HANDY"])))
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [FILE]


async def test_our_device_is_introduced_with_the_signature_of_our_account(tmp_path: Path) -> None:
    """To whoever knows the account, it needs no asking whose device it is."""
    device = ServerDevice("EINS")
    server: Any = OwnServer(device)
    await Devices(tmp_path, PASSWORD, lambda _: None).sign(server, device)
    ours = KeyFile(tmp_path, USER).make().public("self_signing")
    assert is_signed(device.introduced, USER, ours, ours)
    assert is_signed(device.introduced, USER, "EINS", device.ed25519)
