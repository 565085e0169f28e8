"""Work in lanes: order, bounds, patience and an end."""

import asyncio
from collections import defaultdict

import pytest

from bot.chat.lanes import Lanes
from domain.errors import PartError


class Work:
    """Remembers what was done, and how much at once; ``silent`` pieces fail so often."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.at_once = self.most = 0
        self.silent: dict[str, int] = defaultdict(int)
        self.slept: list[float] = []
        self.hold: asyncio.Event | None = None
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    async def do(self, piece: str, attempt: int) -> None:
        self.begun.set()
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            await (self.hold.wait() if self.hold else asyncio.sleep(0))
            if attempt <= self.silent[piece]:
                raise PartError("database")
            self.done.append(piece)
            self.ended.set()
        finally:
            self.at_once -= 1

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


async def test_a_lane_keeps_its_order_and_others_pass_it() -> None:
    """What fails is tried again before what comes after it, with longer and longer pauses."""
    work = Work()
    work.silent["a1"] = 8
    lanes = Lanes[str](work.do, 4, work.sleep)
    for piece in ("a1", "a2", "b1", "b2"):
        lanes.add(piece[0], piece)
    assert lanes.waiting == 4
    await lanes.settle()

    assert [one for one in work.done if one[0] == "a"] == ["a1", "a2"]
    assert work.done[:2] == ["b1", "b2"]
    assert work.slept == [1, 2, 4, 8, 16, 32, 60, 60]
    assert lanes.waiting == 0


async def test_so_much_at_once_and_no_more() -> None:
    """However many rooms ask."""
    work = Work()
    lanes = Lanes[str](work.do, 3, work.sleep)
    for number in range(20):
        lanes.add(str(number), str(number))
    await lanes.settle()

    assert (work.most, len(work.done)) == (3, 20)


async def test_what_lies_for_a_while_takes_nobodys_place() -> None:
    """It waits beside the workers, and goes with the rest when all ends."""
    work, never = Work(), asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await never.wait()

    lanes = Lanes[str](work.do, 1, sleep, lambda piece: 60.0 if piece == "late" else 0.0)
    lanes.add("late", "late")
    lanes.add("room", "now")
    await work.ended.wait()

    assert (work.done, await lanes.close(5)) == (["now"], ())


@pytest.mark.parametrize("ends", [True, False])
async def test_what_is_under_way_may_end_and_else_is_named(*, ends: bool) -> None:
    """Nothing new is begun."""
    work = Work()
    work.hold = asyncio.Event()
    lanes = Lanes[str](work.do, 2, work.sleep)
    lanes.add("a", "a1")
    lanes.add("a", "a2")
    await work.begun.wait()
    if ends:
        asyncio.get_running_loop().call_soon(work.hold.set)
    parked = await lanes.close(5 if ends else 0.01)
    lanes.add("b", "b1")
    await lanes.settle()

    assert (parked, work.done) == (((), ["a1"]) if ends else (("a1",), []))
