"""Taking a person out of the files of our device."""

from pathlib import Path

import pytest

from bot.matrix.forgetting import Kept, forget
from bot.matrix.machine import Machine
from bot.matrix.pins import Pins
from bot.matrix.waiting import FILE, Waiting
from domain.errors import PartError
from tests.unit.matrix.net import Net
from tests.unit.matrix.people import Someone
from tests.unit.matrix.replay import ANNA, BEN, BOT


def _holds(folder: Path, person: str) -> bool:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return any(person.encode() in file.read_bytes() for file in files)


@pytest.fixture
def net(tmp_path: Path) -> Net:
    """Devices that know each other."""
    net = Net(tmp_path)
    for person in (ANNA, BEN, BOT):
        net.device(person)
    net.close()
    return net


@pytest.fixture
def folder(net: Net) -> Path:
    """What our device keeps of Anna and Ben."""
    folder = net.folder / BOT.strip("@")
    waiting = Waiting(folder / FILE)
    for number, person in enumerate((ANNA, BEN)):
        waiting.add("!r:x", {"event_id": f"${number}", "sender": person, "content": {}})
    waiting.save()
    Pins(folder).note({person: Someone(person).master for person in (ANNA, BEN)})
    return folder


def test_nothing_in_the_files_names_who_was_forgotten(folder: Path) -> None:
    """Neither keys nor pins nor what waits for its key; everybody else stays, and our device goes on with them."""
    assert _holds(folder, ANNA)
    assert forget(folder, Pins(folder), [ANNA]) is True
    assert not _holds(folder, ANNA)
    assert forget(folder, Pins(folder), [ANNA]) is False

    assert set(Pins(folder).all()) == {BEN}
    assert [event["sender"] for _, event in Waiting(folder / FILE)] == [BEN]
    machine = Machine(BOT, f"D{BOT[1:4]}", folder)
    assert [device.person for device in machine.devices([ANNA, BEN])] == [BEN]
    machine.close()


async def test_somebody_is_forgotten_while_we_answer(net: Net, folder: Path) -> None:
    """They are not written again from memory; and whoever is met anew is a person like any other."""
    machine, waiting, pins = Machine(BOT, f"D{BOT[1:4]}", folder), Waiting(folder / FILE), Pins(folder)

    def drop(person: str) -> None:
        machine.forget(person)
        waiting.forget(person)

    kept = Kept(folder, Pins(folder), drop)
    assert kept.people() == {ANNA, BEN}
    await kept.forget([ANNA])
    assert kept.people() == {BEN}
    waiting.add("!r:x", {"event_id": "$2", "sender": BEN, "content": {}})
    waiting.save()
    machine.remember_encrypted("!r:x")
    pins.note({BEN: Someone(BEN).master})
    assert not _holds(folder, ANNA)
    assert [device.person for device in machine.devices([ANNA, BEN])] == [BEN]
    machine.learn(ANNA, {net.listed[ANNA]["device_id"]: net.listed[ANNA]})
    assert kept.people() == {ANNA, BEN}
    machine.close()


def test_a_store_that_is_none_is_told_of(folder: Path) -> None:
    """Nobody is told that a person is gone who may still be in it."""
    (folder / "0.db").write_bytes(b"no store" * 200)
    with pytest.raises(PartError) as told:
        forget(folder, Pins(folder), [ANNA])
    assert told.value.key == "matrix_store"
