"""The hierarchy of keys: master key → keys of mandates and people → data keys.

A key of the hierarchy is wrapped with AES key wrap (RFC 3394), which needs no nonce and finds a wrong key by itself.
Each key is used for one purpose only, by derivation with a label. Wrapped keys lie in tables of their own; deleting
the row of a key erases what it protects.
"""

import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Final
from uuid import UUID

from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from adapters.eventstore.form import fields
from adapters.eventstore.seal import KEY_BYTES, BrokenSealError, derived, new_key
from domain.errors import PartError

VARIABLE: Final = "FUNDSTELLE_MASTER_KEY"
NEXT_VARIABLE: Final = "FUNDSTELLE_NEXT_MASTER_KEY"
_MARKING: Final = b"fundstelle marking 1"


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


@dataclass(frozen=True, slots=True)
class Marking:
    """What stands in tables for names, texts and identities: codes that nobody can make without these keys.

    Derived from the first master key of an installation and kept wrapped ever since, so another master key leaves them
    as they are.
    """

    names: bytes = field(repr=False)
    texts: bytes = field(repr=False)
    identities: bytes = field(repr=False)

    @property
    def store(self) -> str:
        """Name the installation: what it keeps whatever becomes of its master key (hexadecimal)."""
        return derived(self.names, b"fundstelle store 1").hex()

    def name_mac(self, kind: str, mandate: UUID, name: str) -> bytes:
        """Return what stands for a stream's name in the table of names."""
        return hmac.digest(self.names, fields(kind.encode(), mandate.bytes, name.encode()), "sha256")

    def text_mac(self, mandate: UUID, text: str) -> bytes:
        """Return what tells whether two texts of a mandate are the same, and lets nobody without the key guess one."""
        return hmac.digest(self.texts, fields(mandate.bytes, text.encode()), "sha256")

    def identity_mac(self, identity: str) -> bytes:
        """Return what stands for a person's identity in the directory of people."""
        return hmac.digest(self.identities, identity.encode(), "sha256")


class MasterKey:
    """The one secret outside the database. Without it nothing can be read.

    Args:
        secret: 32 bytes.
        place: where it comes from, for people.
        again: reads the places of master keys once more. Another process may have changed the key: then the one that
            fits is taken from there.
    """

    def __init__(self, secret: bytes, place: str = VARIABLE, again: Callable[[], Iterable[bytes]] = tuple) -> None:
        if len(secret) != KEY_BYTES:
            raise ValueError("a master key has 32 bytes")
        self._secret = secret
        self._place = place
        self._again = again
        self.opened = lru_cache(maxsize=4096)(self._open)

    def new_owner_key(self, kind: OwnerKind, owner: UUID, key_id: UUID) -> WrappedOwnerKey:
        """Make the key of a mandate or of a person."""
        return self._wrapped(OwnerKey(key_id, new_key()), kind, owner)

    def wrapped_again(self, row: WrappedOwnerKey, old: "MasterKey") -> WrappedOwnerKey:
        """Return the same key wrapped by this master key instead of the ``old`` one."""
        return self._wrapped(old.opened(row), row.kind, row.owner)

    def first_marking(self) -> Marking:
        """Return the keys that mark names, texts and identities in an installation that begins with this key."""
        labels = (b"fundstelle names 1", b"fundstelle texts 1", b"fundstelle identities 1")
        return Marking(*(derived(self._secret, label) for label in labels))

    def wrap_marking(self, marking: Marking) -> bytes:
        """Wrap the keys that mark names, texts and identities."""
        wrapping = derived(self._secret, _MARKING)
        return aes_key_wrap(wrapping, marking.names + marking.texts + marking.identities)

    def open_marking(self, wrapped: bytes) -> Marking:
        """Return the keys that mark names, texts and identities.

        Raises:
            PartError: another master key wrapped them.
        """
        keys = self._unwrapped(lambda secret: derived(secret, _MARKING), wrapped)
        return Marking(*(keys[start : start + KEY_BYTES] for start in range(0, 3 * KEY_BYTES, KEY_BYTES)))

    def must_be(self, fingerprint: str) -> None:
        """Take the master key with this fingerprint.

        Raises:
            PartError: it is in none of the places of master keys.
        """
        if self.fingerprint() == fingerprint:
            return
        for secret in self._again():
            if _fingerprint(secret) == fingerprint:
                self._secret = secret
                return
        raise PartError("master_key", place=self._place)

    def __contains__(self, secret: bytes) -> bool:
        """Whether it is this key."""
        return hmac.compare_digest(self._secret, secret)

    def fingerprint(self) -> str:
        """Return what tells this key from others and tells nothing of it (hexadecimal)."""
        return _fingerprint(self._secret)

    def _wrapped(self, key: OwnerKey, kind: OwnerKind, owner: UUID) -> WrappedOwnerKey:
        wrapping = _wrapping(self._secret, kind, owner, key.key_id)
        return WrappedOwnerKey(key.key_id, kind, owner, aes_key_wrap(wrapping, key.secret))

    def _open(self, row: WrappedOwnerKey) -> OwnerKey:
        """Return the key of ``row``; ``opened`` is the same and remembers.

        Raises:
            PartError: another master key wrapped it, or the row is not where it belongs.
        """
        secret = self._unwrapped(lambda secret: _wrapping(secret, row.kind, row.owner, row.key_id), row.wrapped)
        return OwnerKey(row.key_id, secret)

    def _unwrapped(self, wrapping: Callable[[bytes], bytes], wrapped: bytes) -> bytes:
        """Unwrap with the key we have, else with the one that has taken its place."""
        for secret in (self._secret, *self._again()):
            try:
                found = aes_key_unwrap(wrapping(secret), wrapped)
            except InvalidUnwrap:
                continue
            self._secret = secret
            return found
        raise PartError("master_key", place=self._place)


def _wrapping(secret: bytes, kind: OwnerKind, owner: UUID, key_id: UUID) -> bytes:
    return derived(secret, fields(b"fundstelle keyring 1", kind.value.encode(), owner.bytes, key_id.bytes))


def _fingerprint(secret: bytes) -> str:
    return derived(secret, b"fundstelle fingerprint 1").hex()
