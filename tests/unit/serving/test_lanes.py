"""Events are dealt with a few at a time, in a room one after the other, and again when a part was down."""

import asyncio

import pytest

from bot.serving import lanes
from bot.serving.lanes import MOST_TRIES, Lanes, pause_before
from domain.errors import PartError
from domain.inbox import Noted
from tests.unit.serving.conftest import noted, until


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "pause_before", lambda *_: 0.001)


async def test_a_room_goes_in_order_and_rooms_side_by_side() -> None:
    """At most as many at once as there are places, and never two of one room."""
    now: list[str] = []
    seen: list[tuple[str, ...]] = []
    ended: list[str] = []

    async def deal(event: Noted) -> None:
        now.append(event.room)
        seen.append(tuple(now))
        await asyncio.sleep(0.002)
        now.remove(event.room)
        ended.append(event.event)

    waiting = Lanes(deal, pytest.fail, at_a_time=2)
    waiting.add(noted(f"{room}{number}", room) for number in range(4) for room in "abc")
    assert waiting.pending == 12
    await until(lambda: waiting.pending == 0)
    assert max(map(len, seen)) == 2
    assert all(len(set(rooms)) == len(rooms) for rooms in seen)
    for room in "abc":
        assert [event for event in ended if event[0] == room] == [f"{room}{number}" for number in range(4)]


async def test_the_same_event_waits_once() -> None:
    """It is taken again only after it has been dealt with."""
    dealt: list[str] = []

    async def deal(event: Noted) -> None:
        dealt.append(event.event)

    waiting = Lanes(deal, pytest.fail)
    waiting.add([noted("$a"), noted("$a")])
    waiting.add([noted("$a")])
    await until(lambda: waiting.pending == 0)
    assert dealt == ["$a"]


async def test_a_part_that_is_down_is_waited_for() -> None:
    """However often it fails; what waits in the room comes after, and other rooms go on."""
    dealt: list[str] = []
    errors: list[Exception] = [PartError("encoder")] * (MOST_TRIES + 2)
    told: list[Exception] = []

    async def deal(event: Noted) -> None:
        if event.event == "$a" and errors:
            raise errors.pop()
        dealt.append(event.event)

    waiting = Lanes(deal, told.append)
    waiting.add([noted("$a"), noted("$b"), noted("$c", "!other")])
    await until(lambda: waiting.pending == 0)
    assert dealt == ["$c", "$a", "$b"]
    assert len(told) == MOST_TRIES + 2


async def test_a_fault_that_nobody_foresaw_stops_nobody() -> None:
    """It is told each time, left after a few tries, and the next one comes."""
    dealt: list[str] = []
    told: list[Exception] = []

    async def deal(event: Noted) -> None:
        if event.event == "$a":
            raise ZeroDivisionError
        dealt.append(event.event)

    waiting = Lanes(deal, told.append)
    waiting.add([noted("$a"), noted("$b")])
    await until(lambda: waiting.pending == 0)
    assert dealt == ["$b"]
    assert [type(error) for error in told] == [ZeroDivisionError] * MOST_TRIES


async def test_closing_waits_for_no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits to be tried again is left at once, and what comes later is not taken."""
    monkeypatch.setattr(lanes, "pause_before", lambda *_: 60.0)
    told: list[Exception] = []

    async def deal(_event: Noted) -> None:
        raise PartError("encoder")

    waiting = Lanes(deal, told.append)
    waiting.add([noted("$a"), noted("$b")])
    await until(lambda: bool(told))
    async with asyncio.timeout(2):
        assert await waiting.close(60) == 2
    waiting.add([noted("$c")])
    assert waiting.pending == 2


def test_pauses_grow_up_to_a_bound_and_are_never_alike() -> None:
    """So that instances that failed together do not come back together."""
    assert 0.25 <= pause_before(1) <= 0.5
    assert 15 <= pause_before(50) <= 30
    assert 15 <= pause_before(10_000) <= 30
    assert len({pause_before(3) for _ in range(10)}) > 1
