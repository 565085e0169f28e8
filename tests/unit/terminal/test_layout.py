"""How the sentences of an answer are laid out."""

from dataclasses import replace

import pytest

from bot.answers import quote, text
from bot.laid_out import said
from bot.text import texts
from domain.asking.outcome import AnswerDelivered, Sentence
from domain.asking.values import Source
from domain.knowledge.text import Span
from tests.unit.terminal.answers import SHOWN, SOURCE, ended

HEAD = "Stufe | **Frist** |"


@pytest.mark.parametrize(
    ("opening", "rest", "form", "shown"),
    [
        (HEAD, "\nRot | 24 Stunden", "rows", "Stufe: Rot; Frist: 24 Stunden"),
        (f"Fristen:\n\n| {HEAD}", "\nRot | 24", "rows", "Fristen:\nStufe: Rot; Frist: 24"),
        (HEAD, "\nRot | 1 |\n| Gelb | 3\n[…]", "rows", "Stufe: Rot; Frist: 1\nStufe: Gelb; Frist: 3\n[…]"),
        (HEAD, "\nnur eine Zelle", "rows", "nur eine Zelle"),
        ("Nötig sind:", "\na\n- **b**\n  und mehr", "list", "Nötig sind:\n- a\n- b und mehr"),
        ("Nötig sind:", "\n[…]\nb\n- c\n[…]", "list", "Nötig sind:\n[…]\n- b\n- c\n[…]"),
        ("Nötig\nsind", "\n1. a,\n\n2. b\nund c.", "list", "Nötig sind\n1. a,\n2. b und c."),
        ("", "a\n- b", "list", "- a\n- b"),
        ("Es gilt", " a,\nb.", "prose", "Es gilt a, b."),
    ],
)
def test_lists_and_rows_have_lines_of_their_own(opening: str, rest: str, form: str, shown: str) -> None:
    """An item has its mark, a value stands behind its heading, and what is left out is marked."""
    assert said(Sentence(opening + rest, ("S1",), form, len(opening)), "markdown") == shown


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("Es kostet zehn Euro [S1].", "Es kostet zehn Euro (S1)."),
        ("Es kostet [S2, S3] zehn Euro [S1][S2]", "Es kostet (S2, S3) zehn Euro (S1)(S2)"),
        ("Es kostet ［Ｓ１］ zehn Euro 【S2】", "Es kostet (Ｓ１) zehn Euro (S2)"),
        ("Es kostet [S\u200b1] zehn Euro", "Es kostet (S1) zehn Euro"),
        ("Es kostet zehn Euro [Quelle 2] [1]", "Es kostet zehn Euro (Quelle 2) (1)"),
        ("Es kostet zehn Euro [S1", "Es kostet zehn Euro (S1"),
        ("Es kostet [netto] zehn Euro […]", "Es kostet [netto] zehn Euro […]"),
    ],
)
def test_the_labels_in_an_answer_are_ours(stored: str, shown: str) -> None:
    """What a document says in the form of a label cannot be taken for a source of the sentence; other brackets stay."""
    sentences = (Sentence(stored, ("S1",)),)

    answer = ended(AnswerDelivered("verbatim", sentences, (SHOWN,)), [SOURCE])

    assert said(sentences[0], "plain") == shown
    assert text(answer, texts("de")) == f"{shown.removesuffix('.')} [S1]{'.' * shown.endswith('.')}"


def test_an_anchor_follows_the_last_item() -> None:
    """A sentence behind a list begins on a new line."""
    sentences = (Sentence("Nötig:\na\n- b", ("S1",), "list", 6), Sentence("Es eilt.", ("S1",)))

    answer = ended(AnswerDelivered("verbatim", sentences, (SHOWN,)), [SOURCE])

    assert text(answer, texts("de")) == "Nötig:\n- a\n- b [S1]\nEs eilt [S1]."


def test_the_quote_of_a_row_stands_below_its_headings() -> None:
    """The words are the stored ones, on two lines."""
    source = Source(replace(SHOWN, span=Span(60, 75), lead_in=Span(10, 28)), "Rot | 24 Stunden", HEAD)

    assert quote(source, texts("de")) == "„Stufe | Frist […]\nRot | 24 Stunden“"


def test_the_quote_of_a_list_has_a_mark_before_each_item() -> None:
    """The mark of the first item stands before the quoted span."""
    source = Source(replace(SHOWN, span=Span(14, 21), lead_in=Span(0, 10)), "a\n- b\n- c", "Nötig sind:")

    assert quote(source, texts("de")) == "„Nötig sind:\n- a\n- b\n- c“"
