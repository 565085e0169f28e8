"""Which sentences become the answer."""

import re
from dataclasses import replace

import pytest

from domain.asking.candidates import candidates
from domain.asking.drafts import DraftRequest
from domain.asking.fit import focus, has_what_is_asked
from domain.asking.formulation import Extractive, choose
from domain.asking.ports import LabelledText, PassageId, PassageText, Quotable
from domain.asking.words import content_words, named_in
from domain.knowledge.text import Span
from tests.asking_world import World

_LINE = re.compile(r"[^\n]+")


def passage(
    text: str, *, ordinal: int = 1, start: int = 0, lead_in: str = "", mark: str = "", section: str = "Fristen"
) -> PassageText:
    """Each line is a sentence; a lead-in stands before the passage."""
    offset = start + len(lead_in) + 1 if lead_in else start
    return PassageText(
        id=PassageId(ordinal, start),
        span=Span(offset, offset + len(text)),
        text=text,
        mark=mark,
        markup="markdown",
        section=(section,),
        place="",
        lead_in=lead_in,
        lead_in_span=Span(start, start + len(lead_in)) if lead_in else None,
        sentences=tuple(Span(offset + m.start(), offset + m.end()) for m in _LINE.finditer(text)),
        page=None,
        page_label=None,
        search_text=text,
    )


def labelled(*passages: PassageText) -> list[LabelledText]:
    return [LabelledText(f"S{number}", one, 0.9) for number, one in enumerate(passages, 1)]


async def quoted(question: str, *passages: PassageText) -> list[Quotable]:
    draft = await Extractive(World().reranker).draft(DraftRequest(question, "de", labelled(*passages)))
    return [one.quotable for one in draft.sentences if one.quotable]


async def answer(question: str, *passages: PassageText) -> list[str]:
    return [sentence.text for sentence in await quoted(question, *passages)]


async def test_one_sentence_is_enough_when_it_says_it_all() -> None:
    """What names nothing more of the question is left out, however near it comes."""
    text = "Die Frist beträgt drei Monate.\nDie Frist beträgt nie mehr.\nKatzen schlafen."

    assert await answer("Wie lang ist die Frist?", passage(text)) == ["Die Frist beträgt drei Monate."]


async def test_a_second_sentence_comes_along_when_it_names_what_the_first_does_not() -> None:
    """A question for two things gets both, in the order of the document."""
    text = "Die Kündigung bedarf der Textform.\nDie Frist der Kündigung beträgt drei Monate."

    assert await answer("Textform Kündigung Frist", passage(text)) == text.split("\n")


async def test_never_more_than_three_sentences() -> None:
    """A person wants the answer, not the chapter."""
    text = "Alpha gilt heute.\nBeta gilt heute.\nGamma gilt heute.\nDelta gilt heute."

    assert len(await answer("alpha beta gamma delta gilt heute", passage(text))) == 3


async def test_a_heading_is_no_answer() -> None:
    """Neither a Markdown heading nor a line that repeats the heading path."""
    text = "## Frist der Kündigung\nFristen\nSie endet nach drei Monaten."

    assert await answer("Frist der Kündigung Fristen", passage(text)) == ["Sie endet nach drei Monaten."]


async def test_an_item_brings_what_introduces_it() -> None:
    """The item alone would say nothing."""
    given = passage("2. im Übrigen in zwei Jahren.", lead_in="Die Ansprüche verjähren")

    assert await answer("Wann verjähren Ansprüche im Übrigen?", given) == [
        "Die Ansprüche verjähren 2. im Übrigen in zwei Jahren."
    ]


async def test_an_item_finds_its_introduction_above_it_in_the_same_passage() -> None:
    """The nearest sentence above the items that ends with a colon introduces them."""
    text = "Beizufügen sind:\n1. der Antrag,\n2. der Nachweis der Vollmacht."

    assert await answer("Nachweis der Vollmacht", passage(text)) == ["Beizufügen sind: 2. der Nachweis der Vollmacht."]


async def test_an_introduction_alone_is_no_answer() -> None:
    """What ends with a colon promises something and says nothing."""
    assert await answer("Was ist beizufügen?", passage("Beizufügen sind:")) == []


async def test_passages_without_a_sentence_give_no_answer() -> None:
    """A rule of a table holds nothing to quote."""
    assert await answer("Was steht in der Tabelle?", passage("|---|---|")) == []


async def test_the_same_words_in_two_documents_are_said_once() -> None:
    """A repeated sentence tells nothing new."""
    one, other = passage("Die Frist endet."), passage("Die Frist endet.", ordinal=2)

    assert await answer("Wann endet die Frist?", one, other) == ["Die Frist endet."]


def test_a_sentence_of_two_passages_is_offered_once_under_the_first_label() -> None:
    """Overlapping passages do not double a place."""
    found = candidates(labelled(passage("Die Frist endet."), passage("Die Frist endet.")))

    assert [one.label for one in found] == ["S1"]


def test_the_order_is_that_of_the_document_whose_best_sentence_is_best() -> None:
    """Sentences of one document stand together and in its order."""
    found = candidates(labelled(passage("Beta dann.\nAlpha zuerst."), passage("Gamma auch.", ordinal=2)))

    chosen = choose("alpha beta gamma", found, [0.8, 0.9, 1.0])

    assert [one.text for one in chosen] == ["Gamma auch.", "Beta dann.", "Alpha zuerst."]


async def test_asked_for_a_time_the_sentence_with_a_time_is_better() -> None:
    """Of two sentences with the same words, the one that says when answers."""
    text = "Die Frist der Kündigung ist zu beachten.\nDie Frist der Kündigung sind sechs Wochen."

    assert await answer("Wie lang ist die Frist der Kündigung?", passage(text)) == [text.split("\n")[1]]


async def test_a_short_sentence_to_the_point_beats_a_long_one_that_names_as_much() -> None:
    """Every further word of a long sentence is one that nobody has asked for."""
    long = "Die Kündigung des Vertrags wirkt, soweit die Parteien nichts anderes vereinbaren, zum Ende jedes Quartals."
    short = "Die Kündigung des Vertrags wirkt sofort."

    assert await answer("Wie wirkt die Kündigung des Vertrags?", passage(f"{long}\n{short}")) == [short]


@pytest.mark.parametrize(
    ("question", "sentence", "holds"),
    [
        ("Wann verjähren Ansprüche?", "Sie verjähren in drei Jahren.", True),
        ("Wann verjähren Ansprüche?", "Sie verjähren nach Maßgabe des Gesetzes.", False),
        ("Bis wann ist zu zahlen?", "Zu zahlen ist bis zum 3. Oktober.", True),
        ("Wie schnell ist zu melden?", "Der Schaden ist unverzüglich zu melden.", True),
        ("Welche Kündigungsfrist gilt?", "Sie beträgt vierzehn Tage.", True),
        ("Wie hoch ist das Grundkapital?", "Es beträgt fünfzigtausend Euro.", True),
        ("Wie hoch ist das Grundkapital?", "Es ist hoch.", False),
        ("How long is the notice period?", "It is three months.", True),
        ("Was ist die Quote?", "Die Quote ist das Verhältnis zweier Größen.", True),
        ("Was ist die Quote?", "Der Korridor der Quote liegt über 180 %.", False),
        ("Wie ist ein Großschaden definiert?", "Als Großschaden gilt ein Schaden über 400.000 Euro.", True),
        ("Wer haftet?", "Der Halter haftet.", True),
    ],
)
def test_the_kind_of_answer_is_told_by_words(question: str, sentence: str, *, holds: bool) -> None:
    """A question for a time or an amount wants one; any other is not judged."""
    assert has_what_is_asked(question, sentence) is holds


def test_focus_counts_both_ways() -> None:
    """Everything asked and nothing else is 1; nothing in common is 0."""
    assert focus("Kündigung Vertrag", "Kündigung Vertrag") == 1
    assert focus("Kündigung Vertrag", "Katzen schlafen") == 0
    assert focus("Kündigung Vertrag", "Kündigung Vertrag Katzen schlafen") < 1
    assert focus("Ist das so?", "Ja.") == 0


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("frist", "Die Kündigungsfrist endet."),
        ("kündigung", "Er kündigt den Vertrag nach Kündigungen."),
        ("2026", "Seit 2026 gilt anderes."),
        ("verträge", "Der Vertrag bindet. Verträgen folgt man."),
    ],
)
def test_a_word_is_found_inflected_and_inside_a_compound(asked: str, text: str) -> None:
    """German puts words together and bends them."""
    assert named_in(frozenset({asked}), text)


@pytest.mark.parametrize(("asked", "text"), [("2026", "20261"), ("frist", "frisch"), ("30", "300")])
def test_other_words_and_numbers_are_not_taken_for_the_same(asked: str, text: str) -> None:
    """A number is the same number or another one."""
    assert not named_in(frozenset({asked}), text)


def test_words_that_only_ask_carry_nothing() -> None:
    """Question words and articles do not count as matter; numbers do."""
    assert content_words("Welche Frist gilt ab 5 Monaten?") == {"frist", "monaten", "5"}


async def test_the_first_item_of_a_list_introduces_none_of_the_others() -> None:
    """The mark of the first item stands before the passage; without it the item would pass for a lead-in."""
    text = "Sparte: Hausrat; Provision: 18 %\n- Sparte: Rechtsschutz; Provision: 22 %"
    whole = passage(text, start=2, mark="- ")
    second = text.index("- Sparte") + 2
    spans = (Span(2, 2 + text.index("\n")), Span(2 + second, 2 + len(text)))

    found = await answer("Welche Provision gilt für Rechtsschutz?", replace(whole, sentences=spans))

    assert found == ["Sparte: Rechtsschutz; Provision: 22 %"]


async def test_whoever_asks_about_a_section_is_answered_from_it() -> None:
    """Another one that departs from it says more of the question's words, and something else."""
    own, other = (
        passage("Der Widerruf ist binnen 14 Tagen möglich."),
        passage("Die Frist für den Widerruf ist 30 Tage.", ordinal=2),
    )
    found = [LabelledText("S1", other, 0.9), LabelledText("S2", own, 0.5, is_cited=True)]

    question = "Wie lang ist die Frist für den Widerruf nach § 8?"
    draft = await Extractive(World().reranker).draft(DraftRequest(question, "de", found))

    assert [sentence.labels for sentence in draft.sentences] == [("S2",)]
