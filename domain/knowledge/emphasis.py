"""Which ``*`` and ``_`` of a Markdown text are marks of emphasis (CommonMark 0.31, section 6.2, simplified)."""

import re
from typing import Final

# What may hold a delimiter that is none comes first: escapes, code, HTML tags, link targets, addresses.
_TOKENS: Final = re.compile(
    r"\\[\s\S]|`++[^`\n]{1,2000}+`++|</?[a-zA-Z][^<>]{0,2000}>|\]\([^()\s]{0,2000}\)|https?://[^\s*<>)\]|]++"
    r"|(?P<run>[*_]++)|(?P<paragraph>\n[ \t]*+\n)"
)


def emphasis_marks(text: str) -> dict[int, int]:
    """Return the delimiters that pair up: where each begins, and how many characters it has."""
    marks: dict[int, int] = {}
    if "*" not in text and "_" not in text:
        return marks
    openers: dict[str, list[list[int]]] = {"*": [], "_": []}
    for token in _TOKENS.finditer(text):
        if token.lastgroup == "paragraph":
            openers = {"*": [], "_": []}
        elif token.lastgroup == "run":
            start, end = token.span()
            opens, closes = _flanks(text, start, end)
            if closes:
                start = _close(openers[text[start]], marks, start, end)
            if opens and start < end:
                openers[text[start]].append([start, end])
    return marks


def _flanks(text: str, start: int, end: int) -> tuple[bool, bool]:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    opens = not after.isspace() and (after.isalnum() or not before.isalnum())
    closes = not before.isspace() and (before.isalnum() or not after.isalnum())
    if text[start] == "_":
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    return opens, closes


def _close(openers: list[list[int]], marks: dict[int, int], start: int, end: int) -> int:
    """Pair the run with the innermost openers and return where its unpaired rest begins."""
    while openers and start < end:
        opener = openers[-1]
        length = 2 if min(opener[1] - opener[0], end - start) >= 2 else 1
        opener[1] -= length
        marks[opener[1]] = marks[start] = length
        start += length
        if opener[0] == opener[1]:
            openers.pop()
    return start
