r"""Where a stored text differs from what is searched and shown: edits, in order, that never overlap.

The rules, in words:

- soft hyphens go, with the line break behind them; a hyphen at a line end goes where a word continues in lower case.
  It stays before a conjunction ("Haftpflicht-\nund Kaskoversicherung"), behind an acronym, a single letter or a digit
  ("EU-\nweit", "E-\nMail", "14-\ntägig") and before a capital ("Solvency-II-\nRichtlinie"); then only the break goes
- a single line break is a blank; an empty line or the start of a block (heading, list item, table row) is a line break
- Markdown: marks of headings, emphasis, quotations, code, links and tables go, their text stays; list marks stay;
  table cells are parted by ``|``; HTML tags go; escapes and entities become their character
- ligatures and no-break hyphens become plain letters and hyphens; zero-width characters, bidi and control characters go
- for searching, no-break and thin spaces become blanks, and go between the groups of three of one number
"""

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final, NamedTuple

from domain.knowledge.emphasis import emphasis_marks
from domain.knowledge.text import Span


class Edit(NamedTuple):
    """Code points ``start`` to ``end`` of the stored text read as ``text``."""

    start: int
    end: int
    text: str


_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SPACES: Final = r"\t\x0b\x0c\x85\u1680\u2000-\u2006\u2008\u200a\u2028\u2029\u205f\u3000"
_FIXED_SPACES: Final = r"\u00a0\u2007\u2009\u202f"
_CONTROLS: Final = r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069"
_JOINERS: Final = r"\u200c-\u200f\u061c"

_COMMON: Final = r"""
  (?P<soft>\u00ad(?:[ \t]*+\n(?![ \t]*+\n)[ \t]*+)?)
| (?P<ligature>[ﬀ-ﬆ])
| (?P<hyphen>[-\u2010\u2011](?<=\w.)[ \t]*+\n[ \t]*+(?=\w))
| (?P<plain_hyphen>[\u2010\u2011])
| (?P<break1>\n)
| (?P<break2>[ \t]++\n)
"""
_SEARCHED: Final = rf"""
| (?P<number>[{_FIXED_SPACES}](?<=\d.)(?<!\d{{4}}.)(?=\d{{3}}(?!\d)))
| (?P<gone>[{_CONTROLS}{_JOINERS}]++)
| (?P<blanks1>[{_SPACES}{_FIXED_SPACES}][ {_SPACES}{_FIXED_SPACES}]*+)
| (?P<blanks2>[ ][ {_SPACES}{_FIXED_SPACES}]++)
"""
_DISPLAYED: Final = rf"""
| (?P<gone>[{_CONTROLS}]++)
| (?P<blanks1>[{_SPACES}][ {_SPACES}]*+)
| (?P<blanks2>[ ][ {_SPACES}]++)
"""
_TARGET: Final = r"(?:<[^<>\n]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)"
_LINK_END: Final = rf'\]\({_TARGET}(?:\s"[^"\n]{{0,500}}")?\)'
_TAGS: Final = (
    "a|abbr|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font"
    "|h[1-6]|hr|i|img|ins|kbd|li|mark|math|m[iono]|mrow|m(?:sub|sup|frac)|ol|p|pre|q|s|section|small|span|strike|strong"
    "|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr"
)
_MARKDOWN: Final = rf"""
  (?P<escape>\\[!-/:-@\[-`{{-~])
| (?P<hard_break>\\(?=\n))
| (?P<pipe1>\|(?:[ \t]*+\|)*+[ \t]*+)
| (?P<pipe2>[ \t]++\|(?:[ \t]*+\|)*+[ \t]*+)
| (?P<heading_end>[ \t]++\#++(?=[ \t]*+(?:\n|\Z)))
| (?P<attributes>\{{[\#.][^{{}}\n]{{1,200}}\}}(?=[ \t]*+(?:\n|\Z)))
| (?P<comment><!--)
| (?P<address><(?P<address_inner>(?:https?://|mailto:)[^<>\s]{{1,500}}|[^<>\s@"=]{{1,100}}@[^<>\s"=]{{1,200}})>)
| (?P<tag></?(?:{_TAGS})(?:[\s/][^<>]{{0,2000}})?>)
| (?P<entity>&(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});)
| (?P<code>`++(?P<inner>[^`\n]{{1,2000}}+)`++)
| (?P<footnote>\[\^[\w-]{{1,50}}\](?::[ \t]*+)?)
| (?P<link>!?\[(?=(?:[^\[\]\\]|\\.){{0,2000}}+{_LINK_END}))
| (?P<link_end>{_LINK_END})
| (?P<emphasis>[*_]++)
|
"""


def _compiled(*parts: str) -> re.Pattern[str]:
    # In verbose mode a blank or # of a class would be lost only outside of it: classes keep theirs.
    return re.compile("".join(parts), re.VERBOSE)


_PATTERNS: Final = {
    ("plain", True): _compiled(_COMMON, _SEARCHED),
    ("plain", False): _compiled(_COMMON, _DISPLAYED),
    ("markdown", True): _compiled(_MARKDOWN, _COMMON, _SEARCHED),
    ("markdown", False): _compiled(_MARKDOWN, _COMMON, _DISPLAYED),
}

# Where a pattern can match at all: alternatives without groups let the engine skip plain text quickly.
_CANDIDATE: Final = {
    "plain": re.compile(rf"[\n\u00ad\u2010\u2011ﬀ-ﬆ{_SPACES}{_FIXED_SPACES}{_CONTROLS}{_JOINERS}]|-[ \t\n]|[ ][ \n]"),
    "markdown": re.compile(
        rf"[\n\u00ad\u2010\u2011ﬀ-ﬆ{_SPACES}{_FIXED_SPACES}{_CONTROLS}{_JOINERS}\\|{{<&`!\[\]*_]|-[ \t\n]|[ ][ \n|#]"
    ),
}

_INVISIBLE: Final = re.compile(rf"[\u00ad{_CONTROLS}{_JOINERS}]")
_MONTH: Final = "Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez"
_LIST_ITEM: Final = re.compile(
    rf"(?:[-*+•]|\d{{1,3}}[a-z]?(?:\.\d{{1,3}})*\\?[.)](?![ ](?:{_MONTH}))|\(\d{{1,3}}[a-z]?\)|[a-z]{{1,2}}\\?\))[ \t]"
)
# Lines that only structure: rows under a table's head, rules, underlined headings, fences, definitions of links.
_STRUCTURE_LINE: Final = re.compile(
    r"(?=[|:+=*_`~-])(?:(?=[^\n]*?(?:--|==|:-|-:|\|[ \t]*+-))[|:+=\- \t]++|\|[| \t]*+|(?:[*_][ \t]*+){3,}+"
    r"|(?:`{3}|~{3})[^`\n]*+)(?:\n|\Z)"
)
_MARKS: Final = re.compile(r"(?:>[ \t]?)*+(?:(?P<heading>#{1,6}[ \t]++)|(?P<row>\|(?:[ \t]*+\|)*+[ \t]*+))?")
_BLANK: Final = re.compile(r"[ \t\n]*+")
_LAST_PART: Final = re.compile(r"[^\W_]*\Z")
_CONJUNCTION: Final = re.compile(r"(?:und|oder|bzw|beziehungsweise|sowie|respektive|and|or)\b")
_BLOCK_TAGS: Final = re.compile(
    r"/?(?:blockquote|caption|dd|div|dl|dt|figure|h[1-6r]|li|ol|p|pre|section|table|tr|ul)\b"
)
_POWER: Final = re.compile(r"[-+−]?[\w.,+−-]{1,20}</su[bp]>")


def edits(text: str, markup: str, *, searched: bool) -> Iterator[Edit]:
    """Yield the edits that turn a stored text into what is searched, or (not ``searched``) shown.

    Edits may produce blanks in a row; the one who applies them keeps the first. ``markup``: ``markdown`` or ``plain``.
    """
    candidate, pattern = _CANDIDATE[markup], _PATTERNS[markup, searched]
    comments_end = text.rfind("-->")
    lines = _Lines(text, markdown=markup == "markdown")
    marks = emphasis_marks(text) if markup == "markdown" else {}
    position = lines.begin()
    yield Edit(0, position, "")
    while place := candidate.search(text, position):
        found = pattern.match(text, place.start())
        if found is None:
            position = place.start() + 1
            continue
        kind, start, end = found.lastgroup or "", found.start(), found.end()
        if kind == "comment":
            position = text.find("-->", end) + 3 if end <= comments_end else end
            yield Edit(start, position if end <= comments_end else start, "")
        elif kind in {"break1", "break2"}:
            edit = lines.next(start, end)
            yield edit
            position = edit.end
        elif kind == "emphasis":
            yield from _emphasis(marks, start, end)
            position = end
        elif kind in {"address", "code"}:
            inner = Span(*found.span("inner" if kind == "code" else "address_inner"))
            yield Edit(start, inner.start, "")
            yield from _typography(text, inner, searched=searched)
            yield Edit(inner.end, end, "")
            position = end
        elif kind == "escape":
            yield Edit(start, start + 1, "")
            position = end
        else:
            yield Edit(start, end, _replacement(kind, found))
            position = end


class _Lines:
    """What happens where lines begin."""

    def __init__(self, text: str, *, markdown: bool) -> None:
        self._text = text
        self._markdown = markdown
        self._heading = False
        self._title = markdown

    def begin(self) -> int:
        """Return where the first line's own text begins."""
        return self._marks(self._skip(0)[0])[0]

    def next(self, start: int, end: int) -> Edit:
        """Return the edit for the line break at ``start``, with everything up to the next line's own text."""
        was_heading = self._heading
        position, gap = self._skip(end)
        position, block = self._marks(position)
        block = block or was_heading or gap or bool(_LIST_ITEM.match(self._text, position))
        return Edit(start, position, "\n" if block else " ")

    def _skip(self, position: int) -> tuple[int, bool]:
        begin = position
        while blank := _BLANK.match(self._text, position):
            position = blank.end()
            structure = _STRUCTURE_LINE.match(self._text, position) if self._markdown else None
            if structure is None or structure.end() == position:
                break
            position = structure.end()
        return position, "\n" in self._text[begin:position]

    def _marks(self, position: int) -> tuple[int, bool]:
        if not self._markdown:
            return position, False
        self._title = self._title and self._text.startswith("% ", position)
        if self._title:
            self._heading = False
            return position + 2, True
        found = _MARKS.match(self._text, position)
        assert found is not None  # noqa: S101 - the pattern matches the empty string
        self._heading = found["heading"] is not None
        return found.end(), found.end() > position


def _typography(text: str, inside: Span, *, searched: bool) -> Iterator[Edit]:
    pattern = _PATTERNS["plain", searched]
    done = inside.start
    for place in _CANDIDATE["plain"].finditer(text, inside.start, inside.end):
        found = pattern.match(text, place.start(), inside.end) if place.start() >= done else None
        if found:
            done = found.end()
            yield Edit(found.start(), found.end(), _replacement(found.lastgroup or "", found))


def _emphasis(marks: dict[int, int], start: int, end: int) -> Iterator[Edit]:
    while start < end:
        length = marks.get(start, 0)
        if length:
            yield Edit(start, start + length, "")
        start += length or 1


def _replacement(kind: str, found: re.Match[str]) -> str:
    make = _REPLACEMENTS.get(kind)
    return make(found) if make else ""


def _hyphen(found: re.Match[str]) -> str:
    text, start, end = found.string, found.start(), found.end()
    part = _LAST_PART.search(text, max(0, start - 60), start)
    before = part[0] if part else ""
    if _CONJUNCTION.match(text, end):
        return "- "
    broken = len(before) > 1 and before[-1].islower() and text[end].islower()
    return "" if broken else "-"


def _pipe(found: re.Match[str]) -> str:
    return "" if found.end() == len(found.string) or found.string[found.end()] == "\n" else " | "


def _entity(found: re.Match[str]) -> str:
    shown = unescape(found[0])
    return " " if shown.isspace() else "" if _INVISIBLE.match(shown) else shown


def _tag(found: re.Match[str]) -> str:
    text, name = found.string, found[0][1:].lower()
    if name.startswith(("td", "th>", "th ")):
        return " | "
    if name.startswith(("sup", "sub")):
        return _raised_or_lowered(text, found.start(), found.end(), name)
    if _BLOCK_TAGS.match(name):
        return "\n"
    return " " if name.startswith("br") else ""


def _raised_or_lowered(text: str, start: int, end: int, name: str) -> str:
    before = text[max(0, start - 3) : start].rstrip("_*")
    if not _POWER.match(text, end) or not before or not (before[-1].isalnum() or before[-1] in ")]"):
        return " " if name.startswith("sup") else ""
    is_note_mark = name.startswith("sup") and len(before) == 3 and before.isalpha() and text[end].isdigit()
    if is_note_mark:
        return " "
    if name.startswith("sup"):
        return "^"
    return "" if text[end].isdigit() else "_"


_REPLACEMENTS: Final[dict[str, Callable[[re.Match[str]], str]]] = {
    "blanks1": lambda _: " ",
    "blanks2": lambda _: " ",
    "ligature": lambda found: _LIGATURES[found[0]],
    "plain_hyphen": lambda _: "-",
    "hyphen": _hyphen,
    "entity": _entity,
    "tag": _tag,
    "pipe1": _pipe,
    "pipe2": _pipe,
}
