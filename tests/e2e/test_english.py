"""English questions to a German corpus on the real program: German quotes, everything around them in English."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.data import LAW
from tests.e2e.statutes import Statutes

pytestmark = pytest.mark.law

QUESTION = "What may the insurer do if the customer does not pay the first premium?"
GERMAN = "Was darf der Versicherer tun, wenn der Versicherungsnehmer die erste Prämie nicht zahlt?"
ENGLISH_SYSTEM = {"LC_ALL": "en_GB.UTF-8", "PYTHONUTF8": "1"}


@pytest.fixture(scope="module")
def answer(statutes: Statutes) -> Any:
    return statutes.unspoken("ask", QUESTION, "--mandate", "Haus", "--json").json


def test_the_answer_is_a_german_quote(answer: Any) -> None:
    """Cut from the act in force, to the last character, and verified."""
    stored = (LAW / "texts" / "VVG.2026-08-19.md").read_text(encoding="utf-8")
    first = answer["sources"][0]

    assert (answer["outcome"], answer["verdict"]) == ("answered", "verified")
    assert first["document"] == "VVG"
    assert "§ 37" in first["section"]
    for source in answer["sources"]:
        assert stored[source["start"] : source["end"]] == source["quote"]
    assert all("Versicherer" in one["text"] or "Prämie" in one["text"] for one in answer["sentences"])


def test_what_stands_around_it_is_english(statutes: Statutes, answer: Any) -> None:
    """Also for somebody whose system speaks German, and when the run is shown again."""
    told = statutes.unspoken("ask", QUESTION, "--mandate", "Haus").out
    again = statutes.unspoken("run", "show", answer["run"])

    assert answer["note"].startswith("Verified · ")
    for shown in (told, again.out):
        assert "Verified · " in shown
        assert "Sources (" in shown
        assert "version 3" in shown
        assert "in force since" in shown


def test_a_language_that_is_asked_for_goes_before(statutes: Statutes, answer: Any) -> None:
    """``--lang`` is for every word of ours; the quote stays."""
    german = statutes.program.must("ask", QUESTION, "--mandate", "Haus", "--json").json

    assert german["note"].startswith("Geprüft · ")
    assert [one["quote"] for one in german["sources"]] == [one["quote"] for one in answer["sources"]]


def test_a_german_question_is_answered_in_german(statutes: Statutes) -> None:
    """Whatever the system speaks; what tells no language is answered in that of the system."""
    unspoken = replace(statutes.program, language="")
    german = unspoken.must("ask", GERMAN, "--mandate", "Haus", "--json", environment=ENGLISH_SYSTEM).json
    neither = unspoken.must("ask", "§ 37 VVG", "--mandate", "Haus", "--json", environment=ENGLISH_SYSTEM).json

    assert german["note"].startswith("Geprüft · ")
    assert neither["note"].startswith("Verified · ")


def test_a_batch_answers_each_line_in_its_language(statutes: Statutes, tmp_path: Path) -> None:
    """Refusals and answers, and what is not open to somebody."""
    lines = [{"question": QUESTION}, {"question": GERMAN}, {"question": "What is a prime number?"}]

    answers = statutes.batch("Haus", lines, tmp_path)

    assert [one["note"].partition(" ")[0] for one in answers] == ["Verified", "Geprüft", "Not"]
    assert answers[2]["refusal"]["reason"].startswith("Best passage 0.")


def test_a_chat_speaks_both(statutes: Statutes) -> None:
    """The answer is English, the commands stay those of the conversation."""
    unspoken = replace(statutes.program, language="")
    german = {"LC_ALL": "de_DE.UTF-8", "PYTHONUTF8": "1"}

    told = unspoken.must("chat", "--mandate", "Haus", stdin=f"{QUESTION}\n!zeiten\n!foo\n", environment=german).out

    assert "Verified · " in told
    assert "encode" in told
    assert "Den Befehl" in told or "gibt es nicht" in told
