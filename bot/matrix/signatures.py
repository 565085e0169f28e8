"""Signed JSON as in Matrix: canonical form, Ed25519 signatures, unpadded base64.

Sources: Matrix specification v1.16, Appendices, "Canonical JSON", "Signing JSON" and "Unpadded Base64".
"""

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM: Final = "ed25519"
_LARGEST: Final = 2**53 - 1
_UNSIGNED_PARTS: Final = ("signatures", "unsigned")


def canonical(value: object) -> bytes:
    """Return the one form of a JSON value that is signed.

    Raises:
        ValueError: Matrix has no such value: a fraction, a number beyond 2^53 - 1, a lone surrogate, no JSON at all.
    """
    try:
        _must_be_plain(value)
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True).encode()
    except (TypeError, RecursionError) as error:
        raise ValueError("no JSON of Matrix") from error


def _must_be_plain(value: object) -> None:
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > _LARGEST):
        raise ValueError("no number of Matrix")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("no name of Matrix")
        for inner in value.values():
            _must_be_plain(inner)
    elif isinstance(value, list):
        for inner in value:
            _must_be_plain(inner)


def encode(raw: bytes) -> str:
    """Return unpadded base64."""
    return base64.b64encode(raw).decode().rstrip("=")


def decode(text: object, length: int) -> bytes | None:
    """Return the ``length`` bytes behind unpadded base64; ``None`` for anything else, other spellings included."""
    if not isinstance(text, str):
        return None
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == length and encode(raw) == text else None


def key_id(name: str) -> str:
    """Return the id under which a key of ours and its signatures stand."""
    return f"{ALGORITHM}:{name}"


def public_key(private: Ed25519PrivateKey) -> str:
    """Return the public half as it stands in Matrix."""
    return encode(private.public_key().public_bytes_raw())


def sign(private: Ed25519PrivateKey, value: Mapping[str, object]) -> str:
    """Return the signature of an object; its signatures and its unsigned part are not in it."""
    return encode(private.sign(_signed_part(value)))


def is_signed(value: Mapping[str, object], user: str, name: str, public: str) -> bool:
    """Say whether ``value`` carries the signature of ``user`` under the key ``public``, called ``ed25519:name``."""
    signature = decode(part(part(value, "signatures"), user).get(key_id(name)), 64)
    raw = decode(public, 32)
    if signature is None or raw is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, _signed_part(value))
    except (InvalidSignature, ValueError):
        return False
    return True


def part(value: object, name: str) -> Mapping[str, object]:
    """Return the object ``name`` inside of another one; an empty one where there is no such thing."""
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _signed_part(value: Mapping[str, object]) -> bytes:
    return canonical({name: inner for name, inner in value.items() if name not in _UNSIGNED_PARTS})
