"""Incidents in rooms of a real homeserver while an answer is being verified: who may read it is asked once more."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.matrix.house import MANDATE, House
from tests.matrix.js_client import JsClient
from tests.matrix.person import Person
from tests.matrix.scene import ANSWERED, DISCOUNT, MILLIONS, MONTHS, PERCENT, PRICE, Scene, Tally, body

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]

MOVED = Tally(notices=1, runs=1, end="AnswerDelivered")
GONE = Tally(runs=1, end="AnswerDelivered")


@asynccontextmanager
async def verifying(home: House, scene: Scene, text: str, by: Person | None = None) -> AsyncIterator[str]:
    """Ask, and hold the verification of the answer up as long as the block runs; the value is the question."""
    async with home.meddler.gate() as gate:
        asked = await scene.ask(text, by=by)
        await gate.reached()
        yield asked


@pytest.mark.node
async def test_somebody_who_may_see_less_comes_in(home: House, client_of_anna: JsClient) -> None:
    """The answer goes to whoever asked, alone, who can read it and open its source; the thread says where it is."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.anna.invite(scene.room, home.cara.id)
        await home.cara.join(scene.room)
    assert await scene.settled(asked) == MOVED
    assert PERCENT not in await scene.bodies()
    direct = await home.bot.direct_room(home.anna)
    await home.anna.join(direct)
    said = await client_of_anna.await_in(direct, sender=home.bot.id, readable=True, count=2)
    while PERCENT not in body(said[-1]):  # the room may be older than the question
        said = await client_of_anna.await_in(direct, sender=home.bot.id, readable=True, count=len(said) + 1)
    assert all(event["is_encrypted"] for event in said[-2:])
    await client_of_anna.send(direct, "!quelle S1", replies_to=said[-1]["event_id"])
    *_, opened = await client_of_anna.await_in(direct, sender=home.bot.id, readable=True, count=len(said) + 1)
    assert PERCENT in body(opened).partition("@1:")[0]


@pytest.mark.parametrize("who", ["cara", "mallory"])
async def test_somebody_who_may_see_less_is_invited(home: House, who: str) -> None:
    """Though they have not come yet: they could read it once they do. So too for somebody whom nobody knows."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.anna.invite(scene.room, getattr(home, who).id)
    assert await scene.settled(asked) == MOVED
    assert PERCENT not in await scene.bodies()


async def test_somebody_behind_a_bridge_is_there(home: House) -> None:
    """Whoever is in no mandate hears nothing, however they come in; nothing is asked and nothing recorded."""
    bridged = home.synapse.register("telegram_4711", display_name="Anna")
    scene = await home.room(home.ben, bridged)
    asked = await scene.ask(by=home.ben)
    assert await scene.settled(asked) == Tally(notices=1)
    assert MONTHS not in await scene.bodies()
    await home.anna.kick(scene.room, bridged.id)
    again = await scene.ask(by=home.ben)
    await scene.answer(again)
    assert (await scene.settled(again)).answers == 1


async def test_whoever_asked_is_put_out_of_the_mandate(home: House) -> None:
    """Nobody sees the answer, and the thread says that it is withheld."""
    gone = home.synapse.register("gone")
    await home.admit(gone, "internal")
    scene = await home.room(gone)
    async with verifying(home, scene, DISCOUNT, gone) as asked:
        await home.app.mandates.remove(MANDATE, gone.id, await home.actor(home.anna))
    assert await scene.settled(asked) == MOVED
    assert PERCENT not in await scene.bodies()
    assert await gone.invitations() == []


async def test_a_clearance_is_lowered(home: House) -> None:
    """Of somebody else in the room: what they may not see any more is not shown there."""
    dora = home.synapse.register("dora")
    await home.admit(dora, "internal")
    scene = await home.room(dora)
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.app.mandates.clear(MANDATE, dora.id, "public", await home.actor(home.anna))
    assert await scene.settled(asked) == MOVED
    assert PERCENT not in await scene.bodies()


async def test_the_binding_is_taken_away(home: House) -> None:
    """The room belongs to no mandate any more, so nothing of one is shown there."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.app.mandates.unbind(scene.room, await home.actor(home.anna))
    assert await scene.settled(asked) == MOVED
    assert PERCENT not in await scene.bodies()


async def test_the_room_becomes_encrypted(home: House) -> None:
    """The answer comes encrypted, and the homeserver reads nothing of it."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.anna.encrypt(scene.room)
    await scene.settle()
    ours = await scene.ours()
    assert [event["type"] for event in ours] == ["m.room.encrypted"]
    assert await home.recorded(home.bot.run_of(asked)) != []
    assert home.asked() == scene.before + 1
    assert PERCENT not in await scene.bodies()


@pytest.mark.node
@pytest.mark.parametrize("history", ["shared", "world_readable"])
async def test_the_history_is_opened(home: House, client_of_anna: JsClient, history: str) -> None:
    """Of a protected room: what later ones would read and may not is not shown there any more."""
    scene = await home.room(home.eve, is_encrypted=True, history="joined")
    before = scene.before
    async with home.meddler.gate() as gate:
        asked = await client_of_anna.send(scene.room, f"Fundstelle: {PRICE}", mentions=[home.bot.id])
        await gate.reached()
        await home.anna.set_state(scene.room, "m.room.history_visibility", {"history_visibility": history})
    said = await client_of_anna.await_in(scene.room, sender=home.bot.id, readable=True)
    await home.bot.idle()
    assert [event["content"]["msgtype"] for event in said] == ["m.notice"]
    assert MILLIONS not in str(said)
    assert home.asked() == before + 1
    assert asked


async def test_it_is_put_out_of_the_room(home: House) -> None:
    """Nothing is said there; what was recorded stays, and other rooms are answered."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.anna.kick(scene.room, home.bot.id)
    await home.bot.idle()
    assert await scene.tally(asked) == GONE
    other = await home.room(home.ben)
    question = await other.ask()
    await other.answer(question)
    assert await other.settled(question) == ANSWERED


async def test_it_may_not_speak_any_more(home: House) -> None:
    """Its rights in the room were taken while it was thinking: the same, and nothing is tried for ever."""
    scene = await home.room(home.ben)
    levels = await home.anna.state(scene.room, "m.room.power_levels")
    async with verifying(home, scene, DISCOUNT) as asked:
        await home.anna.set_state(scene.room, "m.room.power_levels", {**levels, "events_default": 50})
    await home.bot.idle()
    assert await scene.tally(asked) == GONE


async def test_the_room_is_upgraded(home: House) -> None:
    """The answer stands in the room where it was asked, which its successor links to; none stands in both."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT) as asked:
        successor = await home.anna.upgrade(scene.room)
    await home.bot.idle()
    tally = await scene.tally(asked)
    assert (tally.runs, tally.more_runs) == (1, 0)
    assert await home.anna.said(successor, home.bot.id) == []


async def test_whoever_asks_is_banned_and_comes_back(home: House) -> None:
    """The answer stands in the room, where everybody may see it, once, and no direct room is opened; so too later."""
    scene = await home.room(home.ben)
    async with verifying(home, scene, DISCOUNT, by=home.ben) as asked:
        await home.anna.ban(scene.room, home.ben.id)
    assert PERCENT in body(await scene.answer(asked))
    assert await scene.settled(asked) == ANSWERED
    assert await home.ben.invitations() == []
    await home.anna.unban(scene.room, home.ben.id)
    await home.anna.invite(scene.room, home.ben.id)
    await home.ben.join(scene.room)
    again = await scene.ask(by=home.ben)
    await scene.answer(again)
    assert await scene.settled(again) == Tally(answers=1, runs=1, end="AnswerDelivered", elsewhere=1, more_runs=1)


@pytest.mark.node
async def test_whoever_never_met_our_device_reads_what_is_for_them_alone(home: House) -> None:
    """Not at once, since their client does not know our account when the key comes, but when it looks once more.

    What we send says by itself which device it is from: the client misses our account's keys, and not the device.
    """
    dora = home.synapse.register("dora")
    await home.admit(dora, "internal")
    scene = await home.room(dora)
    with JsClient(dora) as client:
        async with verifying(home, scene, DISCOUNT, by=dora) as asked:
            await home.anna.invite(scene.room, home.cara.id)
        assert await scene.settled(asked) == MOVED
        direct = await home.bot.direct_room(dora)
        await dora.join(direct)
        closed = await client.await_in(direct, sender=home.bot.id, count=2)
        assert {one["failure"] for one in closed} == {"UNSIGNED_SENDER_DEVICE"}
        await client.reread(direct)
        said = await client.await_in(direct, sender=home.bot.id, readable=True, count=2)
    assert PERCENT in body(said[-1])
