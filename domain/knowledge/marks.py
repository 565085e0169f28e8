"""Marks at the beginning of a line: "(1)" of a paragraph, "3." and "a)" of an item, bullets."""

import re

_DEEPEST = 3
_LOOK_AHEAD = 2000

_PARAGRAPH = re.compile(r"\s*+\((\d{1,3}[a-z]{0,2})\)(?=\s)\s*+|\s*+([\u00b9\u00b2\u00b3\u2070-\u2079]++[a-z]?)\s++")
_BULLET = re.compile(r"\s*+([-*+•–—·‣▪▫◦●○■□➢➤✓✔→])(?:\s++(?:\[[ xX]\]\s++)?|\s*+\Z)")
_SAFE_BULLETS = frozenset("•·‣▪▫◦●○■□➢➤✓✔→")
_MARKDOWN_BULLETS = frozenset("-*+")
_ITEM = re.compile(
    r"\s*+(\d{1,3}[a-z]{0,2}\\?[.)]|\d{1,3}(?:\.\d{1,3}){1,4}\.?|[a-zäöü]\.|([a-zäöü])\2{0,2}\)|[ivx]{1,5}\)"
    r"|\([a-zäöü]{1,4}\)|[A-Z][.)]|[IVX]{1,5}\.)(?=\s|\Z)"
)
_DATE = re.compile(
    r"\s++(?:Jan|Jän|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Mar|May|Oct|Dec|\d{1,2}\.)[\w.]*+(?:\s|\Z|,)"
)
_ABBREVIATED = re.compile(r"\s++\w{1,2}\.")
_SECOND = {
    first: re.compile(rf"\n[ \t]*+{second}[ \t\u00a0]")
    for first, second in (("1.", r"2\\?\."), ("1)", r"2\\?\)"), ("a)", r"b\)"), ("a.", r"b\."), ("aa)", r"bb\)"))
}


def paragraph_mark(text: str, start: int, end: int) -> re.Match[str] | None:
    """Match "(1a)" or a raised number; group 1 or 2 holds the number."""
    return _PARAGRAPH.match(text, start, end)


def bullet_mark(text: str, start: int, end: int) -> re.Match[str] | None:
    """Match a bullet; group 1 holds it."""
    return _BULLET.match(text, start, end)


def is_sure_bullet(mark: str, *, is_markdown: bool) -> bool:
    """Say whether a bullet can be nothing else; a dash of plain text may stand inside a wrapped sentence."""
    return mark in _SAFE_BULLETS or (is_markdown and mark in _MARKDOWN_BULLETS)


def item_marks(text: str, start: int, end: int, letter: str) -> tuple[tuple[str, ...], int]:
    """Return the item marks at the beginning of a line, outermost first, and where the first begins.

    Args:
        text: the stored text.
        start: beginning of the line.
        end: its end.
        letter: letter of the last mark of the form "a.", which only a successor may follow.
    """
    found: list[str] = []
    begin = position = start
    while len(found) < _DEEPEST and (mark := _ITEM.match(text, position, end)):
        if not _is_mark(text, mark, end, letter):
            break
        begin = begin if found else mark.start(1)
        found.append(mark[1].replace("\\", ""))
        position = mark.end()
    return tuple(found), begin


def is_followed_up(text: str, mark: str, end: int) -> bool:
    """Say whether the second item of a list stands on one of the next lines."""
    second = _SECOND.get(mark)
    return second is not None and second.search(text, end, end + _LOOK_AHEAD) is not None


def _is_mark(text: str, found: re.Match[str], end: int, letter: str) -> bool:
    """Tell "3. im Übrigen" from "3. Oktober", and "a. der Käufer" from "s. oben" and "i. d. R."."""
    mark, position = found[1], found.end()
    if mark[0].isdigit():
        return not (mark.endswith(".") and _DATE.match(text, position, end))
    if not mark.endswith("."):
        return True
    if _ABBREVIATED.match(text, position, end):
        return False
    is_roman = len(mark) > 2 or mark[0] in "IVX"
    return is_roman or mark[0] in "aA" or (letter != "" and ord(mark[0]) == ord(letter) + 1)
