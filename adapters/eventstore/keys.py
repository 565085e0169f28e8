"""The hierarchy of keys: master key → keys of mandates and people → data keys.

A key of the hierarchy is wrapped with AES key wrap (RFC 3394), which needs no nonce and finds a wrong key by itself.
Each key is used for one purpose only, by derivation with a label. Wrapped keys lie in tables of their own; deleting
the row of a key erases what it protects.
"""

import base64
import binascii
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from adapters.durable import write_new
from adapters.eventstore.form import fields
from adapters.eventstore.seal import KEY_BYTES, BrokenSealError, derived, new_key
from domain.errors import PartError

_VARIABLE: Final = "FUNDSTELLE_MASTER_KEY"


class OwnerKind(Enum):
    """Whose key it is."""

    MANDATE = "mandate"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class WrappedOwnerKey:
    """A row of ``keyring``."""

    key_id: UUID
    kind: OwnerKind
    owner: UUID
    wrapped: bytes


@dataclass(frozen=True, slots=True)
class OwnerKey:
    """The key of a mandate or of a person."""

    key_id: UUID
    secret: bytes = field(repr=False)

    def wrap(self, data_key: bytes, purpose: bytes) -> bytes:
        """Wrap a data key for ``purpose`` (``event``, ``blob``)."""
        return aes_key_wrap(derived(self.secret, b"fundstelle wrap 1 " + purpose), data_key)

    def unwrap(self, wrapped: bytes, purpose: bytes) -> bytes:
        """Return the data key.

        Raises:
            BrokenSealError: the wrapped key is damaged, or another key wrapped it.
        """
        try:
            return aes_key_unwrap(derived(self.secret, b"fundstelle wrap 1 " + purpose), wrapped)
        except InvalidUnwrap as error:
            raise BrokenSealError from error

    def identity_key(self) -> bytes:
        """Return the data key of a person's identity."""
        return derived(self.secret, b"fundstelle identity 1")


class MasterKey:
    """The one secret outside the database. Without it nothing can be read.

    Args:
        secret: 32 bytes.
        place: where it comes from, for people.
    """

    def __init__(self, secret: bytes, place: str = _VARIABLE) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError("a master key has 32 bytes")
        self._secret = secret
        self._place = place
        self.opened = lru_cache(maxsize=4096)(self._open)

    def new_owner_key(self, kind: OwnerKind, owner: UUID, key_id: UUID) -> WrappedOwnerKey:
        """Make the key of a mandate or of a person."""
        return WrappedOwnerKey(key_id, kind, owner, aes_key_wrap(self._wrapping(kind, owner, key_id), new_key()))

    def _open(self, row: WrappedOwnerKey) -> OwnerKey:
        """Return the key of ``row``; ``opened`` is the same and remembers.

        Raises:
            PartError: another master key wrapped it, or the row is not where it belongs.
        """
        try:
            secret = aes_key_unwrap(self._wrapping(row.kind, row.owner, row.key_id), row.wrapped)
        except InvalidUnwrap as error:
            raise PartError("master_key", place=self._place) from error
        return OwnerKey(row.key_id, secret)

    def _wrapping(self, kind: OwnerKind, owner: UUID, key_id: UUID) -> bytes:
        return derived(self._secret, fields(b"fundstelle keyring 1", kind.value.encode(), owner.bytes, key_id.bytes))

    def fingerprint(self) -> str:
        """Return what tells this key from others and tells nothing of it (hexadecimal)."""
        return derived(self._secret, b"fundstelle fingerprint 1").hex()

    def name_mac(self, kind: str, mandate: UUID, name: str) -> bytes:
        """Return what stands for a stream's name in the table of names."""
        key = derived(self._secret, b"fundstelle names 1")
        return hmac.digest(key, fields(kind.encode(), mandate.bytes, name.encode()), "sha256")

    def text_mac(self, mandate: UUID, text: str) -> bytes:
        """Return what tells whether two texts of a mandate are the same, and lets nobody without the key guess one."""
        key = derived(self._secret, b"fundstelle texts 1")
        return hmac.digest(key, fields(mandate.bytes, text.encode()), "sha256")

    def identity_mac(self, identity: str) -> bytes:
        """Return what stands for a person's identity in the directory of people."""
        return hmac.digest(derived(self._secret, b"fundstelle identities 1"), identity.encode(), "sha256")


def load_master_key(file: Path, environment: Mapping[str, str] = os.environ) -> MasterKey:
    """Return the master key from ``FUNDSTELLE_MASTER_KEY`` (base64) or else from ``file``.

    Raises:
        PartError: ``master_key`` when it is missing or is no key.
    """
    text = environment.get(_VARIABLE)
    place = _VARIABLE if text else str(file)
    try:
        secret = base64.b64decode((text or file.read_text(encoding="ascii")).strip(), validate=True)
        return MasterKey(secret, place)
    except (OSError, ValueError, binascii.Error) as error:
        raise PartError("master_key", place=place) from error


def make_master_key(file: Path, environment: Mapping[str, str] = os.environ) -> MasterKey:
    """Return the master key, made on first call: ``file`` appears whole, durable and readable by its owner only.

    Of several processes that call this at once, one makes the key and all return it.

    Raises:
        PartError: ``master_key`` when it cannot be written or read.
    """
    if _VARIABLE in environment or file.exists():
        return load_master_key(file, environment)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        write_new(draft, base64.b64encode(new_key()) + b"\n")
        try:
            os.link(draft, file)
        except FileExistsError:
            return load_master_key(file, environment)
        finally:
            draft.unlink()
            _sync_folder(file.parent)
    except OSError as error:
        raise PartError("master_key", place=str(file)) from error
    return load_master_key(file, environment)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
