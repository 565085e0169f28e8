"""Signs that look like others: what is written with them is not what it seems to say."""

import re
from typing import Final

_STRANGE: Final = re.compile("[\u0370-\u03ff\u0400-\u058f\u13a0-\u13ff]")
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_RAISED: Final = re.compile("\\d+[\u00b2\u00b3\u00b9\u2070-\u2079]+")


def mixed(flat: str) -> str:
    """Return a word with letters of two scripts (a Cyrillic "і" in "nicht"), empty where there is none."""
    if not _STRANGE.search(flat):
        return ""
    words = (found[0] for found in _WORD.finditer(flat))
    return next((word for word in words if _STRANGE.search(word) and _LATIN.search(word)), "")


def raised(flat: str, text: str) -> str:
    """Return a number with a raised one behind it (5²) that ``text`` does not have, empty where there is none."""
    return next((found[0] for found in _RAISED.finditer(flat) if found[0] not in text), "")
