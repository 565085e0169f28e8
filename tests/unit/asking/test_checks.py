"""The gates after the draft and the verifier, each pushed to its edge by a scripted draft."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, nan

import pytest

from bot.sentences import sentences
from bot.text import texts
from domain.asking.norms import StoredNorms
from domain.asking.outcome import AnchorsResolved, AnswerDelivered, AnswerDiscarded, AnswerRefused, CoverageDecided
from domain.asking.pipeline import Asking
from domain.asking.rules import Ruling
from domain.asking.ruling import Rules
from domain.asking.verdicts import ClaimsChecked, SuspiciousSpot, VerdictReached
from domain.asking.visibility import Visible
from domain.errors import PartError
from domain.mandates.events import RuleSet
from domain.recording import Actor
from domain.verifying.judge import judge
from domain.verifying.ports import Claim
from domain.verifying.values import Judgement, Standing
from tests.asking_world import HeadingSections, World
from tests.lying import (
    LIES,
    PASSAGES,
    QUESTIONS,
    TRUTHS,
    Lie,
    Lying,
    ask,
    delivered,
    kinds,
    of_drafts,
    parts_of,
    told_lies,
)

FIRST, SECOND = TRUTHS["de"]
TRUE = "Die Kündigungsfrist beträgt drei Monate [@frist]."
WRITTEN = "Der Mieter muss die Kündigung schriftlich erklären [@frist]."
FALSE = "Die Kündigungsfrist beträgt vier Monate [@frist]."
ELSEWHERE = "Der Mieter erklärt die Kündigung, und er muss es schriftlich tun [@frist]."
"""Nothing contradicts it, and it is no sentence of the source to the last character."""


@dataclass
class Saying:
    """``Judge`` that says the same of every claim; ``answers`` are what it returns, or what it raises."""

    answers: Judgement | PartError | Sequence[Judgement]
    name: str = "saying"
    model: str = ""
    fingerprint: str = "saying/1"
    asked: int = 0

    async def judge(self, claims: Sequence[Claim]) -> Sequence[Judgement]:
        self.asked += 1
        if isinstance(self.answers, PartError):
            raise self.answers
        return [self.answers] * len(claims) if isinstance(self.answers, Judgement) else self.answers


def yes(confidence: float = 1.0) -> Judgement:
    return Judgement(Standing.SUPPORTED, confidence, "covered", (), "")


async def rule(world: World, name: str, value: str) -> None:
    """Put a rule in force as if a second person had agreed."""
    mandate = await world.handler.find("a")
    event = RuleSet(name, value, "weil")
    await world.store.append(mandate.id, mandate.id, mandate.version, [event], Actor(world.anna))


async def threshold(world: World, name: str, value: str) -> None:
    await world.handler.set_threshold("a", name, value, "strenger", Actor(world.anna), model=world.model())


def checked(world: World) -> ClaimsChecked:
    return next(one for one in reversed(world.events()) if isinstance(one, ClaimsChecked))


# The integrity rule


@pytest.mark.parametrize("cited", ["[S9]", "[S1 Abs 1]", "[Quelle 3]", "[S9, S10]"])
async def test_a_claim_without_a_known_anchor_is_struck(cited: str) -> None:
    """Where the mandate has it so: the answer stands, the claim is struck and counted, and a ? stands for the label."""
    world = await told_lies("de")
    await rule(world, "integrity", "strike")
    reply = f"{FIRST} {SECOND} {TRUE} {WRITTEN} Der Urlaub ist eine Erholung {cited}."

    answer = await ask(world, Lying([reply]), "de")

    end = delivered(answer)
    assert (end.note, end.claims, end.dropped) == ("partially_verified", 5, 1)
    assert [one.struck[:1] for one in end.sentences] == [(), (), (), (), ("anchor",)]
    last = sentences(answer, texts("de"))[-1]
    assert (last.anchors, last.is_struck) == ("[?]", True)
    resolved = next(one for one in of_drafts(world) if isinstance(one, AnchorsResolved))
    assert resolved.rule == "strike"
    assert resolved.unknown


async def test_a_known_anchor_beside_an_unknown_one_is_enough() -> None:
    """The claim is checked against what it has, and the other label is shown to be none."""
    world = await told_lies("de")
    await rule(world, "integrity", "strike")

    answer = await ask(world, Lying([f"{FIRST} Die Kündigungsfrist beträgt drei Monate [@frist, S9]."]), "de")

    assert delivered(answer).note == "verified"
    assert [one.is_struck for one in sentences(answer, texts("de"))] == [False, False]
    assert sentences(answer, texts("de"))[-1].anchors.endswith(", ?]")


@pytest.mark.parametrize("reply", [f"{FALSE[:-9]} [S9].", "Das gilt [S9]. Dies auch [S1 Abs 2].", "Dies gilt (S1)."])
async def test_no_known_anchor_at_all_is_refused(reply: str) -> None:
    """Whatever the rule is, nothing is left to be shown."""
    world = await told_lies("de")
    await rule(world, "integrity", "strike")

    end = (await ask(world, Lying([reply], attempts=1), "de")).end

    assert isinstance(end, AnswerRefused)
    assert end.step == "integrity"


@pytest.mark.parametrize("value", ["discard", "strike"])
async def test_coverage_is_measured_before_anything_is_struck(value: str) -> None:
    """Three of four: too few, however good the three are. A draft is never trimmed until it fits."""
    world = await told_lies("de")
    await rule(world, "integrity", value)
    reply = f"{FIRST} {SECOND} {TRUE} Der Urlaub ist eine Erholung [S9]."

    end = (await ask(world, Lying([reply], attempts=1), "de")).end

    (coverage,) = (one for one in of_drafts(world) if isinstance(one, CoverageDecided))
    assert (coverage.value, coverage.threshold, coverage.passed) == (0.75, 0.8, False)
    assert isinstance(end, AnswerRefused)
    assert end.step == ("coverage" if value == "strike" else "integrity")
    assert kinds(world)[-1] is AnswerRefused


async def test_a_mandate_may_ask_for_more_coverage() -> None:
    """Its threshold counts, and is recorded."""
    world = await told_lies("de")
    reply = f"{FIRST} {SECOND} {TRUE} {WRITTEN} So ist das."
    assert delivered(await ask(world, Lying([reply]), "de")).note == "verified"
    await threshold(world, "coverage", "0.81")

    end = (await ask(world, Lying([reply], attempts=1), "de")).end

    assert isinstance(end, AnswerRefused)
    assert (end.step, end.value, end.threshold) == ("coverage", 0.8, 0.81)


# The verdict


@pytest.mark.parametrize(
    ("reply", "verdict", "counted"),
    [
        (f"{FIRST}", "verified", (1, 0, 0, 0)),
        (f"{FIRST} {FALSE}", "partially_verified", (2, 1, 0, 0)),
        (f"{FIRST} {SECOND} {FALSE}", "partially_verified", (3, 1, 0, 0)),
        (f"{FIRST} {FALSE} {FALSE}", "rejected", (3, 2, 0, 0)),
        (f"{FALSE}", "rejected", (1, 1, 0, 0)),
        (f"{FIRST} {SECOND} {TRUE} {WRITTEN} Es sind 3 Tage.", "partially_verified", (4, 0, 1, 0)),
        (f"{FIRST} {SECOND} {TRUE} {WRITTEN} Daran zweifelt niemand.", "partially_verified", (4, 0, 0, 1)),
        (f"{f'{FIRST} {SECOND} ' * 4} Es sind 3 Tage. Es sind 4 Tage.", "rejected", (8, 0, 2, 0)),
        (f"{FIRST} {SECOND} {TRUE} {FALSE} Es sind 3 Tage.", "partially_verified", (4, 1, 1, 0)),
    ],
)
async def test_the_verdict_is_that_of_what_was_counted(reply: str, verdict: str, counted: tuple[int, ...]) -> None:
    """Claims, those dropped, suspicious spots, and weak signs."""
    world = await told_lies("de")

    end = (await ask(world, Lying([reply], attempts=1), "de")).end

    (reached,) = (one for one in of_drafts(world) if isinstance(one, VerdictReached))
    assert (reached.verdict, (reached.claims, reached.dropped, reached.spots, reached.weak)) == (verdict, counted)
    assert isinstance(end, AnswerRefused) == (verdict == "rejected")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Die Kündigungsfrist beträgt vier Monate.", "number"),
        ("Das gilt seit dem 1. Januar 2020.", "date"),
        ("Das steht in § 99 BGB.", "reference"),
        ("Der Vermieter muss zahlen.", "duty"),
        ("Das sagt auch Herr Kranz.", "name"),
        ("Der Mieter darf die Wohnung untervermieten.", "negation"),
    ],
)
async def test_a_sentence_without_a_source_is_marked_and_makes_a_spot(sentence: str, reason: str) -> None:
    """It stands in the answer, says so itself, and the answer is never called verified."""
    world = await told_lies("de")

    answer = await ask(world, Lying([f"{FIRST} {SECOND} {TRUE} {WRITTEN} {sentence}"]), "de")

    assert delivered(answer).note == "partially_verified"
    assert checked(world).spots == (SuspiciousSpot(4, reason),)
    assert sentences(answer, texts("de"))[-1].remark == texts("de")("answer.unsupported")


# The judge


@pytest.mark.parametrize(
    ("answers", "part"),
    [
        (PartError("judge"), "judge"),
        ([yes()] * 7, "judge"),
        ([], "judge"),
        (yes(nan), "saying"),
        (yes(inf), "saying"),
        (yes(-0.5), "saying"),
        (yes(1.5), "saying"),
    ],
)
async def test_a_judge_that_fails_drops_every_claim(
    answers: Judgement | PartError | list[Judgement], part: str
) -> None:
    """Also those that it was not asked about: rejected, tried once more, and refused."""
    world = await told_lies("de")
    reply = f"{FIRST} {SECOND} {ELSEWHERE}"

    end = (await ask(world, Lying([reply]), "de", Saying(answers))).end

    assert isinstance(end, AnswerRefused)
    assert end.step == "verifier"
    assert [one.step for one in world.events() if isinstance(one, AnswerDiscarded)] == ["verifier"]
    found = checked(world)
    assert (found.failed, found.judge) == ((part, ""), "saying/1")
    assert {(one.is_covered, one.confidence, one.reason) for one in found.claims} == {(False, None, "failed")}


async def test_a_sentence_of_its_source_needs_no_judge() -> None:
    """It is what the source says; nobody is asked."""
    world = await told_lies("de")
    silent = Saying(PartError("judge"))

    assert delivered(await ask(world, Lying([f"{FIRST} {SECOND}"]), "de", silent)).note == "verified"
    assert silent.asked == 0


@pytest.mark.parametrize(("confidence", "is_covered"), [(0.0, False), (0.79, False), (0.8, True), (1.0, True)])
async def test_a_judge_must_be_sure_enough(confidence: float, *, is_covered: bool) -> None:
    """0.80, unless the mandate asks for more."""
    world = await told_lies("de")

    await ask(world, Lying([f"{FIRST} {ELSEWHERE}"]), "de", Saying(yes(confidence)))

    assert [(one.is_covered, one.confidence) for one in checked(world).claims] == [
        (True, 1.0),
        (is_covered, confidence),
    ]


async def test_a_mandate_may_ask_its_judge_to_be_surer() -> None:
    """Its threshold counts."""
    world = await told_lies("de")
    await threshold(world, "confidence", "0.95")

    await ask(world, Lying([f"{FIRST} {ELSEWHERE}"]), "de", Saying(yes(0.9)))

    assert (checked(world).threshold, [one.is_covered for one in checked(world).claims]) == (0.95, [True, False])


async def test_no_judge_saves_what_the_guards_contradict() -> None:
    """A judge that believes everything is asked only where the guards find nothing against a sentence."""
    contradicted = [one for one in LIES if _is_contradicted(one)]
    assert len(contradicted) > 0.7 * len(LIES)
    for lie in contradicted:
        world = await told_lies(lie.language)
        reply = "\n".join([*TRUTHS[lie.language], lie.cited])

        end = delivered(await ask(world, Lying([reply]), lie.language, Saying(yes())))

        assert [bool(one.struck) for one in end.sentences] == [False, False, True], lie


def _is_contradicted(lie: Lie) -> bool:
    passages = ["\n".join(PASSAGES[lie.language][name][1:]) for name in lie.cites]
    found = [judge(lie.sentence, one).standing for one in (*passages, "\n".join(passages))]
    return Standing.CONTRADICTED in found and Standing.SUPPORTED not in found


async def test_who_checks_themselves_is_told() -> None:
    """The same model wrote and judged: the answer says so. Two of no name are not the same."""
    world = await told_lies("de")
    for written, judged, is_self in (("m", "m", True), ("m", "n", False), ("", "", False), ("m", "", False)):
        end = delivered(await ask(world, Lying([FIRST], model=written), "de", Saying(yes(), model=judged)))
        assert end.is_self_check is is_self


# Check B


async def test_a_section_that_is_not_in_the_act_is_struck() -> None:
    """Even where the passage names it: a source may be wrong about another one."""
    world = await World().open()
    wrong, right = "Die Haftung des Mieters bei Kündigung regelt § 999 BGB.", "Der Mieter haftet für jeden Schaden."
    title = "Bürgerliches Gesetzbuch (BGB)"
    await world.add("a", "bgb", f"{wrong} {right}", section=("§ 573 Haftung",), title=title)
    world.reranker.judge = lambda _question, _text: 0.9

    end = delivered(await ask(world, Lying([f"{wrong} [S1]\n{right} [S1]"]), "de"))

    assert [one.struck[:2] for one in end.sentences] == [("section", "§ 999 BGB"), ()]


@pytest.mark.parametrize(("value", "verdict"), [("reject", "rejected"), ("allow", "verified")])
async def test_a_check_b_that_fails_rejects_unless_the_rule_allows_it(value: str, verdict: str) -> None:
    """What failed, and by which rule, is recorded."""
    world = await told_lies("de")
    await rule(world, "foreign_check", value)
    world.failing.add("sections")
    reply = f"{FIRST} Über den Widerspruch entscheidet der Vorstand nach Maßgabe von § 9 [@widerspruch]."

    end = (await ask(world, Lying([reply]), "de")).end

    reached = [one for one in of_drafts(world) if isinstance(one, VerdictReached)]
    assert {(one.verdict, one.rule) for one in reached} == {(verdict, value)}
    assert checked(world).failed == ("", "sections")
    assert isinstance(end, AnswerDelivered) == (value == "allow")
    assert len(reached) == (1 if value == "allow" else 2)


async def test_what_check_b_found_before_it_failed_counts() -> None:
    """The rule lets an unfinished check pass; a § that is known not to be there is struck all the same."""
    world = await World().open()
    wrong, right = "Die Haftung des Mieters bei Kündigung regelt § 999 BGB.", "Der Mieter haftet nach § 573 BGB."
    await world.add("a", "bgb", f"{wrong} {right}", section=("§ 573 Haftung",), title="Bürgerliches Gesetzbuch (BGB)")
    await rule(world, "foreign_check", "allow")
    world.reranker.judge = lambda _question, _text: 0.9

    class Breaking(Rules):
        async def of(self, text: str, visible: Visible) -> Ruling:
            if text == right:
                raise PartError("sections")
            return await super().of(text, visible)

    parts = parts_of(world, Lying([f"{wrong} [S1]\n{right} [S1]"]))
    await Asking(replace(parts, norms=StoredNorms(Breaking(world, HeadingSections(world))))).ask(
        world.question(QUESTIONS["de"])
    )

    assert checked(world).failed == ("", "sections")
    assert [one.reason for one in checked(world).claims][:1] == ["section"]


# Another draft


@pytest.mark.parametrize("attempts", [1, 2])
async def test_a_draft_is_tried_again_at_most_once(attempts: int) -> None:
    """And not at all where the formulator would write the same."""
    world = await told_lies("de")
    formulator = Lying([FALSE, FALSE, FIRST], attempts=attempts)

    end = (await ask(world, formulator, "de")).end

    assert isinstance(end, AnswerRefused)
    assert [one.attempt for one in formulator.asked] == list(range(1, attempts + 1))
    assert [one.attempt for one in world.events() if isinstance(one, AnswerDiscarded)] == list(range(1, attempts))


async def test_a_second_draft_may_fail_at_another_gate() -> None:
    """The refusal names the gate of the last one."""
    world = await told_lies("de")

    end = (await ask(world, Lying([FALSE, f"{FIRST} Und noch etwas."]), "de")).end

    assert isinstance(end, AnswerRefused)
    assert (end.step, end.value) == ("coverage", 0.5)
    assert [one.step for one in world.events() if isinstance(one, AnswerDiscarded)] == ["verifier"]
