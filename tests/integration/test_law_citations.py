"""Cited sections over whole acts: each is found by its number, and no good question is refused for what it names."""

import json
import random
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from typing import Any
from uuid import UUID, uuid5

import pytest

from domain.asking.named import Document, documents_of, may_name, read
from domain.asking.ports import PassageId
from domain.asking.rules import Ruling, rule
from domain.asking.sections import SectionPassage
from domain.asking.visibility import Visible, VisibleVersion
from domain.knowledge.numbered import Numbered, numbered_sections, paragraphs
from domain.knowledge.passages import cut
from domain.knowledge.sentences import split
from domain.recording import BlobRef
from tests.data import LAW
from tests.twins import horizon

pytestmark = pytest.mark.law

A = UUID(int=1)
LATEST = date(2026, 11, 30)
FORMS = (
    "Was regelt § {number} {act}?",
    "§{number} {act}",
    "Was steht im {act} in § {number}?",
    "Welche Frist gilt nach § {number} Abs. 1 {act}?",
    "Paragraph {number} {act}",
    "nach § {number} des {act}",
    "{act} § {number}",
    "Section {number} (1) of the {act}",
)


@cache
def acts() -> tuple[tuple[VisibleVersion, ...], tuple[SectionPassage, ...]]:
    versions, sections = [], []
    rows = [json.loads(line) for line in (LAW / "manifest.jsonl").read_text(encoding="utf-8").splitlines()]
    for ordinal, row in enumerate(rows, 1):
        versions.append(_version(ordinal, row))
        text = (LAW / row["path"]).read_text(encoding="utf-8")
        for number, passage in enumerate(cut(text, split(text, "markdown"), "markdown")):
            sections += [
                SectionPassage(section, PassageId(ordinal, number), paragraphs(passage.place, passage.places))
                for section in numbered_sections(passage.section)
            ]
    return tuple(versions), tuple(sections)


def _version(ordinal: int, row: dict[str, Any]) -> VisibleVersion:
    begin, end = (row[name] and date.fromisoformat(row[name]) for name in ("valid_from", "valid_to"))
    key, title, blob = row["document"], row["title"], BlobRef("", "")
    at = datetime(2026, 1, 1, tzinfo=UTC)
    document = uuid5(A, key)
    return VisibleVersion(ordinal, A, document, key, 1, title, None, "internal", blob, begin, end, "observed", at)


@cache
def documents() -> tuple[Document, ...]:
    return documents_of(acts()[0])


@cache
def by_number() -> Mapping[Numbered, list[SectionPassage]]:
    found: dict[Numbered, list[SectionPassage]] = {}
    for one in acts()[1]:
        found.setdefault(one.section, []).append(one)
    return found


def ruling(question: str, day: date) -> Ruling:
    inside = {
        one.ordinal: one
        for one in acts()[0]
        if (one.valid_from is None or one.valid_from <= day) and (one.valid_to is None or day < one.valid_to)
    }
    reading = read(question, documents())
    assert may_name(question) or not reading.wanted
    found = [one for section in {one.section for one in reading.wanted} for one in by_number().get(section, [])]
    every = frozenset(one.ordinal for one in acts()[0])
    return rule(reading, found, every, Visible(horizon([A]), inside), every)


def questions(*kinds: str) -> list[tuple[str, date]]:
    rows = [json.loads(line) for line in (LAW / "questions.examples.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        (row["question"], date.fromisoformat(row["as_of"]) if row["as_of"] else LATEST)
        for row in rows
        if row["type"] in kinds
    ]


def test_no_answerable_question_is_refused_for_what_it_names() -> None:
    """The rules stay silent where there is an answer."""
    wrong = [
        (question, found.missing, found.in_doubt)
        for question, day in questions("answerable", "answerable_versioned")
        for found in [ruling(question, day)]
        if found.missing or found.in_doubt
    ]

    assert wrong == []


def test_each_section_is_found_by_its_number() -> None:
    """A sample of the sections of every version of every act, in every notation: its passages and no others."""
    chance = random.Random(7)  # noqa: S311 - a sample, no secret
    wrong = []
    for version in acts()[0]:
        own = sorted({one.section for one in acts()[1] if one.passage.ordinal == version.ordinal})
        for section in chance.sample(own, min(12, len(own))):
            if section.sign != "§":
                continue
            question = chance.choice(FORMS).format(number=section.number, act=version.key)
            found = ruling(question, version.valid_from or LATEST)
            right = {one.passage for one in by_number()[section] if one.passage.ordinal == version.ordinal}
            if [{hit.passage for hit in row} for row in found.pinned] != [right] or found.missing:
                wrong.append((question, found))

    assert wrong == []


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Was steht in § 2500 BGB?", [("BGB", "§ 2500", "unknown")]),
        ("Was bestimmt § 33 des Bundesurlaubsgesetzes?", [("BUrlG", "§ 33", "unknown")]),
        ("Welches Bußgeld droht nach Art. 83 DSGVO?", [("DSGVO", "Art. 83", "foreign")]),
        ("Welche Strafe droht nach dem Strafgesetzbuch?", [("Strafgesetzbuch", "", "foreign")]),
        ("Was sagt das Arbeitszeitgesetz zu Pausen?", []),
        ("Was bestimmt die Rechtsordnung des Gesetzgebers in der Tagesordnung?", []),
    ],
)
def test_what_no_act_has_is_missing(question: str, missing: list[tuple[str, str, str]]) -> None:
    """A number that no version has, and acts that are not among the documents."""
    found = ruling(question, LATEST)

    settled = found.settled({})
    assert [(one.act, one.section, one.standing) for one in settled.missing] == missing
