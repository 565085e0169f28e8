"""What is not there to be seen, taken out of what somebody has typed, before it is read as a command."""

import unicodedata
from typing import Final

_UNSEEN: Final = frozenset({"Cf", "Cs", "Co", "Cn"})
_VARIATIONS: Final = frozenset({*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400)})
"""What chooses a form or a colour of a sign."""


def folded(text: str) -> str:
    """Return a text as a person sees it: without zero-width and direction characters, each blank a plain one.

    Only to be compared and parsed: questions have their own form, and quotes are never altered.
    """
    seen = (one for one in unicodedata.normalize("NFC", text) if unicodedata.category(one) not in _UNSEEN)
    return unicodedata.normalize("NFC", "".join(" " if _is_blank(one) else one for one in seen)).strip()


def bare_sign(sign: str) -> str:
    """Return a sign without what chooses its form or its colour."""
    return "".join(one for one in folded(sign) if ord(one) not in _VARIATIONS)


def _is_blank(character: str) -> bool:
    return character.isspace() and character != "\n"
