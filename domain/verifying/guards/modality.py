"""Modality: what may be done, must be done, should be done, or is done."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.cues import GRANTS, HAVE_TO, HEDGES, MAY, MUST, PREDICATIVE, RESTRICTING, SHOULD, WILL
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence
from domain.verifying.values import Finding, Outcome

STATED, GRANTED, GRANTED_ELSE = 0.03, 0.25, 0.08
"""Cost of "must" or "may" where the evidence simply states."""

_EXCEED: Final = re.compile(r"schreit|steig|schritt|stieg|exceed")
_BE: Final = frozenset({"is", "are", "be", "was", "were", "been"})
_FREE: Final = frozenset({"muss", "mussen", "musse", "braucht", "brauchen", "need", "needs"})


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the clauses of the claim whose modality is not that of the evidence."""
    del passage
    is_granted = any("may" in _modality(alignment.claim, one) for one in set(alignment.claim.clauses))
    for clause in sorted({pair.mine.clause for pair in alignment.pairs}):
        targets = alignment.clause_of(clause)
        if not targets:
            continue
        mine = _modality(alignment.claim, clause)
        target = _deed(alignment, clause) if mine else None
        theirs = _modality(alignment.unit.sentence, targets[0] if target is None else target)
        if (
            "should" in mine
            and not theirs
            and {token.low for token in alignment.unit.sentence.tokens} & (HEDGES | WILL)
        ):
            continue
        if mine in ({"may"}, {"must"}) and not theirs:
            around = _around(alignment.unit.sentence, targets[0] if target is None else target)
            theirs = around if mine == {"may"} or around == {"may"} else theirs
        found = _compared(mine, theirs, is_granted=is_granted)
        if found is not None:
            outcome, cost = found
            yield Finding("modality", outcome, "/".join(sorted(mine)), "/".join(sorted(theirs)), cost)


def _modality(sentence: Sentence, clause: int) -> frozenset[str]:
    """Return the modalities of a clause: may, must, should, barred (must not), free (need not)."""
    inside = [token for token, one in zip(sentence.tokens, sentence.clauses, strict=True) if one == clause]
    low = {token.low for token in inside if token.text != "May"}
    found = {name for name, words in (("may", MAY), ("must", MUST), ("should", SHOULD)) if low & words}
    pairs = pairwise(inside)
    if any(one.low in _BE and other.low in PREDICATIVE for one, other in pairs):
        found.add("must")
    if low & GRANTS:
        found.add("granted")
    if "may" in found and low & RESTRICTING:
        found.add("must")
    if HAVE_TO.search(" ".join(token.low for token in inside)):
        found.add("must")
    denied = [at for at in (*sentence.negations, *_in_verbs(sentence)) if sentence.clauses[at] == clause]
    is_denied = len(denied) % 2 == 1
    if is_denied and found & {"may", "must"}:
        free = sentence.language == "de" and bool(low & _FREE)
        return frozenset({"free" if free else "barred"})
    return frozenset(found)


def _around(sentence: Sentence, clause: int) -> frozenset[str]:
    """Return the modalities of all clauses; what is granted counts in the clause before only."""
    everywhere = frozenset[str]().union(*(_modality(sentence, one) for one in set(sentence.clauses)))
    before = _modality(sentence, clause - 1) if clause else frozenset[str]()
    return everywhere if "granted" in before else everywhere - {"granted"}


def _deed(alignment: Alignment, clause: int) -> int | None:
    """Return the clause of the evidence where that stands which the claim says may or must be done."""
    claim = alignment.claim
    pairs = [pair for pair in alignment.pairs if pair.mine.clause == clause and not pair.mine.is_noun]
    modal = [
        at for at, token in enumerate(claim.tokens) if claim.clauses[at] == clause and token.low in MAY | MUST | SHOULD
    ]
    behind = [pair for pair in pairs if modal and pair.mine.at > modal[0]][:1]
    pairs = behind if claim.language == "en" else pairs[-1:]
    return next((pair.theirs.clause for pair in pairs if pair.is_here and pair.theirs is not None), None)


def _in_verbs(sentence: Sentence) -> Iterator[int]:
    """Yield the negations of verbs that are bounds: "darf ... nicht überschreiten"."""
    for counted in sentence.counted:
        if _EXCEED.search(counted.bound.words):
            yield from counted.bound.negations


def _compared(mine: frozenset[str], theirs: frozenset[str], *, is_granted: bool) -> tuple[Outcome, float] | None:
    """Return what is wrong with a modality, ``None`` if nothing is."""
    if "granted" in mine:
        return None if theirs & {"granted", "may"} or not theirs else (Outcome.UNSURE, GRANTED_ELSE)
    if mine == {"may"} and "granted" in theirs:
        return None
    theirs -= {"granted"}
    if mine and mine <= theirs:
        return None
    if _are_opposed(mine, theirs):
        return Outcome.CONTRADICTS, 1.0
    return None if {"barred", "free"} & (mine | theirs) else _graded(mine, theirs, is_granted=is_granted)


def _are_opposed(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Say whether one bars what the other leaves free, or only one of them recommends."""
    denied = {"barred", "free"} & (mine | theirs)
    return len(denied) == 2 or ("should" in mine | theirs and ("should" in mine ^ theirs or not denied))


def _graded(mine: frozenset[str], theirs: frozenset[str], *, is_granted: bool) -> tuple[Outcome, float] | None:
    if not theirs:
        return (Outcome.UNSURE, STATED if "must" in mine else GRANTED) if mine else None
    if not mine:
        return None if "must" in theirs or is_granted else (Outcome.CONTRADICTS, 1.0)
    return None if mine & theirs else (Outcome.CONTRADICTS, 1.0)
