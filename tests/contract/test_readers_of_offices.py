"""What the readers of Word, OpenDocument, e-mail and tables keep."""

from datetime import date

import pytest
from openpyxl import Workbook

from domain.knowledge.search_text import shown
from tests.contract.reader_files import (
    W,
    excel,
    mail,
    odt,
    paragraph,
    part,
    read,
    repacked,
    saved,
    word,
)


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
