"""Who may read a draft that was withheld, and what stands in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import pytest

from domain.asking.again import Again
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed
from domain.asking.pipeline import Asking
from domain.asking.runs import Runs
from domain.asking.stored import StoredTexts
from domain.asking.values import Answer, WithheldDraft
from domain.errors import PartError
from domain.recording import Actor
from tests.asking_world import World
from tests.lying import QUESTIONS, TRUTHS, Lying, Said, parts_of, told_lies

LIE = "Der Urlaub beträgt höchstens 99 Tage im Jahr [@urlaub]."
OTHER_LIE = "Der Vorstand besteht aus neun Mitgliedern [@vorstand]."
TRUTH = TRUTHS["de"][0]


@dataclass
class Office:
    """Bert asks, Anna administers, Carla watches over the answers."""

    world: World
    carla: UUID

    async def ask(self, drafts: Sequence[Said], asker: UUID | None = None) -> Answer:
        question = self.world.question(QUESTIONS["de"], asker=asker or self.world.bert)
        return await Asking(parts_of(self.world, Lying(drafts))).ask(question)

    async def show(self, answer: Answer, reader: UUID) -> Answer:
        world = self.world
        runs = Runs(world.store, world.handler, world, world, StoredTexts(world.blobs), world.clock)
        return await runs.show(answer.run, reader)

    async def drafts(self, answer: Answer, reader: UUID | None = None) -> tuple[WithheldDraft, ...]:
        return (await self.show(answer, reader or self.carla)).drafts


@pytest.fixture
async def office() -> Office:
    world = await told_lies("de")
    carla = await world.people.register("carla")
    await world.handler.admit("a", "carla", "internal", Actor(world.anna))
    await world.handler.give_role("a", "carla", "compliance", Actor(world.anna))
    return Office(world, carla)


async def test_compliance_reads_what_was_rejected_and_why(office: Office) -> None:
    """Every draft of the run, each sentence with the reason for which it is struck."""
    answer = await office.ask([f"{LIE} {TRUTH} {OTHER_LIE}", LIE])

    first, second = await office.drafts(answer)

    assert isinstance(answer.end, AnswerRefused)
    assert answer.end.step == "verifier"
    assert [(one.attempt, one.step) for one in (first, second)] == [(1, "verifier"), (2, "verifier")]
    assert ["99 Tage" in one.text for one in first.sentences] == [True, False, False]
    assert [bool(one.struck) for one in first.sentences] == [True, False, True]


async def test_nobody_else_reads_it(office: Office) -> None:
    """Neither the asker nor an administrator, in no way that a run can be told."""
    answer = await office.ask([LIE])
    world = office.world
    again = Again(parts_of(world, Lying([LIE])))

    told = [
        answer,
        await office.show(answer, world.bert),
        await office.show(answer, world.anna),
        await again.resume(answer.run, world.bert, Actor(world.bert)),
    ]

    assert isinstance(answer.end, AnswerRefused)
    assert [one.drafts for one in told] == [()] * 4
    assert not any("99 Tage" in str(one) for one in told)
    assert len(await office.drafts(answer)) == 2


async def test_who_asked_does_not_read_it_as_compliance_either(office: Office) -> None:
    """A rejected answer is withheld from whoever wanted it, whatever their role."""
    answer = await office.ask([LIE], asker=office.carla)

    assert await office.drafts(answer) == ()


async def test_the_evidence_has_to_be_open_to_the_reader(office: Office) -> None:
    """One of the passages that the draft was written from has been raised above the clearance since."""
    answer = await office.ask([LIE])
    assert await office.drafts(answer)
    for entry in office.world.entries[:1]:
        entry.version = replace(entry.version, level="secret")

    assert await office.drafts(answer) == ()


async def test_a_discarded_draft_stands_beside_the_answer_that_passed(office: Office) -> None:
    """The first draft was discarded, the second one delivered: only the first was withheld."""
    answer = await office.ask([LIE, f"{TRUTH} {TRUTHS['de'][1]}"])

    (draft,) = await office.drafts(answer)

    assert isinstance(answer.end, AnswerDelivered)
    assert (draft.attempt, draft.step) == (1, "verifier")
    assert "99 Tage" not in str(answer)


@pytest.mark.parametrize(
    ("said", "step"),
    [("Der Urlaub beträgt 28 Tage [S99].", "integrity"), ("Das gilt wohl so. Und das auch.", "coverage")],
)
async def test_a_draft_that_no_gate_let_through_is_read_with_its_gate(office: Office, said: str, step: str) -> None:
    """Labels that stand for nothing, and sentences without any."""
    answer = await office.ask([said])

    found = await office.drafts(answer)

    assert [(one.attempt, one.step) for one in found] == [(1, step), (2, step)]
    assert all(one.sentences for one in found)


async def test_a_reply_that_could_not_be_read_is_there_word_for_word(office: Office) -> None:
    """There are no sentences to show, but what the model wrote."""
    answer = await office.ask(['{"sentences": [{"text": "Neunundneunzig'])

    found = await office.drafts(answer)

    assert [(one.sentences, bool(one.problem), "Neunundneunzig" in one.reply) for one in found] == [
        ((), True, True)
    ] * 2


async def test_an_answer_that_was_shown_has_no_withheld_draft(office: Office) -> None:
    """What became the answer is no draft any more, and a question without a draft has none."""
    delivered = await office.ask([f"{TRUTH} {TRUTHS['de'][1]}"])
    failed = await office.ask([PartError("model", model="m", kind="k")])

    assert isinstance(delivered.end, AnswerDelivered)
    assert isinstance(failed.end, RunFailed)
    assert [await office.drafts(one) for one in (delivered, failed)] == [(), ()]
