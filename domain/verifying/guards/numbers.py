"""Numbers with what they count: value, unit, currency, percent, and whether a least or a most is meant."""

import re
from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.bounds import EXACT, LEAST, LESS, MORE, MOST, SOFT
from domain.verifying.cues import ALMOST, ROUGHLY
from domain.verifying.matching import likeness
from domain.verifying.passage import Passage
from domain.verifying.sentence import Counted, Sentence
from domain.verifying.tokens import word_set
from domain.verifying.units import UNITS
from domain.verifying.values import Finding, Outcome

ELSEWHERE, LEFT_OUT, ADDED, SOFTLY, OTHER_NOUN = 0.4, 0.25, 0.3, 0.05, 0.1
AHEAD: Final = 4
"""Tokens behind a number that may say that it counts back from a day."""

_AHEAD: Final = word_set("vor vorher voraus zuvor before advance prior ahead beforehand")
_CEILING: Final = re.compile(r"\b(?:hochst|maxim|obergrenze|ceiling|limit)\w*")
_LATEST: Final = re.compile(r"spatestens|later than|at the latest")
ROUNDED, ABOUT = 0.02, 0.05
"""Cost of a number that the evidence makes true, and how far "etwa" may be off."""

_CLOSE: Final = (0.5, 2.0)
_EQUALLY: Final = re.compile(r"\bgleiche[nrms]? (?:teil|anzahl|zahl|hoh)\w*|\bparitatisch\w*|\bequal(?:ly)?\b")
EXACTLY, THIRD = 1e-4, 0.04
"""Difference up to which two numbers are equal; "66,7 Prozent" are two thirds."""

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
            yield _missing(mine, alignment, passage)
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
    one, other = mine.quantity, theirs.quantity
    if one.kind == other.kind:
        return abs(one.value - other.value) < (THIRD if one.kind == "percent" else EXACTLY)
    if {one.kind, other.kind} == {"", "times"}:
        return one.value == other.value
    bare, share = (one, other) if one.kind == "" else (other, one)
    return bare.kind == "" and share.kind == "percent" and abs(bare.value * 100 - share.value) < EXACTLY


def _missing(mine: Counted, alignment: Alignment, passage: Passage) -> Finding:
    claim, unit = alignment.claim, alignment.unit.sentence
    here = unit.counted
    rivals = [theirs for theirs in here if theirs.quantity.kind == mine.quantity.kind]
    if any(_is_told(mine, theirs, claim) for theirs in rivals):
        return Finding("number", Outcome.UNSURE, mine.text, rivals[0].text, ROUNDED)
    same = [theirs for theirs in here if theirs.quantity.bare == mine.quantity.bare and mine.quantity.bare]
    if same and _counts(mine, same[0]):
        return Finding("unit", Outcome.UNSURE, mine.text, same[0].text, OTHER_NOUN)
    if _is_half(mine) and _EQUALLY.search(unit.low):
        return Finding("number", Outcome.UNSURE, mine.text, "", ROUNDED)
    if same:
        return Finding("unit", Outcome.CONTRADICTS, mine.text, same[0].text, 1.0)
    if rivals:
        return Finding("number", Outcome.CONTRADICTS, mine.text, rivals[0].text, 1.0)
    elsewhere = any(
        _is_equal(mine, theirs) for unit in passage.units if not unit.is_denied for theirs in unit.sentence.counted
    )
    is_weak = elsewhere or _is_determiner(mine)
    return Finding("number", Outcome.LACKS, mine.text, "", ELSEWHERE if is_weak else 1.0)


def _is_told(mine: Counted, theirs: Counted, claim: Sentence) -> bool:
    """Say whether the number of the evidence makes that of the claim true: "rund 1 200" of 1 241."""
    value, given = mine.quantity.value, theirs.quantity.value
    if theirs.bound.sense != EXACT or not value or not _CLOSE[0] <= given / value <= _CLOSE[1]:
        return False
    before = {token.low for token in claim.tokens[max(0, mine.quantity.start - 2) : mine.quantity.start]}
    is_about = bool(before & ROUGHLY) and abs(given - value) <= ABOUT * value
    is_more, is_less = mine.bound.sense in {MORE, LEAST}, mine.bound.sense in {LESS, MOST} or bool(before & ALMOST)
    return is_about or (is_more and given > value) or (is_less and given < value and mine.bound.sense != MOST)


def _counts(mine: Counted, theirs: Counted) -> bool:
    """Say whether the noun behind a bare number is a compound of the unit of the evidence: "fünf Urlaubstage"."""
    unit = mine.noun is not None and next((one for one in UNITS if len(one) > 2 and mine.noun.low.endswith(one)), None)
    return bool(unit) and mine.quantity.kind == "" and theirs.quantity.kind.endswith(UNITS[str(unit)].kind)


def _is_half(mine: Counted) -> bool:
    return mine.quantity.kind == "percent" and mine.quantity.value == 50


def _is_determiner(mine: Counted) -> bool:
    """Say whether a number word says little more than an article: "one assessment", "the two ceilings"."""
    return mine.quantity.kind == "" and mine.quantity.value <= 2 and mine.text.isalpha() and not mine.bound.sense


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


def _are_ahead(alignment: Alignment, mine: Counted, theirs: Counted) -> bool:
    """Say whether both count back from a day: "spätestens drei Wochen vor" is "mindestens drei Wochen vor"."""
    most = mine if mine.bound.sense == MOST else theirs
    if not _LATEST.search(most.bound.words):
        return False
    sides = ((alignment.claim, mine), (alignment.unit.sentence, theirs))
    return all(
        _AHEAD & {token.low for token in one.tokens[counted.quantity.end : counted.quantity.end + AHEAD]}
        for one, counted in sides
    )


def _are_turned(alignment: Alignment, mine: Counted, theirs: Counted) -> bool:
    """Say whether two bounds say the same though they read otherwise: "nicht mehr als" is "höchstens"."""
    wanted, given = mine.bound.sense, theirs.bound.sense
    if alignment.unit.sentence.negations and _NEGATED.get(given) == wanted:
        return True
    if alignment.claim.negations and _NEGATED.get(wanted) == given:
        return True
    return {wanted, given} == {LEAST, MOST} and _are_ahead(alignment, mine, theirs)


def _bounds(alignment: Alignment, mine: Counted, theirs: Counted) -> Finding | None:
    wanted, given = mine.bound.sense, theirs.bound.sense
    if wanted == given or _are_turned(alignment, mine, theirs):
        return None
    if wanted == EXACT:
        is_soft = bool(SOFT.match(theirs.bound.words)) or any(word in alignment.claim.low for word in _LIMITS)
        cost = SOFTLY if is_soft else LEFT_OUT
        return Finding("bound", Outcome.UNSURE if is_soft else Outcome.LACKS, mine.text, theirs.bound.words, cost)
    if given == EXACT and wanted == MORE and _CEILING.search(alignment.unit.sentence.low):
        return Finding("bound", Outcome.CONTRADICTS, f"{mine.bound.words} {mine.text}", theirs.text, 1.0)
    if given == EXACT:
        return Finding("bound", Outcome.LACKS, f"{mine.bound.words} {mine.text}", theirs.text, ADDED)
    return Finding("bound", Outcome.CONTRADICTS, f"{mine.bound.words} {mine.text}", theirs.bound.words, 1.0)
