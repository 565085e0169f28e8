"""Words that hold a number and its unit: "vierwöchig", "three-month", "Dreimonatsfrist"."""

import re
from functools import lru_cache
from typing import Final

from domain.verifying.numerals import cardinal
from domain.verifying.units import ADJECTIVES, FRACTIONS, UNITS, Unit

_ADJECTIVE: Final = re.compile(
    rf"(?P<number>\w+?)-?(?P<unit>{'|'.join(sorted(ADJECTIVES, key=len, reverse=True))})(?:e[nrsm]?|es)?\Z"
)
_HYPHENATED: Final = re.compile(r"(?P<number>[a-z]+)-(?P<unit>[a-z]+)(?:-[a-z]+)?\Z")
_COMPOUND: Final = re.compile(
    r"(?P<number>\w+?)-?(?P<unit>stunden|tages|tage|wochen|monats|jahres|minuten|euro|prozent|drittel|viertel)-?"
    r"(?P<noun>[a-z]{3,})\Z"
)


@lru_cache(50_000)
def adjective(low: str, language: str) -> tuple[float, Unit] | None:
    """Return number and unit of an adjective: "vierwöchig", "300-jährig", "three-month"."""
    pattern = _ADJECTIVE if language == "de" else _HYPHENATED
    found = pattern.match(low)
    if found is None:
        return None
    value = cardinal(found["number"].rstrip("-"), language)
    unit = ADJECTIVES.get(found["unit"]) if language == "de" else UNITS.get(found["unit"])
    return (value, unit) if value is not None and unit is not None else None


@lru_cache(50_000)
def counted_noun(low: str) -> tuple[float, Unit, str] | None:
    """Return number, unit and noun of a compound that counts: "Dreimonatsfrist", "Zweidrittelmehrheit"."""
    found = _COMPOUND.match(low)
    value = cardinal(found["number"].rstrip("-"), "de") if found else None
    if found is None or value is None:
        return None
    share = FRACTIONS.get(found["unit"])
    unit = Unit("percent", share * 100) if share else UNITS[found["unit"]]
    return value, unit, found["noun"]


def unit_of(low: str) -> Unit | None:
    """Return the unit behind a hyphen: "30-day", "16-year-old", "35-Stunden-Woche"."""
    if low.partition("-")[0] in UNITS:
        return UNITS[low.partition("-")[0]]
    found = re.match(rf"({'|'.join(sorted(ADJECTIVES, key=len, reverse=True))})(?:e[nrsm]?)?\Z", low)
    return ADJECTIVES[found[1]] if found else None
