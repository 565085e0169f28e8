"""Incidents with a real homeserver, the real instance and its database: what it needs is gone, or refuses."""

import asyncio
import os
import signal
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web

from adapters.postgres import roles
from tests.matrix.house import House, unspoken
from tests.matrix.meddler import Call, CutError, refusal
from tests.matrix.scene import ANSWERED, MONTHS, PERCENT, body
from tests.servers import postmaster_pid

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("is_up", [True, False], ids=["at work", "down"])
async def test_the_session_is_ended(home: House, *, is_up: bool) -> None:
    """Somebody logs all our devices out: we log in again with the same one, and nothing is lost."""
    scene = await home.room(home.ben)
    if not is_up:
        await home.bot.kill()
    asked = await scene.ask() if not is_up else None
    await home.bot.log_out()
    if not is_up:
        await home.bot.start()
    asked = asked or await scene.ask()
    assert await scene.answer(asked, patience=60.0)
    assert await scene.settled(asked) == ANSWERED


async def test_the_session_ends_in_the_moment_of_the_answer(home: House) -> None:
    """The homeserver refuses the answer itself with M_UNKNOWN_TOKEN, once: it comes all the same, once."""
    scene = await home.room(home.ben)
    refused: list[Call] = []

    async def refuse(call: Call) -> web.Response | None:
        if call.is_send and scene.room in call.path and not refused:
            refused.append(call)
            return refusal(401, "M_UNKNOWN_TOKEN", soft_logout=False)
        return None

    async with home.meddler.before(refuse):
        asked = await scene.ask()
        assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED
    assert refused


async def test_the_reply_to_our_answer_is_lost(home: House) -> None:
    """It stands in the room, and nobody has told us: it is sent again, and stands there once."""
    scene = await home.room(home.ben)
    lost: list[Call] = []

    async def lose(call: Call, answer: Any) -> Any:
        if call.is_send and scene.room in call.path and not lost:
            lost.append(call)
            raise CutError
        return answer

    async with home.meddler.after(lose):
        asked = await scene.ask()
        assert await scene.settled(asked) == ANSWERED
    assert lost


async def test_the_homeserver_limits_our_rate(home: House) -> None:
    """Its own limit, one message a second: three answers that are ready at once come, each once, as it lets them."""
    scenes = [await home.room(home.ben) for _ in range(3)]
    await _limit(home, {"messages_per_second": 1, "burst_count": 1})
    async with home.meddler.gate() as gate:
        asked = [await scene.ask() for scene in scenes]
        await gate.reached(len(scenes))
    for scene, question in zip(scenes, asked, strict=True):
        await scene.answer(question, patience=60.0)
    await _limit(home, {"messages_per_second": 0, "burst_count": 0})
    for scene, question in zip(scenes, asked, strict=True):
        tally = await scene.settled(question)
        assert (tally.answers, tally.runs, tally.notices, tally.elsewhere) == (1, 1, 0, 0)
    assert 429 in home.meddler.statuses


async def _limit(home: House, limits: dict[str, int]) -> None:
    await home.root.call("POST", f"/_synapse/admin/v1/users/{home.bot.id}/override_ratelimit", limits)


@pytest.mark.parametrize("years", [-30, 30])
async def test_the_clock_of_the_homeserver_is_wrong(home: House, years: int) -> None:
    """By decades: what is new is told by its place in the stream and by nothing else."""
    scene = await home.room(home.ben)

    async def shift(call: Call, answer: Any) -> Any:
        return _shifted(answer, years * 31_536_000_000) if call.is_sync or "/event/" in call.path else answer

    async with home.meddler.after(shift):
        asked = await scene.ask()
        assert MONTHS in body(await scene.answer(asked))
        assert await scene.settled(asked) == ANSWERED


def _shifted(answer: Any, milliseconds: int) -> Any:
    if isinstance(answer, list):
        return [_shifted(one, milliseconds) for one in answer]
    if isinstance(answer, dict):
        shifted = {key: _shifted(value, milliseconds) for key, value in answer.items()}
        if "origin_server_ts" in shifted:
            shifted["origin_server_ts"] += milliseconds
        return shifted
    return answer


async def test_the_homeserver_is_down(home: House) -> None:
    """For longer than a request is waited for: what was asked before is answered once it is back, by itself."""
    await home.bot.restart(server_patience=1.0)
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        await asyncio.to_thread(home.synapse.stop)
    await home.bot.says("the Matrix server does not answer")
    await asyncio.to_thread(home.synapse.start)
    assert await scene.answer(asked, patience=60.0)
    assert await scene.settled(asked) == ANSWERED
    await home.bot.kill()


async def test_the_homeserver_holds_nothing_back(home: House) -> None:
    """It answers at once, with the same place and nothing in it: it is asked less and less often, and then heard."""
    scene = await home.room(home.ben)
    loop, asked_at = asyncio.get_running_loop(), list[float]()

    async def idle(call: Call) -> web.Response | None:
        if not call.is_sync or "since" not in call.query or len(asked_at) >= 5:
            return None
        asked_at.append(loop.time())
        return web.json_response({"next_batch": call.query["since"]})

    await home.bot.kill()
    async with home.meddler.before(idle):
        await home.bot.start(at_once=3600.0)
        asked = await scene.ask()
        assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED
    await home.bot.kill()
    pauses = [after - before for before, after in pairwise(asked_at)]
    assert all(pause >= least for pause, least in zip(pauses[1:], (0.25, 0.5, 1.0), strict=True))


async def test_two_instances_have_the_same_account(home: House) -> None:
    """One answers and the other waits; when the first dies in the middle of an answer, the other one gives it."""
    scene = await home.room(home.ben)
    first = home.bot.pid
    second = home.beside(home.bot)
    await second.start(is_ready=False)
    await second.ready(is_it=False)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        await home.bot.kill()
    await second.ready()
    assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED
    assert first != second.pid
    await second.kill()


async def test_the_lease_is_lost_in_mid_answer(home: House) -> None:
    """The database ends the session that is the lease: nothing is said before it is ours again, and then once."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        with roles.connect(home.app.database.admin) as connection:
            ended = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
            ).fetchall()
    assert ended
    assert await scene.answer(asked, patience=60.0)
    assert await scene.settled(asked) == ANSWERED


async def test_the_database_is_restarted_in_mid_answer(home: House) -> None:
    """Killed, and started again by whoever needs it: the run is taken up, and answered once."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask()
        await gate.reached()
        server = postmaster_pid(home.data)
        assert server is not None
        os.kill(server, signal.SIGKILL)
    assert await scene.answer(asked, patience=60.0)
    assert await scene.settled(asked) == ANSWERED


async def test_the_store_of_the_device_is_lost(home: House) -> None:
    """A new device answers what was asked meanwhile, and whoever looks after us is told of it."""
    scene = await home.room(home.ben)
    await home.bot.kill()
    asked = await scene.ask()
    for file in (home.bot.folder / "matrix").glob("*.db"):
        file.unlink()
    await home.bot.start()
    assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED
    direct = await home.bot.direct_room(home.eve)
    await home.bot.person.await_in(direct, lambda one: one["type"] == "m.room.encrypted")


async def test_our_place_in_the_stream_is_unknown(home: House) -> None:
    """The homeserver refuses the token as one that it never gave: we begin anew and answer what comes from then on."""
    scene = await home.room(home.ben)
    refused: list[Call] = []

    async def refuse(call: Call) -> web.Response | None:
        if call.is_sync and "since" in call.query and not refused:
            refused.append(call)
            return refusal(400, "M_INVALID_PARAM")
        return None

    await home.bot.kill()
    async with home.meddler.before(refuse):
        await home.bot.start()
        await home.bot.says("starting anew from now")
        asked = await scene.ask()
        assert await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED


async def test_the_log_tells_nothing_of_what_was_said(home: House) -> None:
    """After all this: neither questions nor answers, nor who asked."""
    words = ("Kündigungsfrist", "Nachlass", MONTHS, PERCENT, home.anna.id, home.ben.id)
    assert unspoken(home.bot.told(), words) == []
