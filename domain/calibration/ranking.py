"""How high a ranked list places what answers a question.

Recall at k, mean reciprocal rank (Voorhees, TREC-8, 1999) and normalised discounted cumulative gain with binary
gains (Järvelin and Kekäläinen, TOIS 2002). A target counts once, at the first passage that meets it: a section cut
into five passages is no better than one that is whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from statistics import fmean

from domain.calibration.labels import Target
from domain.knowledge.anchors import Anchor

DEPTHS = (1, 5, 8, 10, 20)
"""Ranks at which recall is told: 8 are selected, 10 reranked, 20 searched."""

GAIN_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over questions, each in [0, 1].

    Attributes:
        questions: how many there are.
        recall: by depth, the share of targets among so many first passages.
    """

    questions: int
    recall: dict[int, float]
    mrr: float
    ndcg: float


def first_ranks(found: Sequence[Anchor], targets: Sequence[Target]) -> tuple[int | None, ...]:
    """Return for each target the rank, from 1, of the first passage that meets it, ``None`` where none does."""
    return tuple(
        next((rank for rank, anchor in enumerate(found, 1) if target.is_met_by(anchor)), None) for target in targets
    )


def quality(questions: Sequence[Sequence[int | None]]) -> Quality:
    """Return the means over the first ranks of each question.

    Args:
        questions: what ``first_ranks`` gave for each question; each has at least one target.

    Raises:
        ValueError: there is no question, or one without target.
    """
    if not questions or not all(questions):
        raise ValueError("no target")
    recall = {depth: fmean(_recall(ranks, depth) for ranks in questions) for depth in DEPTHS}
    return Quality(len(questions), recall, fmean(map(_reciprocal, questions)), fmean(map(_gain, questions)))


def _recall(ranks: Sequence[int | None], depth: int) -> float:
    return sum(rank is not None and rank <= depth for rank in ranks) / len(ranks)


def _reciprocal(ranks: Sequence[int | None]) -> float:
    return max((1 / rank for rank in ranks if rank is not None), default=0.0)


def _gain(ranks: Sequence[int | None]) -> float:
    # A passage that meets several targets takes one place in the list, so it gains once.
    met = [rank for rank in ranks if rank is not None]
    ideal = min(len(ranks) - len(met) + len(set(met)), GAIN_DEPTH)
    gained = sum(_discount(rank) for rank in set(met) if rank <= GAIN_DEPTH)
    return gained / sum(map(_discount, range(1, ideal + 1)))


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)
