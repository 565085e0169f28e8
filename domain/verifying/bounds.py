"""Whether a quantity is exact, a least, or a most: "mindestens", "bis zu", "nicht mehr als", "not later than".

A negation inside such an expression belongs to it and to nothing else: "darf acht Stunden nicht überschreiten" is a
most, no negation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.verifying.tokens import Token

WINDOW: Final = 7
"""Tokens before a number that may hold its bound: "bis zu einem Höchstbetrag von"."""

BEHIND: Final = 6
"""Tokens behind a quantity that may hold its bound: "oder mehr", "nicht überschreiten"."""

EXACT, LEAST, MOST, MORE, LESS = "", "least", "most", "more", "less"

_FILLERS: Final = (
    r"in hohe von|einem|einer|einen|eines|ein|von|zu|der|dem|den|zur|zum|dauer|betrag|in|a|an|of|period|maximum|total"
    r"|hochstens|the|ablauf|frist|zeitraum\w*|zeit|des|am|nach|regel|on|after|by|amount|sum|jeweils|insgesamt|rund|etwa"
    r"|voll\w*|ca|about|\$|£|€|eur|gesamtdauer|jedoch|aber|hohe|anteil|alter|age|hochstbetrag\w*|mindestbetrag\w*"
)
"""What may stand between a bound and its number."""

_SENSES: Final = (
    (MOST, r"\b(?:nicht|keine?\w*)(?: [a-z]+)? (?:mehr|langer|hoher|grosser|ofter|spater|schneller) als|nicht uber"),
    (
        LEAST,
        r"(?:equal to|gleich) (?:or|oder) (?:above|more than|greater than|higher than|over|mehr als|uber|hoher als)",
    ),
    (MOST, r"\b(?:no|not) (?:more|longer|later|greater|higher) than|not exceed\w*|not above|not over"),
    (LEAST, r"nicht (?:weniger|kurzer|niedriger|kleiner|fruher) als|nicht unter"),
    (LEAST, r"\b(?:no|not) (?:less|fewer|shorter|lower|earlier) than|not below|not under|nor below"),
    (LESS, r"nicht einmal|not even"),
    (
        MOST,
        r"\b(?:limit|ceiling|cap|obergrenze|hochst(?:grenze|betrag))(?: \w+)? (?:is|of|at|von|betragt|liegt bei|ist)",
    ),
    (MORE, r"(?:mehr|langer|grosser|hoher|alter|ofter|schneller|weiter) als|oberhalb|uber|ubersteig\w*|uberschreit\w*"),
    (MORE, r"(?:more|longer|greater|higher|older) than|above|over|exceed\w*|in excess of"),
    (LESS, r"(?:weniger|kurzer|kleiner|niedriger|junger) als|unterhalb|unter|unterschreit\w*"),
    (LESS, r"(?:less|fewer|shorter|lower|younger) than|below|under"),
    (LEAST, r"mindestens|wenigstens|zumindest|fruhestens|mindest\w+|ab"),
    (LEAST, r"at least|a minimum|minimum|not before|from the age|not earlier"),
    (MOST, r"hochstens|maximal|spatestens|bis zu|bis zur|bis zum|bis|hochst\w+|obergrenze|innerhalb|binnen|innert"),
    (MOST, r"(?:limited|capped|restricted|limits?|caps?) (?:\w+ ){0,3}(?:to|at)"),
    (MOST, r"at most|up to|a maximum|maximum|no later than|ceiling|at the latest|within|until"),
)
_BEFORE: Final = tuple((re.compile(rf"(?:{words})(?: (?:{_FILLERS}))*\Z"), sense) for sense, words in _SENSES)
_AFTER: Final = tuple(
    (re.compile(pattern), bound)
    for pattern, bound in [
        (r"[^.;]*?\bnicht (?:zu )?(?:uberschreit|ubersteig|uberschritt|uberstieg|hinaus)\w*|hinaus nicht", MOST),
        (r"[^.;]*?\bnicht (?:zu )?(?:unterschreit|unterschritt)\w*", LEAST),
        (r"(?:und|oder|or|and) (?:mehr|alter|langer|daruber|more|older|over|above|longer)\b", LEAST),
        (r"(?:und|oder|or|and) (?:weniger|junger|darunter|less|younger|fewer|below)\b", MOST),
        (r"(?:uberschreit|ubersteig|uberschritt|uberstieg|exceed)\w*", MORE),
        (r"(?:unterschreit|unterschritt)\w*", LESS),
        (r"alt (?:oder|und) alter", LEAST),
        (r"vollendet\b", LEAST),
        (r"(?:\w+ ){0,3}(?:begrenzt|beschrankt|gedeckelt|limitiert)\b", MOST),
        (r"(?:at most|at the most|maximum|max)\b", MOST),
        (r"(?:at least|minimum)\b", LEAST),
    ]
)  # fmt: skip
_NEGATED: Final = frozenset({"nicht", "no", "not", "kein", "keine", "keinen", "nor"})
SOFT: Final = re.compile(r"(?:innerhalb|binnen|within|bis|until|ab|innert)\b")
"""Bounds that a statement of the mere length of a period may leave out."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How a quantity bounds.

    Attributes:
        sense: one of ``EXACT``, ``LEAST``, ``MOST``, ``MORE``, ``LESS``.
        words: the words that say so.
        negations: tokens of negations that belong to the bound.
    """

    sense: str
    words: str = ""
    negations: frozenset[int] = frozenset()


def bound(tokens: Sequence[Token], start: int, end: int) -> Bound:
    """Return how the quantity made of ``tokens[start:end]`` bounds."""
    first = max(0, start - WINDOW)
    for at in range(start - 1, first - 1, -1):
        if tokens[at].text in {";", ":", ".", "("} or (tokens[at].text == "," and at < start - 1):
            first = at + 1
            break
    before = tokens[first:start]
    text = " ".join(token.low for token in before)
    for pattern, sense in _BEFORE:
        found = pattern.search(text)
        if found:
            skipped = len(text[: found.start()].split())
            inside = range(first + skipped, start)
            return _with_behind(Bound(sense, found[0], _negations(tokens, inside)), tokens, end)
    return _behind(tokens, end)


def _with_behind(found: Bound, tokens: Sequence[Token], end: int) -> Bound:
    """Return the bound; "nicht über zehn Stunden hinaus" and "mehr als 8 Stunden nicht" turn it round."""
    if found.sense in {MORE, LESS} and not found.negations:
        behind = _behind(tokens, end)
        if behind.sense in {MOST, LEAST} and behind.negations and not SOFT.match(found.words):
            return behind
    return found


def _behind(tokens: Sequence[Token], end: int) -> Bound:
    last = min(len(tokens), end + BEHIND)
    text = " ".join(token.low for token in tokens[end:last])
    for pattern, sense in _AFTER:
        found = pattern.match(text)
        if found:
            inside = range(end, min(last, end + len(found[0].split())))
            return Bound(sense, found[0], _negations(tokens, inside))
    return Bound(EXACT)


def _negations(tokens: Sequence[Token], inside: range) -> frozenset[int]:
    return frozenset(at for at in inside if tokens[at].low in _NEGATED)
