"""Incidents with a real homeserver and another client that encrypts: keys that are late, commands that are forged."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.chat.conversation import UNREADABLE_PREFIX
from tests.matrix.house import MANDATE, House
from tests.matrix.js_client import JsClient
from tests.matrix.meddler import Call
from tests.matrix.person import PATIENCE
from tests.matrix.scene import MONTHS, NOTICE, Tally, body

pytestmark = [pytest.mark.synapse, pytest.mark.node, pytest.mark.asyncio(loop_scope="session")]


@asynccontextmanager
async def held_keys(home: House) -> AsyncIterator[asyncio.Event]:
    """Hold back what is sent to our device, until the event is set and the homeserver answers again."""
    held: list[Any] = []
    come = asyncio.Event()

    async def hold(call: Call, answer: Any) -> Any:
        if call.is_sync:
            held.extend(answer.get("to_device", {}).get("events", []))
            answer["to_device"] = {"events": list(held) if come.is_set() else []}
            if come.is_set():
                held.clear()
        return answer

    async with home.meddler.after(hold):
        yield come


async def _unread(home: House, event: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while await home.bot.inbox.noted(UNREADABLE_PREFIX + event) is None:  # noqa: ASYNC110 - another process notes it
            await asyncio.sleep(0.05)


async def test_the_key_of_a_question_comes_late(home: House, client_of_anna: JsClient) -> None:
    """It is answered when the key is there, once, and nothing is said of the wait when that would be over."""
    await home.bot.restart(key_seconds=3600.0)
    scene = await home.room(home.ben, is_encrypted=True, history="joined")
    async with held_keys(home) as come:
        asked = await client_of_anna.send(scene.room, f"Fundstelle: {NOTICE}", mentions=[home.bot.id])
        await _unread(home, asked)
        come.set()
        await home.ben.react(scene.room, asked, "👀")
        (answer,) = await client_of_anna.await_reply(scene.room, asked, home.bot.id)
    await home.bot.restart(key_seconds=0.0)
    await home.bot.idle()
    assert MONTHS in body(answer)
    assert len(await client_of_anna.events(scene.room, sender=home.bot.id)) == 1
    assert home.asked() == scene.before + 1
    await home.bot.kill()


async def test_the_key_of_a_question_never_comes(home: House, client_of_anna: JsClient) -> None:
    """After a while it is said that it cannot be read, once, however many there are; nothing is recorded."""
    await home.bot.restart(key_seconds=0.5)
    scene = await home.room(home.ben, is_encrypted=True, history="joined")
    async with held_keys(home):
        for _ in range(2):
            asked = await client_of_anna.send(scene.room, f"Fundstelle: {NOTICE}", mentions=[home.bot.id])
            await _unread(home, asked)
        (notice,) = await client_of_anna.await_in(scene.room, sender=home.bot.id, readable=True)
        await home.bot.idle()
    assert notice["content"]["msgtype"] == "m.notice"
    assert len(await client_of_anna.events(scene.room, sender=home.bot.id)) == 1
    assert home.asked() == scene.before
    await home.bot.kill()


async def test_a_command_that_the_homeserver_could_have_written_changes_nothing(
    home: House, client_of_anna: JsClient
) -> None:
    """In plain text, in whatever room: what to do is said; encrypted, from her confirmed device, it counts."""
    assert "taken from the homeserver" in home.bot.told()
    await home.bot.restart(trust_homeserver=False)
    scene = await home.room(is_encrypted=True, history="joined")
    beside = await home.room()
    admits = f"!mitglied {home.mallory.id} public"
    forged = await scene.command(admits)
    (told,) = await client_of_anna.await_in(scene.room, sender=home.bot.id, thread=forged, readable=True)
    assert "bestätigten Sitzung" in body(told)
    assert await beside.settled(await beside.command(admits)) == Tally(notices=1)
    assert await _is_member(home, home.mallory.id) is False
    meant = await client_of_anna.send(scene.room, admits)
    await client_of_anna.await_in(scene.room, sender=home.bot.id, thread=meant, readable=True)
    assert await _is_member(home, home.mallory.id) is True
    await home.app.mandates.remove(MANDATE, home.mallory.id, await home.actor(home.anna))
    await home.bot.kill()


async def _is_member(home: House, person: str) -> bool:
    mandate = await home.app.mandates.find(MANDATE)
    return person in (await home.app.people.names(list(mandate.members))).values()
