"""Titles and links as they are recorded: one line, and nothing that could act."""

import unicodedata
from typing import Final
from urllib.parse import urlsplit

from domain.errors import InputError

TITLE_LENGTH: Final = 300
"""Code points of a title at most; a longer one is cut."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def title_line(text: str) -> str:
    """Return a title in NFC on one line, without invisible characters; empty if nothing is left."""
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(one for one in spaced if unicodedata.category(one) not in _HIDDEN)[:TITLE_LENGTH].strip()


def web_link(text: str) -> str:
    """Return the address of a source: a web page and nothing else that a click could start.

    Raises:
        InputError: ``url``.
    """
    link = text.strip()
    try:
        parts = urlsplit(link)
        # A name or a password in front of the host would be shown to everybody.
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        usable = False
    if not usable or any(one.isspace() or unicodedata.category(one) in _HIDDEN for one in link):
        raise InputError("url", url=text)
    return link
