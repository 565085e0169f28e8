"""What a text refers to by number: sections, articles, paragraphs, numbers, letters, and file numbers."""

import re
from dataclasses import dataclass
from typing import Final

from domain.knowledge.citations import citations

_PARTS: Final = {
    "art": r"Artikels",
    "paragraph": r"(?:Abs(?:\.|atz(?:es)?|ätze[n]?)|[Pp]aragraphs?|paras?\.)",
    "sentence": r"(?:S\.(?=\s\d)|Sätze[n]?|Satz(?:es)?|[Ss]entences?)",
    "number": r"(?:Nr\.|Nummern?|[Nn]umbers?|Nos?\.)",
    "letter": r"(?:Buchst(?:\.|aben?)|lit\.|[Ll]etters?|[Pp]oints?)",
    "figure": r"(?:Z\.(?=\s\d)|Ziff(?:\.|ern?))",
    "clause": r"(?:[Cc]lauses?|[Ss]ections?|Abschnitte?s?n?|Kapitels?|[Cc]hapters?|Klauseln?"
    r"|Annex|Anhang|Anlage|Tops?|TOP)",
}
_ONE: Final = r"(?:\d+(?:\.\d+)*[a-z]?\b|\([a-z0-9]{1,4}\)|[a-z]\b(?!\.\s?[A-Z])|[IVX]+\b)"
_LIST: Final = rf"\s?{_ONE}(?:(?:,| und| oder| and| or| sowie| u\.| bis| to|–|-)\s?{_ONE})*"
_PATTERNS: Final = {part: re.compile(rf"\b{words}(?![a-z])(?P<list>{_LIST})") for part, words in _PARTS.items()}
_SINGLE: Final = re.compile(r"(?<![\w.])(?:\d+(?:\.\d+)*[a-z]?|[a-z]|[IVX]+)(?!\w)")
_RANGE: Final = re.compile(r"\b(\d+)\s?(?:bis|to|–|-)\s?(\d+)\b")
_LONGEST_RANGE: Final = 40
_FILE: Final = re.compile(
    r"(?:\b[A-Z]{1,4}[ -])?(?:\b\d{1,2}[ -][A-Za-z]{1,5}[ -])?(?<![\w.,])[\w-]*\d[\w-]*(?:/[\w-]*\d[\w-]*)+"
    r"|\([A-Z]{2,3}\) (?:Nr\. )?\d+/\d+"
)
_MARK: Final = re.compile(
    r"\((?P<inner>\d{1,3}[a-z]?)\)|(?P<dotted>\d{1,2}[a-z]?)[.)]"
    r"|(?P<letter>[a-z]{1,2})\)|\((?P<bracket>[a-z]{1,4})\)"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A thing referred to.

    Attributes:
        part: ``§``, ``art``, ``paragraph``, ``number``, ..., or ``file`` for a file number.
        number: as written, without blanks.
        start, end: where the whole reference stands.
        between: it is not named itself but lies inside a range.
    """

    part: str
    number: str
    start: int
    end: int
    between: bool = False


def references(folded: str) -> tuple[Reference, ...]:
    """Return what a folded text refers to."""
    found: list[Reference] = []
    for one in citations(folded):
        found.append(Reference(_sign(one.sign), one.number.lower(), one.span.start, one.span.end, one.between))
        if one.paragraph:
            found.append(Reference("paragraph", one.paragraph, one.span.start, one.span.end))
    for part, pattern in _PATTERNS.items():
        for match in pattern.finditer(folded):
            found += _listed(part, match["list"], match.start(), match.end())
    found += [Reference("file", re.sub(r"\s", "", one[0]).lower(), *one.span()) for one in _FILE.finditer(folded)]
    return tuple(found)


def mark(line: str) -> re.Match[str] | None:
    """Return the mark that opens a line of a statute or a list: "(1)", "1.", "a)"."""
    found = _MARK.match(line)
    return found if found and line[found.end() : found.end() + 1] in {" ", "\u00a0", "\t", ""} else None


def _sign(sign: str) -> str:
    return "art" if sign == "art" else "§"


def _listed(part: str, written: str, start: int, end: int) -> list[Reference]:
    named = [Reference(part, one[0].lower(), start, end) for one in _SINGLE.finditer(written)]
    for first, last in _RANGE.findall(written):
        if int(last) - int(first) <= _LONGEST_RANGE:
            named += [Reference(part, str(one), start, end, between=True) for one in range(int(first) + 1, int(last))]
    return named
