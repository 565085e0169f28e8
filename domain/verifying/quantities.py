"""Quantities: a number with what it counts, and whether it is exact, a least or a most.

Read from tokens: "mindestens 24 Werktage", "bis zu einem Höchstbetrag von 1 800 Euro", "vierwöchig", "das achtzehnte
Lebensjahr", "ein Drittel", "EUR 2.4 million", "not later than 72 hours".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from domain.verifying.numerals import cardinal, number, ordinal
from domain.verifying.tokens import Token, word_set
from domain.verifying.units import ADJECTIVES, FRACTIONS, SCALES, UNITS, Unit

GAP: Final = 3
"""Adjectives that may stand between a number and its unit: "ten consecutive working days"."""

_ADJECTIVE: Final = re.compile(
    rf"(?P<number>\w+?)-?(?P<unit>{'|'.join(sorted(ADJECTIVES, key=len, reverse=True))})(?:e[nrsm]?|es)?\Z"
)
_HYPHENATED: Final = re.compile(r"(?P<number>[a-z]+)-(?P<unit>[a-z]+)(?:-[a-z]+)?\Z")
_COUNTED_ONE: Final = frozenset({"ein", "eine", "einen", "einem", "einer", "eines", "one", "a", "an"})
_IN_UNITS: Final = word_set("working business calendar per v h . vom")
_JOINS: Final = word_set("bis zu und oder auf , – - to and or from von spatestens hochstens at most up")
_MONEY_BEFORE: Final = frozenset({"€", "$", "£", "eur", "usd", "gbp", "chf"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit.

    Attributes:
        value: in the smallest measure of its kind, or the bare number.
        kind: of the unit ("day", "eur"), ``ordinal``, ``share``, or empty for a bare number.
        start, end: tokens that it is made of; ``end`` is the index behind the last one.
        bare: the number as written, before its unit and its scale.
        apart: tokens between number and unit that say something else: "ten consecutive working days".
    """

    value: float
    kind: str
    start: int
    end: int
    bare: float = 0.0
    apart: frozenset[int] = frozenset()


def quantities(tokens: Sequence[Token], language: str, taken: frozenset[int] = frozenset()) -> tuple[Quantity, ...]:
    """Return the quantities in ``tokens`` in order.

    Args:
        tokens: of one sentence.
        language: decides how digits are grouped and what number words there are.
        taken: tokens that are part of a date or a citation.
    """
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        one = None if at in taken else _at(tokens, at, language, taken)
        if one is not None:
            found.append(one)
        at = one.end if one is not None else at + 1
    return tuple(_sharing(found, tokens))


def _sharing(found: list[Quantity], tokens: Sequence[Token]) -> list[Quantity]:
    """Give a bare number the unit of the next one where they share it: "von 310 auf 355 Mio. Euro"."""
    shared = list(found)
    for at in range(len(shared) - 2, -1, -1):
        one, following = shared[at], shared[at + 1]
        between = tokens[one.end : following.start]
        joined = 0 < len(between) <= GAP and all(token.low in _JOINS for token in between)
        if one.kind == "" and following.kind not in {"", "ordinal", "share"} and joined and following.bare:
            factor = following.value / following.bare
            shared[at] = replace(one, value=round(one.value * factor, 6), kind=following.kind)
    return shared


def _at(tokens: Sequence[Token], at: int, language: str, taken: frozenset[int]) -> Quantity | None:
    token = tokens[at]
    if token.kind == "mark":
        return None
    joined = _joined(tokens, at, language)
    if joined is not None:
        return None if _is_idle_once(tokens, at) else joined
    value = number(token.text, language) if token.kind == "number" else cardinal(token.low, language)
    is_one = token.low in _COUNTED_ONE
    if value is None and not is_one:
        return _ordinal(tokens, at, language)
    return _counted(tokens, at, 1.0 if value is None else value, language, taken, is_one=is_one)


def _counted(
    tokens: Sequence[Token], at: int, value: float, language: str, taken: frozenset[int], *, is_one: bool
) -> Quantity | None:
    end, bare = at + 1, value
    is_ordinal = tokens[at].kind == "number" and _is_ordinal_dot(tokens, at)
    while end < len(tokens) and tokens[end].low in SCALES[language] and end not in taken:
        value *= SCALES[language][tokens[end].low]
        end += 1
        if end < len(tokens) and tokens[end].text == "." and tokens[end - 1].low in {"mio", "mrd"}:
            end += 1
    if is_ordinal:
        return _ordinal_with(tokens, at, end + 1, value)
    if (
        end < len(tokens)
        and tokens[end].low in FRACTIONS
        and (not is_one or language == "de" or tokens[end].low != "quarter")
    ):
        return Quantity(round(value * FRACTIONS[tokens[end].low], 6), "share", at, end + 1)
    unit, behind = _unit(tokens, end, language, 0 if is_one else GAP, taken)
    if unit is not None:
        return Quantity(round(value * unit.factor, 6), unit.kind, at, behind, bare, _apart(tokens, end, behind))
    if is_one and (end == at + 1) and tokens[at].low != "one":
        return None
    if at and tokens[at - 1].low in _MONEY_BEFORE:
        money = UNITS[tokens[at - 1].low]
        return Quantity(round(value * money.factor, 6), money.kind, at, end, bare)
    return Quantity(round(value, 6), "", at, end, bare)


def _apart(tokens: Sequence[Token], start: int, end: int) -> frozenset[int]:
    return frozenset(at for at in range(start, end) if tokens[at].low not in UNITS and tokens[at].low not in _IN_UNITS)


def _unit(
    tokens: Sequence[Token], start: int, language: str, gap: int, taken: frozenset[int]
) -> tuple[Unit | None, int]:
    """Return the unit at ``start`` or behind a few adjectives, and the index behind it."""
    for at in range(start, min(start + gap + 1, len(tokens))):
        low = tokens[at].low
        if at in taken or (tokens[at].kind == "mark" and low not in UNITS):
            break
        two = f"{low} {tokens[at + 1].low}" if at + 1 < len(tokens) else ""
        if two in {"working days", "working day", "business days", "business day"}:
            return Unit("workingday", 1), at + 2
        if two in {
            "calendar days",
            "calendar day",
            "calendar months",
            "calendar month",
            "calendar years",
            "calendar year",
            "per cent",
        }:
            return (Unit("percent", 1) if low == "per" else UNITS[tokens[at + 1].low]), at + 2
        if two in {"v .", "vom hundert"} and language == "de":
            return Unit("percent", 1), min(at + (2 if two == "vom hundert" else 4), len(tokens))
        if low in UNITS and not (at > start and tokens[at].kind == "mark"):
            return UNITS[low], at + 1
        if not _may_stand_between(tokens[at], language):
            break
    return None, start


def _may_stand_between(token: Token, language: str) -> bool:
    """Say whether an adjective may be all that stands between a number and its unit."""
    if token.kind != "word" or token.is_capital:
        return False
    if language == "de":
        return token.low.endswith(("e", "en", "er", "es", "em")) and len(token.low) > 4
    return len(token.low) > 4


def _is_ordinal_dot(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a dot makes the number an ordinal: "am 15. eines Monats"."""
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or following.text != "." or following.start != token.end or not token.text.isdecimal():
        return False
    return at + 2 < len(tokens) and tokens[at + 2].kind == "word" and len(token.text) <= 2


def _ordinal(tokens: Sequence[Token], at: int, language: str) -> Quantity | None:
    value = ordinal(tokens[at].low, language)
    if value is None:
        low = tokens[at].low
        return Quantity(round(FRACTIONS[low], 6), "share", at, at + 1) if low in {"halfte", "half"} else None
    return _ordinal_with(tokens, at, at + 1, value)


def _ordinal_with(tokens: Sequence[Token], at: int, end: int, value: float) -> Quantity:
    """Return an ordinal; a year of life that has been completed is an age."""
    if end < len(tokens) and tokens[end].low.startswith("lebensjahr"):
        return Quantity(round(value * 12, 6), "month", at, end + 1)
    return Quantity(value, "ordinal", at, end)


def _is_idle_once(tokens: Sequence[Token], at: int) -> bool:
    """Say whether "einmal" or "once" counts nothing: "nicht einmal", "once the period has expired"."""
    if tokens[at].low not in {"einmal", "once"}:
        return False
    before = tokens[at - 1].low if at else ""
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    is_counted = before in {"mindestens", "wenigstens", "hochstens", "nur", "least", "most", "only"}
    return not (
        is_counted
        or following in {"im", "pro", "je", "jahrlich", "monatlich", "taglich", "wochentlich", "a", "per", "every"}
    )


def _joined(tokens: Sequence[Token], at: int, language: str) -> Quantity | None:
    """Return a quantity written as one word, or with a hyphen: "vierwöchig", "300-jährig", "three-month"."""
    low = tokens[at].low
    if tokens[at].kind == "word":
        return _one_word(low, at, language)
    if at + 2 < len(tokens) and tokens[at + 1].text == "-" and tokens[at + 1].start == tokens[at].end:
        unit = _unit_of(tokens[at + 2].low)
        if unit is not None:
            return Quantity(round(number(tokens[at].text, language) * unit.factor, 6), unit.kind, at, at + 3)
    return None


@lru_cache(50_000)
def _parts(low: str, language: str) -> tuple[float, Unit] | None:
    pattern = _ADJECTIVE if language == "de" else _HYPHENATED
    found = pattern.match(low)
    if found is None:
        return None
    value = cardinal(found["number"].rstrip("-"), language)
    unit = ADJECTIVES.get(found["unit"]) if language == "de" else UNITS.get(found["unit"])
    return (value, unit) if value is not None and unit is not None else None


def _one_word(low: str, at: int, language: str) -> Quantity | None:
    multiple = re.fullmatch(r"(\w+?)mal", low) if language == "de" else None
    if multiple and (times := cardinal(multiple[1], language)) is not None:
        return Quantity(times, "times", at, at + 1, times)
    if language == "en" and low in {"once", "twice"}:
        return Quantity(1.0 if low == "once" else 2.0, "times", at, at + 1)
    parts = _parts(low, language)
    if parts is None:
        return None
    return Quantity(round(parts[0] * parts[1].factor, 6), parts[1].kind, at, at + 1)


def _unit_of(low: str) -> Unit | None:
    if low in UNITS:
        return UNITS[low]
    found = re.match(rf"({'|'.join(sorted(ADJECTIVES, key=len, reverse=True))})(?:e[nrsm]?)?\Z", low)
    return ADJECTIVES[found[1]] if found else None
