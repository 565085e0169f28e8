"""Checkpoints: what the journal was at a size, signed by its operator and, where there are any, by witnesses.

The text is that of c2sp.org/tlog-checkpoint, the signatures of witnesses those of c2sp.org/tlog-cosignature.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self

from domain.journal.notes import BrokenNoteError, Kind, Note, VerifierKey, Verifies

_HASH_BYTES: Final = 32
_TIME_BYTES: Final = 8
_LARGEST: Final = 2**63
_LATEST_SECOND: Final = 253_402_300_799
"""The last second of the year 9999; a calendar has no later one."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of a tree.

    Attributes:
        origin: which log, without spaces.
        size: leaves in the tree; that is the journal position of the last one.
        root: 32 bytes.
    """

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    @classmethod
    def of(cls, text: str) -> Self:
        """Read the text of a note; extension lines are passed over.

        Raises:
            BrokenNoteError: it is no checkpoint.
        """
        origin, size, root, *more = text.removesuffix("\n").split("\n") if text.count("\n") >= 3 else ("",) * 3
        try:
            decoded = b64decode(root, validate=True)
        except ValueError as error:
            raise BrokenNoteError("no checkpoint") from error
        plain = size.isascii() and size.isdigit() and str(int(size[:20])) == size and int(size) < _LARGEST
        if not (origin and plain and len(decoded) == _HASH_BYTES and all(more)):
            raise BrokenNoteError("no checkpoint")
        return cls(origin, int(size), decoded)


_NEXT_KEY: Final = "next-key "


def announcing(text: str, key: VerifierKey) -> str:
    """Return the text of a checkpoint with a line that names the key to come.

    The line is what the key before signs: two signatures below one text would not tell that either knew of the other.
    """
    return f"{text}{_NEXT_KEY}{key}\n"


def announced(text: str) -> str | None:
    """Return the key to come that a checkpoint names, as text."""
    lines = text.split("\n")[3:]
    return next((line.removeprefix(_NEXT_KEY) for line in lines if line.startswith(_NEXT_KEY)), None)


@dataclass(frozen=True, slots=True)
class Cosigned:
    """A witness saw the checkpoint at a time, and found it to extend what it had seen before."""

    witness: VerifierKey
    at: datetime


def cosigned_text(text: str, seconds: int) -> bytes:
    """Return what a witness signs: the text of a checkpoint at ``seconds`` since 1970."""
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def read_checkpoint(note: Note, keys: Sequence[VerifierKey], verifies: Verifies) -> Checkpoint:
    """Return the checkpoint that one of the log's ``keys`` has signed; several are there after a change of key.

    Raises:
        BrokenNoteError: none has, or a signature does not fit, or the key is that of another log.
    """
    checkpoint = Checkpoint.of(note.text)
    signed = [key for key in keys if key.name == checkpoint.origin and note.signed_by(key, verifies)]
    if not signed:
        raise BrokenNoteError("not signed by a key of the log")
    return checkpoint


def cosignatures(note: Note, witnesses: Iterable[VerifierKey], verifies: Verifies) -> tuple[Cosigned, ...]:
    """Return which of ``witnesses`` have cosigned, each once.

    Raises:
        BrokenNoteError: a signature names a witness and is not its own.
    """
    found: dict[str, Cosigned] = {}
    for witness in witnesses:
        if witness.kind is not Kind.COSIGNATURE:
            raise BrokenNoteError("not the key of a witness")
        for signature in note.by(witness):
            stamp, content = signature.content[:_TIME_BYTES], signature.content[_TIME_BYTES:]
            seconds = int.from_bytes(stamp)
            if seconds > _LATEST_SECOND or not verifies(witness.public, content, cosigned_text(note.text, seconds)):
                raise BrokenNoteError("a signature does not fit")
            found.setdefault(witness.name, Cosigned(witness, datetime.fromtimestamp(seconds, UTC)))
    return tuple(found.values())
