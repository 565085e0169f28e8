"""An answer in words: notes, cautions, anchors, reasons."""

from dataclasses import replace
from datetime import date, datetime

import pytest

from bot.answer_documents import answer_document
from bot.answers import cautions, decimal, nearest, note, place, quote, reason, text, validity
from bot.text import Texts, texts
from domain.asking.outcome import SourceShown
from domain.asking.values import Answer, Source
from domain.knowledge.text import Span
from tests.unit.terminal.answers import PAST, SHOWN, SOURCE, TODAY, ZONE, answered, failed, refused

DE, EN = texts("de"), texts("en")


def back(at: datetime, valid_on: date = date(2026, 1, 1)) -> Answer:
    return replace(answered([PAST]), at=at, as_of=at.astimezone(ZONE), valid_on=valid_on)


def test_the_note_says_verbatim_how_many_and_as_of_when() -> None:
    """It claims no check."""
    assert note(answered(), DE) == "Wörtlich aus den Quellen · 1 Satz · Stand 30.11.2026"
    assert note(answered([SOURCE, SOURCE]), EN) == "Verbatim from the sources · 2 sentences · as of 30 Nov 2026"


def test_another_day_of_validity_is_named() -> None:
    """Asked about a day, the note names it."""
    assert note(replace(answered(), valid_on=date(2022, 3, 1)), DE).endswith("Stand 30.11.2026 · gültig am 01.03.2022")


def test_looking_back_the_note_says_so() -> None:
    """The end of a day is that day; another instant has its time."""
    end = datetime(2026, 1, 1, 23, 59, 59, 999999, tzinfo=ZONE)
    noon = datetime(2026, 1, 1, 12, 30, tzinfo=ZONE)

    words = "Stand {}, gültig am 01.01.2026: beantwortet mit dem damaligen Wissen"
    assert note(back(end), DE).endswith(words.format("01.01.2026"))
    assert note(back(noon), DE).endswith(words.format("01.01.2026, 12:30 Uhr"))


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (PAST.shown, "Achtung: [S1] gilt seit 01.07.2026 nicht mehr."),
        (replace(SHOWN, in_force=False), "Achtung: [S1] gilt heute nicht mehr."),
        (replace(SHOWN, in_force=False, valid_from=date(2027, 1, 1)), "Achtung: [S1] gilt erst ab 01.01.2027."),
    ],
)
def test_what_is_not_in_force_is_said(shown: SourceShown, words: str) -> None:
    """Ended, withdrawn and not yet begun are three things."""
    assert cautions(answered([Source(shown, "Satz.", "")]), DE) == [words]


def test_what_is_in_force_needs_no_caution() -> None:
    """Silence is right for today's version."""
    assert cautions(answered(), DE) == []


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("Die **Frist** beträgt drei Monate.", "Die Frist beträgt drei Monate [S1]."),
        ("Gilt das?", "Gilt das [S1]?"),
        ("ohne Punkt", "ohne Punkt [S1]"),
        ("Immo\u00ad\nbilien in\nzwei Zeilen.", "Immobilien in zwei Zeilen [S1]."),
        ("Das sind 1\u00a0000 Euro …", "Das sind 1\u00a0000 Euro … [S1]"),
    ],
)
def test_the_anchor_stands_before_the_stop(stored: str, shown: str) -> None:
    """Markup and line-break hyphens are resolved for reading; words and numbers stay."""
    assert text(answered([SOURCE], [stored]), DE) == shown


def test_the_json_holds_the_stored_words() -> None:
    """Sentences and quotes are the stored text, markup and all; the text is for reading."""
    document = answer_document(answered(), DE)

    assert document["sentences"][0]["text"] == document["sources"][0]["quote"] == SOURCE.quote
    assert document["text"] == "Die Frist beträgt drei Monate [S1]."


@pytest.mark.parametrize("lead_in_end", [96, 20])
def test_an_introduction_stands_before_its_item(lead_in_end: int) -> None:
    """What lies between the two is marked as left out."""
    given = Source(replace(SHOWN, lead_in=Span(0, lead_in_end)), "2. der Nachweis.", "Beizufügen sind:")

    gap = " […]" if lead_in_end == 20 else ""
    assert quote(given, DE) == f"„Beizufügen sind:{gap} 2. der Nachweis.“"


def test_a_source_says_where_it_stands() -> None:
    """Section and place, the printed page, since when."""
    assert place(SHOWN, TODAY, DE) == "3.2 Kündigung, Abs. 1 · S. 17 · in Kraft seit 01.07.2026"
    assert place(replace(SHOWN, section=(), place="", page=None), TODAY, EN) == "in force since 01 Jul 2026"


@pytest.mark.parametrize(
    ("start", "end", "kind", "words"),
    [
        (None, None, "legal", "in Kraft"),
        (None, date(2027, 1, 1), "legal", "in Kraft bis 31.12.2026"),
        (date(2021, 1, 1), date(2027, 1, 1), "legal", "in Kraft vom 01.01.2021 bis 31.12.2026"),
        (date(2021, 1, 1), None, "observed", "in Kraft seit 01.01.2021 (beobachtet)"),
        (date(2021, 1, 1), None, "assumed", "in Kraft seit 01.01.2021 (angenommen)"),
    ],
)
def test_validity_names_the_last_day(start: date | None, end: date | None, kind: str, words: str) -> None:
    """Intervals are half-open; people read the last day in force, and how sure the date is."""
    assert validity(replace(SHOWN, valid_from=start, valid_to=end, valid_from_kind=kind), TODAY, DE) == words


def test_what_has_not_begun_is_in_force_from_then_on() -> None:
    """A future version is not "in force since"."""
    coming = replace(SHOWN, in_force=False, valid_from=date(2027, 1, 1))

    assert validity(coming, TODAY, DE) == "in Kraft ab 01.01.2027"
    assert validity(replace(coming, valid_to=date(2028, 1, 1)), TODAY, DE) == "in Kraft vom 01.01.2027 bis 31.12.2027"


@pytest.mark.parametrize(
    ("valid_from", "valid_to", "words"),
    [
        (date(2026, 1, 1), None, "in Kraft vom 01.01.2026 bis 30.06.2026"),
        (date(2026, 1, 1), date(2099, 1, 1), "in Kraft vom 01.01.2026 bis 30.06.2026"),
        (None, None, "in Kraft bis 30.06.2026"),
    ],
)
def test_what_another_version_has_taken_over_is_over(valid_from: date, valid_to: date | None, words: str) -> None:
    """Known then it had no end or a later one; today it has the day it ended."""
    over = replace(SHOWN, valid_from=valid_from, valid_to=valid_to, in_force=False, ended_on=date(2026, 7, 1))

    assert validity(over, TODAY, DE) == words


@pytest.mark.parametrize("valid_to", [None, date(2099, 1, 1)])
def test_what_was_withdrawn_is_never_called_in_force(valid_to: date | None) -> None:
    """No day says since when, so only the caution speaks."""
    gone = replace(SHOWN, valid_to=valid_to, in_force=False)

    assert validity(gone, TODAY, DE) == ""
    assert place(gone, TODAY, DE) == "3.2 Kündigung, Abs. 1 · S. 17"


def test_a_refusal_names_value_threshold_and_places() -> None:
    """Numbers in the form of the language."""
    assert reason(refused(), DE) == "Beste Fundstelle 0,21, nötig 0,35."
    assert reason(refused(), EN) == "Best passage 0.21, required 0.35."
    assert nearest(refused(), DE) == "Am nächsten: Handbuch Schaden „2.1 Fristen, Nr. 2“."
    assert reason(refused(value=None), DE) == "Die Bewertung der Fundstellen war nicht brauchbar."
    assert reason(refused(threshold=None), DE) == "Für das Bewertungsmodell ist keine Schwelle gesetzt."


def test_a_value_below_its_threshold_never_looks_equal() -> None:
    """0.3499 is shown as 0,34."""
    assert decimal(0.3499, DE) == "0,34"
    assert decimal(0.35, DE) == "0,35"
    assert decimal(1.0, EN) == "1.00"
    assert decimal(0.29, DE) == "0,29"


@pytest.mark.parametrize("step", ["relevance", "integrity", "coverage"])
def test_the_fixed_sentences_are_word_for_word(step: str) -> None:
    """The text of a refusal is the sentence of the specification."""
    assert text(refused(step), DE) == (
        "Ich kann diese Frage auf Basis der vorliegenden Quellen nicht verlässlich beantworten. Bitte erweitern Sie "
        "den Suchkontext oder konsultieren Sie die Originalquelle."
    )
    assert text(refused("none_found"), DE) == "Dazu habe ich nichts gefunden."


@pytest.mark.parametrize(("part", "named"), [("bm25", "die Wortsuche"), ("irgendein_teil", "irgendein_teil")])
def test_a_failed_part_is_named(part: str, named: str) -> None:
    """One without a name of its own keeps its key rather than hiding it."""
    document = answer_document(failed(part), DE)

    assert named in document["text"]
    assert (document["outcome"], document["refusal"]["step"]) == ("failed", "degraded")


@pytest.mark.parametrize("texts", [DE, EN])
@pytest.mark.parametrize(("part", "cure"), [("lexical", "fundstelle rebuild lexical"), ("dense", "rebuild passages")])
def test_a_part_that_asking_again_does_not_bring_back_is_told_with_its_cure(part: str, cure: str, texts: Texts) -> None:
    """Whoever has lost the word index is told the command that builds it."""
    told = answer_document(failed(part), texts)["text"]

    assert cure in told
    assert cure not in answer_document(failed("database"), texts)["text"]


@pytest.mark.parametrize("answer", [answered(), refused(), failed(), back(datetime(2026, 1, 1, tzinfo=ZONE))])
def test_everything_is_said_in_both_languages(answer: Answer) -> None:
    """No German in the English document but the quotes."""
    assert answer_document(answer, DE)["note"] != answer_document(answer, EN)["note"]
