"""How sure it is that a sentence of the evidence carries a claim that no guard contradicts.

A logistic model over what the alignment and the guards leave open. Each feature is a count, a share or a sum of costs;
the signs of the weights are fixed (what is missing never makes surer), so that each can be read as what it takes off.
Trained by ``bench/train_judge.py``.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import Final

from domain.verifying.actors import is_actor
from domain.verifying.alignment import Alignment, Pair
from domain.verifying.function_words import LIGHT
from domain.verifying.matching import PARTICLE
from domain.verifying.sentence import Sentence, Word
from domain.verifying.tokens import word_set
from domain.verifying.values import Finding, Outcome
from domain.verifying.weights import OFFSETS, WEIGHTS

LEAST_CONFIDENCE: Final = 0.80
"""Below this a claim is dropped."""

FULL: Final = 0.99
"""Confidence in a claim of which nothing is left open."""

MOST: Final = 4
"""From here on more of the same says no more."""

OPEN: Final = ("modality", "negation", "hedge", "concession", "role", "rival", "rate")
"""Guards whose findings weigh without deciding."""

NAMES: Final = (
    "missing noun", "missing word", "missing actor", "missing beside", "missing share", "missing in a copy",
    "elsewhere", "in other words", "two sentences", *OPEN,
)  # fmt: skip
"""Features, in their order."""


def features(alignment: Alignment, found: Sequence[Finding]) -> dict[str, float]:
    """Return what is left open about a claim, by name; see the table in docs/verifier.md."""
    language = alignment.claim.language
    pairs = [pair for pair in alignment.pairs if pair.mine.low not in LIGHT[language]]
    missing = [pair for pair in pairs if is_missing(pair)]
    named = [pair for pair in missing if _is_noun(pair.mine, alignment.claim)]
    share = len(missing) / len(pairs) if pairs else 0.0
    costs = dict.fromkeys(OPEN, 0.0)
    for one in found:
        if one.guard in costs and one.outcome is not Outcome.CONTRADICTS:
            costs[one.guard] += min(one.cost, 1.0)
    return {
        "missing noun": float(min(MOST, len(named))),
        "missing word": float(min(MOST, len(missing) - len(named))),
        "missing actor": float(any(is_actor(pair.mine, language) for pair in missing)),
        "missing beside": float(any(_is_beside(pair, pairs, alignment.claim) for pair in missing)),
        "missing share": share,
        "missing in a copy": share * copied(pairs),
        "elsewhere": float(min(MOST, sum(_is_elsewhere(pair) for pair in pairs))),
        "in other words": sum(pair.theirs is not None and 0 < pair.cost <= PARTICLE for pair in pairs)
        / max(1, len(pairs)),
        "two sentences": float(alignment.unit.is_joined),
        **costs,
    }


def confidence(alignment: Alignment, found: Sequence[Finding]) -> float:
    """Return the confidence in a claim, in [0, 1]; ``LEAST_CONFIDENCE`` where the model is tuned to let it pass."""
    score = OFFSETS[alignment.claim.language] + sum(
        WEIGHTS.get(name, 0.0) * value for name, value in features(alignment, found).items()
    )
    return min(FULL, 1 / (1 + exp(-score - log(LEAST_CONFIDENCE / (1 - LEAST_CONFIDENCE)))))


def _is_noun(word: Word, claim: Sentence) -> bool:
    """Say whether a word names something: by its capital, in English by the article or the like in front of it."""
    if word.at == 0:
        # A capital may only say that the sentence begins here.
        return False
    if claim.language == "de":
        return word.is_noun
    return word.is_name or (
        claim.tokens[word.at - 1].low in _BEFORE_NOUNS and not word.low.endswith(("ing", "ed", "ly"))
    )


def _is_beside(missing: Pair, pairs: Sequence[Pair], claim: Sentence) -> bool:
    """Say whether an "und" joins a word to one that the evidence has: "schriftlich und eingeschrieben"."""
    places = {pair.mine.at for pair in pairs if pair.theirs is not None}
    at = missing.mine.at
    joined = {token.low for token in claim.tokens[max(0, at - REACH) : at]} & _AND
    return bool(joined) and any(one in places for one in range(max(0, at - REACH - 1), at))


def is_missing(pair: Pair) -> bool:
    """Say whether nothing in the evidence accounts for a word that has weight."""
    return pair.theirs is None and pair.cost > PARTICLE


def _is_elsewhere(pair: Pair) -> bool:
    return pair.theirs is not None and not pair.is_here and pair.cost > PARTICLE


def copied(pairs: Sequence[Pair]) -> float:
    """Return the share of neighbouring words of the claim that are neighbours, in this order, in the evidence."""
    steps = [
        one.theirs is not None and other.theirs is not None and 0 < other.theirs.at - one.theirs.at <= STEP
        for one, other in pairwise(pairs)
        if one.is_here and other.is_here
    ]
    return sum(steps) / max(1, len(pairs) - 1)


_BEFORE_NOUNS: Final = word_set("the a an this these those its his her their our my your every each some")
_AND: Final = word_set("und sowie and")
REACH: Final = 2
"""Tokens in front of a word that may hold the "und" before it."""

STEP: Final = 4
"""Tokens from one word of a copy to the next, at most: articles and prepositions stand between them."""
