"""Rooms for two, from a server that is told what to say."""

import asyncio
from typing import Any

import pytest

from bot.chat.ports import Room
from bot.matrix import directs
from bot.matrix.api import RefusedError
from bot.matrix.directs import DirectRooms
from domain.errors import AccessError
from tests.unit.matrix.replay import ANNA, BEN, BOT


class Server:
    """Keeps which rooms are direct, and makes rooms unless it is told to refuse."""

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}
        self.rooms: dict[str, Room] = {}
        self.refusal: Exception | None = None
        self.asked: list[str] = []

    async def call(self, method: str, path: str, body: Any = None, **_: Any) -> dict[str, Any]:
        if path.endswith("m.direct"):
            self.named = body if method == "PUT" else self.named
            return self.named
        self.asked.append(path.rpartition("/")[2])
        if self.refusal is not None:
            raise self.refusal
        name = f"!{len(self.rooms)}"
        if path.endswith("createRoom"):
            self.rooms[name] = _room(name, body["invite"][0])
        return {"room_id": name}

    async def read(self, room: str) -> Room | None:
        return self.rooms.get(room)


def _room(name: str, *members: str) -> Room:
    return Room(name, frozenset(members), is_direct=True, is_encrypted=True, is_closed=True)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def rooms(server: Server) -> DirectRooms:
    api: Any = server
    return DirectRooms(api, BOT, server.read)


REFUSALS = [AccessError(), RefusedError("M_UNKNOWN", 400, {})]


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_whoever_cannot_be_asked_in_is_asked_again_only_after_a_while(
    server: Server, rooms: DirectRooms, refusal: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt may leave an empty room on the server; others are asked in as ever."""
    server.refusal = refusal
    for _ in range(3):
        with pytest.raises(AccessError):
            await rooms.with_person(ANNA)
    assert server.asked == ["createRoom"]
    server.refusal = None
    assert await rooms.with_person(BEN) == "!0"
    loop = asyncio.get_running_loop()
    now = loop.time()
    monkeypatch.setattr(loop, "time", lambda: now + directs.AFRESH + 1)
    assert await rooms.with_person(ANNA) == "!1"


async def test_whoever_opens_the_room_themselves_is_reached_at_once(server: Server, rooms: DirectRooms) -> None:
    """Though the server has just refused that we open one."""
    server.refusal = AccessError()
    with pytest.raises(AccessError):
        await rooms.with_person(ANNA)
    server.rooms["!own"] = _room("!own", ANNA)
    await rooms.remember(server.rooms["!own"])
    assert await rooms.with_person(ANNA) == "!own"


async def test_somebody_who_has_left_and_cannot_be_asked_back_is_not_asked_each_time(
    server: Server, rooms: DirectRooms
) -> None:
    """The room stays the one that it is."""
    assert await rooms.with_person(ANNA) == "!0"
    server.rooms["!0"] = _room("!0")
    server.refusal = AccessError()
    for _ in range(2):
        with pytest.raises(AccessError):
            await rooms.with_person(ANNA)
    assert server.asked == ["createRoom", "invite"]
