"""The same question in the same state gives the same answer, and every run can be computed once more."""

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from domain.asking.again import Again
from domain.asking.outcome import AnswerDelivered, AnswerDiscarded, AnswerRefused, RunFailed, RunResumed
from domain.asking.pipeline import Asking
from domain.asking.replaying import EQUAL
from domain.asking.run import Run
from domain.asking.steps import Step
from domain.asking.steps import next_step as following
from domain.asking.values import Answer
from domain.errors import PartError
from domain.recording import Actor, Event
from tests.asking_world import World
from tests.lying import LIES, PASSAGES, TRUTHS, Lying, ask, delivered, parts_of, told_lies

TOPICS = ("Kündigungsfrist", "Kaution", "Miete", "Urlaub", "Gehalt", "Probezeit", "Widerspruch", "Vorstand", "Primzahl")
QUESTIONS = (
    "Wie lang ist die {}?",
    "Was gilt für {}?",
    "Wie hoch ist {} höchstens?",
    "Wer entscheidet über {}?",
    "Was sagt § 7 zu {}?",
    "Was sagt § 99 zu {}?",
    "Was regelt § 263 StGB zu {}?",
    "{}",
    "Was hat {} mit Elefanten, Tigern und Löwen zu tun?",
    "Der Vermieter kann die Miete um höchstens 15 Prozent erhöhen, was heißt das für {}?",
    "What about {}?",
    "Gibt es Ausnahmen bei {}?",
)


def anchors(answer: Answer) -> list[str]:
    return [str(one.anchor) for one in answer.sources]


async def corpus() -> World:
    """Return the German passages with the searches and the reranker as they are."""
    world = await told_lies("de")
    world.reranker.judge = None
    return world


async def test_twenty_times_the_same() -> None:
    """Answered, partly struck, refused by a gate, refused by the rules: decision, sentences and anchors."""
    true, lie = TRUTHS["de"][0], LIES[0].cited
    for question in ("Was gilt für Urlaub und Kündigungsfrist?", "Was sagt § 99?", "Was ist eine Primzahl?"):
        for replies in ([true], [f"{true} {lie}"], [lie], [lie, true], [f"{true} [S9]"]):
            world = await told_lies("de") if question.startswith("Was gilt") else await corpus()
            asking = Asking(parts_of(world, Lying(replies)))
            answers = [await asking.ask(world.question(question)) for _ in range(20)]

            assert len({(repr(one.end), tuple(anchors(one))) for one in answers}) == 1
            assert len({one.run for one in answers}) == 20


async def test_two_hundred_runs_replay_equal() -> None:
    """All kinds of questions and ends, formulated by extraction or by a liar; every value of every run."""
    world = await corpus()
    questions = [question.format(topic) for question, topic in product(QUESTIONS, TOPICS)]
    liar = Lying([LIES[0].cited, f"{TRUTHS['de'][0]} {LIES[0].cited}"])
    ends: Counter[str] = Counter()
    for number, text in enumerate((questions * 2)[:200]):
        parts = world.parts() if number < len(questions) else parts_of(world, liar)
        documents = ("satzung § 7 widerspruch",) if number % 7 == 0 else None
        at = world.tick() if number % 11 == 0 else None
        answer = await Asking(parts).ask(world.question(text, documents=documents, at=at))
        recorded = await world.store.read(answer.run)

        replay = await Again(parts).replay(answer.run, world.anna, Actor(world.anna))

        assert {one.outcome for one in replay.replayed.values} == {EQUAL}, text
        assert await world.store.read(answer.run) == recorded
        assert isinstance(answer.end, AnswerDelivered | AnswerRefused)
        ends[answer.end.note if isinstance(answer.end, AnswerDelivered) else answer.end.step] += 1
    assert min(ends[end] for end in ("verified", "partially_verified", "relevance", "none_found")) >= 10


def test_the_corpus_is_what_the_questions_are_about() -> None:
    """Else the runs above would all be refusals."""
    words = " ".join(" ".join(one) for one in PASSAGES["de"].values())
    assert [topic for topic in TOPICS if topic not in words] == ["Primzahl"]


LIE, TRUE = LIES[0].cited, TRUTHS["de"][0]
CUTS = [*((steps, TRUE) for steps in range(12)), *((steps, LIE) for steps in range(11))]
"""Steps of a run whose first draft the verifier discards, and whose second it does not, or does."""


@pytest.mark.parametrize(("steps", "second"), CUTS)
async def test_a_run_cut_off_between_two_drafts_ends_as_if_it_had_not_been(
    monkeypatch: pytest.MonkeyPatch, steps: int, second: str
) -> None:
    """After each of its steps; the first draft is not written again, and there is no third."""
    whole, world = await told_lies("de"), await told_lies("de")
    expected = await ask(whole, Lying([LIE, second]), "de")
    formulator = Lying([LIE, second])
    with monkeypatch.context() as patched:
        patched.setattr("domain.asking.course.next_step", _dying_after(steps))
        with pytest.raises(DiedError):
            await ask(world, formulator, "de")

    parts = parts_of(world, formulator)
    resumed = await Again(parts).resume(world.store._journal[-1].stream, world.anna, Actor(world.anna))

    assert (repr(resumed.end), anchors(resumed)) == (repr(expected.end), anchors(expected))
    assert [one for one in _kinds(world) if one is not RunResumed] == _kinds(whole)
    assert [one.attempt for one in formulator.asked] == [1, 2]
    replay = await Again(parts).replay(resumed.run, world.anna, Actor(world.anna))
    assert {one.outcome for one in replay.replayed.values} == {EQUAL}


async def test_a_model_that_is_down_for_the_second_draft_is_asked_for_that_one() -> None:
    """The run fails, is resumed, and the discarded draft stays the only one."""
    world = await told_lies("de")
    formulator = Lying([LIE, PartError("model"), TRUE])

    failed = await ask(world, formulator, "de")
    assert failed.end == RunFailed("model", "model")
    formulator.drafts = [LIE, TRUE]
    parts = parts_of(world, formulator)
    resumed = await Again(parts).resume(failed.run, world.anna, Actor(world.anna))

    assert delivered(resumed).note == "verified"
    assert [one.attempt for one in formulator.asked] == [1, 2, 2]
    assert _kinds(world).count(AnswerDiscarded) == 1
    replay = await Again(parts).replay(resumed.run, world.anna, Actor(world.anna))
    assert {one.outcome for one in replay.replayed.values} == {EQUAL}


class DiedError(Exception):
    """The process is gone."""


def _dying_after(steps: int) -> Callable[[Run], Step]:
    taken = 0

    def next_step(run: Run) -> Step:
        nonlocal taken
        if taken == steps:
            raise DiedError
        taken += 1
        return following(run)

    return next_step


def _kinds(world: World) -> list[type[Event]]:
    return [type(one) for one in world.events()]
