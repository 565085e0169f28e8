"""Steps 6 and 8: the gates before and after formulation. Both fail closed."""

from collections.abc import Sequence
from math import isfinite

from domain.asking.events import CoverageDecided, RelevanceDecided, Sentence
from domain.asking.policies import COVERAGE
from domain.mandates.events import ThresholdSet


def relevance_gate(
    scores: Sequence[float | None], fingerprint: str, default: float | None, policy: ThresholdSet | None
) -> RelevanceDecided:
    """Decide whether the best passage is good enough to formulate from.

    Args:
        scores: the rerank scores; one that is no number makes all of them doubtful.
        fingerprint: the model that gave it.
        default: the threshold that the model brings along.
        policy: the mandate's own threshold; bound to another model it cannot be met.
    """
    threshold, rule = (default, "default") if policy is None else (policy.value, "policy")
    if not fingerprint or (policy is not None and policy.fingerprint != fingerprint):
        threshold = None
    if threshold is not None and not isfinite(threshold):
        threshold = None
    numbers = [score for score in scores if score is not None and isfinite(score)]
    value = max(numbers) if numbers and len(numbers) == len(scores) else None
    passed = value is not None and threshold is not None and value >= threshold
    return RelevanceDecided(value, threshold, fingerprint, rule, passed)


def coverage_gate(sentences: Sequence[Sentence], known: frozenset[str]) -> CoverageDecided:
    """Decide whether enough sentences cite a label that stands for something; no sentence is no coverage."""
    anchored = sum(1 for sentence in sentences if known.intersection(sentence.labels))
    value = anchored / len(sentences) if sentences else 0.0
    return CoverageDecided(value, COVERAGE, passed=value >= COVERAGE)
