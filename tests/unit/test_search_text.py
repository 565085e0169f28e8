"""What the searches see, and what a person is shown."""

import pytest

from domain.knowledge.search_text import search_text, shown
from domain.knowledge.stored_text import stored
from domain.knowledge.text import Span

PLAIN = [
    ("Immo\u00ad\nbilien", "Immobilien"),
    ("Immo\u00adbilien", "Immobilien"),
    ("Versiche-\nrung", "Versicherung"),
    ("Versiche\u2010\n   rung", "Versicherung"),
    ("Ein- und Ausfuhr", "Ein- und Ausfuhr"),
    ("Ein-\nund Ausfuhr", "Ein- und Ausfuhr"),
    ("E-\nMail", "E-Mail"),
    ("Haftpflicht-\nund Kaskoversicherung", "Haftpflicht- und Kaskoversicherung"),
    ("Kranken-\nbzw. Pflegeversicherung", "Kranken- bzw. Pflegeversicherung"),
    ("Solvency-II-\nRichtlinie", "Solvency-II-Richtlinie"),
    ("Solvency-II-\nkonform", "Solvency-II-konform"),
    ("EU-\nweit", "EU-weit"),
    ("14-\ntägig", "14-tägig"),
    ("Pensions-Sicherungs-\n\nNeuer Absatz", "Pensions-Sicherungs-\nNeuer Absatz"),
    ("eine\nZeile", "eine Zeile"),
    ("ein Absatz\n\nnoch einer", "ein Absatz\nnoch einer"),
    ("Liste:\n1. eins\n2. zwei", "Liste:\n1. eins\n2. zwei"),
    ("bis zum\n1. Januar", "bis zum 1. Januar"),
    ("250\u00a0000 Euro", "250000 Euro"),
    ("1\u202f500\u202f000 Euro", "1500000 Euro"),
    ("§\u00a03 Abs.\u00a01", "§ 3 Abs. 1"),
    ("DE12\u00a03456\u00a07890", "DE12 3456 7890"),
    ("eﬃzient ﬂüssig", "effizient flüssig"),
    ("Null\u200bbreite\ufeff", "Nullbreite"),
    ("*kein* Markdown # hier", "*kein* Markdown # hier"),
    ("\x1b[31mrot", "[31mrot"),
]
MARKDOWN = [
    ("# § 1 – Ziel", "§ 1 – Ziel"),
    ("## Teil 1 ##\nText", "Teil 1\nText"),
    ("Titel\n=====\nText", "Titel\nText"),
    ("% Gesetz (AGG)\n% Ausfertigungsdatum: 14.08.2006\n \n# § 1", "Gesetz (AGG)\nAusfertigungsdatum: 14.08.2006\n§ 1"),
    ("**(1)** ein *Wort* und ***beides***", "(1) ein Wort und beides"),
    ("5 * 3 = 15, Gesetz *)", "5 * 3 = 15, Gesetz *)"),
    ("_kursiv_ und snake_case_name", "kursiv und snake_case_name"),
    ('[Link](https://x.de/a_b_c "Titel") und ![Bild](b.png)', "Link und Bild"),
    ("[zwölf Monate] (Frist)", "[zwölf Monate] (Frist)"),
    ("Ende.[^1]\n\n[^1]: Fußnote", "Ende.\nFußnote"),
    ('<https://x.de> a<span id="x"></span>b', "https://x.de ab"),
    ("m<sup>2</sup>, 10<sup>6</sup>, SCR<sub>j</sub>, CO<sub>2</sub>", "m^2, 10^6, SCR_j, CO2"),
    ('beschließt<sup><a href="#F">*)</a></sup>', "beschließt *)"),
    ("| A | B |\n|:--|--:|\n| 1\\. | 2 |", "A | B\n1. | 2"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a | b\nc"),
    ("\\*kein Fuß\\_note\\*", "*kein Fuß_note*"),
    ("a &lt; b &amp; c&nbsp;d &unbekannt;", "a < b & c d &unbekannt;"),
    ("> Zitat\n> weiter", "Zitat\nweiter"),
    ("```\nx_y\n```\nEnde", "x_y\nEnde"),
    ("`a\u00a0\u00a0b`", "a b"),
    ("a<!-- weg -->b <!-- offen", "ab <!-- offen"),
    ("- eins\n- zwei\n* drei", "- eins\n- zwei\n* drei"),
    ("**Versiche-\nrung** x < y", "Versicherung x < y"),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_typography_is_resolved(text: str, expected: str) -> None:
    """Hyphenation, blanks, ligatures and invisible characters do not reach the search."""
    assert search_text(text, "plain").text == expected


@pytest.mark.parametrize(("text", "expected"), MARKDOWN)
def test_markup_is_left_out(text: str, expected: str) -> None:
    """Marks of Markdown do not reach the search, and nothing is lost that is none."""
    assert search_text(text, "markdown").text == expected
    assert shown(text, "markdown").replace("\u00a0\u00a0", " ") == expected


def test_a_found_word_leads_to_its_hyphenated_form() -> None:
    """The quote of a word broken across lines is the stored text, hyphen and break included."""
    text = "Die Immo\u00ad\nbilien, **eﬃzient**"
    searched = search_text(text, "markdown")

    at = searched.text.index("Immobilien")
    assert searched.stored_span(at, at + 10) == Span(4, 16)
    assert Span(4, 16).of(text) == "Immo\u00ad\nbilien"
    at = searched.text.index("ffi")
    assert searched.stored_span(at, at + 1).of(text) == "ﬃ"


def test_a_range_outside_is_refused() -> None:
    """A range that the search text does not have is an error, not a guess."""
    with pytest.raises(ValueError, match="4"):
        search_text("abc", "plain").stored_span(2, 4)


def test_what_is_shown_keeps_numbers_and_emoji() -> None:
    """A person sees the no-break spaces and the joined emoji of the source."""
    assert shown("250\u00a0000 👩\u200d👧 Immo\u00ad\nbilien", "plain") == "250\u00a0000 👩\u200d👧 Immobilien"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("u\u0308ber\r\nund\rweiter\n", "über\nund\nweiter\n"),
        ("a\x00b\ud800c", "a\ufffdb\ufffdc"),
        ("\u00ad\u00a0\x85\u2028\x0c", "\u00ad\u00a0\x85\u2028\x0c"),
    ],
)
def test_the_stored_form(text: str, expected: str) -> None:
    """NFC and line ends; what cannot be kept is replaced one for one; the rest stays."""
    assert stored(text) == expected
