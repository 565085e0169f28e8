"""How often things happen: "monatlich", "im Jahr", "per month"."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from domain.verifying.tokens import Token
from domain.verifying.units import RATE_NOUNS, RATES

_OPENERS: Final = frozenset(
    ("im", "pro", "je", "per", "a", "an", "am", "jede", "jedes", "jeden", "each", "every", "proje")
)
_ARTICLES: Final = frozenset(("a", "an"))
_PERIODS: Final = frozenset(("within", "of", "for", "after", "in", "over", "about", "half"))
"""Words before "a month" that make it a period and no rate."""

_ENDINGS: Final = ("e", "en", "er", "es", "em")


def rates_of(found: Sequence[Token]) -> tuple[dict[str, str], frozenset[int]]:
    """Return each rate with the words that say so, and the tokens of these words."""
    rates: dict[str, str] = {}
    taken: set[int] = set()
    for at, token in enumerate(found):
        rate = _adverb(token.low)
        if rate:
            rates.setdefault(rate, token.text)
            taken.add(at)
        noun = RATE_NOUNS.get(token.low.rstrip("s") if token.low != "tages" else "tag")
        opener = _opener(found, at) if noun else None
        if noun and opener is not None:
            rates.setdefault(noun, f"{found[opener].text} {token.text}")
            taken |= set(range(opener, at + 1))
    return rates, frozenset(taken)


def _opener(found: Sequence[Token], at: int) -> int | None:
    """Return the word that makes a unit of time behind it a rate, ``None`` where there is none."""
    opener = at - 2 if at > 1 and found[at - 1].low == "calendar" else at - 1
    before = found[opener].low if opener >= 0 else ""
    is_month = before == "der" and opener > 0 and found[opener - 1].low == "in"
    is_counted = at + 1 < len(found) and found[at + 1].kind == "number"
    if is_counted or not (is_month or before in _OPENERS):
        return None
    is_period = before in _ARTICLES and at >= 2 and found[at - 2].low in _PERIODS
    return None if is_period else opener


@lru_cache(50_000)
def _adverb(low: str) -> str | None:
    if low in RATES:
        return RATES[low]
    cut = (low.removesuffix(ending) for ending in _ENDINGS if low.endswith(ending))
    return next((RATES[one] for one in cut if one in RATES), None)
