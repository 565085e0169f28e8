"""Citations of sections and articles: "§ 19 Abs. 2 VVG", "§§ 19 bis 22 VVG", "Art. 5 DSGVO", "Section 8 (1) VVG".

``§ 5a`` and ``§ 5 a`` are the same section and not ``§ 5``; ``§ 008``, ``§ ８`` and "Paragraf acht" are ``§ 8``. An act
named behind a list belongs to all of it; an "i. V. m." begins another citation with an act of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from unicodedata import decimal

from domain.knowledge.text import Span
from domain.verifying.numerals import cardinal

LONGEST_RANGE = 60
"""A range with more sections than this is taken as its two ends."""

LONGEST_NUMBER = 6
"""Longer runs of digits are no number of a section; Python refuses to read one of some thousand digits."""

# A letter that begins an abbreviation is none of the number: "§ 2 i. V. m. § 3", "§ 2 iVm § 3", "§ 2 a. F.", "§ 2 f."
_NUMBER = r"\d+(?:(?!\sf\.)\s?[a-z](?![a-zäöüß]|[A-Z][a-z]?\b|\.\s?[A-Za-z]{1,2}\.))?"
_PARAGRAPH = r"Abs(?:\.|atz(?:es)?|ätze)?|paras?\."
_NAMED_PART = (
    rf"(?:{_PARAGRAPH}|S(?:\.|atz)|Sätze|Nr\.?|Nummern?|Z(?:\.|iffer)?|lit\.?|Buchst(?:\.|aben?)|Hs\.|Halbsatz)"
    r"\s*(?:\d+[a-z]?|[a-z])(?:\s*(?:,|und|oder|bis|u\.|-|–)\s*(?:\d+[a-z]?|[a-z])(?!\w))*"
    r"|\(\d+[a-z]?\)"
)
_ROMAN_PART = r"[IVX]{1,4}(?:\s\d{1,2})?"
# A Roman number stands for a paragraph where an act follows: "§ 823 I BGB".
_PART = rf"(?:{_NAMED_PART}|{_ROMAN_PART}(?=\s+[A-ZÄÖÜ]))"
_FOLLOWING = r"(?:\s*ff?\.)?"
_ITEM = rf"{_NUMBER}{_FOLLOWING}(?:,?\s*{_PART})*"
_JOIN = r"\s*(?:,|;|und|oder|bis|sowie|u\.|and|or|to|-|–)\s*(?:§{1,2}\s*)?"
_LETTERS = r"[A-Za-zÄÖÜäöüß]*"
_ACT = rf"[A-ZÄÖÜ]{_LETTERS}[A-ZÄÖÜ]{_LETTERS}(?:-[A-ZÄÖÜ]{_LETTERS})?(?:\s[IVX]{{1,4}}\b)?"
_KIND = (
    r"§§?|Art(?:\.|ikeln?|icles?)?(?=\s?\d)"
    # Spelt out, a decimal number is a chapter of something else: "Section 3.2".
    r"|(?:\b[Pp]aragra(?:ph|f)(?:en|s)?|\b[Ss]ec(?:tions?|\.))(?=\s?\d+\s?[a-z]?\b(?!\.\d))"
)
_CITATION = re.compile(
    rf"(?P<kind>{_KIND})\s*(?P<items>{_ITEM}(?:{_JOIN}{_ITEM})*)"
    rf"(?:(?:\s+(?:(?:des|der|of|of\sthe)\s+)?|(?<=\d))(?P<act>{_ACT}))?"
)
_STEP = re.compile(
    rf"(?P<join>bis|to|-|–)?\s*(?P<sign>§{{0,2}})\s*(?P<number>{_NUMBER}){_FOLLOWING}"
    rf"(?P<parts>(?:,?\s*(?:{_NAMED_PART}|{_ROMAN_PART}(?!\w)))*)"
)
_SPOKEN = re.compile(
    r"\b[Pp]aragra(?:ph|f)(?:en|s)?\s+(?P<number>[a-zäöüß]{3,60})\b(?:\s+Absatz(?:es)?\s+(?P<paragraph>[a-zäöüß]{3,60}))?"
    rf"(?:\s+(?:(?:des|der)\s+)?(?P<act>{_ACT}))?"
)
_NO_NUMBERS = frozenset({"ein", "beide", "beiden", "beider", "zweier", "dreier", "zweien", "dreien"})
_FOLDED = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_NAMED_PARAGRAPH = re.compile(rf"(?:{_PARAGRAPH})\s*(\d+[a-z]?)|\((\d+[a-z]?)\)|([IVX]{{1,4}})(?=\s|$)")
_ROMAN = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class Citation:
    """A cited section.

    Attributes:
        sign: ``§`` or ``art``.
        number: number with letter, without blanks: "5a".
        act: abbreviation of the act as written, empty where none is named.
        paragraph: number of the first paragraph named ("2" of "Abs. 2"), empty where none is.
        span: where the whole citation stands, its act included; the sections of a list stand at the same place.
        between: it is not named itself but lies inside a range.
    """

    sign: str
    number: str
    act: str = ""
    paragraph: str = field(default="", compare=False)
    span: Span = field(default=Span(0, 0), compare=False)
    between: bool = field(default=False, compare=False)


def citations(text: str) -> Iterator[Citation]:
    """Yield the citations in ``text`` in order, ranges spelt out."""
    spoken = [*_spoken(text)]
    yield from sorted([*_written(text), *spoken], key=lambda one: one.span.start) if spoken else _written(text)


def _written(text: str) -> Iterator[Citation]:
    for found in _CITATION.finditer(text):
        act, span = found["act"] or "", Span(*found.span())
        sign, before = "art" if found["kind"].startswith("Art") else "§", ""
        for step in _STEP.finditer(found["items"]):
            sign = "§" if step["sign"] else sign
            number = _plain(step["number"])
            for one in _between(before, number) if step["join"] else ():
                yield Citation(sign, one, act, "", span, between=True)
            yield Citation(sign, number, act, _paragraph(step["parts"]), span)
            before = number


def _spoken(text: str) -> Iterator[Citation]:
    for found in _SPOKEN.finditer(text):
        number = _counted(found["number"])
        if number:
            yield Citation("§", number, found["act"] or "", _counted(found["paragraph"] or ""), Span(*found.span()))


def _counted(word: str) -> str:
    """Return a German number word in digits, empty where it is none."""
    value = None if word in _NO_NUMBERS else cardinal(word.translate(_FOLDED), "de")
    return str(int(value)) if value is not None and value.is_integer() else ""


def _plain(number: str) -> str:
    """Return a number in the digits of ASCII, without blanks and leading zeros."""
    digits = (str(decimal(one)) if one.isdecimal() else one for one in number if not one.isspace())
    return re.sub(r"\A0+(?=\d)", "", "".join(digits))


def _between(first: str, last: str) -> Iterator[str]:
    short = len(first) <= LONGEST_NUMBER and len(last) <= LONGEST_NUMBER
    if short and first.isdecimal() and last.isdecimal() and int(last) - int(first) <= LONGEST_RANGE:
        yield from map(str, range(int(first) + 1, int(last)))


def _paragraph(parts: str) -> str:
    found = _NAMED_PARAGRAPH.search(parts)
    if found is None:
        return ""
    return _plain(found[1] or found[2] or str(_arabic(found[3])))


def _arabic(roman: str) -> int:
    values = [_ROMAN[letter] for letter in roman]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
