"""What stands on the terminal, drawn and plain."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console, RenderableType

from bot.terminal.answer import opened, show_answer, show_timings, show_why
from bot.text import texts
from domain.asking.cards import OpenCard
from domain.asking.values import Source
from tests.unit.terminal.answers import PAST, SHOWN, SOURCE, TODAY, answered, failed, refused

DE = texts("de")


def drawn(items: list[RenderableType], *, width: int = 100, terminal: bool = True) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=terminal, color_system=None, highlight=False)
    for item in items:
        console.print(item, soft_wrap=not terminal)
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def test_the_order_is_note_caution_text_sources_run() -> None:
    """Drawn and plain alike."""
    for terminal in (True, False):
        shown = drawn(list(show_answer(answered([PAST]), DE)), terminal=terminal)

        order = ["Wörtlich", "Achtung", "drei Monate [S1].", "Quellen (1)", "Fassung 4", "„Die Frist", "Lauf 7f3a"]
        assert sorted(order, key=shown.index) == order


def test_plain_has_no_frames_and_no_escapes() -> None:
    """What is piped can be read by a screen reader and by grep."""
    shown = drawn(list(show_answer(answered(), DE)), terminal=False)

    assert not set(shown) & set("╭╮╰╯│─\x1b")
    assert "[S1] Handbuch Bestand, Fassung 4 · 3.2 Kündigung, Abs. 1 · S. 17 · in Kraft seit 01.07.2026" in shown


def test_a_source_names_the_place_that_show_opens() -> None:
    """Whoever wants to read on copies it; no second search and no JSON is needed for that."""
    for terminal in (True, False):
        assert str(SOURCE.anchor) in drawn(list(show_answer(answered(), DE)), terminal=terminal)


@pytest.mark.parametrize("width", [40, 100, 220])
def test_no_line_is_wider_than_a_calm_page(width: int) -> None:
    """On a wide screen text stays readable, on a narrow one nothing is cut."""
    long = Source(SHOWN, "Die Frist beträgt drei Monate zum Ende des Jahres, " * 6 + "und das gilt immer.", "")

    shown = drawn([*show_answer(answered([long]), DE), *show_answer(refused(), DE)], width=width)

    assert max(map(len, shown.splitlines())) <= min(width, 92)
    assert "gilt" in shown


def test_a_note_is_a_word_never_a_colour_alone() -> None:
    """Without colour every outcome can be told."""
    assert "Wörtlich" in drawn(list(show_answer(answered(), DE)))
    assert "nicht verlässlich beantworten" in drawn(list(show_answer(refused(), DE)))
    assert "die Wortsuche" in drawn(list(show_answer(failed(), DE)))


def test_a_refusal_leads_on() -> None:
    """Value, threshold, places, and in the chat the command that tells more."""
    shown = " ".join(drawn(list(show_answer(refused(), DE, why="!warum"))).split())

    assert (
        "Beste Fundstelle 0,21, nötig 0,35. Am nächsten: Handbuch Schaden „2.1 Fristen, Nr. 2“. Mehr: !warum" in shown
    )


def test_why_tells_what_the_gates_measured() -> None:
    """With scores of what came near."""
    shown = drawn(show_why(refused(), DE))

    assert "Relevanz: 0,81, nötig 0,35" in shown
    assert "0,21  Handbuch Schaden „2.1 Fristen, Nr. 2“" in shown


def test_an_opened_card_shows_the_quote_inside_its_surroundings() -> None:
    """Line breaks of the stored text part the sentences, blanks where it has blanks."""
    card = OpenCard(SOURCE, "Davor steht das. ", "\nDanach steht jenes.")

    shown = drawn([opened(card, TODAY, DE)], terminal=False)

    assert "Davor steht das. Die Frist beträgt drei Monate.\n     Danach steht jenes." in shown


def test_a_link_stands_in_its_card() -> None:
    """Somebody wants to open the original."""
    linked = Source(replace(SHOWN, url="https://intranet.example.org/h"), SOURCE.quote, "")

    assert "https://intranet.example.org/h" in drawn(list(show_answer(answered([linked]), DE)))


def test_timings_stand_on_one_line() -> None:
    """Step by step, in milliseconds."""
    assert "kodieren 3 ms · suchen 9 ms" in drawn([show_timings(answered(), DE)])


def test_an_earlier_question_stands_above_its_answer() -> None:
    """A run shown again repeats what was asked."""
    assert drawn(list(show_answer(answered(), DE, asked=True))).startswith("? Wie lang ist die Frist?")
