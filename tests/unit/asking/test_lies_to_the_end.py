"""The lies that end at a gate, or do not, before anything is checked: what becomes of each when all is checked."""

import pytest

from domain.asking.drafts import DraftRequest
from domain.asking.outcome import AnswerDelivered, AnswerDiscarded, AnswerRefused
from domain.asking.values import Answer
from tests.asking_world import World
from tests.lies import LIES, TRUTH, Lie
from tests.lying import Lying, ask

NAMES = ("kündigung", "beitrag", "anzeige")


async def told(lie: Lie) -> tuple[World, Lying, Answer]:
    """Ask over the three passages, of which the labels are S1, S2 and S3."""
    world = await World().open()
    for name, text in zip(NAMES, TRUTH, strict=True):
        await world.add("a", name, text, section=(name,))
    world.reranker.judge = lambda _question, text: 0.9 - 0.1 * next(n for n, one in enumerate(TRUTH) if one in text)
    formulator = Lying([lie.written])
    return world, formulator, await ask(world, formulator, "de")


def labels(request: DraftRequest) -> dict[str, str]:
    return {one.label: one.passage.text for one in request.passages}


@pytest.mark.parametrize("lie", LIES, ids=lambda one: one.id)
async def test_no_lie_gets_to_the_end(lie: Lie) -> None:
    """It is refused after one more try, struck sentence by sentence, or what was wrong with it is gone.

    One false sentence without a label among many may stand: marked as without a source, and nothing is verified.
    """
    world, formulator, answer = await told(lie)

    assert sorted(labels(formulator.asked[0]).items()) == [(f"S{n}", text) for n, text in enumerate(TRUTH, 1)]
    steps = [one.step for one in world.events() if isinstance(one, AnswerDiscarded)]
    if isinstance(answer.end, AnswerRefused):
        expected = "verifier" if lie.outcome == "dropped" else lie.outcome
        assert answer.end.step == expected
        assert steps == ([] if expected == "none_found" else [expected])
        assert answer.sources == ()
        return
    assert isinstance(answer.end, AnswerDelivered)
    assert (lie.outcome, steps) == (("clean" if answer.end.note == "verified" else "dropped"), [])
    assert not [one.text for one in answer.end.sentences if one.labels and one.text in lie.false and not one.struck]
    assert not any(words in one.text for words in lie.gone for one in answer.end.sentences)
