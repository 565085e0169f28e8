"""Trouble is told to those whom the configuration names, and to nobody twice."""

import asyncio

from bot.chat.outgoing import Content
from bot.serving.troubles import Troubles
from domain.errors import PartError
from tests.chat_platform import InMemoryPlatform, Server
from tests.unit.serving.conftest import until

PEOPLE = ("@ops:x", "@boss:x")


class Picky(InMemoryPlatform):
    """Reaches nobody at first."""

    fails = 1

    async def direct_room(self, person: str) -> str:
        if self.fails:
            self.fails -= 1
            raise PartError("matrix_unreachable")
        return await super().direct_room(person)


def _told(server: Server) -> list[str]:
    return sorted(one.content.plain for room in server.rooms for one in server.said_by("@bot:x", room))


async def test_everybody_is_told_once() -> None:
    """Each in their own room, whatever comes before and after the platform is there."""
    server, troubles = Server(), Troubles(PEOPLE)
    troubles.add("a", Content("first", "first"))
    telling = asyncio.create_task(troubles.tell(InMemoryPlatform(server)))
    await until(lambda: len(_told(server)) == 2)
    troubles.add("a", Content("first", "first"))
    troubles.add("b", Content("second", "second"))
    await until(lambda: len(_told(server)) == 4)
    telling.cancel()
    assert _told(server) == ["first", "first", "second", "second"]


async def test_who_cannot_be_reached_keeps_nobody_else_waiting() -> None:
    """They find it in the log."""
    server, troubles = Server(), Troubles(PEOPLE)
    troubles.add("a", Content("first", "first"))
    telling = asyncio.create_task(troubles.tell(Picky(server)))
    await until(lambda: len(_told(server)) == 1)
    assert not telling.done()
    telling.cancel()


def test_a_flood_is_told_by_its_beginning() -> None:
    """Nobody who causes trouble can fill the memory with it."""
    troubles = Troubles(PEOPLE)
    for number in range(1000):
        troubles.add(str(number), Content("x", "x"))
    assert troubles._waiting.qsize() == 100
