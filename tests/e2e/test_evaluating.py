"""``eval``: figures over questions with known answers, through the real program."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

TEXT = """# Handbuch

## 1 Fristen

Die Kündigungsfrist für Sachversicherungen beträgt drei Monate zum Jahresende.

## 2 Zahlung

Die Erstattung wird innerhalb von vierzehn Tagen auf das Konto überwiesen.
"""


def span(words: str) -> dict[str, Any]:
    start = TEXT.index(words)
    return {"document": "handbuch", "start": start, "end": start + len(words)}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    file = tmp_path_factory.mktemp("texts") / "handbuch.md"
    file.write_text(TEXT, encoding="utf-8")
    with installed() as program:
        program.must("mandate", "open", "M")
        program.must("ingest", file, "--mandate", "M", "--level", "internal", "--document", "handbuch")
        yield program


def questions(folder: Path, *lines: Any) -> Path:
    file = folder / "questions.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    file.write_text(text, encoding="utf-8")
    return file


ANSWERED = {"question": "Welche Kündigungsfrist gilt für Sachversicherungen?", "answers": [span("Die Kündigungsfrist")]}
IN_OTHER_FORM = {
    "id": 7,
    "question": "Wann wird die Erstattung überwiesen?",
    "type": "answerable",
    "act": "handbuch",
    "answer_start": span("Die Erstattung")["start"],
    "answer_end": span("Die Erstattung")["end"],
    "section_start": span("## 2 Zahlung")["start"],
    "section_end": len(TEXT),
    "style": "lay",
}
UNANSWERABLE = {"question": "Wie viele Planeten umkreisen den Stern Wega?", "answers": []}


def test_retrieval_is_measured_for_each_list(place: Program, tmp_path: Path) -> None:
    """Two passages, both found and both first; the question without an answer does not count."""
    file = questions(tmp_path, ANSWERED, IN_OTHER_FORM, UNANSWERABLE)

    measured = place.must("eval", "retrieval", file, "--mandate", "M", "--json").json

    assert measured["questions"] == 2
    assert set(measured["answers"]) >= {"dense", "bm25", "fused", "reranked", "whole"}
    assert measured["answers"]["whole"]["recall"] == {"1": 1.0, "5": 1.0, "8": 1.0, "10": 1.0, "20": 1.0}
    assert measured["answers"]["whole"]["mrr"] == measured["answers"]["whole"]["ndcg@10"] == 1.0
    assert measured["sections"]["whole"]["questions"] == 1


def test_the_gate_is_measured_over_the_threshold(place: Program, tmp_path: Path) -> None:
    """Both kinds of questions are counted, at the threshold in force and along the curve."""
    picture = tmp_path / "gate.svg"
    file = questions(tmp_path, ANSWERED, UNANSWERABLE)

    measured = place.must("eval", "gate", file, "--mandate", "M", "--plot", picture, "--json").json

    assert (measured["answerable"], measured["unanswerable"], measured["auc"]) == (1, 1, 1.0)
    assert measured["at_threshold"]["threshold"] == measured["threshold"]
    assert measured["at_threshold"]["refused_answerable"]["count"] == 0
    assert measured["at_threshold"]["passed_unanswerable"]["count"] == 0
    assert measured["curve"][0]["passed_unanswerable"]["share"] == 1.0
    assert picture.read_text(encoding="utf-8").startswith("<?xml")


def test_what_a_rule_refuses_passes_at_no_threshold(place: Program, tmp_path: Path) -> None:
    """Nobody who asks for a section of an act that is not there ever gets as far as the gate."""
    statute = tmp_path / "vvg.md"
    statute.write_text("# VVG\n\n## § 8 Widerruf\n\nDie Frist beträgt vierzehn Tage.\n", encoding="utf-8")
    place.must("ingest", statute, "--mandate", "M", "--level", "internal", "--document", "VVG", "--title", "VVG")
    file = questions(tmp_path, {"question": "Wie lang ist die Frist nach § 2500 VVG?", "answers": []}, ANSWERED)

    measured = place.must("eval", "gate", file, "--mandate", "M", "--json").json

    assert measured["curve"][0]["passed_unanswerable"]["count"] == 0


def test_a_picture_of_the_recall(place: Program, tmp_path: Path) -> None:
    """PNG as well as SVG."""
    picture = tmp_path / "recall.png"

    shown = place.must("eval", "retrieval", questions(tmp_path, ANSWERED), "--mandate", "M", "--plot", picture)

    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "MRR" in shown.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "Zeile 2"),
        ({"question": "Was?"}, "Zeile 2"),
        ({"question": "Was?", "answers": "handbuch@1:0-5"}, "Zeile 2"),
        ({"question": "Was?", "answers": ["handbuch"]}, "Zeile 2"),
        ({"question": "Was?", "answers": [{"document": "handbuch", "start": 5, "end": 5}]}, "Zeile 2"),
        ({"question": "Was?", "answers": [], "valid_on": 2024}, "Zeile 2"),
        ({"answers": []}, "Zeile 2"),
        ({"question": "Was?", "answers": [{"document": "handbuch", "start": False, "end": True}]}, "Zeile 2"),
    ],
)
def test_a_line_that_cannot_be_read_stops_the_measurement(
    place: Program, tmp_path: Path, line: Any, words: str
) -> None:
    """Figures over part of a file would pass for figures over all of it."""
    refused = place("eval", "retrieval", questions(tmp_path, ANSWERED, line), "--mandate", "M")

    assert refused.code == 2
    assert words in refused.err
    assert "nichts gemessen" in refused.err


@pytest.mark.parametrize("name", ["curve.pdf", "missing/curve.svg"])
def test_a_picture_that_cannot_be_drawn_is_said_before_anything_is_asked(
    place: Program, tmp_path: Path, name: str
) -> None:
    """Nobody waits for an hour to read that the folder does not exist."""
    file = questions(tmp_path, ANSWERED)
    refused = place("eval", "gate", file, "--mandate", "M", "--plot", tmp_path / name)

    assert refused.code == 2
    assert name.rpartition("/")[2] in refused.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"question": "Was gilt?", "answers": [], "valid_on": "2024-13-01"}, "„2024-13-01“ ist kein Tag"),
        ({"question": "Was gilt?", "answers": [], "document": "nirgends"}, "Das gibt es hier nicht"),
        ({"question": "Was gilt?", "answers": [], "mandate": "nirgends"}, "Das gibt es hier nicht"),
        ({"question": "Was gilt?", "answers": [], "at": "2999-01-01"}, "liegt in der Zukunft"),
        ({"question": "?", "answers": []}, "weder Buchstaben noch Ziffern"),
    ],
)
def test_a_line_that_cannot_be_asked_is_named(place: Program, tmp_path: Path, line: Any, told: str) -> None:
    """With its number and what is wrong, in a file of thousands."""
    refused = place("eval", "gate", questions(tmp_path, ANSWERED, line), "--mandate", "M")

    assert refused.code == 2
    assert "Zeile 2" in refused.err
    assert told in refused.err


def test_options_are_read_as_those_of_search(place: Program, tmp_path: Path) -> None:
    """Blanks between the keys of a scope do no harm; an empty key and a day that is none are told as such."""
    file = questions(tmp_path, ANSWERED)

    assert place("eval", "retrieval", file, "--mandate", "M", "--scope", "M , M").code == 0
    assert "--scope" in place("eval", "retrieval", file, "--mandate", "M", "--scope", "M,").err
    assert "Zeile" not in place("eval", "retrieval", file, "--mandate", "M", "--valid-on", "gestern").err


def test_answers_where_nobody_may_look_are_told(place: Program, tmp_path: Path) -> None:
    """They count as not found, which would pass for a fault of the searches."""
    elsewhere = {"question": "Welche Frist gilt?", "answers": ["anderswo@1:0-9", "handbuch@7:0-9"]}

    measured = place.must("eval", "retrieval", questions(tmp_path, ANSWERED, elsewhere), "--mandate", "M", "--json")

    assert measured.json["out_of_sight"] == 1
    assert "Bei 1 Frage" in measured.err
    assert measured.json["answers"]["whole"]["recall"]["20"] == 0.5


def test_a_mandate_without_documents_finds_nothing(place: Program, tmp_path: Path) -> None:
    """That is a figure as well, and a picture."""
    place.must("mandate", "open", "Leer")
    file, picture = questions(tmp_path, ANSWERED), tmp_path / "nothing.svg"

    measured = place.must("eval", "retrieval", file, "--mandate", "Leer", "--plot", picture, "--json").json

    assert measured["answers"]["whole"]["recall"]["20"] == 0.0
    assert picture.exists()


def test_the_threshold_is_that_of_the_time(place: Program, tmp_path: Path) -> None:
    """``--at`` asks about the gate of then; before the mandate there was none."""
    file = questions(tmp_path, ANSWERED)
    refused = place("eval", "gate", file, "--mandate", "M", "--at", "2020-01-01", "--json")

    assert refused.json["error"]["key"] == "mandate_not_yet"


def test_means_are_rounded_and_shares_of_nothing_are_none(place: Program, tmp_path: Path) -> None:
    """Two of three is 0,67; of no question without an answer, none is let through."""
    elsewhere = {"question": "Welche Frist gilt?", "answers": ["anderswo@1:0-9"]}
    file = questions(tmp_path, ANSWERED, IN_OTHER_FORM, elsewhere)

    assert "0,67" in place.must("eval", "retrieval", file, "--mandate", "M").out
    assert "0/0" not in place.must("eval", "gate", file, "--mandate", "M").out


def test_retrieval_needs_an_answer(place: Program, tmp_path: Path) -> None:
    """Without any, there is nothing to find."""
    assert place("eval", "retrieval", questions(tmp_path, UNANSWERABLE), "--mandate", "M").code == 2


def test_a_foreign_mandate_looks_like_none(place: Program, tmp_path: Path) -> None:
    """As everywhere."""
    file = questions(tmp_path, ANSWERED)
    foreign = place("eval", "gate", file, "--mandate", "nowhere", "--json")

    assert foreign.code == 2
    assert foreign.json["error"]["key"] == "access"
