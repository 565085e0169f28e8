"""What no act answers is refused without a source on the real program, however it is asked."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.text import texts
from domain.asking.language import language_of
from tests.e2e.statutes import OFF_CORPUS, Statutes

pytestmark = pytest.mark.law

PRIME = "Was ist eine Primzahl?"
PRIMES = (PRIME, "Was ist denn eine Primzahl?", "Wodurch ist eine Primzahl teilbar?")
QUESTIONS = [one["question"] for one in OFF_CORPUS]
NARROWED: list[Mapping[str, Any]] = [
    {"document": ["VVG"]},
    {"document": ["BUrlG", "ArbZG"]},
    {"valid_on": "2022-01-01"},
    {"document": ["AGG"], "valid_on": "2025-06-30"},
]


def assert_refused(answer: Any) -> None:
    """No source, no sentence, the fixed words in the language of the question, below the threshold."""
    refusal, step = answer["refusal"], answer["refusal"]["step"]
    words = texts(language_of(answer["question"]))
    fixed = {"relevance": words("answer.refused"), "none_found": words("answer.none_found")}
    assert (answer["outcome"], answer["verdict"]) == ("refused", None), answer["question"]
    assert (answer["sources"], answer["sentences"]) == ([], []), answer["question"]
    assert answer["text"] == fixed[step], answer["question"]
    assert answer["gates"]["coverage"]["value"] is None
    if step == "relevance":
        assert refusal["value"] < refusal["threshold"], answer["question"]


def test_the_questions_are_many_and_of_many_kinds() -> None:
    """In either language."""
    counted = Counter(one["language"] for one in OFF_CORPUS)
    assert min(counted["de"], counted["en"]) >= 20
    assert len({one["kind"] for one in OFF_CORPUS}) >= 10
    assert {one["question"]: language_of(one["question"]) for one in OFF_CORPUS if one["kind"] != "nonsense"} == {
        one["question"]: one["language"] for one in OFF_CORPUS if one["kind"] != "nonsense"
    }


def test_each_is_refused(statutes: Statutes, tmp_path: Path) -> None:
    """In one batch, over all acts as they are in force today."""
    for answer in statutes.batch("Haus", [{"question": one} for one in QUESTIONS], tmp_path):
        assert_refused(answer)


def test_no_filter_loosens_the_gate(statutes: Statutes, tmp_path: Path) -> None:
    """Documents, days, both, and what was known before: the score never rises and the threshold stays."""
    asked = [
        {"question": question, **options}
        for question in QUESTIONS[::5]
        for options in ({}, *NARROWED, {"at": statutes.before})
    ]
    answers = statutes.batch("Haus", asked, tmp_path)

    for answer in answers:
        assert_refused(answer)
    thresholds = {one["refusal"]["threshold"] for one in answers if one["refusal"]["step"] == "relevance"}
    assert len(thresholds) == 1


def test_a_batch_may_mix_what_is_answered_with_what_is_not(statutes: Statutes, tmp_path: Path) -> None:
    """Neither changes the other."""
    good = "Innerhalb welcher Frist kann der Versicherungsnehmer seine Vertragserklärung widerrufen?"
    mixed = [good, *QUESTIONS[:3], good, *QUESTIONS[-3:], good]

    answers = statutes.batch("Haus", [{"question": one} for one in mixed], tmp_path)

    assert [one["question"] for one in answers if one["outcome"] == "answered"] == [good] * 3
    assert all(one["sources"] for one in answers if one["outcome"] == "answered")
    for answer in answers:
        if answer["question"] != good:
            assert_refused(answer)


def test_what_is_answered_elsewhere_is_refused_where_that_does_not_count(statutes: Statutes, tmp_path: Path) -> None:
    """The school has a lesson on primes: outside of it, before it, and before it was in force, there is no answer."""
    narrowed: list[Mapping[str, Any]] = [
        {"scope": "Recht"},
        {"document": ["VVG"]},
        {"valid_on": "2024-12-31"},
        {"at": statutes.before},
        {"at": statutes.before, "valid_on": "2022-01-01", "document": ["VVG"]},
    ]
    asked = [{"question": one, **options} for one in PRIMES for options in ({}, *narrowed)]

    for line, answer in zip(asked, statutes.batch("Schule", asked, tmp_path), strict=True):
        if len(line) == 1:
            assert [one["document"] for one in answer["sources"]] == ["rechnen"]
        else:
            assert_refused(answer)


def test_a_person_sees_no_source_either(statutes: Statutes) -> None:
    """The fixed sentence, the figures and what came near; in English for an English question."""
    german = statutes.unspoken("ask", PRIME, "--mandate", "Haus").out
    english = statutes.unspoken("ask", "What is a prime number?", "--mandate", "Haus").out
    chosen = statutes.program.must("ask", "What is a prime number?", "--mandate", "Haus").out

    assert texts("de")("answer.refused") in german
    assert texts("en")("answer.refused") in english
    assert texts("de")("answer.refused") in chosen
    for shown in (german, english, chosen):
        assert "[S1]" not in shown
        assert "Quellen (" not in shown
        assert "Sources (" not in shown
