"""Which requests encryption makes, to a server that keeps some of the keys back."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.chat.ports import UnconfirmedError
from bot.matrix.crypto import Device
from bot.matrix.keys import Keys
from domain.errors import PartError
from tests.unit.matrix.net import ROOM, Net
from tests.unit.matrix.replay import ANNA, BEN, BOT


class Everybody:
    """Trusts all devices."""

    def learn(self, answer: Mapping[str, Any]) -> None:
        pass

    def recipients(self, devices: Collection[Device], *, only_trusted: bool) -> frozenset[Device]:
        assert not only_trusted
        return frozenset(devices)


class Server:
    """Hands out keys; those of ``without`` are used up, nothing is told of ``untold``, nobody reaches it when away."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.without: set[str] = set()
        self.is_away = False
        self.untold: set[str] = set()
        self.calls: list[str] = []
        self.told: list[str] = []

    async def call(self, _: str, path: str, body: dict[str, Any], **__: Any) -> dict[str, Any]:
        kind = path.removeprefix("/_matrix/client/v3/").split("/")
        self.calls.append("/".join(kind[:2]))
        if self.is_away:
            raise PartError("matrix_unreachable")
        if kind[1] == "query":
            listed = {person: self.net.listed[person] for person in body["device_keys"] if person not in self.untold}
            return {"device_keys": {person: {one["device_id"]: one} for person, one in listed.items()}}
        if kind[1] == "claim":
            given = body["one_time_keys"].items()
            return {"one_time_keys": {person: self._keys(person, names) for person, names in given}}
        if kind[0] == "sendToDevice":
            self.told += sorted(body["messages"])
        return {}

    def _keys(self, person: str, names: dict[str, str]) -> dict[str, Any]:
        return {} if person in self.without else {name: dict([self.net.one_time[person].pop()]) for name in names}


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Net]:
    found = Net(tmp_path)
    for person in (BOT, ANNA, BEN):
        found.device(person)
    yield found
    found.close()


@pytest.fixture
def server(net: Net) -> Server:
    return Server(net)


@pytest.fixture
def keys(net: Net, server: Server) -> Keys:
    api: Any = server
    return Keys(api, net.machines[BOT], Everybody())


async def _say(keys: Keys, *people: str) -> str:
    content = await keys.encrypt(ROOM, {BOT, *people}, "m.room.message", {"body": "Guten Tag"}, only_trusted=False)
    return str(content["session_id"])


async def test_the_second_message_needs_no_request(keys: Keys, server: Server) -> None:
    """The key is there; who has which devices is known until the server says that it changed."""
    first = await _say(keys, ANNA, BEN)
    assert server.told == [ANNA, BEN]
    server.calls.clear()
    assert await _say(keys, ANNA, BEN) == first
    assert server.calls == []
    await keys.take_in({"device_lists": {"changed": [ANNA, 5, None]}})
    assert await _say(keys, ANNA, BEN) == first
    assert server.calls == ["keys/query"]


async def test_what_its_reader_cannot_read_is_not_said(net: Net, server: Server) -> None:
    """Others may have devices that could; and whoever has none at all is not waited for."""

    class BenAlone(Everybody):
        def recipients(self, devices: Collection[Device], *, only_trusted: bool) -> frozenset[Device]:
            return frozenset(one for one in devices if one.person == BEN or not only_trusted)

    api: Any = server
    encrypt = partial(Keys(api, net.machines[BOT], BenAlone()).encrypt, ROOM, {ANNA, BEN}, "m.room.message", {})
    with pytest.raises(UnconfirmedError):
        await encrypt(only_trusted=True, needed=(ANNA,))
    assert server.told == []
    await encrypt(only_trusted=True, needed=(BEN,))
    assert server.told[0] == BEN
    assert await encrypt(only_trusted=True, needed=("@weg:x",))


async def test_nothing_is_encrypted_on_a_guess(keys: Keys, server: Server) -> None:
    """When nobody tells who has which devices, nothing is said; later it is."""
    server.is_away = True
    with pytest.raises(PartError):
        await _say(keys, ANNA)
    server.is_away = False
    await _say(keys, ANNA)
    assert server.told == [ANNA]


async def test_a_device_without_a_key_to_begin_with_is_asked_again_later(
    keys: Keys, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for each message, and the others read on under the same key; when it has one again, it reads what follows."""
    server.without = {BEN}
    first = await _say(keys, ANNA, BEN)
    server.calls.clear()
    assert await _say(keys, ANNA, BEN) == first
    assert (server.told, server.calls) == ([ANNA], [])
    server.without = set()
    loop = asyncio.get_running_loop()
    later = loop.time() + 601
    monkeypatch.setattr(loop, "time", lambda: later)
    assert await _say(keys, ANNA, BEN) != first
    assert server.told == [ANNA, ANNA, BEN]


async def test_whoever_leaves_reads_nothing_more(keys: Keys, server: Server) -> None:
    """The key that they have is used no more."""
    both = await _say(keys, ANNA, BEN)
    server.told.clear()
    assert await _say(keys, ANNA) != both
    assert server.told == [ANNA]


async def test_keys_that_could_not_be_shared_are_not_used(keys: Keys, server: Server) -> None:
    """Else some would read and others not."""
    await _say(keys, ANNA)
    server.is_away = True
    with pytest.raises(PartError):
        await _say(keys, ANNA, BEN)
    server.is_away = False
    server.told.clear()
    await _say(keys, ANNA, BEN)
    assert server.told == [ANNA, BEN]


async def test_a_sender_whose_devices_are_not_told_holds_up_nobody(
    net: Net, keys: Keys, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their server is gone, which takes seconds to find out: asked once, and again after a while or on its news."""
    anna, bot = net.machines[ANNA], net.machines[BOT]
    net.share(anna, bot)
    bot.forget(ANNA)
    server.untold = {ANNA}
    content = anna.encrypt(ROOM, "m.room.message", {"msgtype": "m.text", "body": "Guten Tag"})
    event = {"event_id": "$1", "sender": ANNA, "type": "m.room.encrypted", "content": content}
    for _ in range(3):
        assert (await keys.read(event, ROOM))["type"] == "m.room.encrypted"
    assert server.calls == ["keys/query"]
    loop = asyncio.get_running_loop()
    later = loop.time() + 61
    monkeypatch.setattr(loop, "time", lambda: later)
    await keys.read(event, ROOM)
    assert server.calls == ["keys/query"] * 2
    server.untold = set()
    await keys.take_in({"device_lists": {"changed": [ANNA]}})
    assert (await keys.read(event, ROOM))["type"] == "m.room.message"


async def test_nobody_is_known_any_more(keys: Keys, server: Server) -> None:
    """When the news of devices may have passed us by, everybody is asked about before the next word."""
    await _say(keys, ANNA)
    server.calls.clear()
    keys.know_nobody()
    await _say(keys, ANNA)
    assert server.calls == ["keys/query"]


async def test_a_broken_session_is_mended_once_that_is_possible(
    net: Net, keys: Keys, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that offers no key for it, whose server may be gone, is asked once in a while and not with each sync."""
    olm = net.machines[BOT].olm
    olm.wedged_devices.append(olm.device_store[BEN][net.machines[BEN].id])
    server.without = {BEN}
    for _ in range(3):
        await keys.take_in({})
    assert server.calls == ["keys/claim"]
    loop = asyncio.get_running_loop()
    later = loop.time() + 601
    monkeypatch.setattr(loop, "time", lambda: later)
    server.without = set()
    await keys.take_in({})
    await keys.take_in({})
    assert [call.partition("/")[0] for call in server.calls] == ["keys", "keys", "sendToDevice"]
    assert (server.told, olm.wedged_devices) == ([BEN], [])


async def test_what_nobody_waits_for_ends_with_the_connection(
    keys: Keys, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever connects next has the store of the device for itself."""
    is_asked = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        is_asked.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(server, "call", never)
    keys.publish_anew()
    (task,) = keys._tasks
    await is_asked.wait()
    keys.close()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not keys._tasks
