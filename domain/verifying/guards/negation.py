"""Negation: what the claim denies the evidence must deny, and what it asserts the evidence must not deny.

Compared word by word inside the clauses that say the same, since "nicht" in one clause says nothing about the next.
"""

from collections.abc import Iterator, Sequence

from domain.verifying.alignment import Alignment, Pair
from domain.verifying.guards.numbers import is_turned
from domain.verifying.passage import Passage
from domain.verifying.sentence import Word
from domain.verifying.tokens import word_set
from domain.verifying.values import Finding, Outcome

SOME, NOTHING = 0.06, 0.2
_REQUIRING = word_set(
    "braucht brauchen benotigt bedarf erforderlich notwendig voraussetzung needs need requires require"
    " required necessary only nur"
)
HEAVY = 2
"""Weight of a word that is no noun: it is rather what is denied."""


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the clauses of the claim whose negation differs."""
    del passage
    here = [pair for pair in alignment.pairs if pair.is_here and pair.theirs is not None]
    turned = is_turned(alignment)
    if _is_requirement(alignment):
        return
    for clause in sorted({pair.mine.clause for pair in here}):
        pairs = [pair for pair in here if pair.mine.clause == clause]
        yield from _clause(pairs, is_turned=turned)
    silent = {alignment.claim.clauses[at] for at in alignment.claim.negations} - {pair.mine.clause for pair in here}
    if silent and here:
        yield Finding("negation", Outcome.UNSURE, alignment.claim.text, "", NOTHING)


def _is_requirement(alignment: Alignment) -> bool:
    """Say whether the claim requires what the evidence does not allow to be without: "not ... without consent"."""
    claim, unit = {token.low for token in alignment.claim.tokens}, alignment.unit.sentence
    if not claim & _REQUIRING or alignment.claim.negations:
        return False
    without = [at for at, token in enumerate(unit.tokens) if token.low in {"ohne", "without"}]
    return any(at < other and unit.clauses[at] == unit.clauses[other] for at in unit.negations for other in without)


def _clause(pairs: Sequence[Pair], *, is_turned: bool) -> Iterator[Finding]:
    flipped = [pair for pair in pairs if _differs(pair) != (is_turned and _is_denied(pair.theirs))]
    words = " ".join(pair.mine.text for pair in flipped)
    theirs = " ".join(pair.theirs.text for pair in flipped if pair.theirs)
    by_itself = [
        pair
        for pair in flipped
        if pair.theirs and (pair.theirs.is_denied_here or pair.mine.is_denied_here or pair.is_turned)
    ]
    against = _weight(flipped)
    along = _weight([pair for pair in pairs if pair not in flipped and not _is_open(pair)])
    if by_itself or (against and against >= along):
        yield Finding("negation", Outcome.CONTRADICTS, words, theirs, 1.0)
    elif flipped:
        yield Finding("negation", Outcome.UNSURE, words, theirs, SOME)


def _is_denied(word: Word | None) -> bool:
    return word is not None and word.is_denied


def _is_open(pair: Pair) -> bool:
    """Say whether one of the two words stands in the shadow of a negation and tells nothing."""
    return pair.theirs is not None and pair.mine.is_shadowed != pair.theirs.is_shadowed and not pair.is_turned


def _differs(pair: Pair) -> bool:
    if _is_open(pair):
        return False
    return (pair.mine.is_denied != _is_denied(pair.theirs)) != pair.is_turned


def _weight(pairs: Sequence[Pair]) -> int:
    return sum(1 if pair.mine.is_noun and pair.theirs and pair.theirs.is_noun else HEAVY for pair in pairs)
