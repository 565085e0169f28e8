"""Which word of the evidence says what a word of the claim says, and how sure that is.

A step that may be wrong has a cost: another form of the same root, a synonym, a part of a compound, a word that
stands
in the sentence before and not in the one that the claim rests on. Words that nothing accounts for cost most.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.verifying.actors import is_actor
from domain.verifying.compounds import built, partly
from domain.verifying.function_words import LIGHT
from domain.verifying.matching import (
    COMPOUND,
    ROOT,
    SYNONYM,
    looked_up,
    match,
    opposite_of,
)
from domain.verifying.passage import Passage, Unit
from domain.verifying.sentence import Sentence, Word
from domain.verifying.synonyms import grouped

HEADING, BEFORE, POINTED, NEAR, FAR = 0.02, 0.03, 0.11, 0.18, 0.25
"""What it costs that a word stands in the heading, in the sentence referred to, in the one before where this one has
a pronoun, in the one before, or elsewhere."""

UNNAMED, UNSAID, LIGHTLY = 0.45, 0.27, 0.02
"""What a name or noun, another word, and a word of no weight cost that nothing in the evidence accounts for."""

AGE: Final = 216
"""Months of somebody of full age."""

_OF_AGE: Final = ("volljahrig", "erwachsen", "adult")
_MOST: Final = (
    "ceiling",
    "maximum",
    "limit",
    "cap",
    "hochstbetrag",
    "obergrenze",
    "hochstgrenze",
    "frist",
    "deadline",
    "period",
    "hochstdauer",
)
_LIMITS: Final = {
    "most": _MOST, "less": _MOST, "least": ("minimum", "floor", "untergrenze", "mindestbetrag"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """A word of the claim and the word of the evidence that accounts for it.

    Attributes:
        mine: word of the claim; ``theirs`` of the evidence, ``None`` where none accounts for it.
        cost: what the step costs.
        is_here: ``theirs`` stands in the sentence that the claim is held against.
        is_turned: one of the two is the negation of the other ("unwirksam" and "wirksam").
        is_before: ``theirs`` stands in the sentence before.
        opposite: a word of the evidence that says the opposite, where nothing says the same.
    """

    mine: Word
    theirs: Word | None
    cost: float
    is_here: bool = False
    is_turned: bool = False
    opposite: Word | None = None
    is_before: bool = False


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim held against one sentence of the evidence."""

    claim: Sentence
    unit: Unit
    pairs: tuple[Pair, ...]

    @property
    def cost(self) -> float:
        """Return what all steps cost together."""
        return sum(pair.cost for pair in self.pairs)

    def clause_of(self, clause: int) -> tuple[int, ...]:
        """Return the clauses of the evidence that most words of a clause of the claim stand in, best first."""
        counts: dict[int, float] = {}
        for pair in self.pairs:
            if pair.theirs is not None and pair.is_here and pair.mine.clause == clause:
                counts[pair.theirs.clause] = counts.get(pair.theirs.clause, 0.0) + 1.0 - pair.cost
        return tuple(sorted(counts, key=lambda one: -counts[one]))


def align(claim: Sentence, unit: Unit, passage: Passage) -> Alignment:
    """Hold ``claim`` against ``unit``; what its neighbours say counts, but less."""
    levels = _levels(unit, passage)
    pairs = [_pair(word, claim.language, levels, passage) for word in claim.words if not word.is_rate]
    settled = [_in_clause(pair, pairs, unit.sentence) for pair in pairs]
    return Alignment(claim, unit, tuple(_checked(settled, claim.language, unit.sentence)))


def _in_clause(pair: Pair, pairs: Sequence[Pair], sentence: Sentence) -> Pair:
    """Return the pair with the occurrence of its word that stands where most other words of the claim stand."""
    if not pair.is_here or pair.theirs is None or pair.cost > 0:
        return pair
    same = {word.at: word for stem in pair.mine.forms.stems for word in sentence.index.stems.get(stem, ())}
    if len(same) < 2:
        return pair
    around = [
        other.theirs.clause
        for other in pairs
        if other is not pair and other.is_here and other.theirs and other.mine.clause == pair.mine.clause
    ]
    best = max(
        same.values(), key=lambda word: (around.count(word.clause), word.is_denied == pair.mine.is_denied, -word.at)
    )
    return replace(pair, theirs=best)


def _checked(pairs: Sequence[Pair], language: str, sentence: Sentence) -> Iterator[Pair]:
    """Yield the pairs without those that count a word twice, or rest on the sentence before more than on this one."""
    exact = {pair.theirs.at: pair.mine for pair in pairs if pair.is_here and pair.theirs and pair.cost <= ROOT}
    weighty = [pair for pair in pairs if pair.mine.low not in LIGHT[language]]
    here = sum(pair.is_here or (pair.theirs is None and pair.cost < NEAR) for pair in weighty)
    before = [
        pair for pair in weighty if pair.theirs and not pair.is_here and HEADING < pair.cost < NEAR and pair.is_before
    ]
    for pair in pairs:
        taken = exact.get(pair.theirs.at) if pair.theirs and pair.is_here else None
        if (
            taken is not None
            and taken is not pair.mine
            and pair.cost >= SYNONYM
            and not _is_part_of(taken, pair.mine)
            and not (pair.theirs and _is_part_of(pair.mine, pair.theirs))
        ):
            free = _free(pair.mine, exact, sentence)
            yield (
                Pair(pair.mine, free, SYNONYM, is_here=True)
                if free
                else Pair(pair.mine, None, _unaccounted(pair.mine, language))
            )
        elif pair in before and here < len(before):
            yield replace(pair, cost=pair.cost + NEAR)
        else:
            yield pair


def _free(word: Word, taken: Mapping[int, Word], sentence: Sentence) -> Word | None:
    """Return a synonym that no other word of the claim stands for."""
    numbers = grouped(word.forms.stems, sentence.language)
    found = (other for number in numbers for other in sentence.index.groups.get(number, ()))
    return next((other for other in found if other.at not in taken), None)


def _is_part_of(one: Word, other: Word) -> bool:
    return any(stem in other.low for stem in one.forms.stems)


def _levels(unit: Unit, passage: Passage) -> list[tuple[Sentence, float]]:
    """Return the sentences that may account for a word, with what it costs that they do; the nearest first."""
    levels = [(unit.sentence, 0.0), (passage.heading, HEADING)]
    at = next((number for number, one in enumerate(passage.singles) if one is unit), -1)
    before = passage.singles[at - 1] if at > 0 else None
    if before is not None and not before.is_denied:
        levels.append((before.sentence, BEFORE if unit.is_anaphoric else POINTED if unit.has_pronoun else NEAR))
        if unit.has_pronoun and before.has_pronoun and at > 1:
            levels.append((passage.singles[at - 2].sentence, POINTED))
    named = {one.number for one in unit.sentence.references if one.part == "paragraph"} - {unit.paragraph}
    pointed_at = [one for one in passage.singles if one.paragraph and one.paragraph in named and one is not before]
    return [*levels, *((one.sentence, BEFORE) for one in pointed_at)]


def _pair(word: Word, language: str, levels: Sequence[tuple[Sentence, float]], passage: Passage) -> Pair:
    """Return what accounts best for a word of the claim."""
    best = _nearest(word, language, levels)
    if best.is_here and best.cost <= SYNONYM:
        return best
    if best.theirs is None and best.cost > FAR:
        far = looked_up(word, passage.words, language)
        best = best if far is None else Pair(word, far[0], far[1] + FAR)
    best = _compounded(word, best, levels)
    if best.theirs is not None and best.cost < NEAR:
        opposite = None if best.is_here else opposite_of(word, levels[0][0])
        return best if opposite is None else replace(best, opposite=opposite)
    told = _told_by_number(word, levels[0][0])
    if told is not None:
        return told
    opposite = opposite_of(word, levels[0][0])
    is_deed = not word.is_noun and not is_actor(word, language)
    bounds = any(opposite.low in one.bound.words for one in levels[0][0].counted) if opposite is not None else False
    if opposite is not None and is_deed and (opposite.is_denied or bounds) != word.is_denied:
        return Pair(word, opposite, SYNONYM, is_here=True, is_turned=True)
    return best if opposite is None else Pair(word, None, _unaccounted(word, language), opposite=opposite)


def _compounded(word: Word, best: Pair, levels: Sequence[tuple[Sentence, float]]) -> Pair:
    """Return what accounts for the parts of a word, where that is less far than what accounts for the whole."""
    both = None if best.is_here or best.cost <= COMPOUND else built(word, levels, NEAR)
    if both is not None and both.cost < best.cost:
        best = Pair(word, both.word, both.cost, is_here=both.is_here)
    if best.theirs is None and best.cost > FAR:
        one = partly(word, levels[:2])
        best = best if one is None else Pair(word, one.word, one.cost, is_here=one.is_here)
    return best


def _nearest(word: Word, language: str, levels: Sequence[tuple[Sentence, float]]) -> Pair:
    """Return the cheapest pair that one of the sentences at hand gives."""
    best = Pair(word, None, _unaccounted(word, language))
    for number, (sentence, level) in enumerate(levels):
        if level >= best.cost or (best.is_here and best.cost <= SYNONYM):
            break
        found = match(word, sentence)
        if found is None:
            continue
        # A pronoun stands for somebody or something, not for what was done.
        step = NEAR if level in {BEFORE, POINTED} and not _may_be_meant(found[0], language) else level
        if found[1] + step < best.cost:
            is_before = level == BEFORE and number == 2
            best = Pair(word, found[0], found[1] + step, number == 0, found[2], is_before=is_before)
    return best


def _may_be_meant(word: Word, language: str) -> bool:
    """Say whether a pronoun may stand for a word of the sentence before: a thing, or a name that opens it."""
    if word.is_name and word.clause > 0:
        return False
    if language == "de":
        return word.is_noun
    return not word.low.endswith(("ed", "ing"))


def _told_by_number(word: Word, sentence: Sentence) -> Pair | None:
    """Return the pair of a word that a quantity accounts for: "Obergrenze" by a most, "volljährig" by 18 years."""
    for counted in sentence.counted:
        is_limit = word.low.endswith(_LIMITS.get(counted.bound.sense, ("\0",)))
        is_age = word.low.startswith(_OF_AGE) and counted.quantity.kind == "month" and counted.quantity.value == AGE
        if is_limit or is_age:
            return Pair(word, None, SYNONYM)
    return None


def _unaccounted(word: Word, language: str) -> float:
    if word.low in LIGHT[language]:
        return LIGHTLY
    return UNNAMED if word.is_noun or word.is_name else UNSAID
