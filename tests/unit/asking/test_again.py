"""Runs taken up again: resumed after a failure, and replayed."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.asking.admission import Admission
from domain.asking.again import Again
from domain.asking.bound import BoundRetrieval
from domain.asking.drafts import Draft, DraftRequest
from domain.asking.events import CandidatesReranked, QuestionAsked, RelevanceDecided
from domain.asking.formulation import Extractive
from domain.asking.gates import RELEVANCE_RULE
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed, RunResumed
from domain.asking.pipeline import Asking
from domain.asking.replaying import DIFFERS, EQUAL, NOT_REPRODUCIBLE, RunReplayed
from domain.asking.retrieval import Retrieval
from domain.asking.run import Run
from domain.asking.source_changes import SUPERSEDED, SourceChangeNotified
from domain.asking.steps import STEPS, Step
from domain.asking.steps import next_step as following
from domain.asking.substitutes import ModelsSubstituted, Substitute
from domain.errors import AccessError, InputError
from domain.recording import Actor, Event
from tests.asking_world import TODAY, World, share

QUESTION = "Wie lang ist die Frist der Kündigung?"
FRIST = "Die Frist der Kündigung ist drei Monate lang."

PARTS = ["sparse", "dense", "bm25", "texts", "reranker", "encoder"]


@pytest.fixture
async def world() -> World:
    world = await World().open()
    await world.add("a", "handbuch", f"{FRIST} Katzen schlafen viel.")
    return world


def again(world: World) -> Again:
    return Again(world.parts())


async def test_a_policy_that_changes_while_a_question_is_admitted_counts_for_the_next_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run says under which it was asked, and a replay compares under that one."""
    reach, model = world.reach, world.model()

    async def overtaken(position: int | None = None) -> int:
        monkeypatch.undo()
        await world.handler.set_threshold("a", "relevance", "0.99", "strenger", Actor(world.anna), model=model)
        return await reach(position)

    monkeypatch.setattr(world, "reach", overtaken)
    first = await world.asking().ask(world.question(QUESTION))
    second = await world.asking().ask(world.question(QUESTION))

    assert (type(first.end), type(second.end)) == (AnswerDelivered, AnswerRefused)
    for answer in (first, second):
        replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))
        assert replay.replayed.outcome == EQUAL


@pytest.mark.parametrize("is_late", [False, True])
async def test_what_is_in_force_is_read_at_a_moment_that_the_answer_names(
    world: World, monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    """Before the change or behind it, and however far the other views lag; a replay reads at the same moment."""
    reach, append = world.reach, world.store.append
    cited, lag = world.entries[0], await world.store.head()

    async def replaced() -> None:
        other = await world.add("a", "handbuch", FRIST.replace("drei", "vier"), version=2, valid_from=date(2026, 2, 1))
        cited.known_to = other.version.ordinal
        past = replace(cited.version, valid_to=date(2026, 2, 1))
        world.entries.append(replace(cited, version=past, known_from=other.version.ordinal, known_to=None))

    async def lagging(position: int | None = None) -> int:
        return lag if position is None else await reach(position)

    async def overtaken(*arguments: Any, **more: Any) -> Any:
        if is_late and isinstance(arguments[3][0], AnswerDelivered):
            monkeypatch.setattr(world.store, "append", append)
            await replaced()
        elif not is_late and isinstance(arguments[3][0], QuestionAsked):
            monkeypatch.setattr(world.store, "append", append)
            recorded = await append(*arguments, **more)
            await replaced()
            return recorded
        return await append(*arguments, **more)

    monkeypatch.setattr(world, "reach", lagging)
    monkeypatch.setattr(world.store, "append", overtaken)
    answer = await world.asking().ask(world.question(QUESTION, valid_on=date(2026, 1, 15)))

    assert isinstance(answer.end, AnswerDelivered)
    assert [source.in_force for source in answer.end.sources] == [is_late]
    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))
    assert [one.value for one in replay.replayed.values if one.outcome != EQUAL] == []


async def test_a_question_at_midnight_is_of_one_day(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked on the last day of a version, recorded and answered on the next: for the day on which it was asked."""
    world.entries[0].version = replace(world.entries[0].version, valid_to=date(2026, 12, 1))
    reach = world.reach

    async def slowly(position: int | None = None) -> int:
        world.clock.now = datetime(2026, 11, 30, 23, 0, 1, tzinfo=UTC)
        return await reach(position)

    world.clock.now = datetime(2026, 11, 30, 22, 59, 59, tzinfo=UTC)
    monkeypatch.setattr(world, "reach", slowly)
    answer = await world.asking().ask(world.question(QUESTION))

    assert isinstance(answer.end, AnswerDelivered)
    assert [source.in_force for source in answer.end.sources] == [True]
    assert answer.valid_on == answer.asked_on == date(2026, 11, 30)
    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))
    assert [one.value for one in replay.replayed.values if one.outcome != EQUAL] == []


@pytest.mark.parametrize("part", PARTS)
async def test_a_failed_run_goes_on_when_the_part_answers_again(world: World, part: str) -> None:
    """What was recorded stays, what was left is done, and the answer is that of a run that never failed."""
    whole = await world.asking().ask(world.question(QUESTION))
    world.failing.add(part)
    failed = await world.asking().ask(world.question(QUESTION))
    assert isinstance(failed.end, RunFailed)
    before = [one.event for one in await world.store.read(failed.run)]
    world.failing.clear()

    resumed = await again(world).resume(failed.run, world.anna, Actor(world.anna))

    events = [one.event for one in await world.store.read(failed.run)]
    assert (resumed.end, resumed.sources) == (whole.end, whole.sources)
    assert events[: len(before) + 1] == [*before, RunResumed()]
    kinds = [type(event) for event in events if not isinstance(event, RunFailed | RunResumed)]
    assert kinds == [type(one.event) for one in await world.store.read(whole.run)]


@pytest.mark.parametrize("steps", range(len(STEPS)))
async def test_a_run_that_was_cut_off_goes_on_after_its_last_step(
    world: World, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """After each step in turn; no step is taken twice."""
    whole = await world.asking().ask(world.question(QUESTION))
    cut = await _cut_off(world, monkeypatch, steps)
    before = await world.store.read(cut)

    resumed = await again(world).resume(cut, world.anna, Actor(world.anna))

    after = await world.store.read(cut)
    assert resumed.end == whole.end
    assert after[: len(before)] == before
    kinds = [type(one.event) for one in after if not isinstance(one.event, RunResumed)]
    assert kinds == [type(one.event) for one in await world.store.read(whole.run)]


@dataclass(frozen=True, slots=True)
class Substituting:
    """The same searches, with a model that stands in for another one."""

    retrieval: Retrieval
    models: tuple[Substitute, ...]

    def bound(self, _admission: Admission) -> BoundRetrieval:
        return BoundRetrieval(self.retrieval, self.models)


async def test_what_stands_in_for_a_model_when_a_run_goes_on_is_named(world: World) -> None:
    """Of a question about the past; where it is another one than when the run was cut off, that is said."""
    instant, parts = world.tick(), world.parts()
    retrieval = parts.retrievals.bound(await world.admissions().admit(world.question(QUESTION), TODAY)).retrieval
    first, other = (Substitute("dense", "gone/1", used) for used in ("bag/0", "bag/1"))
    world.failing.add("dense")
    failed = await Asking(replace(parts, retrievals=Substituting(retrieval, (first,)))).ask(
        world.question(QUESTION, at=instant)
    )
    world.failing.clear()
    assert (type(failed.end), failed.substituted) == (RunFailed, (first,))

    going_on = Again(replace(parts, retrievals=Substituting(retrieval, (other,))))
    resumed = await going_on.resume(failed.run, world.anna, Actor(world.anna))

    assert (type(resumed.end), resumed.substituted) == (AnswerDelivered, (other,))
    assert Run(await world.store.read(failed.run)).all(ModelsSubstituted) == (
        ModelsSubstituted((first,)),
        ModelsSubstituted((other,)),
    )


async def test_a_question_and_what_stands_in_for_its_models_are_recorded_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies behind the first append leaves no question about the past that hides its models."""
    instant, parts, append = world.tick(), world.parts(), world.store.append
    retrieval = parts.retrievals.bound(await world.admissions().admit(world.question(QUESTION), TODAY)).retrieval
    appended: list[list[type[Event]]] = []

    async def noted(*arguments: Any, **more: Any) -> Any:
        appended.append([type(one) for one in arguments[3]])
        return await append(*arguments, **more)

    monkeypatch.setattr(world.store, "append", noted)
    models = (Substitute("dense", "gone/1", "bag/1"),)
    await Asking(replace(parts, retrievals=Substituting(retrieval, models))).ask(world.question(QUESTION, at=instant))

    assert [QuestionAsked, ModelsSubstituted] in appended


async def test_a_run_that_has_ended_is_not_answered_twice(world: World) -> None:
    """Nothing is recorded, and the answer is the one that was given."""
    answer = await world.asking().ask(world.question(QUESTION))
    before = await world.store.read(answer.run)

    assert (await again(world).resume(answer.run, world.anna, Actor(world.anna))).end == answer.end
    assert await world.store.read(answer.run) == before


async def test_a_run_that_was_told_of_a_changed_source_is_as_it_was(world: World) -> None:
    """It has ended before: it is neither open nor answered again, and every value comes out the same."""
    answer = await world.asking().ask(world.question(QUESTION))
    recorded = await world.store.read(answer.run)
    told = SourceChangeNotified(99, TODAY, answer.sources[0].shown.ordinal, ("S1",), SUPERSEDED, None, holds=False)
    await world.store.append(world.mandates["a"], answer.run, len(recorded), [told], Actor(world.anna))

    resumed = await again(world).resume(answer.run, world.anna, Actor(world.anna))
    replayed = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    assert (resumed.end, [one.notified for one in resumed.changes]) == (answer.end, [told])
    assert [one.event for one in await world.store.read(answer.run)] == [*(one.event for one in recorded), told]
    assert replayed.replayed.outcome == EQUAL


async def test_taken_up_again_an_ended_run_shows_no_more_than_when_it_is_looked_at(world: World) -> None:
    """Raised above the clearance, a cited version takes the run along; of a refusal goes what came near."""
    refused = await world.asking().ask(world.question("Wie viele Beine hat ein Pferd?", asker=world.bert))
    answered = await world.asking().ask(world.question(QUESTION, asker=world.bert))
    assert isinstance(refused.end, AnswerRefused)
    assert refused.end.nearest
    world.entries[0].version = replace(world.entries[0].version, level="secret")

    shown = await again(world).resume(refused.run, world.bert, Actor(world.bert))

    assert isinstance(shown.end, AnswerRefused)
    assert (shown.end.step, shown.end.nearest) == (refused.end.step, ())
    with pytest.raises(AccessError):
        await again(world).resume(answered.run, world.bert, Actor(world.bert))


async def test_what_is_not_open_cannot_be_resumed_or_replayed(world: World) -> None:
    """A run of somebody else, and one that there is not, are the same."""
    answer = await world.asking().ask(world.question(QUESTION))
    for run in (answer.run, world.new_id()):
        with pytest.raises(AccessError):
            await again(world).resume(run, world.bert, Actor(world.bert))
        with pytest.raises(AccessError):
            await again(world).replay(run, world.bert, Actor(world.bert))


async def test_an_open_run_has_nothing_to_compare(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is resumed first."""
    run = await _cut_off(world, monkeypatch, 3)
    with pytest.raises(InputError, match="run_open"):
        await again(world).replay(run, world.anna, Actor(world.anna))


@pytest.mark.parametrize("question", [QUESTION, "Wie viele Beine hat ein Pferd?", "Was sagt § 12?"])
async def test_a_replay_of_an_undisturbed_run_is_equal_in_every_value(world: World, question: str) -> None:
    """Answered or refused; the recorded run stays as it is, and the replay is recorded beside it."""
    answer = await world.asking().ask(world.question(question))
    before = await world.store.read(answer.run)

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    assert {one.outcome for one in replay.replayed.values} == {EQUAL}
    assert await world.store.read(answer.run) == before
    assert [one.event for one in await world.store.read(replay.id)] == [replay.replayed]


async def test_a_replay_uses_what_was_known_then(world: World) -> None:
    """Versions and thresholds that came later change nothing."""
    answer = await world.asking().ask(world.question(QUESTION))
    await world.add("a", "neu", f"{FRIST} {FRIST}")
    await world.handler.set_threshold("a", "relevance", "0.99", "strenger", Actor(world.anna), model=world.model())

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    assert replay.replayed.outcome == EQUAL


async def test_a_replay_of_a_question_about_a_time_before_the_mandate_keeps_its_policies(world: World) -> None:
    """There were none then, so those of when it was asked counted, and rules that came later change nothing."""
    answer = await world.asking().ask(world.question(QUESTION, at="1999-12-31"))
    await world.handler.set_rule("a", "scope_kind", "wiki", "Wiki", Actor(world.anna))

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    assert isinstance(answer.end, AnswerRefused)
    assert [one.value for one in replay.replayed.values if one.outcome != EQUAL] == []


async def test_a_replay_names_the_value_that_differs_and_by_how_much(world: World) -> None:
    """The reranker of the same name gives other scores: that is found out, in all that follows as well."""
    answer = await world.asking().ask(world.question(QUESTION))
    world.reranker.judge = lambda question, text: share(question, text) - 0.125

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    differing = {one.value: one.difference for one in replay.replayed.values if one.outcome == DIFFERS}
    assert differing["CandidatesReranked.entries"] == pytest.approx(0.125)
    assert "CandidatesFused.entries" not in differing


async def test_another_model_is_named_and_not_compared(world: World) -> None:
    """Its scores would say nothing about the recorded ones."""
    answer = await world.asking().ask(world.question(QUESTION))
    world.reranker.fingerprint = "share/2"

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    reranked = [one for one in replay.replayed.values if one.step == "rerank"]
    assert {(one.outcome, one.reason) for one in reranked} == {(NOT_REPRODUCIBLE, "reranker: share/1 → share/2")}
    assert {one.outcome for one in replay.replayed.values if one.step in {"encode", "search"}} == {EQUAL}


@pytest.mark.parametrize(
    ("recorded", "outcome", "reason"),
    [("best_score/0", NOT_REPRODUCIBLE, f"relevance: best_score/0 → {RELEVANCE_RULE}"), (None, EQUAL, "")],
)
async def test_another_rule_of_a_gate_is_named_and_not_compared(
    world: World, recorded: str | None, outcome: str, reason: str
) -> None:
    """As another model is; a run from before rules had versions is compared in what was recorded of it."""
    answer = await world.asking().ask(world.question(QUESTION))
    journal = world.store._journal
    place = next(number for number, one in enumerate(journal) if isinstance(one.event, RelevanceDecided))
    decided = replace(journal[place].event, rule_version=recorded)  # type: ignore[type-var]
    journal[place] = replace(journal[place], event=decided)

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    values = [one for one in replay.replayed.values if one.value.startswith("RelevanceDecided.")]
    assert {(one.outcome, one.reason) for one in values} == {(outcome, reason)}
    assert ("RelevanceDecided.rule_version" in {one.value for one in values}) == (recorded is not None)


async def test_a_part_that_does_not_answer_is_no_difference(world: World) -> None:
    """It is said which."""
    answer = await world.asking().ask(world.question(QUESTION))
    world.failing.add("reranker")

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    assert {one.reason for one in replay.replayed.values if one.outcome == NOT_REPRODUCIBLE} == {"reranker"}


async def test_a_changed_record_is_found(world: World) -> None:
    """What a run claims must be what its steps make."""
    answer = await world.asking().ask(world.question(QUESTION))
    journal = world.store._journal
    at = next(number for number, one in enumerate(journal) if isinstance(one.event, CandidatesReranked))
    event = journal[at].event
    assert isinstance(event, CandidatesReranked)
    forged = replace(event, entries=tuple(replace(one, score=(one.score or 0) + 0.25) for one in event.entries))
    journal[at] = replace(journal[at], event=forged)

    replay = await again(world).replay(answer.run, world.anna, Actor(world.anna))

    found = next(one for one in replay.replayed.values if one.value == "CandidatesReranked.entries")
    assert found.outcome == DIFFERS
    assert found.difference == pytest.approx(0.25)


async def test_a_refusal_that_should_have_been_none_is_found(world: World) -> None:
    """An end that the steps do not come to differs as a whole."""
    answer = await world.asking().ask(world.question(QUESTION))
    assert isinstance(answer.end, AnswerDelivered)
    journal = world.store._journal
    refused: Event = AnswerRefused("none_found", "none_found", None, None, ())
    journal[-1] = replace(journal[-1], event=refused)

    replayed = (await again(world).replay(answer.run, world.anna, Actor(world.anna))).replayed

    assert isinstance(replayed, RunReplayed)
    assert replayed.outcome == DIFFERS


async def _cut_off(world: World, monkeypatch: pytest.MonkeyPatch, steps: int) -> UUID:
    """Let a question die before the step after ``steps`` of them, and return its run."""
    taken = 0

    class DiedError(Exception):
        pass

    def next_step(run: Run) -> Step:
        nonlocal taken
        if taken == steps:
            raise DiedError
        taken += 1
        return following(run)

    with monkeypatch.context() as patched:
        patched.setattr("domain.asking.course.next_step", next_step)
        with pytest.raises(DiedError):
            await world.asking().ask(world.question(QUESTION))
    return world.store._journal[-1].stream


async def test_a_question_that_was_overtaken_names_its_run(world: World) -> None:
    """Whoever asked learns where the answer is to be had: asking once more would be another run."""

    class Overtaken(Extractive):
        async def draft(self, request: DraftRequest) -> Draft:
            await again(world).resume(run_of(world), world.anna, Actor(world.anna))
            return await super().draft(request)

    slow = Asking(replace(world.parts(), formulator=Overtaken))
    with pytest.raises(InputError) as refused:
        await slow.ask(world.question(QUESTION))

    run = run_of(world)
    assert (refused.value.key, refused.value.values) == ("run_taken", {"run": str(run)})
    events = [type(one.event) for one in await world.store.read(run)]
    assert (events.count(RunResumed), events.count(AnswerDelivered)) == (1, 1)


def run_of(world: World) -> UUID:
    """The run of the last question."""
    return [one.stream for one in world.store._journal if isinstance(one.event, QuestionAsked)][-1]
