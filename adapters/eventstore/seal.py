"""A seal: plaintext under a data key of its own, with a commitment to that key.

AES-GCM alone does not commit to its key: one ciphertext can be made to open under two keys to two texts. So the seal
carries a commitment, checked before decrypting::

    encryption key  HMAC-SHA256(data key, "fundstelle encrypt 1")
    commitment      HMAC-SHA256(data key, "fundstelle commit 1")
    seal            commitment (32) | nonce (12, random) | AES-256-GCM ciphertext with tag
    plaintext       00 | the bytes, or 01 | zlib of the bytes where that is shorter
"""

import hmac
import os
import zlib
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES: Final = 32
_COMMITMENT_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_PLAIN: Final = b"\x00"
_ZLIB: Final = b"\x01"


class BrokenSealError(Exception):
    """The seal does not open: key, associated data or bytes are not those it was made with."""


def new_key() -> bytes:
    """Return a random data key."""
    return os.urandom(KEY_BYTES)


def derived(key: bytes, label: bytes) -> bytes:
    """Derive a key for one purpose: HMAC-SHA256 as a pseudo-random function (NIST SP 800-108r1)."""
    return hmac.digest(key, label, "sha256")


def seal(key: bytes, plaintext: bytes, associated: bytes) -> bytes:
    """Seal ``plaintext`` under ``key``, bound to ``associated``."""
    nonce = os.urandom(_NONCE_BYTES)
    ciphertext = AESGCM(derived(key, b"fundstelle encrypt 1")).encrypt(nonce, _pack(plaintext), associated)
    return derived(key, b"fundstelle commit 1") + nonce + ciphertext


def unseal(key: bytes, sealed: bytes, associated: bytes) -> bytes:
    """Return the plaintext.

    Raises:
        BrokenSealError: the seal does not open.
    """
    commitment, rest = sealed[:_COMMITMENT_BYTES], sealed[_COMMITMENT_BYTES:]
    if not hmac.compare_digest(commitment, derived(key, b"fundstelle commit 1")):
        raise BrokenSealError
    try:
        cipher = AESGCM(derived(key, b"fundstelle encrypt 1"))
        return _unpack(cipher.decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], associated))
    except (InvalidTag, ValueError, zlib.error) as error:
        raise BrokenSealError from error


def _pack(plaintext: bytes) -> bytes:
    packed = zlib.compress(plaintext)
    return _ZLIB + packed if len(packed) < len(plaintext) else _PLAIN + plaintext


def _unpack(packed: bytes) -> bytes:
    match packed[:1]:
        case b"\x00":
            return packed[1:]
        case b"\x01":
            return zlib.decompress(packed[1:])
        case _:
            raise ValueError("unknown packing")
