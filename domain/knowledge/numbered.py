"""Numbered sections: which one a heading opens, and which of its paragraphs a passage holds."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from domain.knowledge.citations import citations

_SEVERAL: Final = re.compile(r"§§|Art(?:\.|ikel)\s*\d+[a-z]?\s*(?:bis|und|,)")
_PARAGRAPHS: Final = re.compile(r"Abs\. (\d+)([a-z]?)(?: bis (\d+)([a-z]?))?")
_WIDEST: Final = 200
"""A range with more paragraphs than this is taken as its two ends."""


@dataclass(frozen=True, slots=True, order=True)
class Numbered:
    """A section by its number: ``sign`` is ``§`` or ``art``, ``number`` has no blanks ("5a")."""

    sign: str
    number: str


def numbered_sections(heading: Sequence[str]) -> tuple[Numbered, ...]:
    """Return the sections that a heading path opens: those of its innermost title that begins with a number."""
    for title in reversed(heading):
        found = [one for one in citations(title) if one.span.start == 0]
        if found:
            # "§ 3 – 14 Tage" is one section whose title begins with a figure.
            several = found if _SEVERAL.match(title) else found[:1]
            return tuple(dict.fromkeys(Numbered(one.sign, one.number) for one in several))
    return ()


def paragraphs(place: str, places: Iterable[str]) -> tuple[str, ...]:
    """Return the numbers of the paragraphs that a passage holds sentences of.

    Args:
        place: citation place of the passage ("Abs. 1 bis 3").
        places: those of its sentences, where they differ.
    """
    numbers: dict[str, None] = {}
    for one in (place, *places):
        found = _PARAGRAPHS.match(one)
        if found is not None:
            numbers |= dict.fromkeys(_spelt_out(found))
    return tuple(numbers)


def _spelt_out(found: re.Match[str]) -> list[str]:
    first, last = found[1] + found[2], (found[3] or "") + (found[4] or "")
    if not last:
        return [first]
    inner = range(int(found[1]) + 1, int(found[3])) if len(last) < len("1000") else range(0)
    return [first, *(map(str, inner) if len(inner) <= _WIDEST else ()), last]
