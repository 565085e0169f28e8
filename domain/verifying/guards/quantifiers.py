"""Scope: "alle", "stets", "nur", and the conditions that the evidence makes."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from domain.verifying.alignment import LIGHTLY, Alignment
from domain.verifying.clauses import FINITE
from domain.verifying.cues import ALMOST, CONDITIONAL, CONDITIONS, EXCEPTIONS, RESTRICTING, ROUGHLY, UNIVERSAL
from domain.verifying.passage import Passage
from domain.verifying.sentence import Counted, Sentence
from domain.verifying.tokens import Token, word_set
from domain.verifying.values import Finding, Outcome

ROUNDED = 0.02
"""Cost of "etwa" where the evidence is exact."""

DROPPED, LEFT_OUT, CUT_OFF = 0.05, 0.25, 1.0
"""Cost of a condition that the claim may have left out, of one that it has, and of one that it has cut off."""

_CONDITION: Final = re.compile(f"{CONDITIONS.pattern}|{EXCEPTIONS.pattern}")
_OPENING: Final = word_set("wenn falls sofern soweit insoweit vorausgesetzt if unless provided")
_REFERS: Final = re.compile(r"where reference is made|soweit nicht(?: in)?|sofern nichts anderes|unless otherwise")
_POINTS_BACK: Final = re.compile(
    r"\b(?:dann|insoweit|in (?:diese[mn]|einem solchen) fall\w*|unter diese[nr] (?:voraussetzung|umst)\w*"
    r"|then|in (?:this|that|such|these) (?:a )?cases?|under (?:these|such) (?:conditions|circumstances))\b"
)
"""A claim whose condition stands before it."""

_NOWHERE: Final = re.compile(
    r"\b(?:bei|in|fur|von|mit|zu|auf|gegenuber|an) keine[mnr]?\b"
    r"|\b(?:in|at|for|under|of|with) no (?!way|more|less|later)"
)
NEXT: Final = 2
"""Words behind "nur" that say what it is about."""

_ARTICLES: Final = word_set("der die das ein eine the a an")
_ONLY_IF: Final = re.compile(
    r"\b(?:nur|lediglich|ausschliesslich|only|solely)\b(?:(?! und | oder ).){0,60}?"
    r"\b(?:dann|wenn|soweit|sofern|insoweit|insofern|falls|dadurch|if|where|when|unless|to the extent)\b"
)
_NECESSARY: Final = frozenset(
    (
        "erforderlich",
        "notwendig",
        "voraussetzung",
        "bedarf",
        "bedurfen",
        "required",
        "necessary",
        "requires",
        "must",
        "muss",
    )
)
_BUT_FOR: Final = word_set("ohne without unless erst before until bevor solange")
"""With a negation before them they say what "only" says: "not without consent"."""

_ALONE: Final = word_set("allein alleine")
_ITS_CASE: Final = word_set(
    "bei beim wenn falls sofern soweit ohne mit durch for where if when unless with without in on wird ist werden"
)


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield what widens or narrows the claim beyond the evidence."""
    del passage
    claim, unit = alignment.claim, alignment.unit.sentence
    yield from _universal(alignment)
    yield from _rounded(claim, unit)
    yield from _restricting(claim, unit)
    if _ONLY_IF.search(unit.low) and not _has_condition(claim):
        yield Finding("condition", Outcome.LACKS, claim.text, _found(_ONLY_IF, unit), 1.0)
    elif (dropped := _dropped(alignment)) is not None:
        cost = DROPPED if _POINTS_BACK.search(claim.low) else CUT_OFF if _is_copied(alignment) else LEFT_OUT
        yield Finding("condition", Outcome.UNSURE if cost == DROPPED else Outcome.LACKS, "", dropped, cost)
    elif CONDITIONS.search(unit.low) and not _has_condition(claim):
        yield Finding("condition", Outcome.UNSURE, "", _found(CONDITIONS, unit), DROPPED)


def _is_copied(alignment: Alignment) -> bool:
    """Say whether the claim has the words of the evidence: who only cuts off a condition hides it."""
    return all(pair.is_here and pair.cost <= LIGHTLY for pair in alignment.pairs)


def _dropped(alignment: Alignment) -> str | None:
    """Return the condition of what the claim states, if the claim has none and says nothing of it."""
    claim, unit = alignment.claim, alignment.unit.sentence
    if {token.low for token in claim.tokens} & CONDITIONAL or _CONDITION.search(claim.low) or _opens(claim, 0):
        return None
    said = {pair.theirs.at for pair in alignment.pairs if pair.is_here and pair.theirs is not None}
    mine = {pair.mine.clause for pair in alignment.pairs}
    heads = {clause for one in mine for clause in alignment.clause_of(one)[:1]}
    for at, token in enumerate(unit.tokens):
        if not _opens(unit, at) or _governed(unit, at) not in heads:
            continue
        own = {other for other in range(at, len(unit.tokens)) if unit.clauses[other] == unit.clauses[at]}
        if own & said or any(one.quantity.start in own and _has(claim, one) for one in unit.counted):
            continue
        if at or token.low in _OPENING or {unit.clauses[other] for other in said} == {_governed(unit, at)}:
            return token.text
    return None


def _has(claim: Sentence, one: Counted) -> bool:
    return any(
        (mine.quantity.kind, mine.quantity.value) == (one.quantity.kind, one.quantity.value) for mine in claim.counted
    )


def _opens(unit: Sentence, at: int) -> bool:
    """Say whether a condition begins here: with its conjunction, or with its verb ("Zahlt er nicht, ist ...")."""
    low = unit.tokens[at].low
    if at and low not in _OPENING and low != "denn":
        return False
    if _REFERS.match(" ".join(token.low for token in unit.tokens[at : at + 4])):
        return False
    if at:
        return low in _OPENING or (low == "denn" and unit.tokens[at - 1].low == "sei")
    comma = next((other for other, token in enumerate(unit.tokens) if token.text == ","), len(unit.tokens))
    behind = unit.tokens[comma + 1].low if comma + 1 < len(unit.tokens) else ""
    has_verb_first = unit.language == "de" and low.endswith(("t", "en", "d")) and behind in FINITE | {"so"}
    return low in _OPENING or (low == "where" and comma < len(unit.tokens)) or has_verb_first


def _governed(unit: Sentence, at: int) -> int | None:
    """Return the clause that a conditional clause belongs to: the one before it, or the next where it comes first."""
    own = unit.clauses[at]
    if at and unit.tokens[at].low == "provided":
        return unit.clauses[at - 1]
    before = [one for other, one in enumerate(unit.clauses[:at]) if one != own and unit.tokens[other].kind != "mark"]
    after = (one for other, one in enumerate(unit.clauses[at:], at) if one != own and unit.tokens[other].kind != "mark")
    return before[-1] if before else next(after, None)


def _rounded(claim: Sentence, unit: Sentence) -> Iterator[Finding]:
    """Yield the "etwa" of a claim where the evidence is exact, or has left it out."""
    mine, theirs = ([token for token in one.tokens if token.low in ROUGHLY] for one in (claim, unit))
    if mine and not theirs and claim.counted:
        yield Finding("bound", Outcome.UNSURE, mine[0].text, "", ROUNDED)


def _universal(alignment: Alignment) -> Iterator[Finding]:
    claim, unit = alignment.claim, alignment.unit.sentence
    theirs = {token.low for token in unit.tokens} & UNIVERSAL
    for at, token in enumerate(claim.tokens):
        before = claim.tokens[at - 1].low if at else ""
        if token.low not in UNIVERSAL or before in ALMOST:
            continue
        if theirs and not _is_wider(alignment, at):
            continue
        if token.low == "any" and claim.negations:
            continue
        yield Finding("scope", Outcome.CONTRADICTS, token.text, "", 1.0)
    mine, there = _NOWHERE.search(claim.low), _NOWHERE.search(unit.low)
    if mine and not there and not theirs:
        yield Finding("scope", Outcome.CONTRADICTS, mine[0], "", 1.0)


def _is_wider(alignment: Alignment, at: int) -> bool:
    """Say whether the evidence says "all" of fewer things: "any further copies" is not "every copy"."""
    pair = next((pair for pair in alignment.pairs if pair.mine.at > at), None)
    if pair is None or pair.theirs is None or not pair.is_here or pair.mine.at > at + 2:
        return False
    unit = alignment.unit.sentence
    said = {other.theirs.at for other in alignment.pairs if other.theirs is not None and other.is_here}
    for start in range(pair.theirs.at - 1, max(-1, pair.theirs.at - 4), -1):
        if unit.tokens[start].low in UNIVERSAL:
            return any(start < word.at < pair.theirs.at and word.at not in said for word in unit.words)
    return False


def _restricting(claim: Sentence, unit: Sentence) -> Iterator[Finding]:
    mine = [at for at, token in enumerate(claim.tokens) if token.low in RESTRICTING]
    if not mine:
        return
    theirs = {token.low for token in unit.tokens} & (RESTRICTING - _ALONE)
    if claim.tokens[mine[0]].low in _ALONE:
        theirs |= {token.low for token in unit.tokens} & _ALONE
    is_required = bool({token.low for token in unit.tokens} & _NECESSARY) and not _is_about_somebody(claim, mine[0])
    is_barred = bool(unit.negations) and bool({token.low for token in unit.tokens} & _BUT_FOR)
    if not theirs and not is_required and not is_barred and not EXCEPTIONS.search(unit.low):
        yield Finding("scope", Outcome.CONTRADICTS, claim.tokens[mine[0]].text, "", 1.0)


def _is_about_somebody(claim: Sentence, at: int) -> bool:
    """Say whether "nur" is about a person or a thing: what must be done is not what nobody else must do."""
    following = claim.tokens[at + 1 : at + 1 + NEXT]
    return bool(following) and (following[0].low in _ARTICLES or (at == 0 and not _names_case(following)))


def _names_case(following: Sequence[Token]) -> bool:
    return any(token.low in CONDITIONAL | _ITS_CASE for token in following)


def _has_condition(claim: Sentence) -> bool:
    low = {token.low for token in claim.tokens}
    return bool(low & (CONDITIONAL | RESTRICTING | _ITS_CASE)) or bool(_CONDITION.search(claim.low))


def _found(pattern: re.Pattern[str], unit: Sentence) -> str:
    found = pattern.search(unit.low)
    return found[0] if found else ""
