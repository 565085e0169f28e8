"""Dates as written, with what they leave open: a day, a month of a year, a year, a day of a month."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from domain.verifying.tokens import base

_MONTH_NAMES: Final = (
    "januar january jan jänner", "februar february feb", "märz march mar", "april apr", "mai may", "juni june jun",
    "juli july jul", "august aug", "september sept sep", "oktober october okt oct", "november nov",
    "dezember december dez dec",
)  # fmt: skip
MONTHS: Final = {base(name): at for at, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_MONTH: Final = "|".join(sorted((name for names in _MONTH_NAMES for name in names.split()), key=len, reverse=True))
_YEAR: Final = r"(?:1[5-9]|20|21)\d\d"
_AMOUNTS: Final = (
    r"%|Euro|EUR|€|Prozent|per ?cent|kilomet|km|met[er]|miles|meilen|tonn|stunden|hours|personen|persons|people"
)
"""What makes a number of four digits an amount and no year."""

_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?P<year>{_YEAR})-(?P<month>0?[1-9]|1[0-2])-(?P<day>0?[1-9]|[12]\d|3[01])\b",
        rf"(?<![\d.])(?P<day>0?[1-9]|[12]\d|3[01])\. ?(?P<month>0?[1-9]|1[0-2])\. ?(?P<year>{_YEAR}|\d\d)?(?!\d)",
        rf"\b(?P<day>0?[1-9]|[12]\d|3[01])(?:\.|st|nd|rd|th)? (?:of )?(?P<name>{_MONTH})\b\.?(?:,? (?P<year>{_YEAR}))?",
        rf"\b(?P<name>{_MONTH})\b\.? (?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?:, (?P<year>{_YEAR}))?(?! ?\d)\b",
        rf"\b(?P<name>{_MONTH})\b\.?(?:,? (?P<year>{_YEAR}))?",
        rf"(?<![\d.,/§-])(?P<year>{_YEAR})(?![\d/]|[.,-]\d| ?\d{{3}}\b| ?(?:{_AMOUNTS}))",
    )
)
_WITHOUT_DIGITS: Final = (_PATTERNS[4],)
"""Only a month has no digit."""

_AMBIGUOUS: Final = frozenset({"may", "march", "mar", "jan", "sep", "dec", "jun", "jul", "august"})


@dataclass(frozen=True, slots=True)
class Day:
    """A date; what is left open is ``None``. ``start`` and ``end`` are places in the text."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    def is_within(self, other: "Day") -> bool:
        """Say whether everything that this date states is what ``other`` states."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine is None or mine == theirs for mine, theirs in pairs)


def dates(folded: str) -> tuple[Day, ...]:
    """Return the dates in a folded text, in order and without overlap; the fullest reading wins."""
    found: list[Day] = []
    for pattern in _PATTERNS if any(map(str.isdigit, folded)) else _WITHOUT_DIGITS:
        for one in _found(pattern, folded):
            if all(one.end <= other.start or other.end <= one.start for other in found):
                found.append(one)
    return tuple(sorted(found, key=lambda one: one.start))


def _found(pattern: re.Pattern[str], text: str) -> Iterator[Day]:
    for match in pattern.finditer(text):
        groups = match.groupdict()
        name = groups.get("name")
        # "may" and "march" are months only with a capital letter, and only beside a number.
        if name and not name[0].isupper():
            continue
        if name and base(name) in _AMBIGUOUS and not (groups.get("year") or groups.get("day")):
            continue
        month = MONTHS[base(name)] if name else int(groups["month"]) if groups.get("month") else None
        day = int(groups["day"]) if groups.get("day") else None
        yield Day(_year(groups.get("year")), month, day, match.start(), match.end())


def _year(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) if len(written) == 4 else 2000 + int(written)
