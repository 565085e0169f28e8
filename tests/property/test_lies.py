"""Whatever a formulator returns: no changed number, negation or section is delivered, and every run ends."""

import asyncio
from dataclasses import dataclass, replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.asking.drafts import Draft, Drafted
from domain.asking.outcome import AnswerDelivered, AnswerDrafted, AnswerRefused
from domain.asking.pipeline import Asking
from domain.asking.ports import ELISION, PassageId, PassageText, Quotable
from domain.asking.values import Answer
from domain.knowledge.text import Span
from domain.mandates.events import RuleSet
from domain.recording import Actor
from tests.asking_world import World
from tests.examples import examples
from tests.lying import LIES, PASSAGES, Lying, ask, parts_of, told_lies

# A corpus with other figures each time


@dataclass(frozen=True)
class Stated:
    """A sentence of a corpus with places for figures, and what stands in them; ``negation`` is what negates it."""

    language: str
    words: str
    negation: tuple[str, str]
    figures: tuple[int, ...]

    @property
    def text(self) -> str:
        return self.words.format(*self.figures)


SENTENCES = (
    ("de", "Die Frist für den Antrag beträgt {} Tage.", ("beträgt ", "beträgt nicht ")),
    ("de", "Der Antragsteller muss die Gebühr von {} Euro binnen {} Wochen zahlen.", ("muss ", "muss nicht ")),
    ("de", "Die Behörde kann den Bescheid nach § {} widerrufen.", ("widerrufen", "nicht widerrufen")),
    (
        "de",
        "Der Pächter darf das Grundstück nach § {} erst nach {} Jahren verkaufen.",
        ("verkaufen", "nicht verkaufen"),
    ),
    ("de", "Der Zuschlag liegt bei {} Prozent der Summe.", ("liegt ", "liegt nicht ")),
    ("de", "Die Versammlung ist ab {} Mitgliedern beschlussfähig.", ("ist ", "ist nicht ")),
    ("en", "The period for the application is {} days.", ("is ", "is not ")),
    ("en", "The applicant must pay the fee of {} euros within {} weeks.", ("must ", "must not ")),
    ("en", "The authority may revoke the permit under section {}.", ("may ", "may not ")),
    ("en", "The surcharge amounts to {} percent of the total.", ("amounts to", "does not amount to")),
)
FIGURES = st.integers(2, 999)


@st.composite
def stated(draw: st.DrawFn) -> Stated:
    language, words, negation = draw(st.sampled_from(SENTENCES))
    return Stated(language, words, negation, tuple(draw(FIGURES) for _ in range(words.count("{}"))))


@st.composite
def falsified(draw: st.DrawFn) -> tuple[Stated, str]:
    """Return a sentence and one that says something else: with another figure, or negated."""
    true = draw(stated())
    place = draw(st.integers(-1, len(true.figures) - 1))
    if place < 0:
        return true, true.text.replace(*true.negation, 1)
    other = draw(FIGURES)
    assume(other != true.figures[place])
    return true, replace(true, figures=(*true.figures[:place], other, *true.figures[place + 1 :])).text


@settings(max_examples=examples(150))
@given(pair=falsified(), others=st.lists(stated(), max_size=4, unique_by=lambda one: one.words), second=st.booleans())
def test_no_changed_figure_and_no_negation_is_delivered(
    pair: tuple[Stated, str], others: list[Stated], *, second: bool
) -> None:
    """Alone or after a true sentence, and on the second try as well; the true sentence stands."""
    true, false = pair
    others = [one for one in others if one.words != true.words and one.language == true.language]

    async def check() -> Answer:
        world = await World().open()
        for number, one in enumerate([true, *others]):
            await world.add("a", f"text {number}", one.text, section=("Allgemeines",))
        world.reranker.judge = lambda _question, text: 0.9 if true.text in text else 0.8
        drafts = [f"{true.text[:-1]} [S1]. {false[:-1]} [S1].", f"{false[:-1]} [S1]."]
        question = "Was gilt für den Antrag?" if true.language == "de" else "What is the rule for the application?"
        formulator = Lying(drafts[::-1] if second else drafts)
        answer = await _put(world, formulator, question)
        assert formulator.asked[0].passages[0].passage.text == true.text
        return answer

    answer = asyncio.run(check())

    assert isinstance(answer.end, AnswerDelivered)
    assert [(one.text, bool(one.struck)) for one in answer.end.sentences] == [(true.text, False), (false, True)]


# Anything at all

WORDS = st.one_of(
    st.text(st.characters(), max_size=60),
    st.sampled_from(
        [
            *(
                sentence
                for passages in PASSAGES.values()
                for _, _, text in passages.values()
                for sentence in text.split(". ")
            ),
            *(one.sentence for one in LIES),
            "Dazu habe ich nichts gefunden.",
            "Die Höhe der Kaution ist nicht aus den Quellen ersichtlich.",
            "nicht aus den Quellen ersichtlich",
            ELISION,
        ]
    ),
)
LABELS = st.one_of(
    st.sampled_from(["S1", "S2", "S8", "S9", "S0", "", "[S1]", "S1 Abs 1", "S١"]), st.text(st.characters(), max_size=6)
)
SPANS = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 400), st.integers(0, 200))
NOWHERE = PassageText(PassageId(1, 0), Span(0, 1), "x", "", "plain", (), "", "", None, (Span(0, 1),), None, None, "x")
QUOTABLE = st.builds(
    Quotable,
    label=LABELS,
    passage=st.just(NOWHERE),
    span=SPANS,
    lead_in=st.none() | SPANS,
    text=WORDS,
    form=st.sampled_from(["prose", "list", "rows"]),
    is_late=st.booleans(),
    is_cut=st.booleans(),
)
DRAFTED = st.builds(
    Drafted,
    text=WORDS,
    labels=st.lists(LABELS, max_size=3).map(tuple),
    malformed=st.lists(WORDS, max_size=1).map(tuple),
    is_gap=st.booleans(),
    quotable=st.none() | QUOTABLE,
)
DRAFTS = st.builds(
    Draft,
    sentences=st.lists(DRAFTED, max_size=6).map(tuple),
    nothing_found=st.sampled_from([False, False, False, True]),
    problem=WORDS,
    reply=WORDS,
)
REPLIES = st.lists(
    st.one_of(WORDS, st.sampled_from([" [S1]", " [S2]", " [S9]", ". ", "\n", "- ", "{", '{"sentences": [']))
)


@settings(max_examples=examples(100))
@given(
    drafts=st.lists(st.one_of(DRAFTS, REPLIES.map("".join)), min_size=1, max_size=2),
    attempts=st.integers(1, 2),
    integrity=st.sampled_from(["discard", "strike"]),
)
def test_whatever_is_drafted_ends_the_run(drafts: list[Draft | str], attempts: int, integrity: str) -> None:
    """Nothing raises; what is delivered has a verdict, and every source is what the stored text says."""

    async def check() -> None:
        world = await told_lies("de")
        mandate = await world.handler.find("a")
        event = RuleSet("integrity", integrity, "weil")
        await world.store.append(mandate.id, mandate.id, mandate.version, [event], Actor(world.anna))
        formulator = Lying([one.replace("@", "") if isinstance(one, str) else one for one in drafts], attempts)

        answer = await ask(world, formulator, "de")

        assert isinstance(answer.end, AnswerDelivered | AnswerRefused)
        assert sum(isinstance(one, AnswerDrafted) for one in world.events()) == len(formulator.asked) <= attempts
        if isinstance(answer.end, AnswerDelivered):
            _assert_honest(answer, answer.end, world)

    asyncio.run(check())


FALSE = frozenset(one.sentence for one in LIES if one.kind not in {"passage", "language"})


def _assert_honest(answer: Answer, end: AnswerDelivered, world: World) -> None:
    assert all(
        source.quote == source.shown.span.of(world.entry(source.shown.ordinal).text) for source in answer.sources
    )
    assert {label for one in end.sentences for label in one.labels} == {one.shown.label for one in answer.sources}
    standing = [one for one in end.sentences if not one.struck]
    assert (end.note == "verified") <= (len(standing) == len(end.sentences))
    assert all(one.text not in FALSE for one in standing if one.labels or end.note == "verified")


async def _put(world: World, formulator: Lying, question: str) -> Answer:
    return await Asking(parts_of(world, formulator)).ask(world.question(question))
