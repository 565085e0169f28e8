"""Incidents with a real homeserver and the real instance: the clock of our own machine is set while it is at work."""

import asyncio

import pytest
from aiohttp import web

from tests.matrix.house import House
from tests.matrix.meddler import Call, refusal
from tests.matrix.person import PATIENCE
from tests.matrix.scene import ANSWERED, MONTHS, body

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]

HOURS = pytest.mark.parametrize("hours", [-1, 1], ids=["back", "forward"])


@HOURS
async def test_our_clock_is_set_in_mid_answer(home: House, hours: int) -> None:
    """While an answer is verified, and back again before the next: each question is answered once."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        with home.bot.clock_set(hours):
            gate.is_open.set()
            assert MONTHS in body(await scene.answer(asked))
            assert await scene.settled(asked) == ANSWERED
    again = await scene.ask()
    await scene.answer(again)
    assert (await scene.settled(again)).answers == 1


@HOURS
async def test_our_clock_is_set_in_a_pause(home: House, hours: int) -> None:
    """The homeserver does not take the answer at first: no pause becomes an hour, and none is passed over."""
    scene = await home.room(home.ben)
    refused: list[Call] = []

    async def refuse(call: Call) -> web.Response | None:
        if call.is_send and scene.room in call.path and len(refused) < 3:
            refused.append(call)
            return refusal(429, "M_LIMIT_EXCEEDED", retry_after_ms=200)
        return None

    async with home.meddler.before(refuse):
        asked = await scene.ask()
        async with asyncio.timeout(PATIENCE):
            while not refused:  # noqa: ASYNC110 - another process asks
                await asyncio.sleep(0.02)
        with home.bot.clock_set(hours):
            await scene.answer(asked)
            assert await scene.settled(asked) == ANSWERED
    assert len(refused) == 3


@HOURS
async def test_our_clock_is_set_while_another_instance_waits(home: House, hours: int) -> None:
    """The lease is a session of the database and no span of time: it stays where it is, and moves with a death."""
    scene = await home.room(home.ben)
    second = home.beside(home.bot)
    await second.start(is_ready=False)
    await second.ready(is_it=False)
    with home.bot.clock_set(hours):
        asked = await scene.ask()
        await scene.answer(asked)
        assert ((await home.bot.get("/readyz"))[0], (await second.get("/readyz"))[0]) == (200, 503)
        await home.bot.kill()
        await second.ready()
        assert await scene.settled(asked) == ANSWERED
    await second.kill()
