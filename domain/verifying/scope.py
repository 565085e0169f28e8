"""What a negation denies: its clause, what follows it, or the one thing behind it."""

from collections.abc import Sequence
from typing import Final

from domain.verifying.cues import FORBIDDEN, NEGATIONS, NOT_ONLY, WITHOUT
from domain.verifying.function_words import FUNCTION
from domain.verifying.tokens import Token, word_set

REACH: Final = 4
"""Words that "ohne" and its kind deny, at most."""


PREPOSITIONS: Final = word_set(
    "in im am an auf bei mit nach von vom vor zu zum zur uber unter durch fur gegen um ab zwischen wegen bis aus"
    " of in on at by to from with for into under between among within upon about against per"
)


_DESCRIBING: Final = word_set("prohibited forbidden banned ausgeschlossen verbot")
"""Words that forbid behind a form of "be", and elsewhere only describe or name."""

_PREDICATIVE: Final = word_set(
    "ist sind bleibt bleiben sei is are was were be been being not strictly expressly generally explicitly"
)
_MODAL: Final = word_set("must shall may can should will")
_ARTICLES: Final = word_set("der die das den dem des ein eine einen einem einer eines")


def denied(
    found: Sequence[Token], clause: Sequence[int], negations: Sequence[int], language: str
) -> tuple[list[int], frozenset[int]]:
    """Return the tokens that each negation denies, and those in its shadow.

    Denied is what follows in its clause. What stands in front, up to an "und" that it follows, is in the shadow, or
    denied where nothing follows.
    """
    denied: list[int] = []
    shadowed: set[int] = set()
    for at in _exceptions(found):
        denied += [other for other in range(at, len(found)) if clause[other] == clause[at]]
    for at in negations:
        noun = _attribute_end(found, at)
        if noun is not None:
            denied += list(range(at + 1, noun + 1))
            continue
        joins = [other for other in range(max(0, at - REACH + 1), at) if _joins_verbs(found, other)]
        start = joins[-1] if joins else 0
        inside = [other for other in range(start, len(found)) if clause[other] == clause[at]]
        core = _up_to_verb(found, [other for other in inside if other > at], language)
        if any(found[other].kind == "word" and not is_function(found, other, language) for other in core):
            denied += core
            shadowed |= {other for other in inside if other < at}
        else:
            denied += [other for other in inside if other != at or found[at].low not in FORBIDDEN]
    return denied, frozenset(shadowed)


def _up_to_verb(found: Sequence[Token], core: list[int], language: str) -> list[int]:
    """Return what follows a negation up to the verb of the clause around it: "data no longer needed must be erased"."""
    if language != "en" or not core or found[core[0]].low in _MODAL:
        return core
    words = [other for other in core if found[other].kind == "word" and not is_function(found, other, language)]
    verb = next((other for other in core if words and other > words[0] and found[other].low in _MODAL), None)
    return core if verb is None else [other for other in core if other < verb]


def _joins_verbs(found: Sequence[Token], at: int) -> bool:
    """Say whether an "und" stands before a verb or a negation, and not between numbers or nouns."""
    following = found[at + 1] if at + 1 < len(found) else None
    return (
        found[at].low in {"und", "oder", "and", "or"}
        and following is not None
        and following.kind == "word"
        and not following.is_capital
    )


def _exceptions(found: Sequence[Token]) -> list[int]:
    """Return where the clauses begin that "es sei denn" turns round."""
    ends = [at for at, token in enumerate(found) if token.low == "denn" and at and found[at - 1].low == "sei"]
    starts = [next((other for other in range(at + 1, len(found)) if found[other].kind == "word"), None) for at in ends]
    return [at for at in starts if at is not None]


def _is_without(found: Sequence[Token], at: int) -> bool:
    """Say whether a token is "ohne" or one of its kind, and not the genitive of "Mangel"."""
    following = found[at + 1].low if at + 1 < len(found) else ""
    if (found[at].low, following) in {("free", "from"), ("free", "of"), ("frei", "von")}:
        return True
    return found[at].low in WITHOUT and (at == 0 or not found[at].is_capital)


def _attribute_end(found: Sequence[Token], at: int) -> int | None:
    """Return the noun that a denied attribute belongs to: "bei nicht rechtzeitig gezahlter Prämie"."""
    before = found[at - 1].low if at else ""
    next_two = found[at + 1 : at + 3]
    if found[at].low == "nicht" and len(next_two) == 2 and next_two[1].is_capital and _is_attribute(next_two[0]):
        return at + 1
    is_relative = at > 1 and before in _ARTICLES and found[at - 2].text == ","
    if found[at].low != "nicht" or before not in PREPOSITIONS | _ARTICLES or is_relative:
        return None
    following = range(at + 1, min(len(found), at + REACH + 1))
    noun = next((other for other in following if found[other].is_capital or found[other].kind == "mark"), None)
    return noun if noun is not None and found[noun].kind == "word" else None


def _is_attribute(token: Token) -> bool:
    """Say whether a German word may be a participle in front of its noun: "nicht ausgeglichene Stunden"."""
    return (
        token.kind == "word"
        and not token.is_capital
        and token.low.endswith(("te", "ten", "ter", "tes", "tem", "ene", "enen", "ener"))
    )


def is_function(found: Sequence[Token], at: int, language: str) -> bool:
    """Say whether a token carries no matter of its own; "Frau" before a name is a title."""
    low = found[at].low
    if low in {"frau", "herr"}:
        return at + 1 < len(found) and found[at + 1].kind == "word" and found[at + 1].is_capital
    return low in FUNCTION[language] or (len(low) < 2) or (low in NEGATIONS) or _is_without(found, at)


def denied_here(found: Sequence[Token], clause: Sequence[int]) -> frozenset[int]:
    """Return the tokens that "ohne", "außer" and their kind deny."""
    denied: set[int] = set()
    for at, token in enumerate(found):
        if not _is_without(found, at):
            continue
        if at + 1 < len(found) and found[at + 1].low == "rucksicht":
            continue
        is_clause = at + 1 < len(found) and found[at + 1].low in {"dass", "zu"}
        reached = 0
        for other in range(at + 1, len(found)):
            if clause[other] != clause[at] or found[other].kind == "mark":
                break
            is_end = found[other].low in PREPOSITIONS and other > at + 2 and token.low not in {"except", "ausser"}
            if not is_clause and (is_end or (reached >= REACH and token.low not in {"except", "ausser"})):
                break
            reached += found[other].kind == "word" and found[other].low not in FUNCTION["de"] | FUNCTION["en"]
            denied.add(other)
            following = found[other + 1].low if other + 1 < len(found) else ""
            goes_on = following in {"des", "der", "eines", "einer", "von"}
            is_short = token.low in {"ohne", "mangels"} or found[at + 1].low in PREPOSITIONS
            if reached and not is_clause and found[other].is_capital and is_short and not goes_on:
                break
    return frozenset(denied)


def denies(found: Sequence[Token], at: int, token: Token) -> bool:
    """Say whether a token denies something: not in "nicht nur", "whether or not", "Nein,"."""
    if token.low not in NEGATIONS and token.low not in FORBIDDEN:
        return False
    following = found[at + 1].low if at + 1 < len(found) else ""
    if token.low in _DESCRIBING:
        return _is_predicate(found, at, following)
    if token.low in {"no", "not"} and following in {"later", "earlier", "sooner"}:
        return False
    if at > 1 and found[at - 1].low == "or" and any(found[other].low == "whether" for other in range(at)):
        return False
    return following not in NOT_ONLY and not (token.low in {"no", "nein"} and following in {".", ",", ""})


def _is_predicate(found: Sequence[Token], at: int, following: str) -> bool:
    """Say whether a word that forbids says so of its subject: "is prohibited", not "prohibited practices"."""
    if found[at].low == "verbot":
        return not found[at].is_capital
    reach = 4 if found[at].low == "ausgeschlossen" else 1
    return following != "werden" and any(one.low in _PREDICATIVE for one in found[max(0, at - reach) : at])
