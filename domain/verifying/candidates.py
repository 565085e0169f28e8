"""Which sentences of the evidence a claim is held against: the closest one, those as close, and two read as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from domain.verifying.alignment import Alignment, align
from domain.verifying.function_words import LIGHT
from domain.verifying.matching import PARTICLE
from domain.verifying.passage import Passage, Unit, joined
from domain.verifying.sentence import Sentence

LOOKED_AT: Final = 8
"""Sentences of the passage that a claim is aligned with, those with most words in common."""

CANDIDATES: Final = 4
"""Sentences of the passage that a claim is held against in full, best aligned first."""

JOINED_FROM: Final = 3
"""Sentences, best aligned first, of which two may be read as one."""

NUMBER_MISSING: Final = 0.3
"""What a number of the claim that a sentence lacks counts when the closest sentence is looked for."""

FARTHER: Final = 0.05
"""What two sentences are farther than one that says as much; ``WHOLE`` likewise for a whole enumeration."""

WHOLE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that a claim is held against, and how far it is from the claim.

    Attributes:
        closest: for two sentences read as one, the sentence that alone has most of its words.
    """

    alignment: Alignment
    distance: float
    closest: Alignment | None = None


def candidates(claim: Sentence, passage: Passage) -> list[Candidate]:
    """Return the sentences that may carry a claim, closest first."""
    aligned = [align(claim, unit, passage) for unit in _in_question(claim, passage)]
    found = sorted((Candidate(one, _distance(one)) for one in aligned), key=lambda one: one.distance)[:CANDIDATES]
    both = _both([one.alignment for one in found if not one.alignment.unit.is_group][:JOINED_FROM], passage)
    return sorted([*found, *both], key=lambda one: one.distance)


def _in_question(claim: Sentence, passage: Passage) -> list[Unit]:
    """Return the sentences that have most in common with the claim; the others can't carry it."""
    units = [unit for unit in passage.units if not unit.is_denied]
    if len(units) <= LOOKED_AT:
        return units
    return sorted(units, key=lambda unit: -_common(claim, unit.sentence))[:LOOKED_AT]


def _common(claim: Sentence, sentence: Sentence) -> int:
    roots = sentence.index.roots
    shared = sum(any(root in roots for root in word.forms.roots) for word in claim.words)
    return shared + len(_counted(claim, sentence))


def _distance(alignment: Alignment) -> float:
    """Return how far a sentence is from the claim, by its words, numbers and dates."""
    claim, there = alignment.claim, alignment.unit.sentence
    missing = len(claim.counted) - len(_counted(claim, there))
    missing += sum(not any(day.is_within(other) for other in there.days) for day in claim.days)
    farther = FARTHER * alignment.unit.is_joined + WHOLE * alignment.unit.is_group
    return alignment.cost + missing * NUMBER_MISSING + farther


def _counted(claim: Sentence, sentence: Sentence) -> list[int]:
    """Return the places of the numbers of the claim that a sentence has."""
    values = {(one.quantity.kind, one.quantity.value) for one in sentence.counted}
    return [one.quantity.start for one in claim.counted if (one.quantity.kind, one.quantity.value) in values]


def _both(singles: Sequence[Alignment], passage: Passage) -> list[Candidate]:
    """Return the two sentences that together say more of the claim than one does, read as one; empty if none do."""
    said = [_said(one) for one in singles]
    gains = [
        (len(said[one] | said[other]), one, other)
        for one, other in combinations(range(len(singles)), 2)
        if len(said[one] | said[other]) > max(len(said[one]), len(said[other]))
    ]
    if not gains:
        return []
    _, one, other = max(gains, key=lambda gain: (gain[0], -gain[1], -gain[2]))
    first, second = sorted((singles[one].unit, singles[other].unit), key=passage.singles.index)
    alignment = align(singles[one].claim, joined(first, second), passage)
    return [Candidate(alignment, _distance(alignment), min(singles, key=missing_share))]


def _said(alignment: Alignment) -> set[int]:
    """Return the tokens of the claim that a sentence accounts for: words of weight, numbers, dates."""
    claim, there = alignment.claim, alignment.unit.sentence
    light = LIGHT[claim.language]
    words = {pair.mine.at for pair in alignment.pairs if pair.is_here and pair.theirs and pair.mine.low not in light}
    days = {day.start for day in claim.days if any(day.is_within(other) for other in there.days)}
    return words | set(_counted(claim, there)) | {-1 - day for day in days}


def missing_share(alignment: Alignment) -> float:
    """Return the share of the words of weight that the sentence itself does not account for."""
    pairs = [pair for pair in alignment.pairs if pair.mine.low not in LIGHT[alignment.claim.language]]
    return sum(not pair.is_here and pair.cost > PARTICLE for pair in pairs) / max(1, len(pairs))
