"""Modality: what may be done, must be done, should be done, or is done."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from domain.verifying.alignment import LIGHTLY, Alignment
from domain.verifying.bounds import MOST
from domain.verifying.cues import (
    AS_ONE_LIKES,
    GRANTS,
    HAVE_TO,
    HEDGES,
    MAY,
    MUST,
    PREDICATIVE,
    RESTRICTING,
    SHOULD,
    WILL,
)
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence
from domain.verifying.tokens import word_set
from domain.verifying.values import Finding, Outcome

STATED, GRANTED, GRANTED_ELSE, NO_DEED = 0.03, 0.25, 0.08, 0.05
"""Cost of "must" or "may" where the evidence simply states."""

_IF_POSSIBLE: Final = re.compile(r"\bnach moglichkeit\b|\b(?:where|if|wherever|whenever) possible\b")
_EXCEED: Final = re.compile(r"schreit|steig|schritt|stieg|exceed")
_SUFFICES: Final = word_set("reicht reichen genügt genügen ausreichend genug zeit enough sufficient suffices suffice")
_TIMES: Final = frozenset({"second", "hour", "day", "workday", "workingday", "month", "quarter", "doubleweek", "times"})
_BE: Final = frozenset({"is", "are", "be", "was", "were", "been"})
_FREE: Final = frozenset({"muss", "mussen", "musse", "braucht", "brauchen", "need", "needs"})


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the clauses of the claim whose modality is not that of the evidence."""
    del passage
    yield from _left_free(alignment)
    is_granted = any({"may", "granted"} & _modality(alignment.claim, one) for one in set(alignment.claim.clauses))
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
            if (not mine and not _names_deed(alignment, clause)) or (mine == {"may"} and _is_most(alignment, clause)):
                outcome, cost = Outcome.UNSURE, NO_DEED
            is_copied = all(pair.is_here and pair.cost <= LIGHTLY for pair in alignment.pairs)
            cost = 1.0 if cost == GRANTED and is_copied else cost
            yield Finding("modality", outcome, "/".join(sorted(mine)), "/".join(sorted(theirs)), cost)


def _left_free(alignment: Alignment) -> Iterator[Finding]:
    """Yield a claim that nobody has to, where the evidence leaves nobody free."""
    unit = alignment.unit.sentence
    found = AS_ONE_LIKES.search(alignment.claim.low)
    low = {token.low for token in unit.tokens}
    is_free = AS_ONE_LIKES.search(unit.low) or unit.negations or low & (MAY | GRANTS | SHOULD)
    if found and not is_free:
        yield Finding("free", Outcome.CONTRADICTS, found[0], "", 1.0)


def _names_deed(alignment: Alignment, clause: int) -> bool:
    """Say whether a clause of the claim has a verb of the evidence: a period is not what may be done within it."""
    return any(
        pair.is_here and pair.theirs is not None and not pair.mine.is_noun and not pair.theirs.is_noun
        for pair in alignment.pairs
        if pair.mine.clause == clause
    )


def _is_most(alignment: Alignment, clause: int) -> bool:
    """Say whether a clause of the claim has a most that the evidence has: "must be fined up to" is "may reach"."""
    counted = [one for one in alignment.claim.counted if one.quantity.kind not in _TIMES]
    mine = [one for one in counted if one.clause == clause and one.bound.sense == MOST]
    theirs = {(one.quantity.kind, one.quantity.value) for one in alignment.unit.sentence.counted if one.bound.sense}
    return any((one.quantity.kind, one.quantity.value) in theirs for one in mine)


def _modality(sentence: Sentence, clause: int) -> frozenset[str]:
    """Return the modalities of a clause: may, must, should, barred (must not), free (need not)."""
    inside = [token for token, one in zip(sentence.tokens, sentence.clauses, strict=True) if one == clause]
    low = {token.low for token in inside if token.text != "May"}
    if next((token.low for token in inside if token.kind == "word"), "") in {"ob", "whether"}:
        return frozenset()
    joined = " ".join(token.low for token in inside)
    found = {name for name, words in (("may", MAY), ("must", MUST), ("should", SHOULD)) if low & words}
    if {"lasst", "sich"} <= low or {"lassen", "sich"} <= low:
        found.add("may")
    pairs = pairwise(inside)
    if any(one.low in _BE and other.low in PREDICATIVE for one, other in pairs):
        found.add("must")
    if _IF_POSSIBLE.search(joined):
        return frozenset({"should"})
    if low & (GRANTS | _SUFFICES):
        found.add("granted")
    if "may" in found and low & RESTRICTING:
        found.add("must")
    if HAVE_TO.search(joined):
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
