"""Incidents in rooms of a real homeserver: a question changes, goes, or is judged: before, during, after its answer."""

from collections.abc import Awaitable
from uuid import UUID

import pytest

from domain.asking.outcome import FeedbackGiven
from tests.matrix.house import MANDATE, House
from tests.matrix.person import Event, Person
from tests.matrix.scene import ANSWERED, DISCOUNT, MONTHS, NOTICE, PERCENT, RUN, Scene, Tally, body

pytestmark = [pytest.mark.synapse, pytest.mark.asyncio(loop_scope="session")]


async def _given(home: House, run: UUID) -> list[tuple[bool, bool]]:
    """Return what was said of an answer: whether it has helped, and whether that was taken back."""
    events = [one.event for one in await home.app.store.read(run)]
    return [(one.is_helpful, one.is_taken_back) for one in events if isinstance(one, FeedbackGiven)]


async def _edits(scene: Scene, target: str) -> list[str]:
    ours = await scene.ours()
    return [body(one) for one in ours if one["content"].get("m.relates_to", {}).get("event_id") == target]


async def test_a_source_changes(home: House) -> None:
    """It is told once under the answer, to whoever has asked: in its thread, or in the direct room where it stands."""
    badge = "Wie lange gilt ein Besucherausweis im Lager?"
    await home.learn("ausweis", "internal", "Ein Besucherausweis gilt im Lager sieben Tage.")
    here, there = await home.room(home.ben), await home.room(home.ben)
    asked = await here.ask(badge, by=home.ben)
    assert "sieben Tage" in body(await here.answer(asked))
    async with home.meddler.gate() as gate:
        await there.ask(badge, by=home.ben)
        await gate.reached()
        await home.anna.invite(there.room, home.cara.id)
    await there.settle()
    await home.bot.restart(look_seconds=0.5)
    await home.learn("ausweis", "internal", "Ein Besucherausweis gilt im Lager zehn Tage.")

    _, told = await home.anna.await_reply(here.room, asked, home.bot.id, count=2)
    assert body(told).startswith("Achtung: [S1] gilt seit")
    assert told["content"]["m.mentions"] == {"user_ids": [home.ben.id]}
    direct = await home.bot.direct_room(home.ben)
    await home.ben.join(direct)
    ours = await home.ben.await_in(direct, lambda one: _is_below_another(one) and one["sender"] == home.bot.id)
    said = await home.ben.said(direct, home.bot.id)
    assert ours[0]["content"]["m.relates_to"]["event_id"] in {one["event_id"] for one in said}
    await here.settle()
    assert await here.tally(asked) == Tally(answers=1, notices=1, runs=1, end="SourceChangeNotified", more_runs=1)
    await home.bot.kill()


def _is_below_another(event: Event) -> bool:
    return event["content"].get("m.relates_to", {}).get("rel_type") == "m.thread"


async def test_edited_before_it_is_read(home: House) -> None:
    """The question and its edit come in at once, after a pause of ours: the last text is answered, and shown once."""
    scene = await home.room(home.ben)
    await home.bot.kill()
    asked = await scene.ask(DISCOUNT)
    await home.anna.edit(scene.room, asked, f"Fundstelle: {NOTICE}", mentions=[home.bot.id])
    await home.bot.start()
    answer = await scene.answer(asked)
    tally = await scene.settled(asked)
    assert (tally.answers, tally.notices, tally.elsewhere) == (1, 0, 0)
    assert MONTHS in body(answer)
    assert PERCENT not in await scene.bodies()


async def test_edited_while_it_is_answered(home: House) -> None:
    """One message of ours, which shows the answer to the last text in the end."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask(NOTICE)
        await gate.reached()
        await home.anna.edit(scene.room, asked, f"Fundstelle: {DISCOUNT}", mentions=[home.bot.id])
    answer = await scene.answer(asked)
    await scene.settle()
    tally = await scene.tally(asked)
    assert (tally.answers, tally.edits, tally.notices, tally.elsewhere) == (1, 1, 0, 0)
    assert PERCENT in (await _edits(scene, answer["event_id"]))[-1]


async def test_edited_after_it_was_answered(home: House) -> None:
    """The answer is edited; the same text once more changes nothing."""
    scene = await home.room(home.ben)
    asked = await scene.ask(NOTICE)
    answer = await scene.answer(asked)
    for text in (DISCOUNT, DISCOUNT):
        await home.anna.edit(scene.room, asked, f"Fundstelle: {text}", mentions=[home.bot.id])
    tally = await scene.settled(asked)
    assert (tally.answers, tally.edits, tally.notices, tally.elsewhere, tally.more_runs) == (1, 1, 0, 0, 1)
    assert PERCENT in (await _edits(scene, answer["event_id"]))[-1]


async def test_edited_into_a_command(home: House) -> None:
    """What was sent counts: a question that becomes a command does nothing, not even for an administrator."""
    scene = await home.room(home.ben)
    asked = await scene.ask(NOTICE)
    await scene.answer(asked)
    await home.anna.edit(scene.room, asked, f"!mitglied {home.mallory.id} internal", mentions=[home.bot.id])
    assert await scene.settled(asked) == ANSWERED
    members = (await home.app.mandates.find(MANDATE)).members
    assert await home.app.people.find(home.mallory.id) not in members


async def test_somebody_else_edits_a_question(home: House) -> None:
    """Whatever a client sends: another person's edit is none, and what it says is not answered."""
    scene = await home.room(home.ben)
    asked = await scene.ask(NOTICE)
    await scene.answer(asked)
    await home.ben.edit(scene.room, asked, f"Fundstelle: {DISCOUNT}", mentions=[home.bot.id])
    assert await scene.settled(asked) == ANSWERED
    assert PERCENT not in await scene.bodies()


async def test_taken_back_while_it_is_answered(home: House) -> None:
    """In the end nothing of the answer stands in the room; the run stays."""
    scene = await home.room(home.ben)
    async with home.meddler.gate() as gate:
        asked = await scene.ask(DISCOUNT)
        await gate.reached()
        await home.anna.redact(scene.room, asked)
    await scene.settle()
    assert PERCENT not in await scene.bodies()
    assert (await home.recorded(home.bot.run_of(asked)))[-1] == "AnswerDelivered"
    assert home.asked() == scene.before + 1


@pytest.mark.parametrize("who", ["ben", "anna"])
async def test_taken_back_after_it_was_answered(home: House, who: str) -> None:
    """By whoever asked or by a moderator: the answer goes as well, once."""
    scene = await home.room(home.ben)
    asked = await scene.ask(DISCOUNT, by=home.ben)
    await scene.answer(asked)
    await getattr(home, who).redact(scene.room, asked)
    await home.anna.await_in(scene.room, lambda one: one["type"] == "m.room.redaction" and one["sender"] == home.bot.id)
    await scene.settle()
    assert PERCENT not in await scene.bodies()
    taken = [one for one in await home.anna.timeline(scene.room) if one["type"] == "m.room.redaction"]
    assert [one["sender"] for one in taken] == [getattr(home, who).id, home.bot.id]


async def test_our_answer_is_taken_back_by_a_moderator(home: House) -> None:
    """It does not come again, though its question is edited afterwards into one that shows another."""
    scene = await home.room(home.ben)
    asked = await scene.ask(NOTICE, by=home.ben)
    answer = await scene.answer(asked)
    await home.anna.redact(scene.room, answer["event_id"])
    await scene.settle()
    assert MONTHS not in await scene.bodies()


async def test_signs_under_an_answer_are_recorded_once_each(home: House) -> None:
    """Two people's, one of them taken back; of a sign that says nothing, and of a stranger's, nothing is."""
    scene = await home.room(home.ben)
    asked = await scene.ask(by=home.ben)
    answer = (await scene.answer(asked))["event_id"]
    run = home.bot.run_of(asked)
    await home.ben.react(scene.room, answer, "👍🏽")
    sign = await home.anna.react(scene.room, answer, "👎")
    await home.anna.react(scene.room, answer, "🎉")
    # A sign that is taken back before we have seen it is none.
    await home.bot.done_with(sign)
    await home.anna.redact(scene.room, sign)
    await scene.settle()
    assert sorted(await _given(home, run)) == sorted([(True, False), (False, False), (False, True)])
    assert (await scene.ours())[-1]["content"][RUN] == str(run)


async def test_taken_back_when_all_its_wordings_were_answered_alone(home: House) -> None:
    """Each of them was moved to the direct room: the edit leaves the last one there, the end of the question none."""
    emil = home.synapse.register("emil")
    await home.admit(emil, "internal")
    scene = await home.room(emil)
    asked = await _moved(home, scene, scene.ask(DISCOUNT, by=emil))
    direct = await home.bot.direct_room(emil)
    await emil.join(direct)
    edit = emil.edit(scene.room, asked, f"Fundstelle: Und heute? {DISCOUNT}", mentions=[home.bot.id])
    await _moved(home, scene, edit)
    await scene.settle()
    assert len(await _standing(emil, direct, home.bot.id)) == 2
    await emil.redact(scene.room, asked)
    await scene.settle()
    assert await _standing(emil, direct, home.bot.id) == []


async def _moved(home: House, scene: Scene, asking: Awaitable[str]) -> str:
    """Let somebody who may see less be invited while an answer is verified, and be put out when it was moved."""
    async with home.meddler.gate() as gate:
        asked = await asking
        await gate.reached()
        await home.anna.invite(scene.room, home.cara.id)
    await home.bot.done_with(asked)
    await home.anna.kick(scene.room, home.cara.id)
    return asked


async def _standing(person: Person, room: str, sender: str) -> list[Event]:
    """Return what somebody has said in an encrypted room and not taken back."""
    return [one for one in await person.said(room, sender) if "ciphertext" in one["content"]]


async def test_signs_under_other_messages_mean_nothing(home: House) -> None:
    """Under somebody else's message, under a question, and under a hint of ours."""
    scene = await home.room(home.ben)
    other = await home.ben.send(scene.room, "Danke!")
    hint = await scene.command("!hilfee")
    await scene.settle()
    asked = await scene.ask()
    await scene.answer(asked)
    for target in (other, hint, asked):
        await home.ben.react(scene.room, target, "👍")
    tally = await scene.settled(asked)
    assert (tally.answers, tally.runs, tally.more_runs, tally.elsewhere) == (1, 1, 0, 1)
    assert await _given(home, home.bot.run_of(asked)) == []


async def test_a_stranger_judges_an_answer(home: House) -> None:
    """Somebody who has come in later and is in no mandate: nothing is recorded of it."""
    scene = await home.room(home.ben)
    asked = await scene.ask()
    answer = await scene.answer(asked)
    await home.anna.invite(scene.room, home.mallory.id)
    await home.mallory.join(scene.room)
    await home.mallory.react(scene.room, answer["event_id"], "👎")
    await scene.settle()
    assert await _given(home, home.bot.run_of(asked)) == []
    assert await scene.tally(asked) == Tally(answers=1, runs=1, end="AnswerDelivered")
