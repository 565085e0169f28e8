"""The three cross-signing keys of our account, and the file that holds them.

Source: Matrix specification v1.16, Client-Server API, "Cross-signing".
"""

import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.durable import sync_folder, write_new
from bot.matrix.signatures import decode, encode, key_id, part, public_key, sign
from domain.errors import InputError, PartError

USAGES: Final = ("master", "self_signing", "user_signing")
_FILE: Final = "matrix-cross-signing.json"
_NEXT: Final = "matrix-cross-signing.next.json"


@dataclass(frozen=True, slots=True)
class CrossSigningKeys:
    """The keys of the account ``user``; the master key vouches for the others, the self-signing key for devices."""

    user: str
    master: Ed25519PrivateKey = field(repr=False)
    self_signing: Ed25519PrivateKey = field(repr=False)
    user_signing: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def make(cls, user: str) -> Self:
        """Return new keys."""
        return cls(user, *(Ed25519PrivateKey.generate() for _ in USAGES))

    @classmethod
    def of(cls, written: bytes) -> Self:
        """Return the keys of a file.

        Raises:
            ValueError: it holds no keys.
        """
        found = json.loads(written)
        seeds = [decode(part({"file": found}, "file").get(usage), 32) for usage in USAGES]
        return cls(str(found["user"]), *(Ed25519PrivateKey.from_private_bytes(seed or b"") for seed in seeds))

    def __bytes__(self) -> bytes:
        """Return the form that a file holds."""
        seeds = {usage: encode(self._key(usage).private_bytes_raw()) for usage in USAGES}
        return json.dumps({"user": self.user} | seeds, indent=2).encode() + b"\n"

    def public(self, usage: str) -> str:
        """Return the public half of one of ``USAGES``."""
        return public_key(self._key(usage))

    def published(self, usage: str) -> dict[str, object]:
        """Return the object by which the server tells others of a key; the master key has signed all but itself."""
        name = self.public(usage)
        told: dict[str, object] = {"user_id": self.user, "usage": [usage], "keys": {key_id(name): name}}
        return told if usage == "master" else self._signed(told, self.master)

    def vouched(self, device: Mapping[str, object]) -> dict[str, object]:
        """Return the keys of a device with the signature by which we say that it is ours."""
        bare = {name: value for name, value in device.items() if name not in {"signatures", "unsigned"}}
        return self._signed(bare, self.self_signing)

    def _signed(self, value: Mapping[str, object], by: Ed25519PrivateKey) -> dict[str, object]:
        return {**value, "signatures": {self.user: {key_id(public_key(by)): sign(by, value)}}}

    def _key(self, usage: str) -> Ed25519PrivateKey:
        return {"master": self.master, "self_signing": self.self_signing, "user_signing": self.user_signing}[usage]


class KeyFile:
    """Where the keys of an account lie: in ``DATA/keys``, so that they are in the keys of a backup.

    Args:
        folder: open to its owner alone.
        user: the account.
    """

    def __init__(self, folder: Path, user: str) -> None:
        self._folder = folder
        self._user = user

    @property
    def path(self) -> Path:
        """Return the file."""
        return self._folder / _FILE

    def read(self) -> CrossSigningKeys | None:
        """Return the keys, ``None`` when there are none.

        Raises:
            InputError: ``matrix_keys_open`` when others can read them, ``matrix_keys_account`` when they are those of
                another account.
            PartError: ``matrix_keys_damaged``.
        """
        return self._read(_FILE)

    def read_next(self) -> CrossSigningKeys | None:
        """Return the keys that were made to take the place of the others; as ``read``."""
        return self._read(_NEXT)

    def make(self) -> CrossSigningKeys:
        """Return the keys, made now where there are none; of two programs that do so at once, the first wins."""
        self._make(_FILE)
        return self.read() or self.make()

    def prepare(self) -> CrossSigningKeys:
        """Make the keys that shall take the place of the others; those of an earlier try are taken up again."""
        self._make(_NEXT)
        return self.read_next() or self.prepare()

    def advance(self) -> None:
        """Let the next keys take the place of the others."""
        (self._folder / _NEXT).replace(self.path)
        sync_folder(self._folder)

    def _make(self, name: str) -> None:
        made = self._folder / f".{name}.{secrets.token_hex(4)}"
        try:
            write_new(made, bytes(CrossSigningKeys.make(self._user)))
            with suppress(FileExistsError):
                os.link(made, self._folder / name)
            sync_folder(self._folder)
        except OSError as error:
            raise PartError("matrix_keys_damaged", file=self._folder / name) from error
        finally:
            made.unlink(missing_ok=True)

    def _read(self, name: str) -> CrossSigningKeys | None:
        file = self._folder / name
        try:
            if file.stat().st_mode & 0o077:
                raise InputError("matrix_keys_open", file=file)
            found = CrossSigningKeys.of(file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise PartError("matrix_keys_damaged", file=file) from error
        if found.user != self._user:
            raise InputError("matrix_keys_account", file=file, found=found.user, wanted=self._user)
        return found
