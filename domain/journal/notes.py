"""Signed notes of the C2SP community (c2sp.org/signed-note), and the keys that sign them.

A note is a text, an empty line, and a line for each signature. Whoever reads one trusts the keys that it names itself:
a signature by another key means nothing, one by a named key that does not fit makes the whole note worthless.
Ed25519 itself (RFC 8032) is behind ``Verifies``, since this package computes nothing but hashes.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from typing import Final, Self

Verifies = Callable[[bytes, bytes, bytes], bool]
"""Whether, under an Ed25519 public key (32 bytes), a signature (64 bytes) is one of a message."""

LONGEST_NOTE: Final = 1_000_000
"""Characters; a longer one is refused unread."""

_MOST_SIGNATURES: Final = 100
_KEY_BYTES: Final = 32
_ID_BYTES: Final = 4
_NAME: Final = re.compile(r"[^\s+\x00-\x1f\x7f]{1,200}")
_LINE: Final = re.compile(rf"— ({_NAME.pattern}) ([A-Za-z0-9+/]+=*)")
_UNFIT: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")


class Kind(IntEnum):
    """What a key signs: the note's text, or a checkpoint as its witness (c2sp.org/tlog-cosignature)."""

    ED25519 = 1
    COSIGNATURE = 4


class BrokenNoteError(ValueError):
    """The text is no signed note, or a key that counts has not signed it."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key under a name; its text form is ``NAME+ID+BASE64``.

    Attributes:
        name: without spaces and ``+``; for the key of a log the origin of its checkpoints.
        public: Ed25519 public key, 32 bytes.
    """

    name: str
    public: bytes
    kind: Kind = Kind.ED25519

    def __post_init__(self) -> None:
        """Refuse what no key can be called, and keys of another length."""
        if _NAME.fullmatch(self.name) is None or len(self.public) != _KEY_BYTES:
            raise BrokenNoteError("no key")

    @property
    def id(self) -> bytes:
        """The four bytes by which signatures name the key."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """Return the text form."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"

    @classmethod
    def of(cls, text: str) -> Self:
        """Read the text form.

        Raises:
            BrokenNoteError: it is none, or its id is not that of the key.
        """
        try:
            name, key_id, encoded = text.strip().split("+", 2)
            kind, *public = b64decode(encoded, validate=True)
            key = cls(name, bytes(public), Kind(kind))
        except ValueError as error:
            raise BrokenNoteError("no key") from error
        if key.id.hex() != key_id:
            raise BrokenNoteError("the id is not that of the key")
        return key


@dataclass(frozen=True, slots=True)
class Signature:
    """A line below a note: who says to have signed, and what they wrote."""

    name: str
    key_id: bytes
    content: bytes

    def is_by(self, key: VerifierKey) -> bool:
        """Whether it names ``key``."""
        return (self.name, self.key_id) == (key.name, key.id)

    def __str__(self) -> str:
        """Return the line."""
        return f"— {self.name} {b64encode(self.key_id + self.content).decode()}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text that ends in a line break, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        """Return the note as it is written to a file."""
        return f"{self.text}\n" + "".join(f"{signature}\n" for signature in self.signatures)

    @classmethod
    def of(cls, written: str) -> Self:
        """Read a note.

        Raises:
            BrokenNoteError: it is none.
        """
        text, parted, below = written.rpartition("\n\n")
        if len(written) > LONGEST_NOTE or _UNFIT.search(written) or not parted or not below.endswith("\n"):
            raise BrokenNoteError("no signed note")
        lines = below[:-1].split("\n")
        if len(lines) > _MOST_SIGNATURES:
            raise BrokenNoteError("too many signatures")
        return cls(f"{text}\n", tuple(map(_signature, lines)))

    def signed_by(self, key: VerifierKey, verifies: Verifies) -> bool:
        """Whether ``key`` has signed the text.

        Raises:
            BrokenNoteError: a signature names the key and is not its own.
        """
        found, text = tuple(self.by(key)), self.text.encode()
        if not all(verifies(key.public, one.content, text) for one in found):
            raise BrokenNoteError("a signature does not fit")
        return bool(found)

    def by(self, key: VerifierKey) -> Iterable[Signature]:
        """Return the signatures that name ``key``."""
        return (one for one in self.signatures if one.is_by(key))


def _signature(line: str) -> Signature:
    found = _LINE.fullmatch(line)
    if found is None:
        raise BrokenNoteError("no signature")
    try:
        content = b64decode(found[2], validate=True)
    except ValueError as error:
        raise BrokenNoteError("no signature") from error
    if len(content) <= _ID_BYTES:
        raise BrokenNoteError("no signature")
    return Signature(found[1], content[:_ID_BYTES], content[_ID_BYTES:])
