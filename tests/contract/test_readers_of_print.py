"""What the reader of PDF keeps."""

from domain.knowledge.search_text import search_text
from tests.contract.reader_files import (
    lines,
    pdf,
    read,
)


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
