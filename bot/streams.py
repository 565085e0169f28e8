"""Streams that show every character, whatever the locale of the terminal: what they cannot encode is spelled out."""

import codecs
import sys
import unicodedata
from typing import Any, Final

_ASCII: Final = {
    **dict.fromkeys("–—·", "-"),
    **dict.fromkeys("„“”", '"'),
    **dict.fromkeys("‚‘’", "'"),
    "…": "...",
    "→": "->",
    "✔": "+",
    "✖": "x",
    "◐": "o",
    "◆": "*",
    "◇": "o",
    "›": ">",
    "▸": ">",
    "ß": "ss",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
}


def spell_out(error: UnicodeError) -> tuple[str, int]:
    """Replace what the stream cannot encode by its nearest plain spelling (an encoding error handler)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    if character in _ASCII:
        return _ASCII[character]
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base.isascii() and base != character else "?"


def prepare_streams() -> None:
    """Let no character ever end a command, whatever the locale of the terminal."""
    codecs.register_error("fundstelle.plain", spell_out)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="fundstelle.plain")
