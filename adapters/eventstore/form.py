"""The stored form of an event, byte by byte. It never changes: every hash of every journal is taken over it.

A row of ``stored_events`` has five columns: ``originator_id`` (stream), ``originator_version``, ``topic``, ``state``
and ``notification_id`` (position). Numbers are big-endian and unsigned. ``state`` is::

    offset  bytes  what
         0      4  ``46 53 45 01``: "FSE" and the version of this form
         4     16  mandate (UUID)
        20      8  the mandate's running number of this event, from 1
        28     32  hash of the mandate's previous event; zero for its first
        60      8  logged_at: microseconds since 1970-01-01 UTC
        68     32  commitment to the data key
       100     12  nonce
       112      n  AES-256-GCM ciphertext, and its tag of 16 bytes

Bytes from 68 on are a *seal*, see ``seal.py``. Its associated data, and the bytes that an event's hash is taken over,
are lists of fields, each field preceded by its length in four bytes:

- associated data: "FSE" 01, mandate, stream, version (8 bytes), topic (UTF-8);
- hash: SHA-256 over "fundstelle event 1", stream, version (8 bytes), topic (UTF-8), state, position (8 bytes).

Running number, previous hash and time are not part of the associated data, since they are known only under the lock
of the table; the hash covers them.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from struct import Struct
from typing import Final, Self
from uuid import UUID

MAGIC: Final = b"FSE\x01"
NO_EVENT: Final = bytes(32)
"""Hash before a mandate's first event."""

_HEADER: Final = Struct(">4s16sQ32sQ")
_HASH_DOMAIN: Final = b"fundstelle event 1"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def fields(*parts: bytes) -> bytes:
    """Join ``parts``, each preceded by its length, so that no two lists give the same bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def u64(number: int) -> bytes:
    """Return ``number`` as eight bytes."""
    return number.to_bytes(8, "big")


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the seal.

    Attributes:
        number: the mandate's running number; ``previous``: hash of its previous event.
    """

    mandate: UUID
    number: int
    previous: bytes
    logged_at: datetime

    def before(self, seal: bytes) -> bytes:
        """Return the stored form: this header, then ``seal``."""
        micros = (self.logged_at - _EPOCH) // _MICROSECOND
        return _HEADER.pack(MAGIC, self.mandate.bytes, self.number, self.previous, micros) + seal

    @classmethod
    def of(cls, state: bytes) -> Self:
        """Read the header of a stored form.

        Raises:
            ValueError: it is no stored form of this version.
        """
        if len(state) < _HEADER.size or not state.startswith(MAGIC):
            raise ValueError("no stored form of an event")
        _, mandate, number, previous, micros = _HEADER.unpack_from(state)
        return cls(UUID(bytes=mandate), number, previous, _EPOCH + micros * _MICROSECOND)


def seal_of(state: bytes) -> bytes:
    """Return the seal of a stored form."""
    return state[_HEADER.size :]


def associated(mandate: UUID, stream: UUID, version: int, topic: str) -> bytes:
    """Return the associated data: what a ciphertext is bound to."""
    return fields(MAGIC, mandate.bytes, stream.bytes, u64(version), topic.encode())


def event_hash(stream: UUID, version: int, topic: str, state: bytes, position: int) -> bytes:
    """Return the hash of a row, over all its columns."""
    return sha256(
        fields(_HASH_DOMAIN, stream.bytes, u64(version), topic.encode(), state, u64(position)),
    ).digest()
