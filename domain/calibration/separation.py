"""How well one score tells questions that the sources answer from those that they do not.

A question is let through when its score reaches the threshold. Two things go wrong: a question with an answer is
refused, or one without is let through. Intervals: Wilson, JASA 1927. Area under the curve: Hanley and McNeil,
Radiology 1982.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

CONFIDENCE: Final = 1.959964
"""Standard deviations of a two-sided interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with its best score; ``None`` when nothing was found, which never passes."""

    score: float | None
    is_answerable: bool

    def passes(self, threshold: float) -> bool:
        """Say whether a gate with this threshold lets it through."""
        return self.score is not None and self.score >= threshold


@dataclass(frozen=True, slots=True)
class Share:
    """A count out of a number, with its interval of 95 %."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """Return the share, 0 of nothing."""
        return self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the lowest and the highest share that agree with what was counted; all of [0, 1] for nothing."""
        if not self.of:
            return 0.0, 1.0
        square = CONFIDENCE**2
        middle = (self.value + square / (2 * self.of)) / (1 + square / self.of)
        spread = sqrt(self.value * (1 - self.value) / self.of + square / (4 * self.of**2))
        half = CONFIDENCE * spread / (1 + square / self.of)
        low = 0.0 if self.count == 0 else max(0.0, middle - half)
        high = 1.0 if self.count == self.of else min(1.0, middle + half)
        return low, high


@dataclass(frozen=True, slots=True)
class Errors:
    """Both kinds of errors at a threshold."""

    threshold: float
    refused_answerable: Share
    passed_unanswerable: Share


def errors_at(questions: Sequence[Scored], threshold: float) -> Errors:
    """Return how often a gate with this threshold errs."""
    answerable = [one for one in questions if one.is_answerable]
    others = [one for one in questions if not one.is_answerable]
    return Errors(
        threshold,
        Share(sum(not one.passes(threshold) for one in answerable), len(answerable)),
        Share(sum(one.passes(threshold) for one in others), len(others)),
    )


def curve(questions: Sequence[Scored], steps: int = 100) -> tuple[Errors, ...]:
    """Return the errors at ``steps + 1`` thresholds from 0 to 1."""
    return tuple(errors_at(questions, step / steps) for step in range(steps + 1))


def area_under_curve(questions: Sequence[Scored]) -> float | None:
    """Return the chance that a question with an answer scores higher than one without; equal scores count half.

    ``None`` without questions of both kinds.
    """
    answerable = [_value(one) for one in questions if one.is_answerable]
    others = sorted(_value(one) for one in questions if not one.is_answerable)
    if not answerable or not others:
        return None
    wins = sum(bisect_left(others, one) + bisect_right(others, one) for one in answerable) / 2
    return wins / (len(answerable) * len(others))


def _value(question: Scored) -> float:
    return -1.0 if question.score is None else question.score
