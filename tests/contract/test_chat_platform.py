"""What every chat platform must do: the one in memory that the tests of a conversation use, and Matrix.

A conversation that is right on the one is right on the other because both pass this.
"""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest

from bot.chat import hygiene
from bot.chat.outgoing import Content
from bot.chat.ports import Platform
from domain.errors import AccessError, ConflictError
from tests.chat_platform import InMemoryPlatform, Server

HELLO = Content("Guten Tag", "Guten Tag")


class House(Protocol):
    """A platform with us and one other person, seen from that person."""

    bot: Platform
    person: str

    async def open(self, *, is_invitation: bool = False) -> str:
        """Open a room with the person and us, and a third one; or only invite us."""
        ...

    async def say(self, room: str, text: str) -> str: ...

    async def edit(self, room: str, event: str, text: str) -> None: ...

    async def redact(self, room: str, event: str) -> None: ...

    async def put_us_out(self, room: str) -> None: ...

    async def invite(self, room: str) -> None:
        """Ask somebody else in."""
        ...


class HouseInMemory:
    """Implements ``House``."""

    def __init__(self) -> None:
        self.server = Server()
        self.bot: Platform = InMemoryPlatform(self.server)
        self.person = "@anna:x"
        self.said: dict[str, Any] = {}

    async def open(self, *, is_invitation: bool = False) -> str:
        others = (self.person, "@ben:x")
        members = others if is_invitation else (*others, self.bot.account)
        return self.server.open(f"!{len(self.server.rooms)}", *members, is_encrypted=False).id

    async def say(self, room: str, text: str) -> str:
        said = self.server.say(room, self.person, text)
        self.said[said.event] = said
        return said.event

    async def edit(self, room: str, event: str, text: str) -> None:
        assert self.said[event].room == room
        self.server.edit(self.said[event], text)

    async def redact(self, room: str, event: str) -> None:
        self.server.redact(room, event, self.person)

    async def put_us_out(self, room: str) -> None:
        self.server.rooms[room].members.discard(self.bot.account)

    async def invite(self, room: str) -> None:
        self.server.rooms[room].members.add("@cara:x")


@asynccontextmanager
async def _matrix(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    from bot.matrix.client import MatrixPlatform, connect  # noqa: PLC0415 - an extra
    from bot.matrix.login import Login  # noqa: PLC0415
    from tests.matrix.person import Person  # noqa: PLC0415
    from tests.matrix.synapse import PASSWORD, Synapse  # noqa: PLC0415

    class HouseOfMatrix:
        """Implements ``House``."""

        def __init__(self, bot: MatrixPlatform, anna: Person, ben: Person, cara: Person) -> None:
            self.bot: Platform = bot
            self.person = anna.id
            self._anna = anna
            self._ben = ben
            self._cara = cara

        async def open(self, *, is_invitation: bool = False) -> str:
            room = await self._anna.create_room(invite=[self._ben.id, self.bot.account])
            if not is_invitation:
                await self.bot.join(room)
            return room

        async def say(self, room: str, text: str) -> str:
            return await self._anna.send(room, text)

        async def edit(self, room: str, event: str, text: str) -> None:
            await self._anna.edit(room, event, text)

        async def redact(self, room: str, event: str) -> None:
            await self._anna.redact(room, event)

        async def put_us_out(self, room: str) -> None:
            await self._anna.kick(room, self.bot.account)

        async def invite(self, room: str) -> None:
            await self._anna.invite(room, self._cara.id)

    synapse: Synapse = request.getfixturevalue("synapse")
    folder: Path = request.getfixturevalue("tmp_path")
    robot = synapse.register("bot")
    login = Login(robot.id, PASSWORD, "Test")
    async with connect(synapse.url, login, folder / "matrix", _Everybody()) as bot:
        yield HouseOfMatrix(bot, *(synapse.register(name) for name in ("anna", "ben", "cara")))


class _Everybody:
    """Trusts the devices of all."""

    def learn(self, answer: Mapping[str, Any]) -> None:
        pass

    def recipients(self, devices: Collection[Any], *, only_trusted: bool) -> frozenset[Any]:
        assert not only_trusted
        return frozenset(devices)


@pytest.fixture(params=["memory", pytest.param("matrix", marks=pytest.mark.synapse)])
async def house(request: pytest.FixtureRequest) -> AsyncIterator[House]:
    if request.param == "memory":
        yield HouseInMemory()
    else:
        async with _matrix(request) as found:
            yield found


async def test_a_room_tells_who_is_there_but_us(house: House) -> None:
    """Several people make no direct room; nothing is encrypted here."""
    room = await house.bot.room(await house.open())
    assert room is not None
    assert house.person in room.members
    assert house.bot.account not in room.members
    assert (len(room.members), room.is_direct, room.is_encrypted, room.successor) == (2, False, False, None)


async def test_a_room_is_none_until_we_come_in_and_after_we_left(house: House) -> None:
    """An invitation alone opens nothing."""
    room = await house.open(is_invitation=True)
    assert await house.bot.room(room) is None
    await house.bot.join(room)
    assert await house.bot.room(room) is not None
    await house.bot.leave(room)
    assert await house.bot.room(room) is None
    assert await house.bot.room("!gibt-es-nicht:x") is None


async def test_a_message_is_read_with_the_last_text_of_its_sender(house: House) -> None:
    """One that was taken back, or was never there, is none."""
    room = await house.open()
    event = await house.say(room, "Was gilt?")
    said = await house.bot.message(room, event)
    assert said is not None
    assert (said.event, said.room, said.sender, said.text) == (event, room, house.person, "Was gilt?")
    await house.edit(room, event, "Was galt?")
    said = await house.bot.message(room, event)
    assert said is not None
    assert said.text == "Was galt?"
    await house.redact(room, event)
    assert await house.bot.message(room, event) is None
    assert await house.bot.message(room, "$gibt-es-nicht") is None
    assert not await house.bot.is_locked(room, event)


async def test_one_transaction_says_something_once(house: House) -> None:
    """However often it is tried; another transaction says it again."""
    room = await house.open()
    first = await house.bot.send(room, HELLO, transaction="1")
    assert await house.bot.send(room, HELLO, transaction="1") == first
    assert await house.bot.send(room, HELLO, transaction="2") != first


async def test_an_answer_is_found_again_by_its_run_and_thread(house: House) -> None:
    """By nothing else, and still after it was edited."""
    room, run = await house.open(), uuid4()
    question, other = await house.say(room, "Was gilt?"), await house.say(room, "Was galt?")
    assert await house.bot.sent(room, question, run) is None
    content = Content("Drei Monate", "Drei Monate", run=run, mentions=(house.person,))
    answer = await house.bot.send(room, content, transaction="1", thread=question)
    assert await house.bot.sent(room, question, run) == answer
    assert await house.bot.sent(room, question, uuid4()) is None
    assert await house.bot.sent(room, other, run) is None
    assert await house.bot.sent(room, None, run) == answer
    assert await house.bot.sent(room, None, uuid4()) is None
    await house.bot.edit(room, answer, Content("Vier Monate", "Vier Monate", run=run), transaction="2")
    assert await house.bot.sent(room, question, run) == answer
    said = await house.bot.message(room, answer)
    assert said is not None
    assert (said.text, said.sender, said.thread) == ("Vier Monate", house.bot.account, question)


async def test_the_last_of_our_messages_is_told_first(house: House) -> None:
    """In a thread, or in the room; by what an edit has put there, without what was taken back or shows nothing."""
    room, runs = await house.open(), [uuid4() for _ in range(4)]
    question, other = await house.say(room, "Was gilt?"), await house.say(room, "Was galt?")
    assert await house.bot.shown(room, question) == ()
    said = [
        await house.bot.send(room, Content("Ja", "Ja", run=run), transaction=str(run), thread=thread)
        for run, thread in zip(runs[:3], (question, question, other), strict=True)
    ]
    await house.bot.send(room, HELLO, transaction="1", thread=question)
    assert await house.bot.shown(room, question) == (runs[1], runs[0])
    assert await house.bot.shown(room, None) == (runs[2], runs[1], runs[0])
    await house.bot.edit(room, said[0], Content("Nein", "Nein", run=runs[3]), transaction="2")
    await house.bot.redact(room, said[1], transaction="3")
    assert await house.bot.shown(room, question) == (runs[3],)


async def test_an_edited_answer_shows_the_run_of_its_last_text(house: House) -> None:
    """The run that stood there before is answered nowhere any more."""
    room, before, after = await house.open(), uuid4(), uuid4()
    question = await house.say(room, "Was gilt?")
    content = Content("Drei Monate", "Drei Monate", run=before)
    answer = await house.bot.send(room, content, transaction="1", thread=question)
    await house.bot.edit(room, answer, Content("Vier Monate", "Vier Monate", run=after), transaction="2")
    assert await house.bot.sent(room, question, before) is None
    assert await house.bot.sent(room, question, after) == answer


async def test_an_answer_that_was_taken_back_is_not_found(house: House) -> None:
    """Nobody reads it any more."""
    room, run = await house.open(), uuid4()
    question = await house.say(room, "Was gilt?")
    content = Content("Drei Monate", "Drei Monate", run=run)
    answer = await house.bot.send(room, content, transaction="1", thread=question)
    await house.bot.redact(room, answer, transaction="2")
    assert await house.bot.sent(room, question, run) is None
    assert await house.bot.message(room, answer) is None


async def test_nothing_is_said_where_we_are_not(house: House) -> None:
    """A room that has put us out looks like one that never was."""
    room = await house.open()
    said = await house.bot.send(room, HELLO, transaction="1")
    await house.put_us_out(room)
    for place in (room, "!gibt-es-nicht:x"):
        assert await house.bot.room(place) is None
        with pytest.raises(AccessError):
            await house.bot.send(place, HELLO, transaction="2")
        with pytest.raises(AccessError):
            await house.bot.edit(place, said, HELLO, transaction="3")


async def test_nothing_is_said_when_somebody_has_come_in_since_it_was_decided(house: House) -> None:
    """Whoever decided has to look again; who has left changes nothing."""
    room, said = await house.open(), []
    seen = await house.bot.room(room)
    assert seen is not None
    said.append(await house.bot.send(room, HELLO, transaction="1", seen=seen))
    await house.invite(room)
    with pytest.raises(ConflictError):
        await house.bot.send(room, HELLO, transaction="2", seen=seen)
    with pytest.raises(ConflictError):
        await house.bot.edit(room, said[0], HELLO, transaction="3", seen=seen)
    now = await house.bot.room(room)
    assert now is not None
    assert len(now.members) == len(seen.members) + 1
    more = replace(now, members=now.members | {"@dora:x"})
    assert await house.bot.send(room, HELLO, transaction="4", seen=more) not in said


async def test_a_direct_room_is_for_two_and_protected(house: House) -> None:
    """It is opened once."""
    direct = await house.bot.direct_room(house.person)
    assert await house.bot.direct_room(house.person) == await house.bot.known_direct_room(house.person) == direct
    room = await house.bot.room(direct)
    assert room is not None
    assert room.members == {house.person}
    assert room.is_direct
    assert room.is_protected


async def test_a_message_has_an_address_that_may_be_followed(house: House) -> None:
    """It names the room and the message, and no other one."""
    room = await house.open()
    addresses = [house.bot.link(room, await house.say(room, "Was gilt?")) for _ in range(2)]
    assert [hygiene.link(one) for one in addresses] == addresses
    assert len(set(addresses)) == 2


async def test_typing_is_shown_and_ends(house: House) -> None:
    """Nothing comes of it."""
    room = await house.open()
    await house.bot.typing(room, is_typing=True)
    await house.bot.typing(room, is_typing=False)
    assert await house.bot.room(room) is not None
