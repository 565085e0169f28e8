"""Structure of a text: what breaks sentences besides their own marks."""

import pytest

from domain.knowledge.sentences import split, units


def sentences(text: str, markup: str) -> list[str]:
    return [span.of(text) for span in split(text, markup)]


MARKDOWN = {
    "a heading is a unit of its own": (
        "# § 1 – Zweck\n\nText eins. Text zwei.",
        ["§ 1 – Zweck", "Text eins.", "Text zwei."],
    ),
    "a heading right above the text": ("## Kündigung ##\nDie Frist läuft.", ["Kündigung", "Die Frist läuft."]),
    "an underlined heading": ("Kündigung\n=====\nDie Frist läuft.", ["Kündigung", "Die Frist läuft."]),
    "a line break inside a paragraph": (
        "Die Frist endet\nam 3. Oktober.\nDanach nicht.",
        ["Die Frist endet\nam 3. Oktober.", "Danach nicht."],
    ),
    "a wrapped date is no item": ("Die Frist endet am\n3. Oktober 2025.", ["Die Frist endet am\n3. Oktober 2025."]),
    "a wrapped number is no item": (
        "Zuständig ist der\n2. Senat des Gerichts.",
        ["Zuständig ist der\n2. Senat des Gerichts."],
    ),
    "a blank line always breaks": ("Die Frist\n\nendet", ["Die Frist", "endet"]),
    "the mark of a paragraph stands outside": (
        "(1) Satz eins. Satz zwei.\n\n(1a) Satz drei.",
        ["Satz eins.", "Satz zwei.", "Satz drei."],
    ),
    "an item keeps its mark": (
        "Es gilt:\n\n1. im Inland,\n\n2. im Ausland.",
        ["Es gilt:", "1. im Inland,", "2. im Ausland."],
    ),
    "items without blank lines": (
        "Es gilt\n1. im Inland,\n2. im Ausland.",
        ["Es gilt", "1. im Inland,", "2. im Ausland."],
    ),
    "items after a colon": ("Es gilt:\n1. im Inland,\n2. im Ausland.", ["Es gilt:", "1. im Inland,", "2. im Ausland."]),
    "lettered items": (
        "a) Äpfel;\nb) Birnen;\naa) rote,\nbb) grüne.",
        ["a) Äpfel;", "b) Birnen;", "aa) rote,", "bb) grüne."],
    ),
    "an item of two sentences": (
        "1. Der Zins. Er beträgt 5 %.\n2. Die Rate.",
        ["1. Der Zins.", "Er beträgt 5 %.", "2. Die Rate."],
    ),
    "bullets": ("- Äpfel\n- Birnen\n* Nüsse\n• Kerne", ["Äpfel", "Birnen", "Nüsse", "Kerne"]),
    "a task list": ("- [x] Fertig.\n- [ ] Offen.", ["Fertig.", "Offen."]),
    "an item over two lines": ("- Die Frist\n  endet bald.\n- Ende.", ["Die Frist\n  endet bald.", "Ende."]),
    "a dash on a line of its own": ("–  \ndes § 160 Satz 1,\n\n–  \ndes § 161", ["des § 160 Satz 1,", "des § 161"]),
    "a table": ("| A | B |\n|---|:-:|\n| 1. Der | 2 |\n|   |   |\n| 3 | 4 |", ["A | B", "1. Der | 2", "3 | 4"]),
    "a table without outer bars": ("A | B\n--- | ---\n1 | 2", ["A | B", "1 | 2"]),
    "code": ("```python\nx = 1. \nY = 2\n```\nText.", ["x = 1. \nY = 2", "Text."]),
    "a formula": ("$$\nE = m c^2\n$$", ["E = m c^2"]),
    "a title block": (
        "% Das Gesetz. Neu (DG)\n% Stand: 1.1.2020\n\nText.",
        ["Das Gesetz. Neu (DG)", "Stand: 1.1.2020", "Text."],
    ),
    "front matter": ("---\ntitle: A. B.\n---\nText.", ["title: A. B.", "Text."]),
    "an editorial note": (
        "(+++ § 8: Zur Anwendung vgl. § 14 +++)  \n(+++ Zwei +++)\n\nText.",
        ["§ 8: Zur Anwendung vgl. § 14", "Zwei", "Text."],
    ),
    "a rule and an empty mark": ("Text.\n\n***\n\n\\-\n\nMehr.", ["Text.", "Mehr."]),
    "a quotation block": ("> Er kam. Er ging.\n\nEnde.", ["Er kam.", "Er ging.", "Ende."]),
    "tags on lines of their own": (
        "<table>\n<tr>\n<td>Heute, den</td>\n</tr>\n</table>\nText.",
        ["Heute, den", "Text."],
    ),
    "an empty anchor": ('<span id="a"></span>\n\nText.', ["Text."]),
    "a tag inside": ("SCR<sub>i</sub>: Modul. Der Rest.", ["SCR<sub>i</sub>: Modul.", "Der Rest."]),
    "a soft hyphen": ("Die Immo\u00ad\nbilien sind teuer. Ja.", ["Die Immo\u00ad\nbilien sind teuer.", "Ja."]),
    "no-break spaces": (
        "Nach\u00a0Abs.\u00a01 z.\u00a0B. gilt das.\u00a0Der Rest nicht.",
        ["Nach\u00a0Abs.\u00a01 z.\u00a0B. gilt das.", "Der Rest nicht."],
    ),
    "only white space": ("  \n\u00a0\n\n\u200b", []),
}

PLAIN = {
    "numbered headings": ("3.2 Kündigung\n\nDie Frist läuft.", ["3.2 Kündigung", "Die Frist läuft."]),
    "a section heading above its text": ("§ 3 Kündigung\nDie Frist läuft.", ["§ 3 Kündigung", "Die Frist läuft."]),
    "a paragraph that begins with a section": (
        "§ 3 KSchG ist anzuwenden,\nwenn es passt.",
        ["§ 3 KSchG ist anzuwenden,\nwenn es passt."],
    ),
    "signs that are markup elsewhere": ("# Nummer 5 lebt.\n| a | b |", ["# Nummer 5 lebt.\n| a | b |"]),
    "a list": ("Mitbringen:\n- Äpfel\n- Birnen", ["Mitbringen:", "Äpfel", "Birnen"]),
    "a wrapped dash is no bullet": ("Das Haus\n– so sagt man – ist alt.", ["Das Haus\n– so sagt man – ist alt."]),
    "an underlined heading": ("Kündigung\n---------\nDie Frist läuft.", ["Kündigung", "Die Frist läuft."]),
}


@pytest.mark.parametrize(("text", "expected"), MARKDOWN.values(), ids=MARKDOWN.keys())
def test_markdown_breaks_where_its_structure_does(text: str, expected: list[str]) -> None:
    """Blocks end sentences and block markup lies outside the spans."""
    assert sentences(text, "markdown") == expected


@pytest.mark.parametrize(("text", "expected"), PLAIN.values(), ids=PLAIN.keys())
def test_plain_text_breaks_where_its_structure_does(text: str, expected: list[str]) -> None:
    """Text without markup has paragraphs, lists and numbered headings; other signs are text."""
    assert sentences(text, "plain") == expected


def test_units_say_what_they_are() -> None:
    """Headings, metadata and rows are told from sentences, so that only content is cited."""
    text = "% Titel\n\n# Kopf\n\nSatz.\n\n- Punkt\n\n| a | b |\n\n(+++ Hinweis +++)\n\n```\ncode\n```"
    kinds = [unit.kind.value for unit in units(text, "markdown")]
    assert kinds == ["metadata", "heading", "prose", "item", "row", "metadata", "code"]
