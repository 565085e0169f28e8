"""What an instant means: found once, written down, the same for ever."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from domain.asking.admission import Admissions
from domain.asking.values import Ask
from domain.errors import AccessError
from domain.journal.events import AsOfResolved
from domain.mandates.handler import Mandates
from domain.mandates.state import Mandate
from domain.recording import Actor, StreamName
from tests.memory import InMemoryEventStore, InMemoryPeople

OPENED = datetime(2026, 1, 1, tzinfo=UTC)
THEN = OPENED + timedelta(minutes=5)


class Slow(InMemoryEventStore):
    """Another one who asks comes in between whenever a name is looked up; counts the positions asked for."""

    asked = 0

    async def find(self, name: StreamName) -> UUID | None:
        found = await super().find(name)
        await asyncio.sleep(0)
        return found

    async def position_at(self, instant: datetime) -> int:
        self.asked += 1
        return await super().position_at(instant)


class World:
    """Two mandates of Anna's; Ben is a member of neither."""

    def __init__(self) -> None:
        self.time = OPENED
        self.store = Slow(lambda: self.time)
        self.mandates = Mandates(self.store, InMemoryPeople(), uuid4)
        self.anna, self.ben = Actor(uuid4()), Actor(uuid4())

    async def open(self) -> "World":
        for key in ("M", "N"):
            await self.mandates.open(key, None, "Europe/Berlin", self.anna, library=False)
        self.time = OPENED + timedelta(hours=1)
        await self.mandates.admit("M", "cara", "public", self.anna)
        return self

    async def seen(self, key: str = "M", at: datetime | str = THEN, by: Actor | None = None) -> tuple[Mandate, int]:
        text = at if isinstance(at, str) else at.isoformat()
        return await self.mandates.seen(key, (by or self.anna).person, text, self.time)

    async def resolved(self) -> list[tuple[UUID, AsOfResolved, Actor | None]]:
        recorded = await self.store.after(0, 1000)
        return [(one.mandate, one.event, one.actor) for one in recorded if isinstance(one.event, AsOfResolved)]


@pytest.fixture
async def world() -> World:
    return await World().open()


async def test_it_is_recorded_when_first_asked(world: World) -> None:
    """The first look back is written down with who asked; later ones read what stands there."""
    first = await world.seen()
    asked = world.store.asked
    world.time += timedelta(days=1)
    assert await world.seen() == first
    assert await world.seen(at="2026-01-01T01:05:00+01:00") == first
    assert world.store.asked == asked
    assert first[1] == 2
    assert await world.resolved() == [(first[0].id, AsOfResolved(THEN, 2), world.anna)]


async def test_each_mandate_keeps_its_own(world: World) -> None:
    """What was asked in one mandate is not told by the journal of another."""
    one, other = await world.seen("M"), await world.seen("N")
    assert one[1] == other[1]
    assert [mandate for mandate, _, _ in await world.resolved()] == [one[0].id, other[0].id]


async def test_of_two_at_once_both_get_the_same(world: World) -> None:
    """One records, the other reads."""
    positions = {position for _, position in await asyncio.gather(*(world.seen() for _ in range(5)))}
    assert positions == {2}
    assert len(await world.resolved()) == 1


@pytest.mark.parametrize("at", ["2026-01-01", "2026-01-01T02:00:00+01:00", "2025-12-31"])
async def test_the_present_and_what_lies_before_the_mandate_are_not_recorded(world: World, at: str) -> None:
    """Looking at today again and again does not make the journal grow."""
    admissions = Admissions(world.mandates)
    head = await world.store.head()
    for _ in range(3):
        await admissions.admit(Ask("M", world.anna.person, world.anna, "", at=at), world.time)
    await world.mandates.seen("M", world.anna.person, None, world.time)
    assert await world.store.head() == head


def _show(world: World) -> Awaitable[object]:
    return world.seen(by=world.ben)


def _ask(world: World) -> Awaitable[object]:
    ask = Ask("M", world.ben.person, world.ben, "", at=THEN.isoformat())
    return Admissions(world.mandates).admit(ask, world.time)


@pytest.mark.parametrize("look", [_show, _ask])
async def test_nobody_records_by_asking_elsewhere(world: World, look: Callable[[World], Awaitable[object]]) -> None:
    """Somebody who is no member leaves no trace in the mandate's journal."""
    with pytest.raises(AccessError):
        await look(world)
    assert await world.resolved() == []


async def test_a_question_about_the_past_is_recorded_too(world: World) -> None:
    """Looking at the mandate and asking in it resolve the same instant once."""
    ask = Ask("M", world.anna.person, world.anna, "", at=THEN.isoformat())
    admission = await Admissions(world.mandates).admit(ask, world.time)
    assert (admission.at, admission.position) == (THEN, (await world.seen())[1])
    assert len(await world.resolved()) == 1
