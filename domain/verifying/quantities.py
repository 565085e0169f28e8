"""Quantities: a number with what it counts, and whether it is exact, a least or a most.

Read from tokens: "mindestens 24 Werktage", "bis zu einem Höchstbetrag von 1 800 Euro", "vierwöchig", "das achtzehnte
Lebensjahr", "ein Drittel", "EUR 2.4 million", "not later than 72 hours".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.verifying.counting import Counted, counted
from domain.verifying.number_words import adjective, counted_noun, unit_of
from domain.verifying.numerals import cardinal, number, ordinal
from domain.verifying.tokens import Token, word_set
from domain.verifying.units import FRACTIONS, SCALES, UNITS, Unit

GAP: Final = 3
"""Adjectives that may stand between a number and its unit: "ten consecutive working days"."""

_COUNTED_ONE: Final = frozenset({"ein", "eine", "einen", "einem", "einer", "eines", "one", "a", "an"})
_IN_UNITS: Final = word_set("working business calendar per v h . vom")
_JOINS: Final = word_set("bis zu und oder auf , – - to and or from von spatestens hochstens at most up")
_CLOCK: Final = re.compile(r"(?:[01]?\d|2[0-4])[0-5]\d\Z")
_SHORT_ADJECTIVES: Final = frozenset({"more", "full", "paid", "free", "long"})
_TH: Final = frozenset({"st", "nd", "rd", "th"})
_SUFFIXES: Final = {"k": 1e3, "m": 1e6, "bn": 1e9}
_TIMES: Final = {
    "once": 1.0, "twice": 2.0, "double": 2.0, "twofold": 2.0, "triple": 3.0, "threefold": 3.0, "fourfold": 4.0,
    "doppelt": 2.0, "doppelte": 2.0, "doppelten": 2.0, "doppelter": 2.0, "doppeltes": 2.0, "doppeltem": 2.0,
}  # fmt: skip
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
        if one.kind == "" and following.kind not in {"", "ordinal"} and joined and following.bare:
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
    clock = _clock(tokens, at)
    if clock is not None:
        return clock
    found = counted(tokens, at, language)
    if found is None and token.low not in _COUNTED_ONE:
        return _ordinal(tokens, at, language)
    found = found or Counted(1.0, at + 1)
    if found.is_share:
        return Quantity(found.value, "percent", at, found.end)
    return _counted(tokens, at, found, language, taken)


def _clock(tokens: Sequence[Token], at: int) -> Quantity | None:
    """Return a time of day: "22:00 Uhr", "10:30"."""
    if at + 2 >= len(tokens) or tokens[at + 1].text != ":" or not _CLOCK.match(tokens[at].text + tokens[at + 2].text):
        return None
    if tokens[at + 2].start != tokens[at].end + 1:
        return None
    end = at + 3 + (at + 3 < len(tokens) and tokens[at + 3].low == "uhr")
    return Quantity(round(int(tokens[at].text) + int(tokens[at + 2].text) / 60, 4), "clock", at, end)


def _counted(tokens: Sequence[Token], at: int, found: Counted, language: str, taken: frozenset[int]) -> Quantity | None:
    """Return the quantity that begins with a number, or with an article that counts one."""
    is_one = tokens[at].low in _COUNTED_ONE and found.end == at + 1
    value, end = _scaled(tokens, found, language, taken)
    ranked = _ranked(tokens, at, end, value, language, is_one=is_one)
    if ranked is not None:
        return ranked
    if at and tokens[at - 1].low in _MONEY_BEFORE:
        return _money(tokens, at, end, value, found.value)
    unit, behind = _unit(tokens, end, language, 0 if is_one else GAP, taken)
    if unit is not None:
        apart = _apart(tokens, end, behind)
        return Quantity(round(value * unit.factor, 6), unit.kind, at, behind, found.value, apart)
    if is_one and end == at + 1 and tokens[at].low != "one":
        return None
    if _is_age(tokens, at):
        return Quantity(round(value * 12, 6), "month", at, end, found.value)
    return Quantity(round(value, 6), "", at, end, found.value)


def _scaled(tokens: Sequence[Token], found: Counted, language: str, taken: frozenset[int]) -> tuple[float, int]:
    """Return a number with what multiplies it: "2,4 Mio.", "ein Dutzend"."""
    value, end = found.value, found.end
    while end < len(tokens) and tokens[end].low in SCALES[language] and end not in taken:
        value *= SCALES[language][tokens[end].low]
        end += 1
        if end < len(tokens) and tokens[end].text == "." and tokens[end - 1].low in {"mio", "mrd", "tsd"}:
            end += 1
    return value, end


def _ranked(
    tokens: Sequence[Token], at: int, end: int, value: float, language: str, *, is_one: bool
) -> Quantity | None:
    """Return an ordinal or a fraction, ``None`` where the number is neither."""
    if tokens[at].kind == "number" and _is_ordinal_dot(tokens, at):
        return _ordinal_with(tokens, at, end + 1, value)
    following = tokens[end] if end < len(tokens) else None
    if following is None:
        return None
    if language == "en" and following.low in _TH and following.start == tokens[end - 1].end:
        return Quantity(value, "ordinal", at, end + 1)
    is_time = is_one and language == "en" and following.low == "quarter" and not _is_part_of(tokens, end + 1)
    return None if following.low not in FRACTIONS or is_time else _share(value * FRACTIONS[following.low], at, end + 1)


def _money(tokens: Sequence[Token], at: int, end: int, value: float, bare: float) -> Quantity:
    """Return an amount whose currency stands before it: "EUR 250", "£5k"."""
    if end < len(tokens) and tokens[end].start == tokens[end - 1].end and tokens[end].low in _SUFFIXES:
        value, end = value * _SUFFIXES[tokens[end].low], end + 1
    money = UNITS[tokens[at - 1].low]
    return Quantity(round(value * money.factor, 6), money.kind, at - 1, end, bare)


def _share(value: float, start: int, end: int) -> Quantity:
    """Return a fraction as the percentage that it is."""
    return Quantity(round(value * 100, 4), "percent", start, end)


def _is_part_of(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a fraction of something follows: "a quarter of the members"."""
    return at < len(tokens) and tokens[at].low == "of"


def _is_age(tokens: Sequence[Token], at: int) -> bool:
    """Say whether a bare number is an age: "im Alter von 16", "aged 16"."""
    before = [token.low for token in tokens[max(0, at - 2) : at]]
    return before[-1:] == ["aged"] or before in (["alter", "von"], ["age", "of"])


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
    return len(token.low) > 4 or token.low in _SHORT_ADJECTIVES


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
        return _share(FRACTIONS[low], at, at + 1) if low in {"halfte", "half", "dreiviertel"} else None
    return _ordinal_with(tokens, at, at + 1, value)


def _ordinal_with(tokens: Sequence[Token], at: int, end: int, value: float) -> Quantity:
    """Return an ordinal; a year of life that has been completed is an age."""
    following = tokens[end].low if end < len(tokens) else ""
    if following.startswith("lebensjahr"):
        return Quantity(round(value * 12, 6), "month", at, end + 1)
    if following in {"teil", "teils", "teile", "part"} and value > 2:
        return _share(1 / value, at, end + 1)
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
        unit = unit_of(tokens[at + 2].low)
        if unit is not None:
            return Quantity(round(number(tokens[at].text, language) * unit.factor, 6), unit.kind, at, at + 3)
    return None


def _one_word(low: str, at: int, language: str) -> Quantity | None:
    if language == "de" and (compound := counted_noun(low)):
        value, unit, _ = compound
        return Quantity(round(value * unit.factor, 4), unit.kind, at, at + 1, value, frozenset({at}))
    multiple = re.fullmatch(r"(\w+?)mal", low) if language == "de" else None
    if multiple and (times := cardinal(multiple[1], language)) is not None:
        return Quantity(times, "times", at, at + 1, times)
    if low in _TIMES:
        return Quantity(_TIMES[low], "times", at, at + 1)
    parts = adjective(low, language)
    if parts is None:
        return None
    return Quantity(round(parts[0] * parts[1].factor, 6), parts[1].kind, at, at + 1)
