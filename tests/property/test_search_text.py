"""The stored form and the way back from the search text hold for any text."""

import string
import unicodedata
from html import unescape

from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.knowledge.search_text import search_text, shown
from domain.knowledge.stored_text import stored
from tests.examples import examples

PIECES = (
    *("Immo\u00ad\nbilien", "Versiche-\nrung", "E-\nMail", "Ein- und Ausfuhr", "Haftpflicht-\nund Kasko", "EU-\nweit"),
    *("ﬁ", "ﬃ", "\r\n", "\r", "\n", "\n\n", " ", "  ", "\t", "\x85", "\u2028", "\x00", "\x1b", "\ud800"),
    *(
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "🇦🇹",
        "\u200d",
        "\ufe0f",
        "\u0308",
        "u\u0308",
        "o\u0302\u0323",
        "ß",
        "ẞ",
        "Ä",
        "\u1e9b\u0323",
    ),
    *("שלום", "مرحبا", "\u200f", "\u202e", "\u2066", "\u2069", "250\u00a0000", "1\u202f500\u202f000,50", "12\u2009345"),
    *("\u200b", "\ufeff", "\u00ad", "\u2011", "§ 3\u00a0Abs.", "- ", "1. ", "(2) ", "a) ", "1. Januar"),
    *("# ", "## ", "**", "*", "_", "`", "[", "](http://x.de/a_b)", "![", "<sup>", "</sup>", "<br>", "<td>", "</tr>"),
    *(
        "|",
        "\n|---|:-:|\n",
        "\\*",
        "\\",
        "&amp;",
        "&nbsp;",
        "&#252;",
        "&#8238;",
        "&#27;",
        "&",
        "<!--",
        "-->",
        "<",
        ">",
        "> ",
        "% ",
        "[^1]",
    ),
    *("---", "===", "```", "a", "B", "7", "."),
)
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.text(alphabet=st.one_of(st.characters(), st.sampled_from(string.printable + "äöüß§\u00ad\u00a0\u0308\u200d"))),
)
MARKUPS = st.sampled_from(("markdown", "plain"))


@given(TEXTS)
@settings(max_examples=examples(500))
def test_the_stored_form_is_reached_once_and_can_be_kept_anywhere(text: str) -> None:
    """Stored twice is stored once; the form is NFC, has one kind of line end, and is UTF-8 without NUL."""
    once = stored(text)

    assert stored(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert "\r" not in once
    assert "\x00" not in once
    assert once.encode("utf-8").decode("utf-8") == once


@given(TEXTS, MARKUPS)
@example("eins  |zwei", "markdown")
@settings(max_examples=examples(1000), deadline=None)
def test_every_search_character_leads_back_to_the_stored_one(text: str, markup: str) -> None:
    """Each character of the search text came from the stored span it maps to, and the spans stand in order."""
    kept = stored(text)
    searched = search_text(kept, markup)

    behind = 0
    for position, character in enumerate(searched.text):
        span = searched.stored_span(position, position + 1)
        source = span.of(kept)
        assert 0 <= span.start < span.end <= len(kept)
        assert span.start >= behind or span == searched.stored_span(position - 1, position)
        behind = span.end
        same = character in unicodedata.normalize("NFKC", source) or character in unescape(source)
        blank = character in " \n" and (any(mark.isspace() for mark in source) or source.startswith(("<", "&")))
        mark = (character == "-" and source[0] in "-\u2010\u2011") or (character in "^_" and source.startswith("<su"))
        cell = character in " |" and ("|" in source or source.startswith("<t"))
        assert same or blank or mark or cell, (character, source)


@given(TEXTS, MARKUPS, st.data())
@settings(max_examples=examples(500), deadline=None)
def test_every_span_of_the_search_text_leads_to_a_span_of_the_stored_text(
    text: str, markup: str, data: st.DataObject
) -> None:
    """Spans stay well formed, hold what lies between their ends, and a quote cut out of the stored text is equal."""
    kept = stored(text)
    searched = search_text(kept, markup)
    start = data.draw(st.integers(0, len(searched.text)))
    end = data.draw(st.integers(start, len(searched.text)))

    span = searched.stored_span(start, end)
    quote = span.of(kept)

    assert 0 <= span.start <= span.end <= len(kept)
    assert (span.start == span.end) == (start == end)
    assert kept[span.start : span.end] == quote
    if start < end:
        assert span.start == searched.stored_span(start, start + 1).start
        assert span.end == searched.stored_span(end - 1, end).end


@given(TEXTS, MARKUPS)
@settings(max_examples=examples(500), deadline=None)
def test_nothing_invisible_reaches_the_search_or_the_terminal(text: str, markup: str) -> None:
    """Neither soft hyphens nor control characters nor bidi overrides are searched or shown."""
    kept = stored(text)

    for made in (search_text(kept, markup).text, shown(kept, markup)):
        assert not set(made) & set("\u00ad\u200b\ufeff\u202e\u2066\x1b\x07\x9b")
        assert made == made.strip(" \n")
