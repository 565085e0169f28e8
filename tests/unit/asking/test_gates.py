"""Both gates on their own."""

from math import inf, nan

import pytest

from domain.asking.events import RelevanceDecided
from domain.asking.gates import COVERAGE_RULE, RELEVANCE_RULE, coverage_gate, relevance_gate
from domain.asking.outcome import CoverageDecided, Sentence
from domain.mandates.policies import Threshold


def threshold(value: float | None = 0.35, fingerprint: str = "m/1") -> Threshold:
    return Threshold("relevance", value, fingerprint, "default", "")


def test_the_best_score_decides() -> None:
    """One good passage is enough, and the threshold itself passes."""
    decided = RelevanceDecided(0.35, 0.35, "m/1", "default", passed=True, rule_version=RELEVANCE_RULE)
    assert relevance_gate([0.1, 0.35], threshold()) == decided


def test_just_below_the_threshold_is_refused() -> None:
    """There is no rounding in favour of an answer."""
    assert not relevance_gate([0.3499999], threshold()).passed


@pytest.mark.parametrize(
    ("scores", "given"),
    [
        ([0.9, None], threshold()),
        ([0.9, nan], threshold()),
        ([inf], threshold()),
        ([], threshold()),
        ([0.9], threshold(None)),
        ([0.9], threshold(nan)),
        ([0.9], threshold(0.35, "")),
    ],
    ids=["missing score", "not a number", "infinite", "no score", "no threshold", "broken threshold", "no model"],
)
def test_relevance_fails_closed(scores: list[float | None], given: Threshold) -> None:
    """Whatever cannot be judged does not pass."""
    assert not relevance_gate(scores, given).passed


def test_an_unusable_score_is_recorded_as_none() -> None:
    """An event holds no NaN, which JSON does not know."""
    assert relevance_gate([nan], threshold()).value is None


def sentences(anchored: int, bare: int) -> list[Sentence]:
    return [Sentence("a", ("S1",))] * anchored + [Sentence("b", ())] * bare


@pytest.mark.parametrize(("anchored", "bare", "passed"), [(4, 1, True), (3, 1, False), (1, 0, True), (0, 0, False)])
def test_coverage_is_the_share_of_sentences_with_an_anchor(anchored: int, bare: int, *, passed: bool) -> None:
    """Four of five are enough, three of four are not, and no sentence is no coverage."""
    decided = coverage_gate(sentences(anchored, bare), frozenset({"S1"}), Threshold("coverage", 0.8, "", "default", ""))

    assert decided.passed is passed


def test_a_label_that_stands_for_nothing_is_no_anchor() -> None:
    """Only known labels count."""
    decided = coverage_gate([Sentence("a", ("S9",))], frozenset({"S1"}), Threshold("coverage", 0.8, "", "default", ""))

    assert decided == CoverageDecided(0.0, 0.8, "default", passed=False, rule_version=COVERAGE_RULE)


def test_coverage_without_a_threshold_fails_closed() -> None:
    """No threshold, no answer."""
    assert not coverage_gate(sentences(1, 0), frozenset({"S1"}), Threshold("coverage", None, "", "default", "")).passed
