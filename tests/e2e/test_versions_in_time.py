"""A second version comes in: today's answer is the new text, and the old one stays where it was, byte for byte."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

OLD = "# Kündigung\n\nDie Kündigungsfrist beträgt einen Monat zum Jahresende.\n"
NEW = "# Kündigung\n\nDie Kündigungsfrist beträgt drei Monate zum Quartalsende.\n"
OLD_SENTENCE, NEW_SENTENCE = (text.split("\n\n")[1].strip() for text in (OLD, NEW))
QUESTION = "Wie lang ist die Kündigungsfrist?"
VARYING = ("run", "timings_ms")


class Place(NamedTuple):
    """The installation, and an instant between the two versions."""

    program: Program
    between: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    file = tmp_path_factory.mktemp("texts") / "handbuch.md"
    with installed() as program:
        program.must("mandate", "open", "M")
        file.write_text(OLD, encoding="utf-8")
        program.must("ingest", file, "--mandate", "M", "--level", "internal", "--document", "handbuch")
        between = datetime.now(UTC).isoformat()
        file.write_text(NEW, encoding="utf-8")
        line = ("--mandate", "M", "--level", "internal", "--document", "handbuch", "--valid-from", "2020-07-01")
        program.must("ingest", file, *line)
        yield Place(program, between)


def ask(place: Place, *options: str) -> dict[str, Any]:
    document = place.program.must("ask", QUESTION, "--mandate", "M", "--json", *options).json
    return {name: value for name, value in document.items() if name not in VARYING}


def cited(answer: dict[str, Any]) -> tuple[str, int, bool]:
    (source,) = answer["sources"]
    return source["quote"], source["version"], source["in_force"]


def test_today_the_new_text_answers(place: Place) -> None:
    """The new version is in force and cited."""
    assert cited(ask(place)) == (NEW_SENTENCE, 2, True)


def test_known_before_it_came_in_the_old_text_answers(place: Place) -> None:
    """Before the second version was recorded, nobody could know it; the note says that it no longer holds."""
    answer = ask(place, "--at", place.between)

    assert cited(answer) == (OLD_SENTENCE, 1, True)
    assert answer["today"] == {"note": "Achtung: [S1] gilt seit 01.07.2020 nicht mehr.", "not_in_force": ["S1"]}
    assert "beantwortet mit dem damaligen Wissen" in answer["note"]
    card = place.program.must("ask", QUESTION, "--mandate", "M", "--at", place.between).out
    assert "in Kraft bis 30.06.2020" in card


def test_on_a_day_of_the_old_one_the_old_text_answers(place: Place) -> None:
    """Validity is another axis: the old version stays in force for its days."""
    answer = ask(place, "--valid-on", "2020-06-30")

    assert cited(answer) == (OLD_SENTENCE, 1, False)
    assert answer["sources"][0]["valid_to"] == "2020-07-01"
    assert "gültig am 30.06.2020" in answer["note"]


def test_on_the_first_day_of_the_new_one_the_new_text_answers(place: Place) -> None:
    """Intervals are half-open: the first day of the new version is no day of the old one."""
    assert cited(ask(place, "--valid-on", "2020-07-01")) == (NEW_SENTENCE, 2, True)


@pytest.mark.parametrize("axis", ["at", "valid_on", "both"])
def test_the_same_look_back_is_the_same_byte_for_byte(place: Place, axis: str, tmp_path: Path) -> None:
    """However often it is asked and whatever comes in meanwhile, everything but run and timings is the same."""
    at, valid_on = ("--at", place.between), ("--valid-on", "2020-06-30")
    options = {"at": at, "valid_on": valid_on, "both": (*at, *valid_on)}[axis]
    before = [json.dumps(without_position(ask(place, *options), axis), ensure_ascii=False) for _ in range(2)]
    other = tmp_path / "anderes.md"
    other.write_text(f"Die Kündigungsfrist der Kantine beträgt {axis} Tage.", encoding="utf-8")
    later = ("--mandate", "M", "--level", "internal", "--document", f"kantine-{axis}", "--valid-from", "2020-10-01")
    place.program.must("ingest", other, *later)

    after = json.dumps(without_position(ask(place, *options), axis), ensure_ascii=False)

    assert {*before, after} == {after}


def without_position(answer: dict[str, Any], axis: str) -> dict[str, Any]:
    """Only a question with ``--at`` names the position; today's knowledge grows."""
    return {name: value for name, value in answer.items() if name != "position" or axis != "valid_on"}


def test_the_anchor_shows_the_cited_text_of_either_version(place: Place) -> None:
    """``show`` cuts what the source quoted out of the version that its anchor names."""
    for options in ((), ("--at", place.between)):
        (source,) = ask(place, *options)["sources"]

        shown = place.program.must("show", source["anchor"], "--mandate", "M", "--json").json

        assert shown["text"] == source["quote"]


def test_a_run_is_shown_again_as_it_was(place: Place) -> None:
    """``run show`` rebuilds the answer from its events and the stored version."""
    document = place.program.must("ask", QUESTION, "--mandate", "M", "--json", "--at", place.between).json

    again = place.program.must("run", "show", document["run"], "--json").json

    assert again == document | {"timings_ms": {}}
    listed = place.program.must("run", "list", "--mandate", "M", "--json").json["runs"]
    assert (document["run"], "answered") in [(run["run"], run["outcome"]) for run in listed]


def test_a_look_back_stays_the_same_when_its_document_is_replaced_and_withdrawn() -> None:
    """Only ``today`` says what has become of the cited version since."""
    with installed() as program:
        folder = program.data.parent
        program.must("mandate", "open", "M")
        place = Place(program, _ingest(program, folder / "a.md", OLD))
        options = ("--at", place.between, "--valid-on", "2020-06-30")
        answers = [ask(place, *options)]
        _ingest(program, folder / "a.md", NEW, "--valid-from", "2020-07-01")
        answers.append(ask(place, *options))
        program.must("withdraw", "handbuch", "--mandate", "M", "--because", "ersetzt")
        answers.append(ask(place, *options))

    today = [answer.pop("today")["note"] for answer in answers]
    assert today == ["", "Achtung: [S1] gilt seit 01.07.2020 nicht mehr.", "Achtung: [S1] gilt heute nicht mehr."]
    assert len({json.dumps(answer, ensure_ascii=False) for answer in answers}) == 1
    assert cited(answers[0]) == (OLD_SENTENCE, 1, True)


def _ingest(program: Program, file: Path, text: str, *options: str) -> str:
    """Record a version and return an instant after it."""
    file.write_text(text, encoding="utf-8")
    program.must("ingest", file, "--mandate", "M", "--level", "internal", "--document", "handbuch", *options)
    return datetime.now(UTC).isoformat()
