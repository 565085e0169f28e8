"""A list is quoted whole where the question asks what it is about, and one item where it asks for that one."""

from dataclasses import replace

import pytest

from domain.asking.anchors import label, resolve
from domain.asking.drafting import quoted as sentence_of
from domain.asking.ports import Hit, PassageText
from domain.knowledge.sentences import split
from domain.knowledge.text import Span
from domain.mandates.rules import DISCARD
from tests.unit.asking.test_formulation import passage, quoted

NEEDED = (
    "Die Bearbeitung dauert drei Tage.\n\nFür die Bearbeitung werden benötigt:\n\n"
    "- Schreiben mit Unterschrift\n- Versicherungsschein im Original\n- Kopie des Personalausweises"
)
WHAT = "Welche Unterlagen werden für die Bearbeitung benötigt?"


def cut(text: str, **options: str) -> PassageText:
    given = passage(text, **options)  # type: ignore[arg-type]
    offset = given.span.start
    spans = (Span(one.start + offset, one.end + offset) for one in split(text, "markdown"))
    return replace(given, sentences=tuple(spans))


async def test_a_question_for_what_a_list_is_about_gets_the_list() -> None:
    """No item names more of the question than another, so one alone would pass for all."""
    (found,) = await quoted(WHAT, cut(NEEDED))

    assert found.told == NEEDED.split("\n\n", 1)[1].replace(":\n\n- ", ":\n")
    assert (found.form, found.is_late, found.is_cut) == ("list", False, False)


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("Wird für die Bearbeitung eine Kopie benötigt?", "Kopie des Personalausweises"),
        ("Wird für die Bearbeitung der Personalausweis benötigt?", "Kopie des Personalausweises"),
        ("Wird das Schreiben benötigt?", "Schreiben mit Unterschrift"),
    ],
)
async def test_an_item_that_is_meant_stands_alone(question: str, item: str) -> None:
    """It names what the introduction does not."""
    assert [one.text for one in await quoted(question, cut(NEEDED))] == [f"Für die Bearbeitung werden benötigt: {item}"]


async def test_the_item_with_the_time_that_is_asked_for_stands_alone() -> None:
    """The kind of answer tells items apart as well."""
    text = "Für den Einspruch gilt:\n\n1. er ist zu begründen;\n2. er endet nach zwei Wochen;\n3. er kostet nichts."

    assert [one.form for one in await quoted("Wann endet der Einspruch?", cut(text))] == ["prose"]


@pytest.mark.parametrize(("count", "item"), [(25, "Blatt"), (12, "Bescheinigung " * 9 + "vom Amt")])
async def test_of_a_long_list_the_first_items_come_and_a_mark(count: int, item: str) -> None:
    """Ten items and a thousand code points are enough; that there are more is said."""
    text = "Benötigt werden:\n\n" + "\n".join([f"- {item}"] * count)

    (found,) = await quoted("Was wird benötigt?", cut(text))

    assert found.told.endswith(f"{item}\n[…]")
    assert found.told.count(item) <= 10
    assert found.span.end - found.span.start <= 1000


async def test_a_list_that_goes_on_in_the_next_passage_is_marked() -> None:
    """What lies behind the passage was not selected; the answer says that there is more."""
    (found,) = await quoted(WHAT, replace(cut(NEEDED), goes_on=True))

    assert found.told.endswith("Personalausweises\n[…]")


async def test_a_list_that_began_in_the_passage_before_is_marked() -> None:
    """Between the introduction and the first item that was selected there are others."""
    given = cut("- der Antrag\n- die Vollmacht", lead_in="Benötigt werden:")
    late = replace(given, lead_in_span=Span(0, 16), sentences=given.sentences)
    moved = Span(late.span.start + 50, late.span.end + 50)
    spans = tuple(Span(one.start + 50, one.end + 50) for one in late.sentences)

    (found,) = await quoted("Was wird benötigt?", replace(late, span=moved, sentences=spans))

    assert found.told == "Benötigt werden:\n[…]\nder Antrag\n- die Vollmacht"


async def test_a_list_is_cut_from_the_stored_text() -> None:
    """Introduction and list are one anchor, from the first item to the last."""
    given = cut(NEEDED)
    (found,) = await quoted(WHAT, given)

    (resolved,) = resolve(
        [sentence_of(found)], label([Hit(given.id, 0.9)]), {given.id: given}, {1: NEEDED}, DISCARD
    ).resolved

    assert resolved.lead_in is not None
    assert resolved.lead_in.of(NEEDED) == "Für die Bearbeitung werden benötigt:"
    assert [span.of(NEEDED) for span in resolved.spans] == [NEEDED[NEEDED.index("Schreiben") :]]


async def test_sentences_that_happen_to_be_numbered_are_no_list() -> None:
    """Without an introduction each stands for itself."""
    text = "1. Jede Beschwerde wird bestätigt.\n2. Jede Beschwerde wird geprüft."

    assert [one.form for one in await quoted("Was geschieht mit der Beschwerde?", cut(text))] == ["prose"]


async def test_items_below_an_item_are_quoted_with_it() -> None:
    """The list reaches to the end of the lists inside it."""
    text = "Benötigt werden:\n\n- der Antrag\n- Nachweise über:\n  - das Alter\n  - den Wohnort"

    (found,) = await quoted("Was wird benötigt?", cut(text))

    assert found.told.endswith("den Wohnort")


async def test_a_table_is_quoted_whole_when_no_row_is_meant() -> None:
    """Its rows stand below its headings."""
    text = "| Stufe | Frist |\n|---|---|\n| Rot | 24 Stunden |\n| Gelb | 3 Tage |"

    (found,) = await quoted("Welche Frist gilt je Stufe?", cut(text))

    assert found.form == "rows"
    assert "Rot | 24 Stunden |\n| Gelb | 3 Tage" in found.told
