"""Reading a message once more, from a server that lies about it."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest

from bot.chat.incoming import Said
from bot.matrix.api import Api
from bot.matrix.crypto import Device
from bot.matrix.keys import Keys
from bot.matrix.machine import Machine
from bot.matrix.parse import RUN
from bot.matrix.reading import Reading
from tests.matrix.person import edited
from tests.unit.matrix.net import ROOM, Net
from tests.unit.matrix.replay import ANNA, BOT

COMMAND, FORGED = "!mitglied @ben:x internal", "!mitglied @mallory:x secret"


class Everybody:
    """Holds all devices for confirmed."""

    def learn(self, answer: Mapping[str, Any]) -> None:
        pass

    def recipients(self, devices: Collection[Device], *, only_trusted: bool) -> frozenset[Device]:
        assert only_trusted
        return frozenset(devices)


class Endless:
    """A server whose threads have no end."""

    def __init__(self, *places: str) -> None:
        self.places = places
        self.asked = 0

    async def call(self, *_: object, **__: object) -> dict[str, Any]:
        self.asked += 1
        place = self.places[self.asked % len(self.places)]
        return {"chunk": [], "next_batch": place, "end": place}


class Liar:
    """A server that hands out one message, as it likes."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.event: dict[str, Any] = {}

    async def call(self, _: str, path: str, body: dict[str, Any] | None = None, **__: Any) -> dict[str, Any]:
        if not path.endswith("/keys/query"):
            return self.event
        listed = {person: self.net.listed[person] for person in (body or {})["device_keys"]}
        return {"device_keys": {person: {one["device_id"]: one} for person, one in listed.items()}}


@pytest.fixture
def net(tmp_path: Path) -> Net:
    return Net(tmp_path)


def _event(machine: Machine, content: Mapping[str, Any], name: str) -> dict[str, Any]:
    hidden = machine.encrypt(ROOM, "m.room.message", content)
    return _plain(hidden, name) | {"type": "m.room.encrypted"}


def _plain(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    head = {"type": "m.room.message", "event_id": name, "sender": ANNA, "origin_server_ts": 1}
    return head | {"content": dict(content)}


def _with(event: dict[str, Any], edit: dict[str, Any]) -> dict[str, Any]:
    return event | {"unsigned": {"m.relations": {"m.replace": edit}}}


async def _read(net: Net, machine: Machine, event: dict[str, Any]) -> Said | None:
    server = Liar(net)
    server.event = event
    api = cast("Api", server)
    return await Reading(api, Keys(api, machine, Everybody()), BOT).message(ROOM, event["event_id"])


async def test_what_the_server_says_of_an_edit_counts_only_if_the_sender_has_encrypted_it(net: Net) -> None:
    """A plain edit leaves the text. Nothing is certain of what was edited: the server says what an edit is about."""
    phone, bot = net.device(ANNA), net.device(BOT)
    net.share(phone, bot)
    said = _event(phone, {"msgtype": "m.text", "body": COMMAND}, "$said")
    alone = await _read(net, bot, said)
    assert alone is not None
    assert (alone.text, alone.is_assured) == (COMMAND, True)
    forged = await _read(net, bot, _with(said, _plain(edited("$said", FORGED, []), "$forged")))
    assert forged is not None
    assert (forged.text, forged.is_assured) == (COMMAND, False)
    own = await _read(net, bot, _with(said, _event(phone, edited("$said", "!hilfe", []), "$own")))
    assert own is not None
    assert (own.text, own.is_assured) == ("!hilfe", False)
    plain = await _read(net, bot, _with(_plain({"msgtype": "m.text", "body": "Hallo"}, "$plain"), said))
    assert plain is not None
    assert not plain.is_assured
    net.close()


async def test_a_ciphertext_says_nothing_of_the_words_beside_it(net: Net) -> None:
    """A plain message with the content of an encrypted one that the server has kept to itself."""
    phone, bot = net.device(ANNA), net.device(BOT)
    net.share(phone, bot)
    held = phone.encrypt(ROOM, "m.room.message", {"msgtype": "m.text", "body": "Hallo"})
    said = await _read(net, bot, _plain({**held, "msgtype": "m.text", "body": FORGED}, "$plain"))
    assert said is not None
    assert (said.text, said.is_assured) == (FORGED, False)
    net.close()


async def test_the_same_ciphertext_is_one_message_for_ever(net: Net) -> None:
    """Whichever name the server hands it out under, and after a restart as well."""
    phone, bot = net.device(ANNA), net.device(BOT)
    net.share(phone, bot)
    said = _event(phone, {"msgtype": "m.text", "body": COMMAND}, "$said")
    again = said | {"event_id": "$again"}
    assert await _read(net, bot, said) is not None
    assert await _read(net, bot, again) is None
    bot.close()
    bot = net.device(BOT)
    assert await _read(net, bot, again) is None
    found = await _read(net, bot, said)
    assert found is not None
    assert (found.text, found.is_assured) == (COMMAND, True)
    net.close()


@pytest.mark.parametrize(
    ("thread", "places", "asked"),
    [("$q", ["p1"], 2), ("$q", ["p1", "p2"], 100), (None, ["p1"], 2), (None, ["p1", "p2"], 10)],
)
async def test_a_thread_without_end_is_not_read_for_ever(
    net: Net, thread: str | None, places: list[str], asked: int
) -> None:
    """Nor a room: the server hands out the same place again and again, or one of two in turn."""
    bot, server = net.device(BOT), Endless(*places)
    api = cast("Api", server)
    assert await Reading(api, Keys(api, bot, Everybody()), BOT).sent(ROOM, thread, uuid4()) is None
    assert server.asked == asked
    net.close()


async def test_an_answer_is_found_behind_much_that_was_said_since(net: Net) -> None:
    """In a direct room too, page by page: what is taken back there may have been said long ago."""
    bot, run = net.device(BOT), uuid4()
    said = _plain({"msgtype": "m.text", "body": "Drei Monate", RUN: str(run)}, "$answer") | {"sender": BOT}
    pages = [{"chunk": [], "end": f"p{number}"} for number in range(8)]

    class Paged:
        async def call(self, *_: object, **__: object) -> dict[str, Any]:
            return pages.pop(0) if pages else {"chunk": [said]}

    api = cast("Api", Paged())
    assert await Reading(api, Keys(api, bot, Everybody()), BOT).sent(ROOM, None, run) == "$answer"
    net.close()
