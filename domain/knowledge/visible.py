"""Where a stretch of text begins and ends to the eye: white space, unseen characters, graphemes."""

import re
import unicodedata

# Shown as nothing: soft hyphen, zero-width characters, marks of direction.
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069"
_BLANK = re.compile(rf"[\s{_UNSEEN}]*+\Z")
_SPACE = re.compile(r"\s*+")
_FIRST_COMBINING = "\u0300"


def is_blank(text: str) -> bool:
    """Say whether ``text`` shows nothing."""
    return _BLANK.match(text) is not None


def first_visible(text: str, start: int, end: int) -> int:
    """Return where white space ends, or the base character when a combining mark would come first."""
    space = _SPACE.match(text, start, end)
    first = space.end() if space else start
    while 0 < first < end and extends(text[first]) and text[first - 1] not in "\n\r":
        first -= 1
    return first


def last_visible(text: str, start: int, end: int, *, also: str = "") -> int:
    """Return where trailing white space begins; characters of ``also`` count as white space."""
    while end > start and (text[end - 1].isspace() or text[end - 1] in also):
        end -= 1
    return end


def extends(character: str) -> bool:
    """Say whether a character belongs to the grapheme of the one before it."""
    if character < _FIRST_COMBINING:
        return False
    is_skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return is_skin_tone or character == "\u200d" or unicodedata.category(character) in {"Mn", "Me", "Mc"}
