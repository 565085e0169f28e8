"""An instance whose parts live in memory."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from bot.chat.incoming import Batch, Said
from bot.serving import life
from bot.serving.health import Health
from bot.serving.life import Instance, Life
from bot.serving.metrics import Metrics
from domain.errors import PartError
from domain.inbox import Noted

SENT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def noted(event: str, room: str = "!r") -> Noted:
    return Noted(event, room, "@anna:example.org", SENT, "Said")


class Inbox:
    def __init__(self) -> None:
        self.place: str | None = None
        self.events: dict[str, Noted] = {}
        self.finished: set[str] = set()

    async def token(self) -> str | None:
        return self.place

    async def take_in(self, token: str, noted: Sequence[Noted]) -> tuple[Noted, ...]:
        fresh = tuple(one for one in noted if one.event not in self.events)
        self.place, self.events = token, self.events | {one.event: one for one in fresh}
        return fresh

    async def noted(self, event: str) -> Noted | None:
        return self.events.get(event)

    async def pending(self) -> tuple[Noted, ...]:
        return tuple(one for one in self.events.values() if one.event not in self.finished)

    async def finish(self, event: str) -> None:
        self.finished.add(event)


class Lease:
    def __init__(self) -> None:
        self.is_free = asyncio.Event()
        self.is_free.set()
        self.is_held = False
        self.taken = 0

    async def acquire(self, waiting: Callable[[], None]) -> None:
        if not self.is_free.is_set():
            waiting()
        await self.is_free.wait()
        self.is_held, self.taken = True, self.taken + 1

    async def check(self) -> None:
        if not self.is_held:
            raise PartError("lease_lost")

    async def release(self) -> None:
        self.is_held = False


class Platform:
    """Only what an instance itself needs of a platform."""

    account = "@bot:example.org"

    def __init__(self) -> None:
        self.batches_put: asyncio.Queue[Batch | Exception] = asyncio.Queue()
        self.tokens: list[str | None] = []
        self.connections = 0
        self.failures: list[Exception] = []
        self.never: asyncio.Event | None = None
        self.given_up = 0

    async def batches(self, token: str | None) -> AsyncIterator[Batch]:
        self.tokens.append(token)
        while True:
            found = await self.batches_put.get()
            if isinstance(found, Exception):
                raise found
            yield found

    @asynccontextmanager
    async def connect(self) -> AsyncIterator["Platform"]:
        self.connections += 1
        if self.failures:
            raise self.failures.pop(0)
        if self.never is not None:
            try:
                await self.never.wait()
            except asyncio.CancelledError:
                self.given_up += 1
                raise
        yield self

    def say(self, *events: str) -> None:
        said = tuple(Said(event, "!r", "@anna:example.org", SENT, "Frage") for event in events)
        self.batches_put.put_nowait(Batch(f"after {events[-1]}", said))


class Conversation:
    """Answers one event after the other, each when the gate is open."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.left: dict[str, Noted] = {}
        self.task: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        return len(self.left)

    async def begin(self) -> None:
        self._add(await self.world.inbox.pending())

    async def take(self, batch: Batch) -> None:
        said = [one for one in batch.events if isinstance(one, Said)]
        if any(one.event == "$impossible" for one in said):
            raise ZeroDivisionError
        self._add(await self.world.inbox.take_in(batch.token, [noted(one.event) for one in said]))

    async def look_for_news(self) -> None:
        self.world.looked += 1

    async def close(self, grace: float) -> None:
        self.world.graces.append(grace)
        if self.task is not None:
            await asyncio.wait([self.task], timeout=grace)
            self.task.cancel()

    def _add(self, events: Sequence[Noted]) -> None:
        self.left |= {one.event: one for one in events}
        if self.left and (self.task is None or self.task.done()):
            self.task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self.left:
            await self.world.gate.wait()
            event = next(iter(self.left))
            self.world.dealt.append(event)
            await self.world.inbox.finish(event)
            del self.left[event]


@dataclass
class World:
    inbox: Inbox = field(default_factory=Inbox)
    lease: Lease = field(default_factory=Lease)
    platform: Platform = field(default_factory=Platform)
    metrics: Metrics = field(default_factory=Metrics)
    dealt: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    sides: list[life.Side] = field(default_factory=list)
    prepare: Callable[[], Awaitable[None]] | None = None
    graces: list[float] = field(default_factory=list)
    looked: int = 0

    def __post_init__(self) -> None:
        self.gate.set()

        async def database() -> bool:
            return True

        self.health = Health(database, lambda: self.lease.is_held)

    def life(self) -> Life:
        instance = Instance(
            lease=self.lease,
            inbox=self.inbox,
            connect=self.platform.connect,  # type: ignore[arg-type]
            converse=lambda _: Conversation(self),
            health=self.health,
            metrics=self.metrics,
            fault=self.faults.append,
            sides=self.sides,
            prepare=self.prepare,
        )
        return Life(instance)

    @asynccontextmanager
    async def living(self) -> AsyncIterator[Life]:
        one = self.life()
        running = asyncio.create_task(one.run())
        try:
            yield one
        finally:
            one.stop()
            async with asyncio.timeout(60):
                await running


async def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while True:
        if is_so():
            return
        assert time.monotonic() < deadline
        await asyncio.sleep(0.005)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(life, "WATCH_SECONDS", 0.01)
    monkeypatch.setattr(life, "STOP_SECONDS", 0.2)
    monkeypatch.setattr(life, "pause_before", lambda *_: 0.01)
    monkeypatch.setattr(life, "LOOK_SECONDS", 0.01)
    return World()
