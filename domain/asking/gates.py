"""Steps 6 and 8: the gates before and after formulation. Both fail closed."""

from collections.abc import Sequence
from math import isfinite

from domain.asking.events import CoverageDecided, RelevanceDecided, Sentence
from domain.asking.policies import COVERAGE
from domain.mandates.events import ThresholdSet


def relevance_gate(
    best: float, fingerprint: str, default: float | None, policy: ThresholdSet | None
) -> RelevanceDecided:
    """Decide whether the best passage is good enough to formulate from.

    Args:
        best: the best rerank score.
        fingerprint: the model that gave it.
        default: the threshold that the model brings along.
        policy: the mandate's own threshold; bound to another model it cannot be met.
    """
    threshold, rule = (default, "default") if policy is None else (policy.value, "policy")
    if not fingerprint or (policy is not None and policy.fingerprint != fingerprint):
        threshold = None
    value = best if isfinite(best) else None
    usable = value is not None and threshold is not None and isfinite(threshold)
    passed = usable and value is not None and threshold is not None and value >= threshold
    return RelevanceDecided(value, threshold, fingerprint, rule, passed)


def coverage_gate(sentences: Sequence[Sentence], known: frozenset[str]) -> CoverageDecided:
    """Decide whether enough sentences cite a label that stands for something; no sentence is no coverage."""
    anchored = sum(1 for sentence in sentences if known.intersection(sentence.labels))
    value = anchored / len(sentences) if sentences else 0.0
    return CoverageDecided(value, COVERAGE, passed=value >= COVERAGE)
