"""Numbers over several tokens: "acht und eine halbe", "3 1/2", "one hundred and twenty", "one in five"."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.verifying.numerals import cardinal, number, ordinal
from domain.verifying.tokens import Token, word_set
from domain.verifying.units import UNITS

GLYPHS: Final = {"½": 1 / 2, "¼": 1 / 4, "¾": 3 / 4, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 1 / 5, "⅛": 1 / 8}
_HALF: Final = word_set("halb halbe halben halber halbes halbem half")
_AND: Final = word_set("und and")
_ONE: Final = word_set("ein eine einen einem einer eines a an")
_EVERY: Final = word_set("jede jeder jedes jeden jedem every")
_OF_MANY: Final = _EVERY | {"one"}
_LARGE: Final = {"hundred": 100.0, "thousand": 1000.0}


class Counted(NamedTuple):
    """A number and the index behind its last token; ``is_share`` if it is a share in percent."""

    value: float
    end: int
    is_share: bool = False


def counted(tokens: Sequence[Token], at: int, language: str) -> Counted | None:
    """Return the number that begins at a token, ``None`` where none does."""
    share = _one_of(tokens, at, language)
    if share is not None:
        return share
    low = tokens[at].low
    if low in GLYPHS:
        return Counted(GLYPHS[low], at + 1)
    if low in _HALF and _is_half_of_a_unit(tokens, at):
        following = tokens[at + 1].low
        return Counted(0.5, at + 2 if following in _ONE else at + 1)
    value = number(tokens[at].text, language) if tokens[at].kind == "number" else cardinal(low, language)
    if value is None:
        return None
    return _with_fraction(tokens, *_with_hundreds(tokens, value, at + 1, language))


def _one_of(tokens: Sequence[Token], at: int, language: str) -> Counted | None:
    """Return "one in five" and "jeder Fünfte" as a share."""
    if tokens[at].low not in _OF_MANY:
        return None
    low = [token.low for token in tokens[at : at + 4]]
    if len(low) > 2 and low[0] == "one" and low[1] == "in":
        whole = cardinal(low[2], language) or (float(low[2]) if low[2].isdecimal() else None)
        return Counted(round(100 / whole, 4), at + 3, is_share=True) if whole else None
    if len(low) > 1 and low[0] in _EVERY and (whole := ordinal(low[1], language)):
        is_time = len(low) > 2 and low[2] in UNITS
        return None if is_time or low[0] == "every" else Counted(round(100 / whole, 4), at + 2, is_share=True)
    return None


def _is_half_of_a_unit(tokens: Sequence[Token], at: int) -> bool:
    """Say whether "half" is a number: "ein halbes Jahr", "half a year", and not "half of the members"."""
    behind = [token.low for token in tokens[at + 1 : at + 3]]
    return bool(behind) and (behind[0] in UNITS or (len(behind) > 1 and behind[0] in _ONE and behind[1] in UNITS))


def _with_hundreds(tokens: Sequence[Token], value: float, end: int, language: str) -> tuple[float, int]:
    """Return an English number with its hundreds and what follows them: "one hundred and twenty"."""
    if language != "en":
        return value, end
    while end < len(tokens) and tokens[end].low in _LARGE:
        value *= _LARGE[tokens[end].low]
        end += 1
        rest = end + (end < len(tokens) and tokens[end].low in _AND)
        more = cardinal(tokens[rest].low, language) if rest < len(tokens) else None
        if more is not None and more < 100 and tokens[rest].kind == "word":
            value, end = value + more, rest + 1
    return value, end


def _with_fraction(tokens: Sequence[Token], value: float, end: int) -> Counted:
    """Return a number with the half behind it: "8 und eine halbe", "one and a half", "3½", "3 1/2"."""
    low = [token.low for token in tokens[end : end + 3]]
    if low and low[0] in GLYPHS:
        return Counted(value + GLYPHS[low[0]], end + 1)
    if low[1:] == ["/", "2"] and low[0] == "1":
        return Counted(value + 0.5, end + 3)
    if len(low) == 3 and low[0] in _AND and low[1] in _ONE and low[2] in _HALF:
        return Counted(value + 0.5, end + 3)
    return Counted(value, end)
