"""Who may look back at a run, and what they see."""

from dataclasses import replace
from uuid import uuid4

import pytest

from domain.asking.outcome import AnswerRefused
from domain.asking.runs import Runs, filter_for
from domain.asking.stored import StoredTexts
from domain.asking.values import Answer
from domain.errors import AccessError
from domain.recording import Actor
from tests.asking_world import World

QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."


@pytest.fixture
async def world() -> World:
    return await World().open()


def runs(world: World) -> Runs:
    return Runs(world.store, world.handler, world, world, StoredTexts(world.blobs), world.clock)


async def asked(world: World, level: str = "internal", *, by_bert: bool = False) -> Answer:
    await world.add("a", "handbuch", FRIST, level=level)
    return await world.asking().ask(world.question(QUESTION, asker=world.bert if by_bert else world.anna))


async def test_the_asker_sees_the_run_as_it_was_answered(world: World) -> None:
    """Everything but the timings comes back from the run's own events and the stored versions."""
    answer = await asked(world)

    again = await runs(world).show(answer.run, world.anna)

    assert (again.question, again.end, again.sources) == (QUESTION, answer.end, answer.sources)
    assert (again.relevance, again.coverage, again.position) == (answer.relevance, answer.coverage, answer.position)


async def test_an_administrator_sees_the_runs_of_others(world: World) -> None:
    """Anna administers the mandate and sees all that Bert could see."""
    answer = await asked(world, by_bert=True)

    assert (await runs(world).show(answer.run, world.anna)).end == answer.end


async def test_a_member_does_not_see_the_runs_of_others(world: World) -> None:
    """Bert is only a member; Anna's run does not exist for him."""
    answer = await asked(world)

    with pytest.raises(AccessError):
        await runs(world).show(answer.run, world.bert)


async def test_oversight_ends_at_the_own_clearance(world: World) -> None:
    """With the role but not the clearance, a run that could see more does not exist."""
    answer = await asked(world)
    await world.handler.give_role("a", "bert", "compliance", Actor(world.anna))

    with pytest.raises(AccessError):
        await runs(world).show(answer.run, world.bert)


async def test_a_version_raised_above_the_clearance_takes_the_run_along(world: World) -> None:
    """Looking back, the higher of the level then and now counts."""
    answer = await asked(world, by_bert=True)
    world.entries[0].version = replace(world.entries[0].version, level="secret")

    with pytest.raises(AccessError):
        await runs(world).show(answer.run, world.bert)


async def test_what_came_near_disappears_with_its_level(world: World) -> None:
    """A refusal stays, without the titles that are no longer open."""
    await world.add("a", "katzen", "Katzen schlafen viel.")
    answer = await world.asking().ask(world.question(QUESTION, asker=world.bert))
    world.entries[0].version = replace(world.entries[0].version, level="secret")

    again = await runs(world).show(answer.run, world.bert)

    assert isinstance(answer.end, AnswerRefused)
    assert isinstance(again.end, AnswerRefused)
    assert answer.end.nearest
    assert again.end.nearest == ()


@pytest.mark.parametrize("kind", ["unknown", "no run", "outsider", "nobody"])
async def test_what_is_no_run_of_theirs_does_not_exist(world: World, kind: str) -> None:
    """An unknown id, another stream, a stranger and somebody nobody knows all get the same error."""
    answer = await asked(world)
    run = {"unknown": uuid4(), "no run": world.mandates["a"]}.get(kind, answer.run)
    reader = {"outsider": await world.people.register("carla"), "nobody": None}.get(kind, world.anna)

    with pytest.raises(AccessError):
        await runs(world).show(run, reader)


async def test_an_erased_asker_takes_the_run_along(world: World) -> None:
    """With the key of the person the question is gone, and with it the run."""
    answer = await asked(world, by_bert=True)
    world.people.shred(world.bert)

    with pytest.raises(AccessError):
        await runs(world).show(answer.run, world.anna)


async def test_a_member_lists_only_their_own_runs(world: World) -> None:
    """The filter of a member does not oversee, that of an administrator does."""
    mandate = await world.handler.find("a")

    assert not filter_for(mandate, world.bert, 9).oversees
    assert filter_for(mandate, world.anna, 9).oversees
    with pytest.raises(AccessError):
        filter_for(mandate, None, 9)
