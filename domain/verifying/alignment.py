"""Which word of the evidence says what a word of the claim says, and how sure that is.

A step that may be wrong has a cost: another form of the same root, a synonym, a part of a compound, a word that
stands
in the sentence before and not in the one that the claim rests on. Words that nothing accounts for cost most.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from domain.verifying.forms import forms
from domain.verifying.function_words import LIGHT
from domain.verifying.matching import (
    COMPOUND,
    PREFIXES,
    ROOT,
    SHORTEST,
    SYNONYM,
    are_synonyms,
    is_word,
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
    "most": _MOST, "less": _MOST, "least": ("minimum", "floor", "untergrenze", "mindestbetrag", "frist", "notice"),
}  # fmt: skip
_LIGHT_HEADS: Final = frozenset(
    ("frist", "fristen", "hohe", "betrag", "dauer", "zahl", "anzahl", "zeit", "based", "related")
)
"""Heads of compounds that say no more than the number beside them."""

_LINKS: Final = ("s", "es", "n", "en", "e", "er", "")


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
    built = None if best.is_here else _built(word, levels)
    if built is not None and built.cost < best.cost:
        best = built
    if best.theirs is not None and best.cost < NEAR:
        return best
    told = _told_by_number(word, levels[0][0])
    if told is not None:
        return told
    opposite = opposite_of(word, levels[0][0])
    return best if opposite is None else Pair(word, None, _unaccounted(word, language), opposite=opposite)


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


def _built(word: Word, levels: Sequence[tuple[Sentence, float]]) -> Pair | None:
    """Return the pair of a compound of the claim whose parts are words of the evidence."""
    if "-" in word.low.rstrip("-") or len(word.low) >= 8:
        near = levels if word.is_noun else levels[:1]
        built = [_parts(word, left, right, near) for left, right in _splits(word.low)]
        return min((one for one in built if one is not None), key=lambda one: one.cost, default=None)
    return None


def _splits(low: str) -> Iterator[tuple[str, str]]:
    if "-" in low.rstrip("-"):
        left, _, right = low.rstrip("-").partition("-")
        yield left, right
        return
    for at in range(len(low) - SHORTEST - 1, SHORTEST - 1, -1):
        yield low[:at], low[at:]


def _parts(word: Word, left: str, right: str, levels: Sequence[tuple[Sentence, float]]) -> Pair | None:
    head = _find_part(right, levels, is_head=True)
    if right in _LIGHT_HEADS and (head is None or head[1] >= NEAR):
        only = _find_part(left, levels[:2], is_head=False)
        return None if only is None else Pair(word, only[0], COMPOUND + only[1], is_here=only[2])
    if head is None:
        return None
    is_short = not word.is_noun and len(left) < 5 and "-" not in word.low
    modifier = None if left in PREFIXES or is_short else _find_part(left, levels, is_head=False)
    if modifier is None:
        return None
    if head[0] is modifier[0]:
        return None
    cost = COMPOUND + head[1] + min(modifier[1], NEAR)
    return Pair(word, head[0], cost, is_here=head[1] < HEADING and head[2])


def _find_part(
    part: str, levels: Sequence[tuple[Sentence, float]], *, is_head: bool
) -> tuple[Word, float, bool] | None:
    best: tuple[Word, float, bool] | None = None
    for number, (sentence, level) in enumerate(levels):
        if best is not None and level >= best[1]:
            break
        for other in sentence.words:
            cost = _part_cost(
                part, other.low, other.forms.stems | other.forms.roots, sentence.language, is_head=is_head
            )
            if cost is not None and (best is None or level + cost < best[1]):
                best = (other, level + cost, number == 0)
    return best


@lru_cache(200_000)
def _part_cost(part: str, low: str, stems: frozenset[str], language: str, *, is_head: bool) -> float | None:
    """Return the cost of taking a part of a compound for a word of the evidence or for a part of one."""
    if is_head:
        endings = ("", "e", "en", "n", "s", "es", "er", "ern", "em")
        wanted = {part.removesuffix(one) for one in endings if part.endswith(one) and len(part) - len(one) >= SHORTEST}
    else:
        wanted = {part.removesuffix(one) for one in _LINKS if part.endswith(one) and len(part) - len(one) >= SHORTEST}
    if part == low or wanted & stems:
        return 0.0
    if is_head and forms(part, language, is_noun=True).roots & stems:
        return ROOT
    if is_head and are_synonyms(frozenset(wanted), stems, language):
        return SYNONYM
    longest = max(wanted, key=len, default="")
    if not is_head and len(longest) in {3, 4} and low.startswith(longest) and len(low) >= len(longest) + 4:
        return SYNONYM
    ends = [one for one in wanted if len(one) >= 5 and low.endswith(one) and is_word(low.removesuffix(one))]
    if ends or (len(longest) >= 5 and low.startswith(longest)):
        return ROOT
    return None
