"""The transport on a real homeserver: nothing lost, nothing twice, nothing readable to whom it is not meant for."""

import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from bot.chat.incoming import Edited, Invited, Removed, Said, Unreadable
from bot.chat.outgoing import Content, progress_of
from bot.matrix.api import Api
from bot.matrix.client import MatrixPlatform, connect
from bot.matrix.crypto import Device
from bot.matrix.login import Login
from bot.matrix.machine import Machine
from domain.errors import AccessError, InputError, PartError
from tests.matrix.ears import listening
from tests.matrix.person import Event, Person
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = pytest.mark.synapse

HELLO = Content("Guten Tag", "Guten Tag")


class Everybody:
    """Trusts the devices of all, or of nobody where only confirmed ones may read."""

    def learn(self, answer: Mapping[str, Any]) -> None:
        pass

    def recipients(self, devices: Collection[Device], *, only_trusted: bool) -> frozenset[Device]:
        return frozenset() if only_trusted else frozenset(devices)


class World:
    """A homeserver's people, and what each of their devices keeps."""

    def __init__(self, synapse: Synapse, folder: Path) -> None:
        self.synapse = synapse
        self.folder = folder

    @asynccontextmanager
    async def device(self, person: Person, **more: Any) -> AsyncIterator[MatrixPlatform]:
        """Log in as somebody; their device is the same each time."""
        folder = self.folder / person.id.strip("@").replace(":", "-")
        login = Login(person.id, PASSWORD, "Test")
        async with connect(self.synapse.url, login, folder, Everybody(), **more) as platform:
            yield platform


@pytest.fixture
def world(synapse: Synapse, tmp_path: Path) -> World:
    return World(synapse, tmp_path)


@pytest.fixture
def anna(synapse: Synapse) -> Person:
    return synapse.register("anna")


@pytest.fixture
def robot(synapse: Synapse) -> Person:
    return synapse.register("bot")


async def _room(anna: Person, robot: Person, **how: Any) -> str:
    room = await anna.create_room(invite=[robot.id], **how)
    await robot.join(room)
    return room


async def test_nothing_that_was_said_while_we_were_away_is_lost(world: World, anna: Person, robot: Person) -> None:
    """More messages than the server gives at once, in two rooms: each comes once and in its order."""
    async with world.device(robot) as bot:
        rooms = [await _room(anna, robot) for _ in range(2)]
        async with listening(bot) as ears:
            token = ears.token
    for number in range(30):
        for room in rooms:
            await anna.send(room, f"{number}")
    async with world.device(robot) as bot, listening(bot, token) as ears:
        await ears.first(Said, lambda said: said.text == "29" and said.room == rooms[1])
        for room in rooms:
            await ears.first(Said, lambda said, room=room: said.text == "29" and said.room == room)
            assert [said.text for said in ears.of(Said) if said.room == room] == [str(number) for number in range(30)]


async def test_what_was_said_before_we_came_was_not_said_to_us(world: World, anna: Person, robot: Person) -> None:
    """The server hands out the history of a room that we join; only what follows the invitation counts."""
    async with world.device(robot) as bot, listening(bot) as ears:
        room = await anna.create_room()
        for number in range(25):
            await anna.send(room, f"vorher {number}")
        await anna.invite(room, robot.id)
        invited = await ears.first(Invited)
        assert (invited.room, invited.sender) == (room, anna.id)
        await anna.send(room, "an uns")
        await bot.join(room)
        await anna.send(room, "danach")
        await ears.first(Said, lambda said: said.text == "danach")
        assert [said.text for said in ears.of(Said)] == ["an uns", "danach"]


async def test_the_first_batch_of_an_account_is_a_baseline(world: World, anna: Person, robot: Person) -> None:
    """As is the one after a place in the stream that the server does not know."""
    room = await _room(anna, robot)
    await anna.send(room, "alt")
    async with world.device(robot) as bot:
        for token in (None, "s0_unbekannt"):
            async with listening(bot, token) as ears:
                assert ears.batches[0].is_baseline
                await anna.send(room, "neu")
                await ears.first(Said)
                assert [said.text for said in ears.of(Said)] == ["neu"]


async def test_a_room_that_put_us_out_is_closed_to_us(world: World, anna: Person, robot: Person) -> None:
    """We are told who did it, and nothing is said or read there any more."""
    room = await _room(anna, robot)
    said = await anna.send(room, "bis dann")
    async with world.device(robot) as bot, listening(bot) as ears:
        assert await bot.room(room) is not None
        await anna.kick(room, robot.id)
        assert await ears.first(Removed) == Removed(room, anna.id)
        assert await bot.room(room) is None
        assert await bot.sent(room, said, uuid4()) is None
        with pytest.raises(AccessError):
            await bot.send(room, HELLO, transaction="1")


async def test_a_room_that_becomes_encrypted_never_sees_plain_text_again(
    world: World, anna: Person, robot: Person
) -> None:
    """From the very next message on, and after a restart too."""
    room = await _room(anna, robot)
    async with world.device(robot) as bot:
        first = await bot.send(room, HELLO, transaction="1")
        await anna.encrypt(room)
        second = await bot.send(room, HELLO, transaction="2")
    async with world.device(robot) as bot:
        third = await bot.send(room, HELLO, transaction="3")
        assert bot.machine.is_encrypted(room)
    events = [await anna.event(room, event) for event in (first, second, third)]
    assert [event["type"] for event in events] == ["m.room.message", "m.room.encrypted", "m.room.encrypted"]
    assert "Guten Tag" not in str(events[1:])


async def test_what_only_confirmed_devices_may_read_is_never_said_in_plain_text(
    world: World, anna: Person, robot: Person
) -> None:
    """Nothing reaches the room."""
    room = await _room(anna, robot)
    async with world.device(robot) as bot:
        with pytest.raises(AccessError):
            await bot.send(room, HELLO, transaction="1", only_trusted=True)
        with pytest.raises(AccessError):
            await bot.edit(
                room, await bot.send(room, HELLO, transaction="2"), HELLO, transaction="3", only_trusted=True
            )
    assert len(await anna.said(room, robot.id)) == 1


async def test_a_room_key_goes_to_those_alone_who_may_read_now(world: World, anna: Person, robot: Person) -> None:
    """The key changes with the rule and with the members, and only then."""
    ben = world.synapse.register("ben")
    async with world.device(robot) as bot, world.device(anna), world.device(ben):
        room = await _room(anna, robot, is_encrypted=True)

        async def key(name: str, *, only_trusted: bool = False) -> str:
            event = await bot.send(room, HELLO, transaction=name, only_trusted=only_trusted)
            return str((await anna.event(room, event))["content"]["session_id"])

        both = [await key("1"), await key("2")]
        strict = await key("3", only_trusted=True)
        again = await key("4")
        await anna.invite(room, ben.id)
        await ben.join(room)
        with_ben = await key("5")
        await ben.leave(room)
        without_ben = await key("6")
        assert both[0] == both[1]
        assert len({both[0], strict, again, with_ben, without_ben}) == 5


async def test_a_device_that_is_not_confirmed_cannot_read_what_is_for_confirmed_ones(
    world: World, anna: Person, robot: Person
) -> None:
    """What follows under the looser rule it reads."""
    async with world.device(robot) as bot, world.device(anna) as phone, listening(phone) as ears:
        room = await bot.direct_room(anna.id)
        await anna.join(room)
        await bot.send(room, Content("streng geheim", "x"), transaction="1", only_trusted=True)
        await bot.send(room, Content("für alle", "x"), transaction="2")
        await ears.first(Said, lambda said: said.text == "für alle")
        assert len(ears.of(Unreadable)) == 1
        assert "streng geheim" not in {said.text for said in ears.of(Said)}


async def test_a_message_comes_again_when_its_key_does(world: World, anna: Person, robot: Person) -> None:
    """Also when we were restarted in between; as the same event."""
    async with world.device(anna) as phone:
        held = _hold_back_keys(phone.api)
        async with world.device(robot) as bot, listening(bot) as ears:
            room = await phone.direct_room(robot.id)
            await bot.join(room)
            asked = await phone.send(room, Content("Was gilt?", "x", mentions=(robot.id,)), transaction="1")
            assert (await ears.first(Unreadable)).event == asked
            assert await bot.message(room, asked) is None
            assert await bot.is_locked(room, asked)
            token = ears.token
        async with world.device(robot) as bot, listening(bot, token) as ears:
            await held.release()
            said = await ears.first(Said)
            assert (said.event, said.text, said.mentions_us) == (asked, "Was gilt?", True)
            assert not ears.of(Unreadable)
        async with world.device(robot) as bot:
            again = await bot.message(room, asked)
            assert again is not None
            assert again.text == "Was gilt?"


async def test_an_answer_is_found_again_after_a_restart(world: World, anna: Person, robot: Person) -> None:
    """By the run that it shows, though it is encrypted; what shows how it gets on is found by another name."""
    run = uuid4()
    async with world.device(robot) as bot:
        room = await bot.direct_room(anna.id)
        await anna.join(room)
        question = await anna.send_event(room, {"algorithm": "x"}, kind="m.room.encrypted")
        progress = Content("Ich suche", "x", is_notice=True, run=progress_of(run))
        notice = await bot.send(room, progress, transaction="1", thread=question)
        assert await bot.sent(room, question, run) is None
        assert await bot.sent(room, question, progress_of(run)) == notice
        answer = await bot.send(room, Content("Drei Monate", "x", run=run), transaction="2", thread=question)
        assert await bot.send(room, Content("Drei Monate", "x", run=run), transaction="2", thread=question) == answer
    async with world.device(robot) as bot:
        assert await bot.sent(room, question, run) == answer
        assert await bot.sent(room, question, uuid4()) is None
        assert await bot.shown(room, question) == await bot.shown(room, None) == (run, progress_of(run))
        said = await bot.message(room, answer)
        assert said is not None
        assert (said.text, said.run, said.thread) == ("Drei Monate", run, question)


async def test_what_cannot_begin_a_thread_is_answered_all_the_same(world: World, anna: Person, robot: Person) -> None:
    """A message that stands in a thread or relates to another one: by a reply, since the server refuses a thread."""
    room = await _room(anna, robot)
    root = await anna.send(room, "Thema")
    inside = await anna.send(room, "Was gilt?", thread=root)
    related = {"msgtype": "m.text", "body": "Was gilt?", "m.relates_to": {"rel_type": "m.reference", "event_id": root}}
    beside = await anna.send_event(room, related)
    async with world.device(robot) as bot:
        for number, question in enumerate((inside, beside)):
            said = await bot.send(room, HELLO, transaction=str(number), thread=question)
            assert await bot.send(room, HELLO, transaction=str(number), thread=question) == said
            found = await bot.message(room, said)
            assert found is not None
            assert (found.replies_to, found.thread) == (question, None)


async def test_nobody_else_can_pretend_that_we_have_answered(world: World, anna: Person, robot: Person) -> None:
    """A message of somebody else with our run is no answer of ours; ours is, though theirs stands beside it."""
    run = uuid4()
    room = await _room(anna, robot)
    question = await anna.send(room, "Was gilt?")
    await anna.send(room, "Nichts", thread=question, **{"net.fundstelle.run": str(run)})
    async with world.device(robot) as bot:
        assert await bot.sent(room, question, run) is None
        answer = await bot.send(room, Content("Drei Monate", "x", run=run), transaction="1", thread=question)
        assert await bot.sent(room, question, run) == answer


async def test_a_message_is_read_with_its_last_text(world: World, anna: Person, robot: Person) -> None:
    """Encrypted edits too; one that was taken back is gone."""
    async with world.device(robot) as bot, world.device(anna) as phone, listening(bot) as ears:
        room = await phone.direct_room(robot.id)
        await bot.join(room)
        asked = await phone.send(room, Content("Was gilt?", "x"), transaction="1")
        await phone.edit(room, asked, Content("Was galt?", "x"), transaction="2")
        await phone.edit(room, asked, Content("Was wird gelten?", "x"), transaction="3")
        await ears.first(Edited, lambda edited: edited.text == "Was wird gelten?")
        said = await bot.message(room, asked)
        assert said is not None
        assert said.text == "Was wird gelten?"
        await phone.redact(room, asked, transaction="4")
        assert await bot.message(room, asked) is None
        assert await bot.message(room, "$gibt-es-nicht") is None


async def test_what_was_said_in_a_direct_room_before_the_person_came_is_read(
    world: World, anna: Person, robot: Person
) -> None:
    """It is what they are asked in for."""
    async with world.device(robot) as bot, world.device(anna) as phone, listening(phone) as ears:
        room = await bot.direct_room(anna.id)
        await bot.send(room, Content("Nur für Sie", "x"), transaction="1")
        await ears.first(Invited)
        await phone.join(room)
        assert (await ears.first(Said)).text == "Nur für Sie"


async def test_a_direct_room_is_opened_once_and_protected(world: World, anna: Person, robot: Person) -> None:
    """One to which the person has invited us is used again; one that is not protected is not."""
    async with world.device(robot) as bot:
        open_room = await anna.create_room(invite=[robot.id], is_direct=True)
        await bot.join(open_room)
        mine = await bot.direct_room(anna.id)
        room = await bot.room(mine)
        assert room is not None
        assert mine != open_room
        assert room.is_protected
        assert room.is_direct
    async with world.device(robot) as bot:
        assert await bot.direct_room(anna.id) == mine
        await anna.join(mine)
        await anna.leave(mine)
        assert await bot.direct_room(anna.id) == mine
        assert mine in await anna.invitations()
    ben = world.synapse.register("ben")
    async with world.device(robot) as bot:
        theirs = await ben.create_room(invite=[robot.id], is_direct=True, is_encrypted=True, history="joined")
        await bot.join(theirs)
        assert await bot.direct_room(ben.id) == theirs


async def test_a_session_that_the_server_has_ended_is_taken_up_again(world: World, anna: Person, robot: Person) -> None:
    """With the same device; the server gets its keys again, and whoever signs them hears of it."""
    told: list[str] = []

    async def published(_: Api, machine: Machine) -> None:
        told.append(machine.id)

    async with world.device(robot, published=published) as bot, world.device(anna) as phone, listening(bot) as ears:
        room = await phone.direct_room(robot.id)
        await bot.join(room)
        await robot.end_all_sessions()
        await bot.send(room, HELLO, transaction="1")
        await phone.send(room, Content("Noch da?", "x"), transaction="2")
        await ears.first(Said, lambda said: said.text == "Noch da?")
        assert told == [bot.session.device] * 2


async def test_a_password_that_is_wrong_is_told_of_clearly(world: World, robot: Person, tmp_path: Path) -> None:
    """It is not tried for ever, which would lock the account."""
    login = Login(robot.id, "falsch", "Test")
    with pytest.raises(InputError, match="matrix_login"):
        async with connect(world.synapse.url, login, tmp_path / "x", Everybody()):
            pass


async def test_a_lost_store_makes_a_new_device(world: World, robot: Person) -> None:
    """The old one is not taken up: others would encrypt to keys that nobody has."""
    async with world.device(robot) as bot:
        first = bot.session
    async with world.device(robot) as bot:
        assert (bot.session.device, bot.session.is_new) == (first.device, False)
    for file in world.folder.rglob("*.db"):
        file.unlink()
    async with world.device(robot) as bot:
        assert first.is_new
        assert bot.session.is_new
        assert bot.session.device != first.device


async def test_a_damaged_store_is_told_of(world: World, robot: Person) -> None:
    """And not overwritten."""
    async with world.device(robot):
        pass
    (file,) = world.folder.rglob("*.db")
    file.write_bytes(b"kaputt" * 1000)
    with pytest.raises(PartError, match="matrix_store"):
        async with world.device(robot):
            pass
    assert file.read_bytes() == b"kaputt" * 1000


async def test_no_text_lies_in_the_folder_of_the_device_or_in_a_log(
    world: World, anna: Person, robot: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """Only keys, and those under a secret of their own; however much is logged, no text and no token is."""
    caplog.set_level(logging.DEBUG)
    async with world.device(robot) as bot, world.device(anna) as phone, listening(bot) as ears:
        room = await phone.direct_room(robot.id)
        await bot.join(room)
        await phone.send(room, Content("Streng vertraulich", "x"), transaction="1")
        await ears.first(Said)
    assert caplog.records
    assert "vertraulich" not in caplog.text
    files = [file for file in world.folder.rglob("*") if file.is_file()]
    tokens = [json.loads(file.read_bytes())["token"] for file in files if file.name == "session.json"]
    assert len(tokens) == 2
    assert not [token for token in tokens if token in caplog.text]
    for file in files:
        assert b"vertraulich" not in file.read_bytes()
        assert file.stat().st_mode & 0o077 == 0
    (store, _) = [file for file in files if file.suffix == ".db"]
    (count,) = sqlite3.connect(store).execute("SELECT count(*) FROM accounts").fetchone()
    assert count == 1


class _Held:
    """Messages between devices that are kept back."""

    def __init__(self, api: Api) -> None:
        self.call = api.call
        self.kept: list[tuple[Any, Any]] = []

    async def __call__(self, *asked: Any, **how: Any) -> Event:
        if "/sendToDevice/m.room.encrypted/" in asked[1]:
            self.kept.append((asked, how))
            return {}
        return await self.call(*asked, **how)

    async def release(self) -> None:
        """Let them go."""
        for asked, how in self.kept:
            await self.call(*asked, **how)


def _hold_back_keys(api: Api) -> _Held:
    held = _Held(api)
    api.call = held  # type: ignore[method-assign, assignment]
    return held
