"""Bring several ranked lists together, then choose passages that do not repeat each other.

Reciprocal rank fusion: Cormack, Clarke and Buettcher, SIGIR 2009. Maximal marginal relevance: Carbonell and
Goldstein, SIGIR 1998. Both give the same result for the same input in any order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from operator import mul

from domain.asking.ports import Hit, PassageId

K = 60
"""Dampens the difference between neighbouring ranks; the value of the requirement and of the paper."""

CITED = 128
"""How many times the sum of all other lists the list of cited passages counts.

From 104 on (80 * 79 / 61) not even the first rank in every other list brings a passage before one that stands above it
among the first twenty cited ones.
"""

LAMBDA = 0.5
"""Relevance and novelty weigh the same."""

PICK = 8
"""Most passages that a formulation gets."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reranked passage.

    Attributes:
        relevance: rerank score in [0, 1].
        citation: what a person would cite: document, section and place.
        vector: unit vector of its dense encoding.
    """

    passage: PassageId
    relevance: float
    citation: tuple[str, ...]
    vector: Sequence[float]


def fuse(lists: Mapping[str, Sequence[Hit]], weights: Mapping[str, float]) -> tuple[Hit, ...]:
    """Fuse ranked lists: a passage scores the sum of ``weight / (K + rank)`` over the lists that hold it.

    Args:
        lists: hits by name of the list, best first; a list that failed has no place here.
        weights: weight of each list by name; 1 where it is missing.

    Returns:
        All passages of all lists; equal scores in the order of passages.
    """
    shares: dict[PassageId, list[float]] = {}
    for name, hits in lists.items():
        places = dict.fromkeys(hit.passage for hit in hits)
        for rank, passage in enumerate(places, 1):
            shares.setdefault(passage, []).append(weights.get(name, 1.0) / (K + rank))
    fused = (Hit(passage, fsum(parts)) for passage, parts in shares.items())
    return tuple(sorted(fused, key=best_first))


def best_first(hit: Hit) -> tuple[float, PassageId]:
    """Sort key of every list of hits: higher scores first, equal ones by passage."""
    return -hit.score, hit.passage


def select(candidates: Sequence[Candidate], threshold: float, pick: int = PICK) -> tuple[Candidate, ...]:
    """Choose up to ``pick`` passages by maximal marginal relevance, the best one first.

    Among the ``pick`` most relevant candidates, one that passes ``threshold`` and is the best of its citation is
    never dropped for being worded alike: the size classes of two paragraphs read the same and answer differently.
    """
    left = sorted(candidates, key=lambda one: (-one.relevance, one.passage))
    kept = _first_of_citation(left[:pick], threshold)
    chosen: list[Candidate] = []
    closest = {one.passage: 0.0 for one in left}
    while left and len(chosen) < pick:
        waiting = [one for one in left if one.passage in kept]
        pool = waiting if len(waiting) == pick - len(chosen) else left
        best = min(pool, key=lambda one: (_penalty(one, closest[one.passage]), one.passage))
        chosen.append(best)
        left.remove(best)
        for one in left:
            closest[one.passage] = max(closest[one.passage], similarity(one.vector, best.vector))
    return tuple(chosen)


def similarity(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two unit vectors, clipped to [0, 1] so that it has the scale of relevance."""
    return min(1.0, max(0.0, fsum(map(mul, one, other))))


def _penalty(one: Candidate, closest: float) -> float:
    return (1 - LAMBDA) * closest - LAMBDA * one.relevance


def _first_of_citation(ranked: Sequence[Candidate], threshold: float) -> frozenset[PassageId]:
    first: dict[tuple[str, ...], Candidate] = {}
    for one in ranked:
        first.setdefault(one.citation, one)
    return frozenset(one.passage for one in first.values() if one.relevance >= threshold)
