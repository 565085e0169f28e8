"""Taking a person out of the files of our device."""

from pathlib import Path

import pytest

from bot.matrix.forgetting import forget
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
def folder(tmp_path: Path) -> Path:
    """What our device keeps of Anna and Ben."""
    net = Net(tmp_path)
    for person in (ANNA, BEN, BOT):
        net.device(person)
    net.close()
    folder = tmp_path / BOT.strip("@")
    waiting = Waiting(folder / FILE)
    for number, person in enumerate((ANNA, BEN)):
        waiting.add("!r:x", {"event_id": f"${number}", "sender": person, "content": {}})
    waiting.save()
    Pins(folder).note({person: Someone(person).master for person in (ANNA, BEN)})
    return folder


def test_nothing_in_the_files_names_who_was_forgotten(folder: Path) -> None:
    """Neither keys nor pins nor what waits for its key; everybody else stays, and our device goes on with them."""
    assert _holds(folder, ANNA)
    assert forget(folder, Pins(folder), ANNA) is True
    assert not _holds(folder, ANNA)
    assert forget(folder, Pins(folder), ANNA) is False

    assert set(Pins(folder).all()) == {BEN}
    assert [event["sender"] for _, event in Waiting(folder / FILE)] == [BEN]
    machine = Machine(BOT, f"D{BOT[1:4]}", folder)
    assert [device.person for device in machine.devices([ANNA, BEN])] == [BEN]
    machine.close()


def test_a_store_that_is_none_is_told_of(folder: Path) -> None:
    """Nobody is told that a person is gone who may still be in it."""
    (folder / "0.db").write_bytes(b"no store" * 200)
    with pytest.raises(PartError) as told:
        forget(folder, Pins(folder), ANNA)
    assert told.value.key == "matrix_store"
