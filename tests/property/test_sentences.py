"""Invariants of sentences and passages over any text."""

import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.knowledge.block import CONTENT
from domain.knowledge.passages import cut
from domain.knowledge.sentences import LONGEST, split, units
from domain.knowledge.text import Span
from domain.knowledge.visible import extends
from tests.examples import examples

FRAGMENTS = st.sampled_from(
    [
        *(". ", "! ", "? ", "… ", "... ", ": ", "; ", ", "),
        *(" ", "\n", "\n\n", "\u00a0", "\u2009", "\t", "\u00ad", "\u200b"),
        *("(", ")", "[", "]", "„", "“", "»", "«", '"', "'", "‚"),
        *("‘", "*", "**", "_", "`", "~", "|", "#", "## ", "> ", "\\"),
        *("(1) ", "(2a) ", "1. ", "2. ", "3) ", "a) ", "bb) ", "i) "),
        *("- ", "– ", "• ", "§ 3 ", "Abs. 1", "z. B. ", "usw. "),
        *("3. Oktober", "Dr. ", "BGBl. I S. 5", "Der Hund", "bellt"),
        *("Die Katze", "Danach", "1 000", "e\u0301", "o\u0308"),
        *("\u0301", "👩\u200d👩\u200d👧", "👍🏽", "🇩🇪", "שלום", "مرحبا. "),
        *("ن\u0650", "漢字。", "नमस्ते।", "\u202e", "\ufb01", "\u2028"),
        *("<b>", "</b>", "<br>", "<td>", "</td>", "<!-- x -->"),
        *("<a href=", "![](x.png)", "[a](b)", "```\n", "$$\n", "---\n"),
        *("|---|---|\n", "| a | b |\n", "(+++ ", " +++)", "% T\n"),
        *("===\n", "http://a.de/b.c ", "a@b.de ", "......... 12\n"),
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(FRAGMENTS, st.text(max_size=4)), max_size=60).map("".join)
MARKUPS = st.sampled_from(["markdown", "plain"])
EXTENDING = ("Mn", "Me", "Mc")
PURE_MARKUP = re.compile(
    r"</?[A-Za-z][^<>\n]*>?|<!--.*?-->|!?\[\]\([^()\s]*\)|\(\+\+\+|\+\+\+\)|\(\d{1,3}[a-z]{0,2}\)|```[^\n]*|~~~[^\n]*|\$\$[^\n]*|[-*+•–—·|#>%:=_~\\[\]xX\u00b9\u00b2\u00b3\u2070-\u2079]"
)


@given(TEXTS, MARKUPS)
@settings(max_examples=examples(400), deadline=None)
def test_sentences_are_ordered_trimmed_and_not_empty(text: str, markup: str) -> None:
    """Spans follow each other without overlap, and none is empty or begins or ends with white space."""
    end = 0
    for span in split(text, markup):
        assert end <= span.start < span.end <= len(text)
        shown = span.of(text)
        joined = len(shown) > 1 and unicodedata.category(shown[1]) in (*EXTENDING, "Cf")
        assert shown == shown.rstrip()
        assert joined or shown == shown.lstrip()
        end = span.end


@given(TEXTS, MARKUPS)
@settings(max_examples=examples(400), deadline=None)
def test_what_lies_outside_is_white_space_or_markup(text: str, markup: str) -> None:
    """No letter and no digit is lost; marks of paragraphs, tags and fences are markup."""
    outside = list(text)
    for span in split(text, markup):
        outside[span.start : span.end] = "\n" * (span.end - span.start)
    left = PURE_MARKUP.sub("", "".join(outside))
    assert not [character for character in left if character.isalnum()]


@given(TEXTS, MARKUPS)
@settings(max_examples=examples(400), deadline=None)
def test_no_grapheme_is_cut(text: str, markup: str) -> None:
    """A span never begins with a character that belongs to the one before, nor ends before such a one."""
    for span in split(text, markup):
        for border in (span.start, span.end):
            if 0 < border < len(text) and text[border - 1] not in "\n\r\u2028\u2029\x1c\x1d\x1e\x85\u200b":
                assert unicodedata.category(text[border]) not in EXTENDING
                assert text[border] != "\u200d"


@given(TEXTS, MARKUPS)
@settings(max_examples=examples(400), deadline=None)
def test_each_sentence_lies_in_at_most_one_passage(text: str, markup: str) -> None:
    """Passages are runs of consecutive content sentences, in order, and their spans are those of their ends."""
    sentences = split(text, markup)
    content = [unit.kind in CONTENT for unit in units(text, markup)]
    end = 0
    for passage in cut(text, sentences, markup):
        first, behind = passage.sentences
        assert end <= first < behind <= len(sentences)
        assert all(content[first:behind])
        assert passage.span == Span(sentences[first].start, sentences[behind - 1].end)
        assert passage.lead_in is None or passage.lead_in.end <= passage.span.start
        end = behind


PIECES = ["QUJD", "ä", "a\u0301", "👩\u200d👩\u200d👧", "wort ", "\u2009x", "漢", "\u0301", "| x "]
LONG = st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 3000)), min_size=1, max_size=3).map(
    lambda parts: "".join(piece * count for piece, count in parts)
)


@given(st.sampled_from(["", "# ", "1. ", "| ", "```\n"]), LONG, MARKUPS)
@settings(max_examples=examples(60), deadline=None)
def test_no_unit_is_without_bounds(opening: str, body: str, markup: str) -> None:
    """What has no end of a sentence is cut at white space or between graphemes, and nothing visible is lost."""
    text = opening + body
    spans = split(text, markup)
    for span in spans:
        shown = span.of(text)
        assert shown
        assert shown == shown.rstrip()
        inner = [at for at in range(1, len(shown)) if shown[at - 1] != "\u200d" and not extends(shown[at])]
        assert len(shown) <= LONGEST or not inner
        assert span.end == len(text) or text[span.end].isspace() or not extends(text[span.end])
    outside = list(text)
    for span in spans:
        outside[span.start : span.end] = "\n" * (span.end - span.start)
    assert not [character for character in outside if character.isalnum()]
    for passage in cut(text, spans, markup):
        assert passage.span.end - passage.span.start <= 2 * LONGEST or "\u0301" * LONGEST in text


SENTENCES = st.lists(
    st.sampled_from(["Der Hund bellt.", "Nach § 3 Abs. 1 gilt das.", "Wirklich?", "Er kam am 3. Oktober.", "„Nein.“"]),
    min_size=1,
    max_size=6,
)
BLOCKS = st.tuples(st.sampled_from(["", "(1) ", "1. ", "a) ", "- ", "> ", "# "]), SENTENCES)


@given(st.lists(BLOCKS, min_size=1, max_size=12))
@settings(max_examples=examples(200), deadline=None)
def test_content_lies_in_exactly_one_passage(blocks: list[tuple[str, list[str]]]) -> None:
    """Every sentence is found again, headings as one unit; each but the headings lies in one passage."""
    text = "\n\n".join(mark + " ".join(sentences) for mark, sentences in blocks)
    expected: list[str] = []
    for mark, sentences in blocks:
        keeps_mark = mark in ("1. ", "a) ")
        whole = (
            [" ".join(sentences)]
            if mark == "# "
            else [mark + sentences[0], *sentences[1:]]
            if keeps_mark
            else sentences
        )
        expected += whole
    found = split(text, "markdown")
    assert [span.of(text) for span in found] == expected
    cited = [index for passage in cut(text, found, "markdown") for index in range(*passage.sentences)]
    content = [index for index, unit in enumerate(units(text, "markdown")) if unit.kind in CONTENT]
    assert cited == content


REPEATED = [
    *("a. ", "(", "((a. B", "„", "„A. b", "1. ", "1. A\n", "§ "),
    *("...", ". . ", "<a ", "<b>", "<br>x", "| a ", "|a|\n", "# "),
    *("(+++ ", "\n\n", " ", "\n", "a\n", "a) ", "a) b\n", "- ", "> "),
    *(">>> ", "**", "*a. B* ", "[", "![](", "```\n", "\\- ", "_", "-"),
    *("A. B. C. ", "z. B. ", "i. d. ", "e\u0301", "\u0301", "9", "9.", "9. 9"),
    *(".)", ".(A", "<!--", "<!-- -->", "....1\n", '"A. b', ". \u0301"),
]  # fmt: skip


def seconds(piece: str, length: int, markup: str) -> float:
    text = piece * (length // len(piece))
    began = time.process_time()
    cut(text, split(text, markup), markup)
    return time.process_time() - began


@pytest.mark.parametrize("piece", REPEATED)
def test_time_grows_with_the_length_only(piece: str) -> None:
    """No rule looks at the same stretch again and again: quadratic time would take minutes here."""
    assert seconds(piece, 150_000, "markdown") < 30


@pytest.mark.nightly
@pytest.mark.parametrize("markup", ["markdown", "plain"])
@pytest.mark.parametrize("piece", REPEATED)
def test_a_megabyte_of_any_sign_is_read(piece: str, markup: str) -> None:
    """A file of one repeated sign ends in seconds."""
    assert seconds(piece, 1_000_000, markup) < 120
