"""Sentences in another language than their source: figures and references are compared, a model judges the rest."""

import pytest

from bot.answers import reason
from bot.sentences import sentences
from bot.text import texts
from domain.asking.outcome import AnswerRefused
from domain.asking.parts import Parts
from domain.asking.pipeline import Asking
from domain.asking.values import Answer
from domain.asking.verdicts import ClaimsChecked
from domain.verifying.checking import Statement, check_a
from domain.verifying.judge import judge
from domain.verifying.ports import Claim, DeterministicJudge
from domain.verifying.values import Judgement, Standing
from tests.asking_world import World
from tests.lying import TRUTHS, Lying, delivered, parts_of, told_lies

GERMAN = (
    "§ 8 Widerruf\nDer Kunde kann seine Erklärung nach § 3 VVG innerhalb von vierzehn Tagen widerrufen. "
    "Die Summe beträgt 1.500,00 Euro. Sie gilt seit dem 1. Juli 2023. Aktenzeichen 12 K 345/24."
)
ENGLISH = "§ 8 Withdrawal\nThe customer may withdraw within fourteen days. The sum is 1,500.00 euros."
QUESTION = "What are the rules for notice and for the deposit?"
TRUE = "The notice period is three months [@frist]."
OTHER_NUMBER = "The notice period is four months [@frist]."


class Believing:
    """``Judge`` that believes everything, and remembers what it was asked."""

    name = model = "believing"
    fingerprint = "believing/1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def judge(self, claims: list[Claim]) -> list[Judgement]:
        self.asked += [one.text for one in claims]
        return [Judgement(Standing.SUPPORTED, 1.0, "model", (), "")] * len(claims)


@pytest.mark.parametrize(
    "claim",
    [
        "The customer may withdraw within fourteen days.",
        "The customer may withdraw within two weeks under § 8.",
        "The customer may withdraw in 14 days, see § 3 VVG.",
        "The sum is 1,500.00 euros.",
        "It has applied since 1 July 2023 and the file is 12 K 345/24.",
        'The "Widerruf" is open to the customer, who may use the "Erklärung innerhalb von vierzehn Tagen".',
        "The customer must never withdraw.",
    ],
)
def test_words_cannot_be_compared(claim: str) -> None:
    """True or false, with the same figures and references the rules do not know: not supported, and it says why."""
    found = judge(claim, GERMAN)
    assert (found.standing, found.confidence, found.reason) == (Standing.NOT_SUPPORTED, 0.0, "language")


def test_german_about_an_english_source_is_the_same() -> None:
    """Neither language is the better one."""
    found = judge("Der Kunde kann die Erklärung in vierzehn Tagen widerrufen.", ENGLISH)
    assert (found.is_supported, found.reason) == (False, "language")


@pytest.mark.parametrize(
    ("claim", "guard", "words"),
    [
        ("The customer may withdraw within thirty days.", "number", "thirty days"),
        ("The sum is 1.500 euros.", "number", "1.500 euros"),
        ("The sum is 2,500.00 euros.", "number", "2,500.00 euros"),
        ("It has applied since 1 July 2024.", "date", "It has applied since 1 July 2024."),
        ("The customer may withdraw under § 9.", "reference", "§ 9"),
        ("The customer may withdraw under Section 9.", "reference", "Section 9"),
        ("The file is 12 K 346/24.", "reference", "12 K 346/24"),
    ],
)
async def test_what_is_the_same_in_both_is_compared(claim: str, guard: str, words: str) -> None:
    """A number, a date, a § or a file number that the source lacks is final: no model is asked, and it is named."""
    believing = Believing()

    (found,) = await check_a(believing, [Statement(claim, [GERMAN])])

    assert believing.asked == []
    assert (found.is_supported, found.reason, found.findings[0].claim) == (False, guard, words)


async def test_figures_of_several_passages_count_together() -> None:
    """A claim that cites two of them may take a figure from each."""
    believing = Believing()
    both = ["§ 1\nDie Frist beträgt drei Monate.", "§ 2\nDie Kaution beträgt 900 Euro."]
    claim = "The period is three months and the deposit is 900 euros."

    (found,) = await check_a(believing, [Statement(claim, [*both, "\n".join(both)])])

    assert believing.asked == [claim]
    assert found.is_supported


async def test_without_a_model_that_judges_an_english_draft_is_withheld() -> None:
    """A question in English gets no unchecked sentence, and reads in either language why there is none."""
    world = await told_lies("de")
    formulator = Lying([TRUE])

    asking = parts_of(world, formulator, DeterministicJudge())
    answer = await _asked(asking, world)

    assert [one.language for one in formulator.asked] == ["en", "en"]
    assert isinstance(answer.end, AnswerRefused)
    assert (answer.end.step, answer.end.reason, answer.sources) == ("verifier", "verifier_language", ())
    assert "in another language than the sources" in reason(answer, texts("en"))
    assert "[models.judge]" in reason(answer, texts("de"))


async def test_a_draft_that_is_wrong_besides_is_not_excused_by_its_language() -> None:
    """Another number is another reason."""
    world = await told_lies("de")

    answer = await _asked(parts_of(world, Lying([OTHER_NUMBER]), DeterministicJudge()), world)

    assert isinstance(answer.end, AnswerRefused)
    assert answer.end.reason == "verifier"
    assert "in another language" not in reason(answer, texts("en"))


async def test_one_english_sentence_among_german_quotes_is_struck_with_the_reason() -> None:
    """The quotes stand: they are the source's own words."""
    world = await told_lies("de")
    reply = "\n".join([*TRUTHS["de"], TRUE])

    answer = await _asked(parts_of(world, Lying([reply]), DeterministicJudge()), world)

    assert delivered(answer).note == "partially_verified"
    assert [one.is_struck for one in sentences(answer, texts("en"))] == [False, False, True]
    assert "in another language than the source" in sentences(answer, texts("en"))[-1].remark


async def test_a_model_that_judges_decides() -> None:
    """It is asked about the sentence that only it can read, and about none with another number."""
    world = await told_lies("de")
    believing = Believing()

    true = await _asked(parts_of(world, Lying([TRUE]), believing), world)
    false = await _asked(parts_of(world, Lying([OTHER_NUMBER]), believing), world)

    assert delivered(true).note == "verified"
    assert [one.text for one in delivered(true).sentences] == ["The notice period is three months."]
    assert isinstance(false.end, AnswerRefused)
    assert believing.asked == ["The notice period is three months."]
    assert [one.judge for one in world.events() if isinstance(one, ClaimsChecked)] == ["believing/1"] * 3


async def _asked(parts: Parts, world: World) -> Answer:
    return await Asking(parts).ask(world.question(QUESTION))
