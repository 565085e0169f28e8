"""An instance takes no more memory after two thousand questions than after five hundred.

Everything is real but the platform, whose rooms are emptied after each round: what is measured is ours.
"""

import gc
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path

import psutil
import pytest

from adapters.chat.inbox import PostgresInbox
from bot.chat.conversation import Guests
from bot.chat.desk import Desk
from bot.chat.incoming import Batch, Said
from bot.chat.service import Service
from bot.config import Settings
from bot.demo.corpus import install, questions
from bot.installation import initialise
from bot.text import texts
from bot.wiring import open_app
from tests.chat_platform import InMemoryPlatform, Server
from tests.servers import reachable_folder, wait_until_stopped

pytestmark = pytest.mark.nightly

MANDATE, US = "bestand", "@bot:x"
PEOPLE = tuple(f"@person{number}:x" for number in range(8))
ROOMS = tuple(f"!room{number}:x" for number in range(20))
EARLY, LATE = 500, int(os.environ.get("FUNDSTELLE_QUESTIONS", "2000"))
MOST_MIB = 20.0
"""What may be added between the two: memories of words and sentences that have a bound are not full after the first."""

OFF_CORPUS = Path(__file__).parents[1] / "off_corpus.jsonl"


class World:
    """Rooms with people in them, and the instance that answers there."""

    def __init__(self, service: Service, server: Server, platform: InMemoryPlatform) -> None:
        self.service, self.server, self.platform = service, server, platform
        said = [json.loads(line)["question"] for line in OFF_CORPUS.read_text(encoding="utf-8").splitlines()]
        self.texts = cycle([*(one.question for one in questions()), *said])
        self.asked = self.answered = 0

    async def ask(self, until: int) -> float:
        """Ask until so many questions were asked; returns the memory of this process in MiB."""
        while self.asked < until:
            events = [self._say(room, text) for room, text in zip(ROOMS, islice(self.texts, len(ROOMS)), strict=True)]
            await self.service.take(Batch(f"s{self.asked}", tuple(events)))
            await self.service.settle()
            self._empty()
        gc.collect()
        return psutil.Process().memory_info().rss / 2**20

    def _say(self, room: str, text: str) -> Said:
        self.asked += 1
        # Every other question is one that nobody has asked before.
        words = text if self.asked % 2 else f"{text} Es geht um Vorgang {self.asked}."
        # Nobody asks more in a room than is dealt with, however fast the machine is.
        person = PEOPLE[(self.asked + self.asked // len(ROOMS)) % len(PEOPLE)]
        return self.server.say(room, person, words, mentions_us=True)

    def _empty(self) -> None:
        for room in ROOMS:
            self.answered += sum(one.run is not None for one in self.server.said_by(US, room))
            self.server.rooms[room].messages.clear()
        self.platform.transactions.clear()
        self.platform.typed.clear()


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    with reachable_folder() as folder:
        settings = Settings(folder / "data", "de")
        await initialise(settings)
        try:
            async with open_app(settings) as app:
                await install(app, lambda _: None)
                actor, server = await app.actor(), Server()
                for person in PEOPLE:
                    await app.mandates.admit(MANDATE, person, "internal", actor)
                for room in ROOMS:
                    server.open(room, US, *PEOPLE)
                    await app.mandates.bind(MANDATE, room, "internal", actor)
                platform = InMemoryPlatform(server, US)
                inbox = PostgresInbox(app.database, app.people, f"memory {US}")
                desk = Desk(app, platform, inbox, texts("de"), _no_pause)
                await inbox.take_in("s", [])
                yield World(Service(desk, Guests()), server, platform)
        finally:
            assert wait_until_stopped(settings.data), "the embedded server outlived its last client"


async def _no_pause(_seconds: float) -> None:
    pass


async def test_memory_stays_as_it_is() -> None:
    """Each question is answered once, and nothing of it stays in the process."""
    async with world() as one:
        began = datetime.now(UTC)
        early = await one.ask(EARLY)
        late = await one.ask(LATE)
        took = (datetime.now(UTC) - began).total_seconds()
        print(f"{one.asked} questions in {took:.0f} s: {early:.1f} MiB after {EARLY}, {late:.1f} MiB at the end")
        assert one.answered == one.asked
        assert late - early < MOST_MIB
