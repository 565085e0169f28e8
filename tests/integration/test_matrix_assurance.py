"""Of which messages it is certain who has written them, on a real homeserver and by another implementation."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.chat.incoming import Said
from bot.matrix.client import MatrixPlatform, connect
from bot.matrix.device_store import Devices
from bot.matrix.login import Login
from bot.matrix.pins import Pins
from tests.matrix.ears import Ears, listening
from tests.matrix.js_client import JsClient
from tests.matrix.person import Person, edited
from tests.matrix.synapse import PASSWORD, Synapse

pytestmark = [pytest.mark.synapse, pytest.mark.node]

COMMAND = "!mitglied @mallory:kanzlei.example secret"


@dataclass
class Ours:
    """Our account, with the files of its device."""

    person: Person
    folder: Path
    token: str | None = None

    @property
    def keys(self) -> Path:
        return self.folder / "keys"

    async def enter(self, stack: AsyncExitStack) -> tuple[MatrixPlatform, Ears]:
        """Be there, from the same files each time."""
        self.keys.mkdir(exist_ok=True, mode=0o700)
        devices = Devices(self.keys, PASSWORD, lambda _told: None)
        login, folder = Login(self.person.id, PASSWORD, "Fundstelle"), self.folder / "matrix"
        bot = await stack.enter_async_context(
            connect(self.person.url, login, folder, devices.trust, published=devices.sign)
        )
        ears = await stack.enter_async_context(listening(bot, self.token))
        stack.callback(lambda: setattr(self, "token", ears.token))
        return bot, ears


@dataclass
class House:
    """An encrypted room with us and Anna, who has a confirmed device and one that is not."""

    ours: Ours
    confirmed: JsClient
    other: JsClient
    room: str

    @property
    def anna(self) -> Person:
        return self.confirmed.person

    async def is_assured(self, bot: MatrixPlatform, ears: Ears, event: str) -> bool:
        """Wait for a message, and return what we are told of it when we act on it."""
        heard = await ears.first(Said, lambda said: said.event == event)
        said = await bot.message(self.room, event)
        assert said is not None
        assert (heard.text, said.text, heard.is_assured) == (COMMAND, COMMAND, False)
        return said.is_assured


@pytest.fixture(scope="module")
def clients(synapse: Synapse) -> Iterator[tuple[JsClient, JsClient]]:
    anna = synapse.register("anna")
    with JsClient(anna) as one, JsClient(synapse.log_in(anna.id), is_signed=False, is_trusting=True) as other:
        yield one, other


@pytest.fixture
async def house(synapse: Synapse, clients: tuple[JsClient, JsClient], tmp_path: Path) -> House:
    ours = Ours(synapse.register("fundstelle"), tmp_path)
    room = await clients[0].person.create_room(invite=[ours.person.id], is_encrypted=True, history="joined")
    async with AsyncExitStack() as stack:
        bot, _ = await ours.enter(stack)
        await bot.join(room)
    return House(ours, *clients, room)


async def test_only_what_comes_encrypted_from_a_confirmed_device_is_certain(house: House) -> None:
    """Neither from another device of theirs, nor in plain text; nor any of it once the server names other keys."""
    plain_room = await house.anna.create_room(invite=[house.ours.person.id])
    async with AsyncExitStack() as stack:
        bot, ears = await house.ours.enter(stack)
        await bot.join(plain_room)
        confirmed = await house.confirmed.send(house.room, COMMAND)
        unconfirmed = await house.other.send(house.room, COMMAND)
        plain = await house.anna.send(house.room, COMMAND)
        in_plain_room = await house.anna.send(plain_room, COMMAND)
        assert await house.is_assured(bot, ears, confirmed)
        assert not await house.is_assured(bot, ears, unconfirmed)
        assert not await house.is_assured(bot, ears, plain)
        said = await bot.message(plain_room, in_plain_room)
        assert said is not None
        assert not said.is_assured
    _pin_other(house)
    async with AsyncExitStack() as stack:
        bot, _ = await house.ours.enter(stack)
        said = await bot.message(house.room, confirmed)
        assert said is not None
        assert not said.is_assured


async def test_what_looks_encrypted_and_is_not_is_plain(house: House) -> None:
    """The names of a real room key in the content of a plain message prove nothing."""
    async with AsyncExitStack() as stack:
        bot, ears = await house.ours.enter(stack)
        real = await house.confirmed.send(house.room, COMMAND)
        assert await house.is_assured(bot, ears, real)
        content = (await house.anna.event(house.room, real))["content"]
        forged = await house.anna.send_event(house.room, content | {"msgtype": "m.text", "body": COMMAND})
        assert not await house.is_assured(bot, ears, forged)


async def test_a_plain_edit_of_an_encrypted_message_does_not_count(house: House) -> None:
    """An honest server does not even hand it out with the message."""
    async with AsyncExitStack() as stack:
        bot, ears = await house.ours.enter(stack)
        said = await house.confirmed.send(house.room, COMMAND)
        assert await house.is_assured(bot, ears, said)
        await house.anna.send_event(house.room, edited(said, COMMAND.replace("mallory", "eve"), []))
        assert await house.is_assured(bot, ears, said)
        encrypted = await house.confirmed.send(house.room, "Was gilt?")
        await ears.first(Said, lambda heard: heard.event == encrypted)
        await house.other.edit(house.room, encrypted, COMMAND)
        by_another_device = await bot.message(house.room, encrypted)
        assert by_another_device is not None
        assert (by_another_device.text, by_another_device.is_assured) == (COMMAND, False)


async def test_a_message_that_was_acted_on_is_not_taken_for_another_one(house: House) -> None:
    """A server that hands out the same ciphertext under another name, also after a restart, is not heard."""
    async with AsyncExitStack() as stack:
        bot, ears = await house.ours.enter(stack)
        said = await house.confirmed.send(house.room, COMMAND)
        assert await house.is_assured(bot, ears, said)
        raw: dict[str, Any] = await house.anna.event(house.room, said)
    async with AsyncExitStack() as stack:
        bot, _ = await house.ours.enter(stack)
        replayed = await house.anna.send_event(house.room, raw["content"], kind="m.room.encrypted")
        assert await bot.message(house.room, replayed) is None
        again = await bot.message(house.room, said)
        assert again is not None
        assert again.is_assured


def _pin_other(house: House) -> None:
    """Let another master key of Anna's count than the one that the server names."""
    pins = Pins(house.ours.keys)
    key = pins.all()[house.anna.id].key
    pins.forget(house.anna.id)
    pins.note({house.anna.id: ("A" if key[0] != "A" else "B") + key[1:]})
