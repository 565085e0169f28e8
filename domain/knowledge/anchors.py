"""Document keys and anchors: how a place in a stored version is named.

An anchor is ``DOCUMENT@VERSION:START-END``. A key holds no ``@``, so the one ``@`` of an anchor ends the key, whatever
else the key holds ("DIN EN ISO 9001:2015", "Handbuch/Schaden 2-1").
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from domain.errors import InputError
from domain.knowledge.text import Span

KEY_LIMIT: Final = 200
"""Longest key in code points: fits a line on a screen and an index row."""

# Control and format characters (direction marks among them) could make two different keys look alike.
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ANCHOR: Final = re.compile(r"([^@]+)@([1-9][0-9]{0,8}):(0|[1-9][0-9]{0,9})-([1-9][0-9]{0,9})")
_ESCAPABLE: Final = re.compile(r"@|%(?=[0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A span of a stored version of the document with this key."""

    document: str
    version: int
    span: Span

    def __str__(self) -> str:
        """Return ``DOCUMENT@VERSION:START-END``."""
        return f"{self.document}@{self.version}:{self.span.start}-{self.span.end}"


def parse_anchor(text: str) -> Anchor:
    """Read an anchor.

    Raises:
        InputError: ``anchor_syntax``, or ``anchor_empty`` when it holds no character.
    """
    match = _ANCHOR.fullmatch(text.strip())
    if match is None:
        raise InputError("anchor_syntax", anchor=text)
    start, end = int(match[3]), int(match[4])
    if start >= end:
        raise InputError("anchor_empty", anchor=text)
    return Anchor(document_key(match[1]), int(match[2]), Span(start, end))


def document_key(text: str) -> str:
    """Return ``text`` as a document key, in NFC.

    Raises:
        InputError: ``document_key_empty``, ``document_key_long``, ``document_key_character``.
    """
    key = unicodedata.normalize("NFC", text)
    if not key or key != key.strip():
        raise InputError("document_key_empty", key=key)
    if len(key) > KEY_LIMIT:
        raise InputError("document_key_long", limit=KEY_LIMIT)
    for character in key:
        if character == "@" or unicodedata.category(character) in _HIDDEN:
            raise InputError("document_key_character", character=f"U+{ord(character):04X}")
    return key


def key_of_path(path: PurePosixPath) -> str:
    """Return the key of a file that was given none: its relative path without the ending.

    ``@`` becomes ``%40``; a ``%`` that would read as such an escape becomes ``%25``. So two paths that differ before
    the ending never share a key.

    Raises:
        InputError: as ``document_key``.
    """
    if not path.name:
        raise InputError("document_key_empty", key="")
    return document_key(_ESCAPABLE.sub(lambda found: f"%{ord(found[0]):02X}", path.with_suffix("").as_posix()))
