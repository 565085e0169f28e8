"""Which terms a German text consists of."""

import pytest

from adapters.search.analyzer import GermanAnalyzer, length

ANALYZER = GermanAnalyzer()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kündigungen", "Kündigung"),
        ("Widerrufsfrist", "Widerrufsfristen"),
        ("Verträge", "Vertrag"),
        ("STRASSE", "Straße"),
        ("u\u0308ber Grundstu\u0308cke", "Grundstücke"),
        ("1.000.000", "1\u00a0000\u00a0000"),
        ("E-Mail", "e\u2011mail"),
    ],
)
def test_forms_of_a_word_meet(one: str, other: str) -> None:
    """Inflection, case, composition of umlauts and grouping of digits do not matter."""
    assert ANALYZER.question(one) == ANALYZER.question(other)


def test_mass_and_masse_share_a_stem_and_differ_as_written() -> None:
    """The stem is folded, the word as written is not."""
    assert ANALYZER.question("Maße") == ANALYZER.question("Masse") == {"mass"}
    assert "=maße" in ANALYZER.passage("Maße")
    assert "=maße" not in ANALYZER.passage("Masse")
    assert ANALYZER.question("„Maße“") == {"mass", "=maße"}


@pytest.mark.parametrize(("word", "parts"), [("Gesellschaft", {"schaft", "gesell"}), ("kurzehose", {"zeh", "hose"})])
def test_no_word_is_torn_apart(word: str, parts: set[str]) -> None:
    """A part that happens to be a word is no term."""
    assert not parts & set(ANALYZER.passage(word))


@pytest.mark.parametrize("text", ["§ 5a GmbHG", "§ 5 a GmbHG", "§5a GmbHG", "§\u00a05a GmbHG"])
def test_a_citation_is_a_term(text: str) -> None:
    """§ 5a is one term, with its act another one, and not § 5."""
    terms = ANALYZER.passage(text)

    assert {"§5a", "gmbhg:§5a"} <= set(terms)
    assert "§5" not in terms


def test_function_words_are_left_out() -> None:
    """A question of function words alone looks for nothing."""
    assert ANALYZER.question("Was ist das und wer sind die?") == frozenset()
    assert length(ANALYZER.passage("Die Frist und das Maß")) == 2


def test_repetition_is_counted_and_words_as_written_add_no_length() -> None:
    """Frequencies are those of the stems."""
    terms = ANALYZER.passage("Frist, Fristen, FRIST")

    assert terms == {"frist": 3, "=frist": 2, "=fristen": 1}
    assert length(terms) == 3


def test_a_run_without_blanks_is_cut() -> None:
    """A megabyte of letters is no word."""
    assert max(map(len, ANALYZER.passage("x" * 1_000_000))) <= 61
