"""The demo through the real program: every scripted question comes out as it should, and again without ingesting."""

from collections.abc import Iterator

import pytest

from bot.demo.corpus import CORPUS, count_documents, questions
from tests.e2e.conftest import installed
from tests.e2e.program import Outcome, Program


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[Program, Outcome]]:
    with installed() as program:
        yield program, Program(program.data, language="")("demo", "--json")


def test_every_question_comes_out_as_expected(place: tuple[Program, Outcome]) -> None:
    """Answers, refusals, a foreign mandate, an older version; it ends by itself when nobody sits at a terminal."""
    _, outcome = place

    assert outcome.err == ""
    assert outcome.code == 0
    assert [one["outcome"] for one in outcome.lines] == [one.expect for one in questions()]
    assert all(one.holds in reply["text"] for one, reply in zip(questions(), outcome.lines, strict=True))


def test_each_answer_is_framed_in_the_language_of_its_question(place: tuple[Program, Outcome]) -> None:
    """As everywhere else: the English question among the German ones gets an English note."""
    _, outcome = place
    notes = {one["question"]: one["note"] for one in outcome.lines}

    assert notes["When is a notification of loss acknowledged?"].startswith("Verified")
    assert notes["Was ist die Bedeckungsquote?"].startswith("Geprüft")


def test_a_second_start_ingests_nothing(place: tuple[Program, Outcome]) -> None:
    """The same versions are known before and after, and the same answers come out."""
    program, first = place
    before = program.must("known", "--mandate", "bestand", "--json").json["documents"]

    again = program.must("demo", "--script", "--json")

    assert [one["text"] for one in again.lines] == [one["text"] for one in first.lines]
    assert program.must("known", "--mandate", "bestand", "--json").json["documents"] == before


def test_a_person_reads_why_each_question_is_asked(place: tuple[Program, Outcome]) -> None:
    """In their language, without frames when piped."""
    program, _ = place

    english = Program(program.data, "en").must("demo", "--script").out

    assert all(one.why["en"] in english for one in questions())
    assert f"{len(questions())} questions asked, 0 not as expected." in english
    assert not set(english) & set("╭│╰")
    assert english.splitlines()[-1].endswith(f"fundstelle --data {program.data} chat --mandate bestand"), "what is next"


def test_doctor_calls_nothing_a_fault_that_is_none(place: tuple[Program, Outcome]) -> None:
    """Views that wait for the next question say so, and a journal that nobody has signed yet."""
    program, _ = place

    told = Program(program.data, "en").must("doctor", environment={"COLUMNS": "250"}).out

    assert "will catch up with the next question" in told
    assert "no checkpoint yet" in told
    assert "default threshold 0.3" in told
    assert "events missing: 0" in told


def test_the_corpus_is_as_large_as_it_says() -> None:
    """At least 25 documents, every file of the corpus is in a manifest, each question is explained twice."""
    files = [file for file in CORPUS.rglob("*") if file.is_file() and file.suffix not in {".toml", ".jsonl"}]

    assert count_documents() == len(files) >= 25
    assert all(one.why.keys() == {"de", "en"} for one in questions())
