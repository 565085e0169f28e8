"""An instance waits, connects, answers, begins again when something breaks, and ends when it is asked to."""

import asyncio

import pytest

from bot.chat.incoming import Batch
from bot.chat.ports import Platform
from bot.serving import life as life_module
from bot.serving.life import pause_before
from domain.errors import AccessError, InputError, PartError
from tests.unit.serving.conftest import World, noted, until


async def test_what_comes_in_is_answered(world: World) -> None:
    """Once each, in order, from the place on where the account stood."""
    world.inbox.place = "before"
    async with world.living() as life:
        world.platform.say("$a", "$b")
        world.platform.say("$b", "$c")
        await until(lambda: life.pending == 0 and len(world.dealt) == 3)
        assert all((await world.health.look()).values())
    assert world.dealt == ["$a", "$b", "$c"]
    assert world.platform.tokens == ["before"]
    assert world.inbox.place == "after $c"
    assert world.faults == []


async def test_what_was_left_is_answered_first(world: World) -> None:
    """What an instance before us noted and did not finish."""
    await world.inbox.take_in("s1", [noted("$old")])
    async with world.living():
        await until(lambda: world.dealt == ["$old"])


async def test_nothing_happens_without_the_lease(world: World) -> None:
    """Whoever waits neither connects nor is ready; and can be stopped."""
    world.lease.is_free.clear()
    async with world.living():
        await asyncio.sleep(0.05)
        assert world.platform.connections == 0
        assert (await world.health.look())["lease"] is False
    assert world.dealt == []


async def test_whoever_is_not_prepared_does_not_answer(world: World) -> None:
    """Another instance may have the account meanwhile; what cannot be had yet is told, and waited for no longer."""
    is_prepared = asyncio.Event()

    async def prepare() -> None:
        await is_prepared.wait()
        raise PartError("model_server")

    world.prepare = prepare
    async with world.living():
        await asyncio.sleep(0.05)
        assert (world.lease.taken, (await world.health.look())["lease"]) == (0, False)
        is_prepared.set()
        await until(lambda: world.platform.connections == 1)
    assert [str(error) for error in world.faults] == ["model_server()"]


async def test_an_end_does_not_wait_for_what_is_being_prepared(world: World) -> None:
    """Reading large models takes a while."""
    world.prepare = asyncio.Event().wait  # type: ignore[assignment]
    async with world.living():
        await asyncio.sleep(0)
    assert (world.lease.taken, world.faults) == (0, [])


async def test_an_end_does_not_wait_for_a_platform_that_is_away(world: World) -> None:
    """It is asked for half a minute and more; what was begun of the connection is given up, and the lease too."""
    world.platform.never = asyncio.Event()
    async with world.living():
        await until(lambda: world.platform.connections == 1)
    assert (world.platform.given_up, world.lease.is_held, world.faults) == (1, False, [])


async def test_a_lost_lease_ends_the_answering(world: World) -> None:
    """The connection is given up at once, what was begun is cut off, and the lease applied for anew."""
    world.gate.clear()
    async with world.living():
        world.platform.say("$a")
        await until(lambda: len(world.inbox.events) == 1)
        world.lease.is_free.clear()
        world.lease.is_held = False
        await until(lambda: bool(world.faults))
        assert world.dealt == []
        assert world.platform.connections == 1
        world.gate.set()
        world.lease.is_free.set()
        await until(lambda: world.dealt == ["$a"])
    assert [str(error) for error in world.faults] == ["lease_lost()"]
    assert world.platform.connections == world.lease.taken == 2


async def test_a_broken_connection_is_made_anew(world: World) -> None:
    """As often as it takes, whatever broke it; nothing is answered twice."""
    world.platform.failures = [PartError("matrix_unreachable"), RuntimeError("unforeseen")]
    async with world.living():
        await until(lambda: world.platform.connections == 3)
        world.platform.say("$a")
        world.platform.batches_put.put_nowait(PartError("matrix_unreachable"))
        await until(lambda: world.platform.connections == 4)
        world.platform.say("$a")
        world.platform.say("$b")
        await until(lambda: world.dealt == ["$a", "$b"])
    assert [type(error).__name__ for error in world.faults] == ["PartError", "RuntimeError", "PartError"]
    assert world.platform.tokens == [None, "after $a"]


async def test_what_somebody_has_to_set_right_is_told_at_the_start(world: World) -> None:
    """It ends the instance, which lets go of the lease."""
    world.platform.failures = [InputError("matrix_keys_lost")]
    with pytest.raises(InputError, match="matrix_keys_lost"):
        await world.life().run()
    assert not world.lease.is_held


async def test_what_goes_wrong_later_is_waited_out(world: World) -> None:
    """Whoever has been connected stays, and so does who may not come in for now."""
    world.platform.failures = [AccessError()]
    async with world.living():
        await until(lambda: world.platform.connections == 2)
        world.platform.failures = [InputError("matrix_keys_lost")]
        world.platform.batches_put.put_nowait(PartError("matrix_unreachable"))
        await until(lambda: world.platform.connections == 4)
    assert [error.key for error in world.faults] == ["access", "matrix_unreachable", "matrix_keys_lost"]


async def test_an_event_that_nobody_foresaw_stops_nobody(world: World) -> None:
    """What came with it is answered, the place goes on behind it, and the fault is told."""
    async with world.living() as life:
        world.platform.say("$a", "$impossible", "$b")
        world.platform.say("$c")
        await until(lambda: life.pending == 0 and len(world.dealt) == 3)
    assert world.dealt == ["$a", "$b", "$c"]
    assert world.inbox.place == "after $c"
    assert [type(error) for error in world.faults] == [ZeroDivisionError] * 2
    assert world.platform.connections == 1


async def test_a_question_in_work_may_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks us to stop waits a moment for it, and is told meanwhile that we are not ready any more."""
    monkeypatch.setattr(life_module, "STOP_SECONDS", 60.0)
    world.gate.clear()
    async with world.living() as life:
        world.platform.say("$a")
        await until(lambda: life.pending == 1)
        life.stop()
        assert (await world.health.look())["running"] is False
        await asyncio.sleep(0.02)
        world.gate.set()
    assert world.dealt == ["$a"]
    assert world.graces == [60.0]


async def test_a_question_that_takes_too_long_is_parked(world: World) -> None:
    """It is cut off, and pending for the next start."""
    world.gate.clear()
    async with world.living():
        world.platform.say("$a")
        await until(lambda: len(world.inbox.events) == 1)
    assert world.dealt == []
    assert await world.inbox.pending() == (noted("$a"),)
    assert not world.lease.is_held


async def test_changes_of_sources_are_looked_for(world: World) -> None:
    """Again and again, since other processes take documents in."""
    async with world.living():
        await until(lambda: world.looked > 2)


def test_pauses_grow_up_to_a_bound_and_are_never_alike() -> None:
    """So that instances that failed together do not come back together."""
    assert 0.25 <= pause_before(1) <= 0.5
    assert 30 <= pause_before(50) <= 60
    assert 30 <= pause_before(10_000) <= 60
    assert len({pause_before(3) for _ in range(10)}) > 1


async def test_empty_batches_show_that_the_platform_is_there(world: World) -> None:
    """Its age is told from the last of them, and there is none without a connection."""
    assert world.health.silence == float("inf")
    async with world.living():
        world.platform.batches_put.put_nowait(Batch("s1", ()))
        await until(lambda: world.health.silence < 1)
        assert b"fundstelle_pending 0.0" in world.metrics.text()
    assert world.health.silence == float("inf")


async def test_what_is_done_beside_goes_with_the_connection(world: World) -> None:
    """It begins with each and ends with it."""
    begun: list[str] = []

    async def side(platform: Platform) -> None:
        begun.append(platform.account)
        try:
            await asyncio.sleep(60)
        finally:
            begun.append("ended")

    world.sides.append(side)
    async with world.living():
        await until(lambda: begun == ["@bot:example.org"])
    assert begun == ["@bot:example.org", "ended"]
