"""Steps 6 and 8: the gates before and after formulation. Both fail closed."""

from collections.abc import Sequence
from math import isfinite
from typing import Final

from domain.asking.events import RelevanceDecided
from domain.asking.outcome import CoverageDecided, Sentence
from domain.mandates.policies import Threshold

RELEVANCE_RULE: Final = "best_score/1"
"""How ``relevance_gate`` decides; its number rises with every change that could let another run pass."""

COVERAGE_RULE: Final = "anchored_share/1"
"""The same for ``coverage_gate``."""


def relevance_gate(scores: Sequence[float | None], threshold: Threshold) -> RelevanceDecided:
    """Decide whether the best passage is good enough to formulate from.

    Args:
        scores: the rerank scores; one that is no number makes all of them doubtful.
        threshold: what the best must reach; without a value, or without a model, nothing passes.
    """
    limit = threshold.value if threshold.fingerprint and threshold.value is not None else None
    if limit is not None and not isfinite(limit):
        limit = None
    numbers = [score for score in scores if score is not None and isfinite(score)]
    value = max(numbers) if numbers and len(numbers) == len(scores) else None
    passed = value is not None and limit is not None and value >= limit
    return RelevanceDecided(value, limit, threshold.fingerprint, threshold.origin, passed, RELEVANCE_RULE)


def coverage_gate(sentences: Sequence[Sentence], known: frozenset[str], threshold: Threshold) -> CoverageDecided:
    """Decide whether enough sentences cite a label that stands for something; no sentence is no coverage.

    That a detail is not in the sources needs no source.
    """
    counted = [sentence for sentence in sentences if not sentence.is_gap]
    anchored = sum(1 for sentence in counted if known.intersection(sentence.labels))
    value = anchored / len(counted) if counted else 0.0
    passed = threshold.value is not None and value >= threshold.value
    return CoverageDecided(value, threshold.value, threshold.origin, passed, COVERAGE_RULE)
