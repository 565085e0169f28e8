"""Questions that cite sections, on the real program: found by number, said to be missing, and no gate loosens."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

TITLE = "Gesetz über den Versicherungsvertrag (Versicherungsvertragsgesetz - VVG)"
OLD = """# § 8 – Widerrufsrecht

(1) Der Versicherungsnehmer kann seine Vertragserklärung innerhalb von vierzehn Tagen widerrufen. Der Widerruf ist in
Textform gegenüber dem Versicherer zu erklären und braucht keine Begründung; zur Wahrung der Frist genügt die Absendung.

(2) Die Widerrufsfrist beginnt, wenn dem Versicherungsnehmer der Versicherungsschein und die Bestimmungen des Vertrages
zugegangen sind. Die Belehrung muss deutlich sein und Namen und Anschrift dessen nennen, der ihn entgegennimmt.

# § 8a – Sonderfall

Der Sonderfall ist in Textform anzuzeigen.
"""
NEW = OLD.partition("# § 8a")[0] + "# § 9 – Rechtsfolgen\n\nDie Prämie ist nach dem Widerruf zu erstatten.\n"
CODE = (
    "# § 8 – Wohnsitz\n\nWer geschäftsunfähig ist, kann ohne den Willen seines Vertreters keinen Wohnsitz begründen.\n"
)
HANDBOOK = "# Datenschutz\n\nEine Datenpanne melden wir nach Art. 33 DSGVO binnen 72 Stunden der Aufsicht.\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A library with two acts, one of them in two versions, and a mandate with a handbook that reads it."""
    folder = tmp_path_factory.mktemp("texts")
    with installed() as program:
        program.must("mandate", "open", "L", "--library")
        program.must("mandate", "open", "M")
        program.must("mandate", "subscribe", "M", "L")
        ingest(program, folder, "L", "VVG", OLD, "--title", TITLE, "--valid-from", "2020-01-01")
        ingest(program, folder, "L", "VVG", NEW, "--title", TITLE, "--valid-from", "2025-01-01")
        ingest(program, folder, "L", "BGB", CODE, "--title", "Bürgerliches Gesetzbuch (BGB)")
        ingest(program, folder, "M", "handbuch", HANDBOOK, "--title", "Handbuch Datenschutz")
        ingest(
            program, folder, "M", "geheim", "# § 99 – Verdeckt\n\nDas ist geheim.\n", "--title", TITLE, level="secret"
        )
        program.must("mandate", "admit", "M", "ben", "--clearance", "internal")
        yield program


def ingest(
    program: Program, folder: Path, mandate: str, key: str, text: str, *more: str, level: str = "internal"
) -> None:
    file = folder / f"{key}.md"
    file.write_text(text, encoding="utf-8")
    program.must("ingest", file, "--mandate", mandate, "--level", level, "--document", key, *more)


def ask(place: Program, question: str, *options: str) -> dict[str, Any]:
    answer: dict[str, Any] = place.must("ask", question, "--mandate", "M", "--json", *options).json
    return answer


def batch(place: Program, folder: Path, command: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    file = folder / "batch.jsonl"
    file.write_text(
        "\n".join(json.dumps({"id": number, **line}) for number, line in enumerate(lines)), encoding="utf-8"
    )
    told = place.must(command, "--mandate", "M", "--batch", file, "--json").out
    return [json.loads(line) for line in told.splitlines()]


def lists(place: Program, question: str, *options: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = place.must("search", question, "--mandate", "M", "--json", *options).json[
        "lists"
    ]
    return found


def test_the_cited_paragraph_is_first(place: Program, tmp_path: Path) -> None:
    """At rank 1 in every notation, fused and reranked, and the whole section in a list of its own."""
    questions = [
        "§ 8 Abs. 2 VVG",
        "Was steht im VVG in § 8 Abs. 2?",
        "§ 8 (2) des Versicherungsvertragsgesetzes",
        "§ 008 Abs. 2 VVG",
        "Was steht in § ８ Abs. ２ VVG?",
        "Was sagt Paragraf acht Absatz zwei VVG?",
        "§ 8 Abs. 2 VersicherungsvertragsG",
    ]
    found = [one["lists"] for one in batch(place, tmp_path, "search", [{"question": one} for one in questions])]

    for name in ("fused", "reranked"):
        assert all(one[name][0]["text"].startswith("Die Widerrufsfrist beginnt") for one in found)
    assert {(entry["document"], entry["version"]) for one in found for entry in one["cited"]} == {("VVG", 2)}
    assert lists(place, "Welche Frist gilt?")["cited"] == []


UNTIL = "In Kraft war die Vorschrift nach den vorliegenden Fassungen bis 31.12.2024."
FROM = "In Kraft tritt die Vorschrift nach den vorliegenden Fassungen am 01.01.2025."
NOT_THERE = " gibt es in den vorliegenden Quellen nicht (Stichtag {today})."
NOT_OURS = " gehört nicht zu den vorliegenden Quellen (Stichtag {today})."
MISSING: list[tuple[dict[str, Any], str]] = [
    ({"question": "Was regelt § ７７ VVG?"}, "§ 77 VVG" + NOT_THERE),
    (
        {"question": "Was regelt Paragraf siebenundsiebzig VVG?"},
        "§ 77 VVG" + NOT_THERE,
    ),
    ({"question": "Was regelt § 77 VVG?"}, "§ 77 VVG" + NOT_THERE),
    ({"question": "Was regelt § 8a VVG?"}, "§ 8a VVG ist am {today} nicht in Kraft. " + UNTIL),
    (
        {"question": "Was regelt § 9 VVG?", "valid_on": "2024-09-04"},
        "§ 9 VVG ist am 04.09.2024 nicht in Kraft. " + FROM,
    ),
    ({"question": "Was regelt § 263 StGB?"}, "Das StGB" + NOT_OURS),
    (
        {"question": "Was regeln die §§ 263 bis 266 StGB?"},
        "Das StGB" + NOT_OURS,
    ),
    (
        {"question": "Welche Strafe nennt das Strafgesetzbuch?"},
        "Das Strafgesetzbuch" + NOT_OURS,
    ),
    ({"question": "Was steht in der AnlV?"}, "Die AnlV" + NOT_OURS),
    (
        {"question": "Was regelt § 8 VVG?", "document": ["BGB"]},
        "Das VVG" + NOT_OURS,
    ),
    (
        {"question": "Was regelt § 8 VVG?", "scope": ["M"], "as": "ben"},
        "Das VVG" + NOT_OURS,
    ),
    (
        {"question": "Was regelt § 99 VVG?", "as": "ben"},
        "§ 99 VVG" + NOT_THERE,
    ),
]


def test_what_is_missing_is_said(place: Program, tmp_path: Path) -> None:
    """With act, section and day, before anything is scored."""
    answers = batch(place, tmp_path, "ask", [line for line, _ in MISSING])

    for answer, (_, text) in zip(answers, MISSING, strict=True):
        day = ".".join(reversed(answer["valid_on"].split("-")))
        assert answer["text"] == text.format(today=day)
        assert (answer["outcome"], answer["refusal"]["step"]) == ("refused", "none_found")
        assert answer["gates"]["relevance"]["value"] is None


def test_a_search_tells_what_is_missing(place: Program) -> None:
    """Beside what it finds all the same, and in no other words than a refusal."""
    found = place.must("search", "Was regelt § 77 VVG?", "--mandate", "M", "--json").json

    assert [(one["section"], one["standing"]) for one in found["missing"]] == [("§ 77", "unknown")]
    assert place.must("search", "§ 8 VVG", "--mandate", "M", "--json").json["missing"] == []


def test_what_is_missing_reads_the_same_when_it_is_shown_again(place: Program) -> None:
    """Also in English."""
    answer = ask(place, "What is § 8a VVG about?", "--valid-on", "2026-01-31", "--lang", "en")

    again = place.must("run", "show", answer["run"], "--json", "--lang", "en").json

    assert answer["text"].startswith("§ 8a VVG is not in force on ")
    assert (again["text"], again["refusal"]) == (answer["text"], answer["refusal"])


def test_a_section_that_becomes_hidden_is_no_longer_spoken_of(place: Program, tmp_path: Path) -> None:
    """Shown again to somebody who may not see the version any more, the refusal says nothing of it."""
    line = ("--title", "Zweites Gesetz (ZwG)", "--valid-from", "2030-01-01")
    ingest(place, tmp_path, "M", "ZwG", "# § 5 – Neu\n\nNeues Recht.\n", *line)
    answer = ask(place, "Was regelt § 5 ZwG?", "--as", "ben")
    assert "01.01.2030" in answer["text"]

    place.must("level", "assign", "ZwG", "secret", "--mandate", "M")

    shown = place.must("run", "show", answer["run"], "--as", "ben", "--json").json
    assert shown["text"] == "Dazu habe ich nichts gefunden."
    assert "2030" not in json.dumps(shown)


def test_a_handbook_may_speak_of_an_act_that_is_not_there(place: Program) -> None:
    """The words of a document that is no act decide."""
    answer = ask(place, "Binnen welcher Zeit melden wir eine Datenpanne nach Art. 33 DSGVO?")

    assert (answer["outcome"], answer["sources"][0]["document"]) == ("answered", "handbuch")


def test_no_gate_loosens_when_a_question_is_narrowed(place: Program, tmp_path: Path) -> None:
    """What is refused in all is refused in a part, against the same threshold and with no higher a score."""
    question = "Wie viele Urlaubstage hat ein Auszubildender im ersten Lehrjahr?"
    narrowed = [
        {},
        {"document": ["handbuch"]},
        {"scope": ["L"]},
        {"valid_on": "2021-01-01"},
        {"document": ["VVG"], "valid_on": "2021-01-01"},
        {"as": "ben"},
    ]
    whole, *parts = batch(place, tmp_path, "ask", [{"question": question, **one} for one in narrowed])

    assert {one["outcome"] for one in (whole, *parts)} == {"refused"}
    gates = [one["gates"]["relevance"] for one in parts]
    assert {one["threshold"] for one in gates} == {whole["gates"]["relevance"]["threshold"]}
    assert all(one["value"] <= whole["gates"]["relevance"]["value"] for one in gates)


def test_a_question_of_the_past_keeps_its_refusal(place: Program) -> None:
    """Known before the new version came in, § 9 was not there at all."""
    known = place.must("known", "--mandate", "L", "--valid-on", "2021-01-01", "--json").json["documents"]
    first = next(one["recorded_from"] for one in known if (one["document"], one["version"]) == ("VVG", 1))

    answer = ask(place, "Was regelt § 9 VVG?", "--at", first, "--scope", "L")

    assert answer["outcome"] == "refused"


def test_rules_are_shown_and_the_less_careful_one_waits(place: Program) -> None:
    """Weights count at once; answering with a search less takes a second person."""
    place.must("mandate", "open", "Regeln")
    weights = place.must(
        "policy", "set", "Regeln", "fusion_weights", "dense=0,5", "--because", "Versuch", "--json"
    ).json
    assert (weights["status"], weights["value"], weights["origin"]) == ("done", "dense=0.5", "mandate")
    waiting = place.must("policy", "set", "Regeln", "failed_searches", "allow_one", "--because", "x", "--json").json
    assert (waiting["status"], waiting["value"]) == ("pending", "refuse")
    rules = {one["name"]: one["value"] for one in place.must("policy", "show", "Regeln", "--json").json["rules"]}
    assert rules == {
        "fusion_weights": "dense=0.5",
        "failed_searches": "refuse",
        "integrity": "discard",
        "foreign_check": "reject",
        "open_rooms": "public",
        "scope_kind": "documents",
        "retention_runs": "keep",
        "retention_versions": "keep",
    }
    assert "allow_one" in place.must("policy", "pending", "Regeln").out


def test_an_empty_wiki_says_that_it_is_one(place: Program) -> None:
    """A scope that the mandate calls a wiki."""
    place.must("mandate", "open", "Wiki")
    place.must("policy", "set", "Wiki", "scope_kind", "wiki", "--because", "Export des Wikis")

    answer = place.must("ask", "Wie heißt der Drucker?", "--mandate", "Wiki", "--json").json

    assert answer["text"] == "Dazu habe ich im Wiki nichts gefunden."
