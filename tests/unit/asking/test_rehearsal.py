"""A recorded question beside the same one at another position, and the event that makes the difference."""

from dataclasses import replace
from datetime import date, timedelta
from uuid import UUID

import pytest

from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.rehearsal import Rehearsals, RunDifference, Way
from domain.errors import AccessError, InputError
from domain.journal.as_of import Moment
from domain.knowledge.events import LevelAssigned
from domain.recording import Actor
from tests.asking_world import World, share

QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."
BETTER = "Die Frist der Kündigung ist laut Blatt vier Monate lang."


@pytest.fixture
async def world() -> World:
    world = await World().open()
    world.reranker.judge = lambda question, text: 0.6 * share(question, text) + 0.4 * ("Blatt" in text)
    await world.add("a", "handbuch", f"{FRIST} Katzen schlafen viel.")
    return world


async def asked(world: World, **options: object) -> UUID:
    return (await world.asking().ask(world.question(QUESTION, **options))).run


async def compared(world: World, run: UUID, position: int | None = None, reader: UUID | None = None) -> RunDifference:
    moment = Moment(world.clock.now, position or await world.store.head())
    return await Rehearsals(world.parts()).compare(run, reader or world.anna, moment)


async def noise(world: World, count: int) -> None:
    """Let other questions be asked and other documents come in."""
    for number in range(count):
        await world.asking().ask(world.question("Was tun Katzen?"))
        await world.add("a", f"anderes {number}", "Hunde bellen laut und oft.")


async def test_nothing_is_recorded(world: World) -> None:
    """However often a question is asked for comparison, the journal stays as it was."""
    run = await asked(world)
    await noise(world, 2)
    head = await world.store.head()
    found = await compared(world, run)
    assert await world.store.head() == head
    assert (found.differs, found.cause, found.reproduced) == (False, None, True)
    assert found.before.end == found.after.end


async def test_the_event_that_made_the_difference_is_found(world: World) -> None:
    """Among many that made none, before it and behind it."""
    run = await asked(world)
    await noise(world, 3)
    added = await world.add("a", "neu", BETTER)
    await noise(world, 3)
    found = await compared(world, run)
    assert found.differs
    assert found.cause is not None
    assert found.cause.position == added.version.ordinal
    assert found.cause.stream == added.version.document


async def test_a_rule_can_make_the_difference(world: World) -> None:
    """A threshold that was raised: an answer then, a refusal now, and the event is that of the mandate."""
    run = await asked(world)
    await noise(world, 2)
    raised = await world.handler.set_threshold("a", "relevance", "1", "Prüfung", Actor(world.anna), model=world.model())
    await noise(world, 2)
    found = await compared(world, run)
    assert isinstance(found.before.end, AnswerDelivered)
    assert isinstance(found.after.end, AnswerRefused)
    assert found.after.end.step == "relevance"
    assert found.cause is not None
    assert (found.cause.stream, found.cause.version) == (raised.mandate.id, raised.mandate.version)


@pytest.mark.parametrize("lags", [False, True])
async def test_a_question_is_compared_under_the_policies_that_it_was_asked_under(
    world: World, monkeypatch: pytest.MonkeyPatch, *, lags: bool
) -> None:
    """Younger than its position, while views lag, or older, where a policy changed while it was admitted."""
    reach, before = world.reach, await world.store.head()

    async def raised() -> int:
        set_to = await world.handler.set_threshold(
            "a", "relevance", "1", "hart", Actor(world.anna), model=world.model()
        )
        return set_to.mandate.version

    async def overtaken(position: int | None = None) -> int:
        monkeypatch.undo()
        if lags:
            return before
        await raised()
        return await reach(position)

    if lags:
        await raised()
    monkeypatch.setattr(world, "reach", overtaken)
    run = await asked(world)
    changed = (await world.handler.find("a")).version
    await noise(world, 2)

    found = await compared(world, run)

    assert found.reproduced
    assert isinstance(found.before.end, AnswerRefused if lags else AnswerDelivered)
    assert found.differs is not lags
    if found.cause is not None:
        assert (found.cause.stream, found.cause.version) == (world.mandates["a"], changed)
    assert (found.cause is None) is lags


@pytest.mark.parametrize(("start", "end"), [(5, 9), (9, 2), (5, 5), (1, 9), (7, 6)])
@pytest.mark.parametrize("under", range(1, 5))
def test_each_step_of_the_way_takes_in_or_leaves_out_one_event(start: int, end: int, under: int) -> None:
    """Whatever the question was asked under; what counted already is not taken back, and the event is the one told."""
    changes = (1, 4, 6, 8)
    way = Way(changes, under, start, end)

    def counted(step: int) -> set[int]:
        position, version = way.stand(step)
        # What the mandate is at a position was, or will be, taken in as one of its policies.
        return {one for one in range(1, position + 1) if one not in changes} | set(changes[:version])

    assert way.stand(0) == (start, under)
    assert way.stand(way.length)[0] == end
    for step in range(1, way.length + 1):
        one, other = counted(step - 1), counted(step)
        assert one ^ other <= {way.event(step)}
        assert one <= other if end >= start else one >= other


async def test_what_was_shown_to_be_in_force_is_compared_as_of_its_own_day(world: World) -> None:
    """A version that has ended since was in force when the question was asked, and is not on the other day."""
    world.entries[0].version = replace(world.entries[0].version, valid_to=date(2027, 1, 1))
    run = await asked(world)
    world.clock.now += timedelta(days=60)

    found = await compared(world, run)

    shown = [one.end.sources for one in (found.before, found.after) if isinstance(one.end, AnswerDelivered)]
    assert [[source.in_force for source in sources] for sources in shown] == [[True], [False]]
    assert (found.reproduced, found.differs) == (True, False)


async def test_a_question_about_a_time_before_the_mandate_is_compared_with_a_later_one(world: World) -> None:
    """Nothing was known then; the event that brought the answer is the document's."""
    run = await asked(world, at="1999-12-31")

    found = await compared(world, run)

    assert found.cause is not None
    assert found.cause.position == world.entries[0].version.ordinal


async def test_looking_back_finds_the_event_without_which_it_was_otherwise(world: World) -> None:
    """At a position before the document had come in there was no answer; what brought it is the cause."""
    before = await world.store.head() - 1
    await noise(world, 2)
    run = await asked(world)
    found = await compared(world, run, before)
    assert isinstance(found.after.end, AnswerRefused)
    assert found.cause is not None
    assert found.cause.position == before + 1


async def test_a_library_that_was_subscribed_since_counts(world: World) -> None:
    """A question without a scope has that of its time; one that named a scope keeps it."""
    await world.handler.open("lib2", "L", "Europe/Berlin", Actor(world.anna), library=True)
    world.mandates["lib2"] = (await world.handler.find("lib2")).id
    await world.add("lib2", "norm", BETTER)
    usual, narrow = await asked(world), await asked(world, scope=("a",))
    await world.handler.subscribe("a", "lib2", Actor(world.anna))
    assert (await compared(world, usual)).differs
    assert not (await compared(world, narrow)).differs


async def test_a_run_that_its_models_no_longer_make_is_said_so(world: World) -> None:
    """The comparison is then between two answers of today's models, and says that the recorded one is another."""
    run = await asked(world)
    world.entries[0].text = world.entries[0].text.replace("drei", "vier")
    world.entries[0].passages = []
    found = await compared(world, run)
    assert not found.reproduced


async def test_a_mandate_that_did_not_exist_yet_is_said_so(world: World) -> None:
    """Nothing could have been asked then."""
    run = await asked(world)
    with pytest.raises(InputError, match="mandate_not_yet"):
        await Rehearsals(world.parts()).compare(run, world.anna, Moment(world.clock.now, 0))


async def test_a_cited_version_that_was_raised_since_is_compared_by_whoever_may_see_it(world: World) -> None:
    """The question itself would not find it any more, which is the difference; nothing breaks over it."""
    run = (await world.asking().ask(world.question(QUESTION, asker=world.bert))).run
    world.entries[0].version = replace(world.entries[0].version, level="secret")
    found = await compared(world, run)
    assert (isinstance(found.before.end, AnswerRefused), found.reproduced) == (True, False)


async def test_only_who_may_see_the_run_may_compare_it(world: World) -> None:
    """A member without oversight looks at a run of somebody else: as if there were none."""
    run = await asked(world)
    for stranger in (world.bert, UUID(int=7)):
        with pytest.raises(AccessError):
            await compared(world, run, reader=stranger)


async def test_an_unfinished_run_is_not_compared(world: World) -> None:
    """What it would have come to is not known."""
    run = await asked(world)
    stream = world.store._journal
    world.store._journal = [one for one in stream if one.stream != run or one.version == 1]
    with pytest.raises(InputError, match="run_open"):
        await compared(world, run)


async def test_events_of_others_between_make_no_difference(world: World) -> None:
    """What happens in another mandate is never a cause."""
    run = await asked(world)
    await world.add("b", "fremd", BETTER)
    stream = UUID(int=5)
    await world.store.append(world.mandates["b"], stream, 0, [LevelAssigned("public")], Actor(world.bert))
    assert not (await compared(world, run)).differs
