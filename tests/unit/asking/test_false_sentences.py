"""A formulator that lies: no false sentence comes out as verified or unstruck, and the record tells all of it."""

import pytest

from domain.asking.drafts import Language
from domain.asking.outcome import AnswerDelivered, AnswerDiscarded, AnswerRefused
from domain.asking.verdicts import ClaimsChecked, VerdictReached
from tests.lying import CHECKED, LIES, PASSAGES, TRUTHS, Lie, Lying, ask, delivered, honest, kinds, of_drafts, told_lies


@pytest.mark.parametrize("language", ["de", "en"])
async def test_the_truth_is_verified(language: Language) -> None:
    """Every sentence of the corpus under its own label; else the tests below would prove little."""
    for name, (_, _, text) in PASSAGES[language].items():
        if name == "probezeit":
            continue
        world = await told_lies(language)
        reply = " ".join(f"{one.rstrip('.')} [@{name}]." for one in text.split(". "))

        answer = await ask(world, Lying([reply]), language)

        assert (delivered(answer).note, delivered(answer).dropped) == ("verified", 0), reply
        assert kinds(world) == [*CHECKED, AnswerDelivered]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.id}-{lie.kind}")
async def test_a_lie_is_discarded_and_an_honest_second_draft_answers(lie: Lie) -> None:
    """The second draft passes the same gates; what was discarded stays in the record."""
    world = await told_lies(lie.language)
    formulator = Lying([lie.cited, honest(lie.language)])

    answer = await ask(world, formulator, lie.language)

    assert kinds(world) == [*CHECKED, AnswerDiscarded, *CHECKED, AnswerDelivered]
    assert AnswerDiscarded("verifier", 1) in world.events()
    assert delivered(answer).note == "verified"
    assert [one.text for one in delivered(answer).sentences] == [
        one.split(" [")[0] + "." for one in TRUTHS[lie.language]
    ]
    assert [request.attempt for request in formulator.asked] == [1, 2]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.id}-{lie.kind}")
async def test_who_lies_twice_is_refused(lie: Lie) -> None:
    """There is no third draft, and nothing of the two is shown."""
    world = await told_lies(lie.language)
    formulator = Lying([lie.cited])

    answer = await ask(world, formulator, lie.language)

    assert isinstance(answer.end, AnswerRefused)
    assert (answer.end.step, answer.end.reason, answer.sources) == ("verifier", "verifier", ())
    assert kinds(world) == [*CHECKED, AnswerDiscarded, *CHECKED, AnswerRefused]
    assert [one.verdict for one in of_drafts(world) if isinstance(one, VerdictReached)] == ["rejected", "rejected"]
    assert len(formulator.asked) == 2


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.id}-{lie.kind}")
async def test_a_lie_among_truths_is_struck(lie: Lie) -> None:
    """It alone, with the reason; the answer is no more than partially verified, and says how much is struck."""
    world = await told_lies(lie.language)
    formulator = Lying(["\n".join([*TRUTHS[lie.language], lie.cited])])

    end = delivered(await ask(world, formulator, lie.language))

    assert [bool(one.struck) for one in end.sentences] == [False, False, True]
    assert (end.note, end.claims, end.dropped) == ("partially_verified", 3, 1)
    assert kinds(world) == [*CHECKED, AnswerDelivered]
    (checked,) = (one for one in of_drafts(world) if isinstance(one, ClaimsChecked))
    assert [one.is_covered for one in checked.claims] == [True, True, False]
    assert end.sentences[2].struck[0] == checked.claims[2].reason
    assert len(formulator.asked) == 1
