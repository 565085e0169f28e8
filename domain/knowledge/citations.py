"""Citations of sections and articles: "§ 19 Abs. 2 VVG", "§§ 19 bis 22 VVG", "Art. 5 DSGVO".

``§ 5a`` and ``§ 5 a`` are the same section and not ``§ 5``. An act named behind a list belongs to all of it; an
"i. V. m." begins another citation with an act of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_RANGE = 60
"""A range with more sections than this is taken as its two ends."""

_NUMBER = r"\d+(?:\s?[a-z](?![a-zäöüß]))?"
_PART = (
    r"(?:Abs(?:\.|atz|ätze)?|S(?:\.|atz)|Sätze|Nr\.?|Nummern?|Z(?:\.|iffer)?|lit\.?|Buchst(?:\.|aben?)|Hs\.|Halbsatz)"
    r"\s*(?:\d+[a-z]?|[a-z])(?:\s*(?:,|und|oder|bis|u\.|-|–)\s*(?:\d+[a-z]?|[a-z])(?!\w))*"
)
_FOLLOWING = r"(?:\s*ff?\.)?"
_ITEM = rf"{_NUMBER}{_FOLLOWING}(?:,?\s*{_PART})*"
_JOIN = r"\s*(?:,|;|und|oder|bis|sowie|u\.|-|–)\s*(?:§{1,2}\s*)?"
_LETTERS = r"[A-Za-zÄÖÜäöüß]*"
_ACT = rf"[A-ZÄÖÜ]{_LETTERS}[A-ZÄÖÜ]{_LETTERS}(?:-[A-ZÄÖÜ]{_LETTERS})?(?:\s[IVX]{{1,4}}\b)?"
_CITATION = re.compile(
    rf"(?P<kind>§§?|Art(?:\.|ikeln?)?(?=\s?\d))\s*(?P<items>{_ITEM}(?:{_JOIN}{_ITEM})*)"
    rf"(?:\s+(?:(?:des|der)\s+)?(?P<act>{_ACT}))?"
)
_STEP = re.compile(rf"(?P<join>bis|-|–)?\s*(?:§{{1,2}}\s*)?(?P<number>{_NUMBER})(?:,?\s*{_PART})*")


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited section.

    Attributes:
        sign: ``§`` or ``art``.
        number: number with letter, without blanks: "5a".
        act: abbreviation of the act as written, empty where none is named.
    """

    sign: str
    number: str
    act: str = ""


def citations(text: str) -> Iterator[Citation]:
    """Yield the citations in ``text`` in order, ranges spelt out."""
    for found in _CITATION.finditer(text):
        sign = "§" if found["kind"].startswith("§") else "art"
        for number in _numbers(found["items"]):
            yield Citation(sign, number, found["act"] or "")


def _numbers(items: str) -> Iterator[str]:
    before = ""
    for step in _STEP.finditer(items):
        number = re.sub(r"\s", "", step["number"])
        if step["join"] and before.isdecimal() and number.isdecimal():
            between = range(int(before) + 1, int(number))
            yield from map(str, between if len(between) <= LONGEST_RANGE else ())
        yield number
        before = number
