"""The keys that sign checkpoints: Ed25519 (RFC 8032), one file each beside the master key.

A file holds the line ``PRIVATE+KEY+NAME+ID+BASE64`` that writers of signed notes use; the log's name stands in it.
"""

import base64
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from adapters.durable import write_new
from domain.errors import InputError, PartError
from domain.journal.notes import Kind, VerifierKey

_KEY: Final = "journal.key"
_NEXT: Final = "journal.next.key"


def verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether ``signature`` is one of ``message`` under the Ed25519 key ``public``."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class KeyFiles:
    """The signing keys of a data folder. Implements ``Signer``.

    Args:
        folder: where the files lie, open to their owner alone.
        origin: what the log shall be called; a name that is its own for want of one. It stays what it was at first.

    Raises:
        InputError: ``journal_key_open`` when others can read a file, ``journal_origin`` when the log has another name.
        PartError: ``journal_key`` when a file is missing or no key.
    """

    def __init__(self, folder: Path, origin: str | None) -> None:
        self._folder = folder
        self._origin = origin

    @property
    def key(self) -> VerifierKey:
        """See ``Signer``."""
        return self._named(_KEY)

    @property
    def in_use(self) -> bool:
        """See ``Signer``."""
        return (self._folder / _KEY).exists()

    def make(self) -> VerifierKey:
        """See ``Signer``."""
        with _locked(self._folder):
            if self.in_use:
                return self.key
            if not (self._folder / _NEXT).exists():
                origin = self._origin or f"fundstelle/{secrets.token_hex(8)}"
                _make(self._folder / _NEXT, _Secret(origin, Ed25519PrivateKey.generate()))
            return self._named(_NEXT)

    @property
    def next_key(self) -> VerifierKey | None:
        """See ``Signer``."""
        return self._secret(_NEXT).public if (self._folder / _NEXT).exists() else None

    def sign(self, message: bytes) -> bytes:
        """See ``Signer``."""
        return self._secret(_KEY).sign(message)

    def prepare(self) -> VerifierKey:
        """See ``Signer``."""
        if not (self._folder / _NEXT).exists():
            _make(self._folder / _NEXT, _Secret(self.key.name, Ed25519PrivateKey.generate()))
        return self._secret(_NEXT).public

    def sign_next(self, message: bytes) -> bytes:
        """See ``Signer``."""
        return self._secret(_NEXT).sign(message)

    def advance(self, key: VerifierKey) -> None:
        """See ``Signer``."""
        with _locked(self._folder):
            if self.next_key == key:
                (self._folder / _NEXT).replace(self._folder / _KEY)

    def _named(self, name: str) -> VerifierKey:
        found = self._secret(name).public
        if self._origin not in {None, found.name}:
            raise InputError("journal_origin", found=found.name, wanted=self._origin)
        return found

    def _secret(self, name: str) -> "_Secret":
        file = self._folder / name
        try:
            if file.stat().st_mode & 0o077:
                raise InputError("journal_key_open", file=file)
            return _Secret.of(file.read_text(encoding="ascii"))
        except (OSError, ValueError) as error:
            raise PartError("journal_key", file=file) from error


@dataclass(frozen=True, slots=True)
class _Secret:
    name: str
    _key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of(cls, written: str) -> Self:
        mark, name, _, encoded = written.strip().removeprefix("PRIVATE+KEY").split("+", 3)
        kind, seed = base64.b64decode(encoded, validate=True)[:1], base64.b64decode(encoded)[1:]
        secret = cls(name, Ed25519PrivateKey.from_private_bytes(seed))
        if mark or kind != bytes([Kind.ED25519]) or str(secret) != written.strip():
            raise ValueError("no key that signs notes")
        return secret

    def __str__(self) -> str:
        encoded = base64.b64encode(bytes([Kind.ED25519]) + self._key.private_bytes_raw()).decode()
        return f"PRIVATE+KEY+{self.name}+{self.public.id.hex()}+{encoded}"

    @property
    def public(self) -> VerifierKey:
        return VerifierKey(self.name, self._key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one program at a time change keys."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _make(file: Path, secret: _Secret) -> None:
    """Make the file whole or not at all; of two programs that do so at once, the first wins."""
    made = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    write_new(made, f"{secret}\n".encode())
    try:
        with suppress(FileExistsError):
            file.hardlink_to(made)
    finally:
        made.unlink()
