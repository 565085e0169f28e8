"""What every reader keeps, format by format."""

from collections.abc import Callable
from datetime import date
from pathlib import PurePath

import pytest
from openpyxl import Workbook

from adapters.readers.readers import FileReaders
from domain.knowledge.ports import Readers
from domain.knowledge.search_text import search_text, shown
from domain.knowledge.stored_text import stored
from domain.knowledge.text import Extract
from tests.contract.reader_files import (
    SAMPLE,
    W,
    excel,
    lines,
    mail,
    odt,
    paragraph,
    part,
    pdf,
    repacked,
    saved,
    word,
)

READERS: Readers = FileReaders()


def read(name: str, content: bytes) -> Extract:
    return READERS.read(PurePath(name), content)


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


def test_a_word_document_is_read_as_it_is_printed() -> None:
    """Headings by style, list numbers, insertions in and deletions out, notes, tables, formulas."""
    numbering = (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">'
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )
    item = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'
    formula = (
        "<w:p><m:oMath><m:sSub><m:e><m:r><m:t>a</m:t></m:r></m:e><m:sub><m:r><m:t>1</m:t></m:r></m:sub></m:sSub>"
        "<m:r><m:t>+</m:t></m:r><m:f><m:num><m:r><m:t>b</m:t></m:r></m:num><m:den><m:r><m:t>c</m:t></m:r></m:den></m:f>"
        "</m:oMath></w:p>"
    )
    changed = (
        '<w:p><w:r><w:t xml:space="preserve">Frist: </w:t></w:r><w:del><w:r><w:delText>drei</w:delText></w:r></w:del>'
        "<w:ins><w:r><w:t>vier</w:t></w:r></w:ins><w:r><w:t> Monate</w:t></w:r></w:p>"
    )
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    grid = "<w:tbl>" + "".join(
        f"<w:tr>{cell.format(a)}{cell.format(b)}</w:tr>" for a, b in (("Art", "Frist"), ("Miete", "3 Monate"))
    )
    body = (
        paragraph("Kündigung", "Heading1")
        + paragraph("Satz.")
        + paragraph("eins", extra=item.format(0))
        + paragraph("innen", extra=item.format(1))
        + paragraph("zwei", extra=item.format(0))
        + changed
        + grid
        + "</w:tbl>"
        + formula
    )
    content = repacked(word(body, title="Handbuch"), word__numbering_xml=numbering)

    extract = read("a.docx", content)

    assert extract.title == "Handbuch"
    assert extract.text.strip().split("\n\n") == [
        "# Kündigung",
        "Satz.",
        "1. eins\n  a) innen\n2. zwei",
        "Frist: vier Monate",
        "| Art | Frist |\n|---|---|\n| Miete | 3 Monate |",
        "a_1 + b / c",
    ]


def test_a_footnote_of_a_word_document_follows_the_text() -> None:
    """The note's text is kept, with its mark in the sentence."""
    content = word('<w:p><w:r><w:t>Satz</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>')
    notes = f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">{paragraph("Quelle: BGB")}</w:footnote></w:footnotes>'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    rels = part(content, "word/_rels/document.xml.rels").replace(
        "</Relationships>", f'<Relationship Id="rId99" Type="{kind}" Target="footnotes.xml"/></Relationships>'
    )
    content = repacked(content, word__footnotes_xml=notes, **{"word___rels__document.xml_rels": rels})

    assert read("a.docx", content).text == "Satz[^2]\n\n[^2]: Quelle: BGB\n"


def test_an_opendocument_text_is_read_as_it_is_printed() -> None:
    """Headings, numbered lists, tables, notes, formulas; a tracked deletion is left out."""
    styles = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" '
        'style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>'
        "</text:list-style>"
    )
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>weg</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        '<text:h text:outline-level="2">Kündigung</text:h><text:p>Ein<text:s text:c="2"/>Satz'
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Quelle</text:p></text:note-body>"
        '</text:note>.</text:p><text:list text:style-name="L1"><text:list-item><text:p>eins</text:p><text:list>'
        "<text:list-item><text:p>innen</text:p></text:list-item></text:list></text:list-item><text:list-item>"
        "<text:p>zwei</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell>"
        "<text:p>B</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell "
        'table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
        '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    )
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>b</mi><mn>2</mn></msup></math>'
    content = odt(body, styles=styles, meta="<dc:title>Handbuch</dc:title>", **{"Object 1__content_xml": math})

    extract = read("a.odt", content)

    assert extract.title == "Handbuch"
    assert extract.text.strip().split("\n\n") == [
        "## Kündigung",
        "Ein Satz[^1].",
        "1. eins\n  a) innen\n2. zwei",
        "| A | B |\n|---|---|\n| x | x |",
        "b^2",
        "[^1]: Quelle",
    ]


def test_an_e_mail_has_a_small_head_and_names_its_attachments() -> None:
    """Sender, date and subject are kept, the text part is preferred, attachments are named only."""
    message = mail("Guten Tag,\n\ndie Frist läuft.\n", "<p>HTML</p>", subject="Kündigung größer")
    message.add_attachment(b"geheim", maintype="application", subtype="pdf", filename="Anlage ä.pdf")

    extract = read("a.eml", message.as_bytes())

    assert extract.title == "Kündigung größer"
    assert extract.text.split("\n\n") == [
        "# Kündigung größer",
        "- From: Jürgen Groß \\<gross@example.org>\n- To: team@example.org\n- Date: 2026-01-05 10:30 +0100",
        "Guten Tag,",
        "die Frist läuft.",
        "Attachments:",
        "- Anlage ä.pdf\n",
    ]


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-8", "windows-1252"])
def test_an_e_mail_of_html_alone_is_read(charset: str) -> None:
    """HTML is read where there is no text part, in its charset."""
    message = mail(html="<h2>Änderung</h2><p>Schöne Grüße</p>", charset=charset)

    assert "## Änderung\n\nSchöne Grüße" in read("a.eml", message.as_bytes()).text


def test_each_row_of_a_sheet_is_understood_on_its_own() -> None:
    """A row carries its column names; numbers, dates and percentages are unambiguous."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Tarife"
    sheet.append(["Tarife 2026", None, None, None])
    sheet.append(["Sparte", "Beitrag", "Gültig ab", "Anteil"])
    sheet.append(["Hausrat", 1234.5, date(2026, 1, 31), 0.125])
    sheet.append(["Haftpflicht", "=B3*2", None, 1])
    sheet["B3"].number_format = "#,##0.00 €"
    sheet["D3"].number_format = "0.0%"
    hidden = book.create_sheet("Intern")
    hidden.append(["geheim"])
    hidden.sheet_state = "hidden"

    extract = read("a.xlsx", saved(book))

    assert extract.text.split("\n\n") == [
        "# Tarife",
        "Tarife 2026",
        (
            "- Sparte: Hausrat; Beitrag: 1234,50 €; Gültig ab: 2026-01-31; Anteil: 12,5 %\n"
            "- Sparte: Haftpflicht; Beitrag: =B3\\*2; Anteil: 1\n"
        ),
    ]


def test_a_merged_cell_counts_for_every_row_that_it_spans() -> None:
    """A row below a merged cell says what the cell says."""
    book = Workbook()
    sheet = book.active
    for row in (["Sparte", "Art", "Frist"], ["Hausrat", "Umzug", "2 Wochen"], [None, "Neubau", "4 Wochen"]):
        sheet.append(row)
    sheet.merge_cells("A2:A3")

    assert "- Sparte: Hausrat; Art: Neubau; Frist: 4 Wochen" in read("a.xlsx", saved(book)).text


def test_hidden_rows_and_columns_are_not_shown() -> None:
    """What a person does not see in the sheet is not read."""
    book = Workbook()
    sheet = book.active
    for row in (["Sparte", "Intern", "Frist"], ["Hausrat", "x", "2 Wochen"], ["Test", "y", "1 Tag"]):
        sheet.append(row)
    sheet.column_dimensions["B"].hidden = True
    sheet.row_dimensions[3].hidden = True

    assert read("a.xlsx", saved(book)).text == "# Sheet\n\n- Sparte: Hausrat; Frist: 2 Wochen\n"


@pytest.mark.filterwarnings("error")
def test_a_library_s_warnings_stay_inside() -> None:
    """XHTML is read without a word about the parser."""
    page = (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Ä</p></body></html>'
    )

    assert read("a.html", page.encode()).text == "Ä\n"


def test_text_boxes_hidden_text_and_raised_digits_of_a_word_document() -> None:
    """A box follows its paragraph, hidden text is left out, a raised digit stays apart from its base."""
    body = (
        "<w:p><w:r><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>6</w:t></w:r>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>versteckt</w:t></w:r><w:r><w:pict><w:txbxContent>"
        "<w:p><w:r><w:t>Kasten</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>"
    )

    text = read("a.docx", word(body)).text

    assert text == "10<sup>6</sup>\n\nKasten\n"
    assert shown(text, "markdown") == "10^6\nKasten"


def test_a_million_formatted_rows_without_content_are_nothing() -> None:
    """A sheet that is formatted to its end is read by what it holds."""
    content = excel(("Blatt", [["Name", "Wert"], ["a", 1]]))
    rows = "".join(f'<row r="{number}" s="1"><c r="A{number}" s="1"/></row>' for number in range(3, 300_000))
    xml = part(content, "xl/worksheets/sheet1.xml").replace("</sheetData>", f"{rows}</sheetData>")

    assert read("a.xlsx", repacked(content, xl__worksheets__sheet1_xml=xml)).text == "# Blatt\n\n- Name: a; Wert: 1\n"


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_the_delimiter_of_a_table_is_found(delimiter: str) -> None:
    """Semicolons, commas, tabs and bars part columns, quoted fields may hold them."""
    rows = [["Name", "Betrag"], [f'"a{delimiter}b"', "3"], ["c", "4"]]
    content = "\n".join(delimiter.join(row) for row in rows).encode()

    text = shown(read("a.csv", content).text, "markdown")

    assert text.split("\n")[1] == "- Name: c; Betrag: 4"
    assert text.startswith("- Name: a")


def test_pages_carry_their_physical_and_their_printed_number() -> None:
    """Roman front matter, then numbers that begin again."""
    content = pdf(
        [lines("Vorwort zu diesem Handbuch."), lines("Inhalt dieses Handbuchs."), lines("Erster Satz des Textes.")],
        labels=[(0, "ROMAN_LOWER", 1), (2, "ARABIC", 1)],
    )

    extract = read("a.pdf", content)

    assert [(page.number, page.label) for page in extract.pages] == [(1, "i"), (2, "ii"), (3, "1")]
    assert [extract.text[page.start :][:6] for page in extract.pages] == ["Vorwor", "Inhalt", "Erster"]


def test_running_heads_and_page_numbers_are_no_text() -> None:
    """What repeats at the edge of the pages is left out, and gives the printed page number."""
    pages = [
        [(72, 800, 8, "Handbuch Versicherung"), (280, 30, 8, f"Seite {number} von 8"), *lines(f"Inhalt {word_} hier.")]
        for number, word_ in zip(range(5, 9), ("alpha", "beta", "gamma", "delta"), strict=True)
    ]

    extract = read("a.pdf", pdf(pages))

    assert extract.text == "Inhalt alpha hier.\n\nInhalt beta hier.\n\nInhalt gamma hier.\n\nInhalt delta hier.\n"
    assert [page.label for page in extract.pages] == ["5", "6", "7", "8"]


def test_the_running_head_of_two_pages_is_no_text() -> None:
    """What both pages of a short document begin with is left out, what only one has stays."""
    head = (72, 800, 8, "Nordlicht Versicherung")

    extract = read("a.pdf", pdf([[head, *lines("Erster Satz.")], [head, *lines("Zweiter Satz.", "Dritter Satz.")]]))

    assert extract.text == "Erster Satz.\n\nZweiter Satz.\nDritter Satz.\n"


def test_columns_are_read_one_after_the_other() -> None:
    """Two columns printed line by line are not mixed."""
    left = [f"Der linke Text geht in Zeile {number} weiter" for number in range(8)]
    right = [f"Der rechte Text geht in Zeile {number} weiter" for number in range(8)]
    page = [(72, 760, 16, "Überschrift über beide Spalten der Seite")]
    for a, b in zip(lines(*left), lines(*right, x=320), strict=True):
        page += [a, b]

    text = read("a.pdf", pdf([page])).text

    assert text.startswith("# Überschrift über beide Spalten der Seite\n\n")
    assert text.index(left[-1]) < text.index(right[0])


def test_a_printed_table_keeps_its_rows() -> None:
    """Aligned cells become a table."""
    page = [
        *lines("Die Sätze stehen in dieser Tabelle, die für alle gilt:", y=760),
        *lines("Ort", "Wien", "Graz"),
        *lines("Satz", "30 €", "25 €", x=300),
    ]
    page = sorted(page, key=lambda text: (-text[1], text[0]))

    assert "| Ort | Satz |\n|---|---|\n| Wien | 30 € |\n| Graz | 25 € |" in read("a.pdf", pdf([page])).text


def test_a_paragraph_goes_on_over_the_page() -> None:
    """No empty line parts a sentence at the end of a page; the next page begins inside of it."""
    first = lines("Die Frist beginnt mit dem Tag, an dem die", "Mitteilung der anderen Seite über die geänderten")
    second = lines("Bedingungen zugeht.", "Sie endet nach einem Monat.")

    extract = read("a.pdf", pdf([first, second]))

    assert "über die geänderten\nBedingungen zugeht." in extract.text
    assert extract.text[extract.pages[1].start :].startswith("Bedingungen")


def test_a_printed_table_may_have_empty_cells() -> None:
    """A row with an empty cell keeps its other cells in their columns."""
    page = [*lines("Sparte", "Hausrat", "Kfz"), *lines("Frist", "3 Monate", x=200), *lines("Satz", "5 %", "7 %", x=300)]
    page = sorted(page, key=lambda text: (-text[1], text[0]))

    assert read("a.pdf", pdf([page])).text.splitlines() == [
        "| Sparte | Frist | Satz |",
        "|---|---|---|",
        "| Hausrat | 3 Monate | 5 % |",
        "| Kfz |  | 7 % |",
    ]


def test_headings_paragraphs_and_hyphenation_of_a_pdf() -> None:
    """Larger or numbered lines are headings, gaps part paragraphs, a hyphen at a line end stays in the stored text."""
    page = [
        (72, 780, 18, "Handbuch"),
        (72, 750, 14, "1 Kündigung"),
        *lines("Die Versiche-", "rung endet nach drei Monaten, sofern der Vertrag es so sagt.", y=720),
        *lines("Ein neuer Absatz beginnt nach einer Lücke und geht über", "zwei Zeilen.", y=680),
        *lines("§ 4 Fristen", y=640),
        *lines("Die Frist beträgt zwei Wochen.", y=610),
    ]

    extract = read("a.pdf", pdf([page]))

    assert extract.title == "Handbuch"
    assert extract.text.split("\n\n") == [
        "# Handbuch",
        "## 1 Kündigung",
        "Die Versiche-\nrung endet nach drei Monaten, sofern der Vertrag es so sagt.",
        "Ein neuer Absatz beginnt nach einer Lücke und geht über\nzwei Zeilen.",
        "### § 4 Fristen",
        "Die Frist beträgt zwei Wochen.\n",
    ]
    assert "Die Versicherung endet" in search_text(extract.text, "markdown").text
