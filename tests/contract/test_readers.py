"""What every reader keeps, whatever the format; text, Markdown and pages of the web."""

from collections.abc import Callable

import pytest

from domain.knowledge.search_text import search_text, shown
from domain.knowledge.stored_text import stored
from tests.contract.reader_files import (
    READERS,
    SAMPLE,
    excel,
    lines,
    mail,
    odt,
    paragraph,
    pdf,
    read,
    word,
)


def test_every_ending_of_the_command_line_is_read() -> None:
    """The endings are those that the command line promises."""
    promised = ".md .txt .html .pdf .docx .odt .eml .xlsx .csv"
    assert READERS.suffixes() == frozenset(promised.split())


SAMPLES: dict[str, Callable[[str], bytes]] = {
    "a.md": lambda text: f"# Titel\n\n{text}\n".encode(),
    "a.txt": lambda text: text.encode(),
    "a.html": lambda text: f"<title>T</title><p>{text}</p>".encode(),
    "a.docx": lambda text: word(paragraph(text)),
    "a.odt": lambda text: odt(f"<text:p>{text}</text:p>"),
    "a.eml": lambda text: mail(text).as_bytes(),
    "a.xlsx": lambda text: excel(("Blatt", [[text]])),
    "a.csv": lambda text: f"Name;Wert\n{text};1\n".encode(),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_letters_emoji_and_soft_hyphens_arrive(name: str) -> None:
    """Umlauts, ß, an emoji and a soft hyphen are in the stored text, decomposed ones composed."""
    extract = read(name, SAMPLES[name]("U\u0308bergroße Maß\u00adnahmen 🙂 prüfen"))

    assert SAMPLE in extract.text
    assert extract.text == stored(extract.text)
    assert "Übergroße Maßnahmen 🙂 prüfen" in search_text(extract.text, extract.markup).text
    assert extract.reader.partition("/")[2]


@pytest.mark.parametrize("name", [*SAMPLES, "a.PDF", "B.HTML"])
def test_reading_twice_gives_the_same(name: str) -> None:
    """A reader is a function of name and bytes; the ending's case does not matter."""
    content = pdf([lines("Ein Satz.")]) if name == "a.PDF" else SAMPLES.get(name, SAMPLES["a.html"])("Ein Satz.")

    assert read(name, content) == read(name, content)
    assert "Ein Satz." in read(name, content).text


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.html", "a.eml", "a.xlsx", "a.csv"])
@pytest.mark.parametrize(
    "text", ["5 * 3 * 2", "*) Fußnote", "a_b_c", "C:\\*.txt", "x &lt; y", "[1](2)", "# kein Titel"]
)
def test_what_looks_like_markup_comes_back_as_it_was(name: str, text: str) -> None:
    """Text of other formats is escaped, so that a person reads it as it stood in the file."""
    plain = text.replace("&lt;", "<")
    written = text if name in {"a.docx", "a.odt", "a.html"} else plain

    assert plain in shown(read(name, SAMPLES[name](written)).text, "markdown")


def test_markdown_is_kept_as_it_is() -> None:
    """Offsets of a Markdown file are those of the file."""
    text = "% Gesetz *A*\n% Ausfertigungsdatum: 1\n\n# § 1\n\n(1) **Text** <sup>1</sup>\n"

    extract = read("a.md", text.encode())

    assert (extract.text, extract.markup, extract.title) == (text, "markdown", "Gesetz A")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Erster\n\nText", "Erster"),
        ("Unterstrichen\n=====\n\nText", "Unterstrichen"),
        ('---\ndate: 1\ntitle: "Vorne"\n---\n\n# Erster', "Vorne"),
        ("Nur Text.", None),
    ],
)
def test_the_title_of_a_markdown_file(text: str, title: str | None) -> None:
    """Front matter before the first heading."""
    assert read("a.md", text.encode()).title == title


GERMAN = "Die Kündigung „fristgerecht“ – für Größe über 5 €; § 3 Maß, Öl, Ärger\r\n"


OLD_GERMAN = GERMAN.replace("„", '"').replace("“", '"').replace("–", "-").replace("€", "EUR")


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        *(("utf-8", GERMAN), ("utf-8-sig", GERMAN), ("utf-16", GERMAN), ("utf-16-le", GERMAN), ("utf-16-be", GERMAN)),
        *(("utf-32", GERMAN), ("cp1252", GERMAN), ("mac_roman", GERMAN)),
        *(("iso8859-15", OLD_GERMAN.replace("EUR", "€")), ("iso8859-1", OLD_GERMAN), ("cp850", OLD_GERMAN)),
        ("cp1252", "Kündigung"),
        ("cp850", "Straße"),
        ("mac_roman", "Größe und Übermaß"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_german_text_is_never_mojibake(name: str, codec: str, text: str) -> None:
    """The encodings of German systems are told apart."""
    extract = read(name, text.encode(codec))

    assert text.partition(";")[0].strip() in shown(extract.text, extract.markup)


def test_a_page_gives_what_a_reader_of_the_page_reads() -> None:
    """Title, headings, lists and tables stay; what surrounds the text goes."""
    page = """<!doctype html><html><head><title>Reise &amp; Kosten</title><style>x{}</style></head><body>
    <nav>Start</nav><header><a>Anmelden</a></header><main><h1>Reisekosten</h1><p>Erster<br>Absatz
    mit <b>Fett</b> und m<sup>2</sup>.</p><ol start="3"><li>drei<ul><li>innen</li></ul></li><li>vier</li></ol>
    <table><tr><th>Ort</th><th>Satz</th></tr><tr><td rowspan=2>Wien</td><td>30 €</td></tr><tr><td>40 €</td></tr></table>
    <p>Formel <math><msub><mi>a</mi><mn>1</mn></msub><mo>+</mo><mfrac><msup><mi>b</mi><mn>2</mn></msup>
    <mi>c</mi></mfrac></math></p>
    <script>alert(1)</script><p style="display:none">versteckt</p></main><footer>Impressum</footer></body></html>"""

    extract = read("a.html", page.encode())

    assert extract.title == "Reise & Kosten"
    assert extract.text.split("\n\n") == [
        "# Reisekosten",
        "Erster\nAbsatz mit Fett und m<sup>2</sup>.",
        "3. drei\n  - innen\n4. vier",
        "| Ort | Satz |\n|---|---|\n| Wien | 30 € |\n| Wien | 40 € |",
        "Formel a_1 + (b^2) / c\n",
    ]


def test_the_declared_charset_of_a_page_counts() -> None:
    """A page in another encoding than UTF-8 says so in its head."""
    page = '<meta charset="windows-1250"><p>Zażółć gęślą jaźń</p>'.encode("cp1250")

    assert "Zażółć" in read("a.html", page).text
