"""Incidents with a real homeserver and the real instance: it dies, or is stopped, at any moment of an answer."""

import asyncio
from typing import Any

import pytest
from aiohttp import web

from tests.matrix.house import House
from tests.matrix.js_client import JsClient
from tests.matrix.meddler import Call, CutError
from tests.matrix.person import PATIENCE
from tests.matrix.scene import ANSWERED, DISCOUNT, MONTHS, NOTICE, PERCENT, body

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]

CALLS = 5
"""Requests between a question and the end of its answer in a room without encryption: it is read, the room looked at
three times, the answer sent."""


@pytest.mark.parametrize("number", range(CALLS))
async def test_death_at_a_request(home: House, number: int) -> None:
    """Killed when the homeserver has done what it was asked for, and nobody has heard of it: one answer in the end."""
    scene = await home.room(home.ben)
    left = number

    async def kill(call: Call, answer: Any) -> Any:
        nonlocal left
        if scene.room in call.path and left >= 0:
            left -= 1
            if left < 0:
                home.bot.kill_now()
                raise CutError
        return answer

    async with home.meddler.after(kill):
        asked = await scene.ask()
        assert await asyncio.wait_for(home.bot.buried(), PATIENCE) == -9
    await home.bot.start()
    assert MONTHS in body(await scene.answer(asked))
    assert await scene.settled(asked) == ANSWERED


async def test_death_before_the_answer_is_sent(home: House) -> None:
    """Killed when the request lies with the homeserver and nothing is done yet."""
    scene = await home.room(home.ben)

    async def kill(call: Call) -> web.Response | None:
        if call.is_send and scene.room in call.path:
            home.bot.kill_now()
            raise CutError
        return None

    async with home.meddler.before(kill):
        asked = await scene.ask()
        await asyncio.wait_for(home.bot.buried(), PATIENCE)
    await home.bot.start()
    assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED


@pytest.mark.node
@pytest.mark.parametrize("moment", ["shared", "sending", "sent"])
async def test_death_between_key_and_answer(home: House, client_of_anna: JsClient, moment: str) -> None:
    """Killed when the key of an encrypted room is shared, before the answer is sent with it, and when it is sent.

    The next process makes another key. One answer, and a client that trusts confirmed devices alone reads it.
    """
    scene = await home.room(home.ben, is_encrypted=True, history="joined")

    async def die(call: Call, *, is_over: bool) -> None:
        is_key = call.path.startswith("sendToDevice/m.room.encrypted/")
        is_answer = call.is_send and scene.room in call.path
        if {"shared": is_key and is_over, "sending": is_answer, "sent": is_answer and is_over}[moment]:
            home.bot.kill_now()
            raise CutError

    async def before(call: Call) -> web.Response | None:
        await die(call, is_over=False) if moment == "sending" else None
        return None

    async def after(call: Call, answer: Any) -> Any:
        await die(call, is_over=True)
        return answer

    async with home.meddler.before(before), home.meddler.after(after):
        asked = await client_of_anna.send(scene.room, f"Fundstelle: {NOTICE}", mentions=[home.bot.id])
        assert await asyncio.wait_for(home.bot.buried(), PATIENCE) == -9
    await home.bot.start()
    (answer,) = await client_of_anna.await_reply(scene.room, asked, home.bot.id)
    await home.bot.idle()
    assert MONTHS in body(answer)
    assert (answer["is_encrypted"], answer["shield"]) == (True, "none")
    assert len(await client_of_anna.events(scene.room, sender=home.bot.id)) == 1
    assert home.asked() == scene.before + 1


async def test_death_while_an_answer_is_verified(home: House) -> None:
    """The run is taken up where it was left, and not begun anew."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask(DISCOUNT)
        await gate.reached()
        await home.bot.kill()
    await home.bot.start()
    assert PERCENT in body(await scene.answer(asked))
    assert await scene.settled(asked) == ANSWERED
    recorded = await home.recorded(home.bot.run_of(asked))
    assert recorded.count("RunResumed") == 1


async def test_death_when_progress_is_shown(home: House) -> None:
    """The next process lets the notice of the one that died lead to the answer; both go with the question."""
    scene = await home.room(home.ben)
    await home.bot.restart(patience=0.0)
    async with home.meddler.gate() as gate:
        asked = await scene.ask(DISCOUNT)
        await gate.reached()
        await home.anna.await_in(scene.room, lambda one: one["content"].get("msgtype") == "m.notice")
        await home.bot.kill()
    await home.bot.start()
    answer = await scene.answer(asked)
    tally = await scene.settled(asked)
    assert (tally.answers, tally.notices, tally.runs) == (1, 1, 1)
    edits = [one for one in await scene.ours() if "m.new_content" in one["content"]]
    assert answer["event_id"] in str(edits[-1]["content"]["m.new_content"])
    await home.anna.redact(scene.room, asked)
    await scene.settle()
    assert [
        one for one in await scene.ours() if "body" in one["content"] and "m.new_content" not in one["content"]
    ] == []


async def test_a_stop_lets_an_answer_end(home: House) -> None:
    """Asked to end while an answer is verified: it is finished, and the exit code is that of a good end."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        stopping = asyncio.create_task(home.bot.stop())
        await asyncio.sleep(0)
    assert await stopping == 0
    await home.bot.start()
    assert await scene.settled(asked) == ANSWERED


async def test_a_second_signal_ends_it_at_once(home: House) -> None:
    """Whoever does not want to wait for the answer asks twice; the next process gives it."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        stopping = asyncio.create_task(home.bot.stop())
        await home.bot.ready(is_it=False)
        home.bot.terminate()
        assert await stopping != 0
    await home.bot.start()
    assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED


async def test_fifty_messages_are_missed(home: House) -> None:
    """More than the homeserver hands out at once: the question among them is answered, and nothing else."""
    scene = await home.room(home.ben)
    await home.bot.kill()
    asked = await scene.ask()
    for number in range(50):
        await home.ben.send(scene.room, f"Nachricht {number}")
    await home.bot.start()
    assert MONTHS in body(await scene.answer(asked))
    assert await scene.settled(asked) == ANSWERED
