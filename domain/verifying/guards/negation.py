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

SOME, NOTHING, REWORDED = 0.06, 0.2, 0.2
_REQUIRING = word_set(
    "braucht brauchen benotigt bedarf erforderlich notwendig voraussetzung needs need requires require"
    " required necessary only nur"
)
DENIED, WHOLLY = 0.5, 0.4
_LEXICAL = word_set(
    "ohne entfällt erlischt verliert ausgeschlossen unwirksam nichtig exempt without free lose loses except unless"
    " ausgenommen befreit unberührt zuletzt"
)
_DENYING = word_set(
    "ausgenommen befreit bestreitet bestritt leugnet exempt exempted excluded denies denied disputes rejects rejected"
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
        yield from _clause(pairs, is_turned=turned, is_reworded=_is_reworded(alignment, clause))
    yield from _whole_clauses(here, is_turned=turned)
    silent = {alignment.claim.clauses[at] for at in alignment.claim.negations} - {pair.mine.clause for pair in here}
    if silent and here:
        yield Finding("negation", Outcome.UNSURE, alignment.claim.text, "", NOTHING)
    if _denies_more(alignment, here):
        is_covered = not any(pair.theirs is None and pair.cost >= REWORDED for pair in alignment.pairs)
        outcome = Outcome.CONTRADICTS if is_covered and here else Outcome.LACKS
        yield Finding("negation", outcome, alignment.claim.text, "", DENIED)


def _denies_more(alignment: Alignment, here: Sequence[Pair]) -> bool:
    """Say whether only one of the two sentences denies anything, in a word or by an opposite."""
    claim, unit = alignment.claim, alignment.unit.sentence
    targets = {pair.theirs.clause for pair in here if pair.theirs}
    told = {token.low for token in claim.tokens}
    mine = bool(claim.negations) or any(pair.mine.is_denied_here for pair in here) or bool(told & _DENYING)
    theirs = any(unit.clauses[at] in targets for at in unit.negations) or any(
        pair.is_turned or (pair.theirs is not None and pair.theirs.is_denied_here) for pair in here
    )
    return mine and not theirs and not (_LEXICAL | _DENYING) & {token.low for token in unit.tokens}


def _whole_clauses(here: Sequence[Pair], *, is_turned: bool) -> Iterator[Finding]:
    """Yield a denied clause of the evidence of which all that the claim says stands undenied there."""
    for clause in sorted({pair.theirs.clause for pair in here if pair.theirs and pair.theirs.is_denied}):
        pairs = [pair for pair in here if pair.theirs and pair.theirs.clause == clause and not _is_open(pair)]
        if clause and pairs and not is_turned and all(_differs(pair) for pair in pairs):
            words = " ".join(pair.mine.text for pair in pairs)
            yield Finding("negation", Outcome.UNSURE, words, "", WHOLLY)


def _is_requirement(alignment: Alignment) -> bool:
    """Say whether the claim requires what the evidence does not allow to be without: "not ... without consent"."""
    claim, unit = {token.low for token in alignment.claim.tokens}, alignment.unit.sentence
    if not claim & _REQUIRING or alignment.claim.negations:
        return False
    without = [at for at, token in enumerate(unit.tokens) if token.low in {"ohne", "without"}]
    return any(at < other and unit.clauses[at] == unit.clauses[other] for at in unit.negations for other in without)


def _is_reworded(alignment: Alignment, clause: int) -> bool:
    """Say whether a clause of the claim has a verb or adjective of its own, which may deny or grant by itself."""
    claim = alignment.claim
    return any(
        pair.mine.clause == clause and not pair.is_here and not pair.mine.is_noun and pair.cost >= REWORDED
        for pair in alignment.pairs
        if claim.language == "en" or not any(token.is_capital for token in claim.tokens[pair.mine.at + 1 :][:1])
    )


def _clause(pairs: Sequence[Pair], *, is_turned: bool, is_reworded: bool) -> Iterator[Finding]:
    if any(pair.is_turned and pair.theirs and pair.mine.is_denied != pair.theirs.is_denied for pair in pairs):
        return
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
    if is_reworded and not by_itself and all(pair.mine.is_noun or not pair.is_here for pair in flipped):
        if flipped:
            yield Finding("negation", Outcome.UNSURE, words, theirs, NOTHING)
    elif by_itself or (against and (against > along or against == along > 1 or not along)):
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
