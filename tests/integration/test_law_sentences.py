"""Sentences and passages of the German acts, against boundaries set by hand and against the questions' answers.

``law_boundaries.jsonl`` holds where the units of 122 stretches end, as offsets behind the start of the stretch, and
the hash of the stretch; the text itself is not shipped. Conventions: a heading, an item, a row, an editorial note
is a unit; parts joined by a semicolon are one sentence; closing table bars and "+++)" lie outside.
"""

import hashlib
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.knowledge.block import CONTENT, Kind
from domain.knowledge.passages import cut
from domain.knowledge.sentences import split, units
from domain.knowledge.text import Passage, Span
from tests.data import LAW

pytestmark = pytest.mark.law

GOLD = Path(__file__).with_name("law_boundaries.jsonl")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def read(name: str) -> tuple[str, tuple[Span, ...], tuple[Passage, ...]]:
    text = (LAW / "texts" / name).read_text(encoding="utf-8")
    sentences = split(text, "markdown")
    return text, sentences, cut(text, sentences, "markdown")


def test_at_least_98_percent_f1() -> None:
    """The ends of the units agree with those set by hand."""
    right = wrong = missed = 0
    for stretch in lines(GOLD):
        text, sentences, _ = read(stretch["file"])
        start, end = stretch["start"], stretch["start"] + stretch["length"]
        assert hashlib.sha256(text[start:end].encode()).hexdigest() == stretch["sha256"]
        gold = set(stretch["boundaries"])
        found = {span.end - start for span in sentences if start < span.end <= end}
        right, wrong, missed = right + len(gold & found), wrong + len(found - gold), missed + len(gold - found)
    assert right + missed >= 500
    assert 2 * right / (2 * right + wrong + missed) >= 0.98


def answers() -> list[dict[str, Any]]:
    questions = lines(LAW / "questions.examples.jsonl") if LAW.exists() else []
    return [question for question in questions if question.get("answer_start") is not None]


@pytest.mark.parametrize("question", answers(), ids=lambda question: question["id"])
def test_the_answer_is_a_sentence_in_one_passage_of_its_section(question: dict[str, Any]) -> None:
    """The right sentence is a span of ours, lies in one passage, and that passage knows its section."""
    _, sentences, passages = read(Path(question["file"]).name)
    answer = Span(question["answer_start"], question["answer_end"])
    assert answer in sentences
    index = sentences.index(answer)
    holders = [passage for passage in passages if passage.sentences[0] <= index < passage.sentences[1]]
    assert len(holders) == 1
    assert holders[0].section[-1].partition(" – ")[0] == question["section"]


@pytest.mark.parametrize("name", sorted(path.name for path in (LAW / "texts").glob("*.md")))
def test_all_content_lies_in_one_passage_but_tables_of_contents(name: str) -> None:
    """No sentence of an act is lost to the search, and none lies in two passages."""
    text, _, passages = read(name)
    cited = Counter(index for passage in passages for index in range(*passage.sentences))
    assert set(cited.values()) == {1}
    heading, left_out = "", set()
    for index, unit in enumerate(units(text, "markdown")):
        heading = unit.span.of(text) if unit.kind is Kind.HEADING else heading
        if unit.kind in CONTENT and index not in cited:
            left_out.add(heading)
    assert left_out <= {"Inhaltsübersicht"}
