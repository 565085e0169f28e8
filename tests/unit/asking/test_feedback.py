"""What people say of answers, and what a run that has been talked about is still like."""

from uuid import UUID

import pytest

from domain.asking.admission import levels_in
from domain.asking.again import Again
from domain.asking.feedback import Feedback, Feedbacks
from domain.asking.outcome import FeedbackGiven
from domain.asking.replaying import EQUAL
from domain.asking.runs import Runs
from domain.asking.stored import StoredTexts
from domain.errors import AccessError
from domain.recording import Actor
from tests.asking_world import World

QUESTION = "Wie lang ist die Frist der Kündigung?"
HELPED = Feedback("$antwort", "$daumen", is_helpful=True)


@pytest.fixture
async def world() -> World:
    world = await World().open()
    await world.add("a", "handbuch", "Die Frist der Kündigung ist drei Monate lang.")
    return world


def runs(world: World) -> Runs:
    return Runs(world.store, world.handler, world, world, StoredTexts(world.blobs), world.clock)


async def test_each_sign_is_recorded_once(world: World) -> None:
    """The same sign told twice is one; a sign of somebody else, and one taken back, are others."""
    run = (await world.asking().ask(world.question(QUESTION))).run
    feedbacks = Feedbacks(world.store, world.handler)
    back = Feedback("$antwort", "$daumen", is_helpful=True, is_taken_back=True)

    given = [
        await feedbacks.give(run, HELPED, world.anna),
        await feedbacks.give(run, HELPED, world.anna),
        await feedbacks.give(run, Feedback("$antwort", "$anderer", is_helpful=False), world.bert),
        await feedbacks.give(run, back, world.anna),
    ]

    assert given == [True, False, True, True]
    found = [one.event for one in await world.store.read(run) if isinstance(one.event, FeedbackGiven)]
    assert [(one.person, one.is_helpful, one.is_taken_back) for one in found] == [
        (world.anna, True, False),
        (world.bert, False, False),
        (world.anna, True, True),
    ]
    shown = await runs(world).show(run, world.anna)
    assert (shown.helpful, shown.not_helpful) == (0, 1)


async def test_strangers_say_nothing_of_an_answer(world: World) -> None:
    """Who is no member, and what is no run, look alike."""
    run = (await world.asking().ask(world.question(QUESTION))).run
    feedbacks = Feedbacks(world.store, world.handler)

    for wanted, person in ((run, None), (run, UUID(int=99)), (UUID(int=98), world.anna)):
        with pytest.raises(AccessError):
            await feedbacks.give(wanted, HELPED, person)


async def test_a_run_that_was_talked_about_is_as_it_was(world: World) -> None:
    """It has ended before: it is neither open nor answered again, and every value comes out the same."""
    answer = await world.asking().ask(world.question(QUESTION))
    await Feedbacks(world.store, world.handler).give(answer.run, HELPED, world.bert)
    again = Again(world.parts())

    resumed = await again.resume(answer.run, world.anna, Actor(world.anna))
    replayed = await again.replay(answer.run, world.anna, Actor(world.anna))

    assert resumed.end == answer.end
    assert replayed.replayed.outcome == EQUAL


async def test_what_a_place_may_show_is_what_everybody_there_may_see(world: World) -> None:
    """Somebody who joins with a lower clearance, a stranger, an open room and a lost clearance each lower it."""
    mandate = await world.handler.find("a")

    assert levels_in(mandate, world.question("")) == mandate.levels
    assert levels_in(mandate, world.question("", room=(world.bert,))) == ("public", "internal")
    assert levels_in(mandate, world.question("", is_open_room=True)) == ("public",)
    for nothing in ({"room": (None,)}, {"asker": UUID(int=99)}, {"channel": "#fremd"}):
        assert levels_in(mandate, world.question("", **nothing)) == ()  # type: ignore[arg-type]


async def test_a_run_is_shown_no_further_than_everybody_who_reads_along_may_see(world: World) -> None:
    """A version that was raised since takes the run along, though whoever asked may still see it."""
    answer = await world.asking().ask(world.question(QUESTION, asker=world.bert))
    assert (await runs(world).show(answer.run, world.bert, within=("public", "internal"))).end == answer.end

    with pytest.raises(AccessError):
        await runs(world).show(answer.run, world.bert, within=("public",))
