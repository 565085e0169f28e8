"""Numbers with what they count: value, unit, currency, percent, and whether a least or a most is meant."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.bounds import EXACT, LEAST, LESS, MORE, MOST, SOFT
from domain.verifying.matching import likeness
from domain.verifying.passage import Passage
from domain.verifying.sentence import Counted
from domain.verifying.values import Finding, Outcome

ELSEWHERE, LEFT_OUT, ADDED, SOFTLY, OTHER_NOUN = 0.4, 0.25, 0.3, 0.05, 0.1
_LIMITS: Final = (
    "frist",
    "hochst",
    "hochstens",
    "limit",
    "ceiling",
    "maximum",
    "deadline",
    "period",
    "obergrenze",
    "spatest",
)
_NEGATED: Final = {MORE: MOST, LESS: LEAST}


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield what is wrong with the numbers of the claim."""
    here = alignment.unit.sentence.counted
    for mine in alignment.claim.counted:
        equal = [theirs for theirs in here if _is_equal(mine, theirs)]
        if not equal:
            yield _missing(mine, here, passage)
            continue
        findings = [_compared(alignment, mine, theirs) for theirs in equal]
        if all(found is not None for found in findings):
            yield min((found for found in findings if found is not None), key=lambda one: (one.outcome, one.cost))


def is_turned(alignment: Alignment) -> bool:
    """Say whether a most in the claim is a denied "mehr als" in the evidence; then one negation is accounted for."""
    unit = alignment.unit.sentence
    return any(
        _is_equal(mine, theirs)
        and mine.bound.sense in {MOST, LEAST}
        and _NEGATED.get(theirs.bound.sense) == mine.bound.sense
        and bool(unit.negations)
        for mine in alignment.claim.counted
        for theirs in unit.counted
    )


def _is_equal(mine: Counted, theirs: Counted) -> bool:
    return mine.quantity.kind == theirs.quantity.kind and abs(mine.quantity.value - theirs.quantity.value) < 1e-4


def _missing(mine: Counted, here: Sequence[Counted], passage: Passage) -> Finding:
    rivals = [theirs for theirs in here if theirs.quantity.kind == mine.quantity.kind]
    same = [theirs for theirs in here if theirs.quantity.bare == mine.quantity.bare and mine.quantity.bare]
    if same:
        return Finding("unit", Outcome.CONTRADICTS, mine.text, same[0].text, 1.0)
    if rivals:
        return Finding("number", Outcome.CONTRADICTS, mine.text, rivals[0].text, 1.0)
    elsewhere = any(_is_equal(mine, theirs) for unit in passage.units for theirs in unit.sentence.counted)
    return Finding("number", Outcome.LACKS, mine.text, "", ELSEWHERE if elsewhere else 1.0)


def _compared(alignment: Alignment, mine: Counted, theirs: Counted) -> Finding | None:
    """Return what is wrong where the values agree."""
    found = _bounds(alignment, mine, theirs)
    if found is not None:
        return found
    if mine.noun is not None and theirs.noun is not None:
        language = alignment.claim.language
        if any(pair.mine is mine.noun and pair.theirs is theirs.noun for pair in alignment.pairs):
            return None
        if likeness(mine.noun, theirs.noun, language) is None and likeness(theirs.noun, mine.noun, language) is None:
            counted = [other.noun for other in alignment.unit.sentence.counted if other.noun and other is not theirs]
            if any(likeness(mine.noun, other, language) is not None for other in counted):
                return Finding("unit", Outcome.CONTRADICTS, mine.text, theirs.text, 1.0)
            return Finding("unit", Outcome.UNSURE, mine.text, theirs.text, OTHER_NOUN)
    return None


def _bounds(alignment: Alignment, mine: Counted, theirs: Counted) -> Finding | None:
    wanted, given = mine.bound.sense, theirs.bound.sense
    if wanted == given:
        return None
    if alignment.unit.sentence.negations and _NEGATED.get(given) == wanted:
        return None
    if alignment.claim.negations and _NEGATED.get(wanted) == given:
        return None
    if wanted == EXACT:
        is_soft = bool(SOFT.match(theirs.bound.words)) or any(word in alignment.claim.low for word in _LIMITS)
        cost = SOFTLY if is_soft else LEFT_OUT
        return Finding("bound", Outcome.UNSURE if is_soft else Outcome.LACKS, mine.text, theirs.bound.words, cost)
    if given == EXACT:
        return Finding("bound", Outcome.LACKS, f"{mine.bound.words} {mine.text}", theirs.text, ADDED)
    return Finding("bound", Outcome.CONTRADICTS, f"{mine.bound.words} {mine.text}", theirs.bound.words, 1.0)
