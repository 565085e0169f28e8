"""Erasures beside a real homeserver: what our device keeps of somebody goes, however it was agreed to erase them."""

import asyncio
from pathlib import Path
from uuid import UUID

import pytest

from bot.matrix.client import connect
from bot.matrix.login import Login
from bot.matrix.pins import Pins
from tests.matrix.house import House
from tests.matrix.person import PATIENCE, Person
from tests.matrix.scene import Scene
from tests.matrix.synapse import PASSWORD
from tests.matrix.test_transport import Everybody
from tests.unit.matrix.people import Someone

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]


def _names(folder: Path, person: str) -> list[str]:
    return [file.name for file in folder.rglob("*") if file.is_file() and person.encode() in file.read_bytes()]


async def _forgotten(home: House, *people: Person) -> None:
    async with asyncio.timeout(PATIENCE):
        while any(_names(home.bot.folder, one.id) for one in people):  # noqa: ASYNC110 - another process forgets
            await asyncio.sleep(0.05)


async def _met(home: House, scene: Scene, name: str, folder: Path) -> Person:
    """Let our device learn of somebody: their devices, their master key, and a message that it cannot read."""
    person = home.synapse.register(name)
    await home.admit(person, "public")
    async with connect(home.synapse.url, Login(person.id, PASSWORD, "Test"), folder, Everybody()) as phone:
        await home.anna.invite(scene.room, person.id)
        await phone.join(scene.room)
    unreadable = {"algorithm": "m.megolm.v1.aes-sha2", "session_id": name, "ciphertext": "x"}
    await person.send_event(scene.room, unreadable, kind="m.room.encrypted")
    await scene.command("!hilfe")
    await home.bot.idle()
    Pins(home.bot.folder / "keys").note({person.id: Someone(person.id).master})
    async with asyncio.timeout(PATIENCE):
        while len(_names(home.bot.folder, person.id)) < 3:  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.05)
    await person.leave(scene.room)
    return person


async def _proposed(home: House, person: Person) -> UUID:
    change = await home.app.proposing.propose_person(person.id, "gewünscht", await home.actor(home.anna))
    assert change.proposal is not None
    return change.proposal


async def test_who_is_erased_stands_in_no_file_of_our_device(home: House, tmp_path: Path) -> None:
    """Agreed to in a room, by another process beside the one that answers, or while none answers."""
    await home.bot.restart(key_seconds=0.5)
    scene = await home.room(is_encrypted=True)
    office = await home.room(home.eve)
    in_room, beside, while_down = [await _met(home, scene, name, tmp_path / name) for name in ("dora", "emil", "frida")]
    await office.command(f"!freigabe {await _proposed(home, in_room)}", by=home.eve)
    await _forgotten(home, in_room)
    eve = await home.actor(home.eve)
    for person in (beside, while_down):
        change = await _proposed(home, person)
        await home.app.four_eyes.approve(change, eve)
        if person is while_down:
            await home.bot.kill()
        await home.app.erasing.execute(change, eve)
        if person is beside:
            await _forgotten(home, beside)
    assert _names(home.bot.folder, while_down.id)
    await home.bot.start()
    await _forgotten(home, in_room, beside, while_down)
    assert in_room.id not in home.bot.told()
    await office.command("!hilfe")
    await office.settle()
    assert _names(home.bot.folder, home.bot.id)
