"""Incidents in rooms of a real homeserver: who commands, who invites, and to what a room belongs."""

import asyncio
from typing import Any

import pytest
from aiohttp import web

from tests.matrix.house import MANDATE, House
from tests.matrix.meddler import Call, refusal
from tests.matrix.scene import ANSWERED, DISCOUNT, MONTHS, NOTICE, PERCENT, Tally, body

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]

TOLD = Tally(notices=1)


async def _clearances(home: House) -> dict[str, str]:
    mandate = await home.app.mandates.find(MANDATE)
    names = await home.app.people.names(list(mandate.members))
    return {names[person]: member.clearance for person, member in mandate.members.items() if person in names}


async def test_a_command_of_somebody_who_does_not_administer_changes_nothing(home: House) -> None:
    """They are told so once, and the record has nothing of it."""
    scene = await home.room(home.ben)
    before = await _clearances(home)
    said = await scene.command(f"!mitglied {home.mallory.id} public", by=home.ben)
    assert await scene.settled(said) == TOLD
    assert await _clearances(home) == before


async def test_whoever_is_named_like_an_administrator_is_none(home: House) -> None:
    """The name that others read counts for nothing, whatever characters it is written with."""
    scene = await home.room(home.ben, home.mallory)
    before = await _clearances(home)
    for name in ("anna", home.anna.id, "@аnna:kanzlei.example\u200b"):
        await home.mallory.set_name(name)
        said = await scene.command(f"!mitglied {home.mallory.id} confidential", by=home.mallory)
        assert (await scene.settled(said)).runs == 0
    assert await _clearances(home) == before
    assert "confidential" not in await scene.bodies()


async def test_whoever_proposes_does_not_agree(home: House) -> None:
    """The second of the four eyes is another identity; then the change counts."""
    scene = await home.room(home.eve)
    await scene.command(f"!mitglied {home.cara.id} secret")
    await scene.settle()
    (waiting,) = (await home.app.mandates.find(MANDATE)).proposals
    refused = await scene.command(f"!freigabe {waiting.change}")
    assert await scene.settled(refused) == Tally(notices=1, elsewhere=1)
    assert (await _clearances(home))[home.cara.id] == "public"
    await scene.command(f"!freigabe {waiting.change} nein So nicht.", by=home.eve)
    await scene.settle()
    assert not (await home.app.mandates.find(MANDATE)).proposals
    assert (await _clearances(home))[home.cara.id] == "public"


async def test_an_unbound_room_is_told_so_once(home: House) -> None:
    """However often somebody asks there; nothing is recorded, and once it is bound the next question is answered."""
    scene = await home.room(home.ben, ceiling=None)
    first = await scene.ask(by=home.ben)
    second = await scene.ask(by=home.ben)
    assert await scene.settled(first) == TOLD
    assert await scene.tally(second) == Tally(elsewhere=1)
    await home.bind(scene.room)
    third = await scene.ask(by=home.ben)
    assert MONTHS in body(await scene.answer(third))
    assert (await scene.settled(third)).runs == 1


async def test_in_a_direct_room_no_mention_is_needed(home: House) -> None:
    """Whoever is in one mandate is answered from it, up to what the room may show."""
    direct = await home.direct(home.ben)
    asked = await home.ben.send(direct.room, NOTICE)
    assert MONTHS in body(await direct.answer(asked))
    assert await direct.settled(asked) == ANSWERED


async def test_a_stranger_in_a_direct_room_learns_nothing(home: House) -> None:
    """Not even that there is a mandate; and once a day."""
    direct = await home.direct(home.mallory)
    first = await home.mallory.send(direct.room, NOTICE)
    second = await home.mallory.send(direct.room, f"Und {MANDATE}?")
    assert await direct.settled(first) == TOLD
    assert await direct.tally(second) == Tally(elsewhere=1)
    assert MANDATE not in await direct.bodies()


async def test_strangers_do_not_invite_us(home: House) -> None:
    """Somebody of our server who may not, and somebody of a server that is not named: declined, and told of."""
    strict = home.account(servers=[], inviters=[home.anna.id])
    await strict.start()
    room = await home.mallory.create_room(invite=[strict.id])
    await home.mallory.await_member(room, strict.id, "leave")
    joined: list[Call] = []

    async def watch(call: Call, answer: Any) -> Any:
        if call.path.endswith("/join"):
            joined.append(call)
        if call.is_sync and not joined:
            member = {"type": "m.room.member", "state_key": strict.id, "content": {"membership": "invite"}}
            foreign = {"invite_state": {"events": [{**member, "sender": "@mallory:fremd.example"}]}}
            answer.setdefault("rooms", {}).setdefault("invite", {})["!fremd:fremd.example"] = foreign
        return answer

    async with home.meddler.after(watch):
        scene = await home.room(bot=strict)
        asked = await scene.ask()
        await scene.answer(asked)
    assert [call.path.split("/")[1] for call in joined] == [scene.room]
    assert await strict.stop() == 0


async def test_an_upgraded_room_waits_for_an_administrator(home: House) -> None:
    """Nothing is answered in its successor until somebody who may binds it; then all is as before."""
    scene = await home.room(home.ben)
    asked = await scene.ask()
    await scene.answer(asked)
    successor = await home.anna.upgrade(scene.room)
    for person in (home.ben.id, home.bot.id):
        await home.anna.invite(successor, person)
    await home.anna.await_member(successor, home.bot.id)
    new = home.scene(successor)
    before = await new.ask()
    assert await new.settled(before) == TOLD
    await new.command(f"!mandat {MANDATE} internal", by=home.anna)
    after = await new.ask()
    assert MONTHS in body(await new.answer(after))
    assert (await new.settled(after)).answers == 1
    assert await scene.tally(asked) == Tally(answers=1, runs=1, end="AnswerDelivered", more_runs=1)


async def test_who_is_put_out_and_asked_back_answers_what_is_said_to_it(home: House) -> None:
    """What was asked while it was away was not said to it; what is asked from then on is answered once."""
    scene = await home.room(home.ben)
    await home.anna.kick(scene.room, home.bot.id)
    missed = await scene.ask(by=home.ben)
    await home.anna.invite(scene.room, home.bot.id)
    await scene.is_joined(2)
    asked = await scene.ask(by=home.ben)
    await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED
    assert await scene.tally(missed) == Tally(elsewhere=1, more_runs=1)


async def test_a_room_that_has_banned_us_gets_nothing(home: House) -> None:
    """Though somebody mentions us there; other rooms are answered as ever, and those who look after us are told."""
    scene = await home.room(home.ben)
    await home.anna.ban(scene.room, home.bot.id)
    asked = await scene.ask(by=home.ben)
    other = await home.room(home.ben)
    await other.answer(await other.ask())
    await home.bot.idle()
    assert await scene.tally(asked) == Tally(more_runs=1)


async def test_who_is_banned_and_asked_back_answers_what_is_said_to_it(home: House) -> None:
    """As after having been put out: nothing of what was asked meanwhile, everything from then on, once."""
    scene = await home.room(home.ben)
    await home.anna.ban(scene.room, home.bot.id)
    missed = await scene.ask(by=home.ben)
    await home.anna.unban(scene.room, home.bot.id)
    await home.anna.invite(scene.room, home.bot.id)
    await scene.is_joined(2)
    asked = await scene.ask(by=home.ben)
    await scene.answer(asked)
    assert await scene.settled(asked) == ANSWERED
    assert await scene.tally(missed) == Tally(elsewhere=1, more_runs=1)


async def test_death_over_an_invitation(home: House) -> None:
    """What came with it and after it is dealt with, and then we are killed: the next process comes all the same."""
    await home.bot.restart(moving_seconds=0.1)
    known = await home.room(home.ben)
    never = asyncio.Event()

    async def hold(call: Call) -> web.Response | None:
        if call.path.endswith("/join"):
            await never.wait()
        return None

    async with home.meddler.before(hold):
        room = await home.anna.create_room(invite=[home.bot.id])
        await known.answer(await known.ask())
        await home.bot.kill()
    never.set()
    await home.bot.start()
    await home.anna.await_member(room, home.bot.id)
    await home.bind(room)
    scene = home.scene(room)
    asked = await scene.ask()
    await scene.answer(asked)
    assert (await scene.settled(asked)).answers == 1


async def test_nobody_can_be_asked_into_a_direct_room(home: House) -> None:
    """The homeserver forbids it: the thread says so and how to go on, and the homeserver is not asked each time."""
    refused: list[Call] = []

    async def refuse(call: Call) -> web.Response | None:
        if call.path == "createRoom":
            refused.append(call)
            return refusal(403, "M_FORBIDDEN")
        return None

    stranger = home.synapse.register("dora")
    await home.admit(stranger, "internal")
    scene = await home.room(stranger)
    async with home.meddler.before(refuse):
        for _ in range(2):
            async with home.meddler.gate() as gate:
                asked = await scene.ask(DISCOUNT, by=stranger)
                await gate.reached()
                await home.anna.invite(scene.room, home.cara.id)
            tally = await scene.settled(asked)
            assert (tally.notices, tally.runs, tally.end) == (1, 1, "AnswerDelivered")
            await home.anna.kick(scene.room, home.cara.id)
    assert len(refused) == 1
    said = await scene.bodies()
    assert said.count("konnte ich nicht eröffnen") == 4
    assert PERCENT not in said
    direct = await home.direct(stranger)
    own = await direct.ask(DISCOUNT)
    assert PERCENT in body(await direct.answer(own))
