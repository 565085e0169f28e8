"""Of the rows of a table, the answer is made of the one that is asked for, or of none."""

from dataclasses import replace

import pytest

from domain.asking.candidates import candidates
from domain.asking.ports import PassageText
from domain.asking.rows import row, without_other_rows
from domain.knowledge.sentences import split
from tests.unit.asking.test_formulation import labelled, passage, quoted

ZONES = "| Zone | Loading |\n|---|---|\n| 1 | 0 % |\n| 2 | 10 % |\n| 3 | 35 % |\n| 4 | not insurable |"
TERMS = "| Stufe | Frist |\n|---|---|\n| Rot | 24 Stunden |\n| Gelb | 3 Tage |\n| Grün | 10 Tage |"
RATES = "- Zone: 1; Satz: 5 %\n- Zone: 2; Satz: 7 %"
FLOORS = "Die Zuschläge sind:\n- Zone 1: 5 % Zuschlag\n- Zone 2: 7 % Zuschlag"


def table(text: str, section: str = "Tarif") -> PassageText:
    return replace(passage(text, section=section), sentences=split(text, "markdown"))


async def answer(question: str, text: str) -> list[str]:
    found = await quoted(question, table(text))
    return [sentence.plain.rsplit("\n", 1)[-1] for sentence in found if hasattr(sentence, "plain")]


@pytest.mark.parametrize(
    ("question", "text", "cells"),
    [
        ("What is the loading in zone 1?", ZONES, "1 | 0 %"),
        ("What is the loading in zone 2?", ZONES, "2 | 10 %"),
        ("What is the loading in zone 3?", ZONES, "3 | 35 %"),
        ("What is the loading in zone 4?", ZONES, "4 | not insurable"),
        ("What is the loading in zone no. 3 for department 2?", ZONES, "3 | 35 %"),
        ("Which zone has a loading of 10 %?", ZONES, "2 | 10 %"),
        ("Welche Frist gilt für Rot?", TERMS, "Rot | 24 Stunden"),
        ("Welche Frist gilt für rote Fälle?", TERMS, "Rot | 24 Stunden"),
        ("Welche Frist gilt für die grüne Stufe?", TERMS, "Grün | 10 Tage"),
        ("Wie hoch ist der Satz in Zone 2?", RATES, "Zone: 2; Satz: 7 %"),
        ("Wie hoch ist der Zuschlag in Zone 2?", FLOORS, "Zone 2: 7 % Zuschlag"),
    ],
)
async def test_the_row_with_the_value_asked_for_answers(question: str, text: str, cells: str) -> None:
    """A number or a short word of the question decides; the headings fit every row."""
    found = await answer(question, text)
    assert len(found) == 1
    assert found[0].endswith(cells)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the loading in zone 5?", ZONES),
        ("What is the loading in zone 35?", ZONES),
        ("Welche Frist gilt für Blau?", TERMS),
        ("Wie hoch ist der Satz in Zone 3?", RATES),
        ("Welcher Satz gilt für Leben?", RATES),
        ("Wie hoch ist der Zuschlag in Zone 3?", FLOORS),
    ],
)
async def test_without_the_value_asked_for_no_row_answers(question: str, text: str) -> None:
    """Headings alone are no reason to offer a row."""
    assert await answer(question, text) == []


@pytest.mark.parametrize(
    "question",
    [
        "Wie viel zahlt Abteilung 3 als loading je zone?",
        "Is the loading per zone 3,5 or more?",
        "What loading has § 3?",
    ],
)
def test_a_number_of_something_else_names_no_row(question: str) -> None:
    """The 3 of "Abteilung 3" is no zone, nor that of 3,5."""
    assert not any(one.is_named for one in without_other_rows(question, candidates(labelled(table(ZONES)))))


def test_values_correspond_to_headings() -> None:
    """A row with a cell too few tells not which."""
    assert row("Zone | Loading |", "3 | 35 %") == (("Zone", "3"), ("Loading", "35 %"))
    assert row("Zone | Loading", "35 %") == ()
