"""Keys of the tests: real Ed25519 keys that lie in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.journal.checkpoints import cosigned_text
from domain.journal.notes import Kind, Note, Signature, VerifierKey
from domain.journal.tree import consistency_path, cover, inclusion_path, leaf_hash, root_of, subtrees_of
from domain.recording import EventStore

ORIGIN = "example.org/journal"


def _public(secret: Ed25519PrivateKey) -> VerifierKey:
    return VerifierKey(ORIGIN, secret.public_key().public_bytes_raw())


@dataclass
class MemorySigner:
    """The twin of the key files."""

    secret: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    next_secret: Ed25519PrivateKey | None = None
    in_use: bool = False

    @property
    def key(self) -> VerifierKey:
        return _public(self.secret)

    def make(self) -> VerifierKey:
        return self.key

    @property
    def next_key(self) -> VerifierKey | None:
        return None if self.next_secret is None else _public(self.next_secret)

    def sign(self, message: bytes) -> bytes:
        return self.secret.sign(message)

    def prepare(self) -> VerifierKey:
        self.next_secret = self.next_secret or Ed25519PrivateKey.generate()
        return _public(self.next_secret)

    def sign_next(self, message: bytes) -> bytes:
        assert self.next_secret is not None
        return self.next_secret.sign(message)

    def advance(self, key: VerifierKey) -> None:
        self.in_use = True
        if self.next_secret is not None and self.next_key == key:
            self.secret, self.next_secret = self.next_secret, None


@dataclass
class MemoryTree:
    """The twin of the tree over the database; each leaf is made of its position."""

    store: EventStore

    async def size(self) -> int:
        return await self.store.head()

    async def root(self, size: int) -> bytes:
        return root_of(_leaves(size))

    async def inclusion(self, position: int, size: int) -> list[bytes]:
        return inclusion_path(position - 1, size, subtrees_of(_leaves(size)))

    async def cover(self, positions: Sequence[int], size: int) -> list[bytes]:
        return cover([position - 1 for position in positions], size, subtrees_of(_leaves(size)))

    async def consistency(self, firsts: Sequence[int], second: int) -> list[list[bytes]]:
        return [consistency_path(first, second, subtrees_of(_leaves(second))) for first in firsts]


def _leaves(size: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(size)]


class Witness:
    """Somebody else who signs checkpoints."""

    def __init__(self, number: int) -> None:
        self._secret = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        self.key = VerifierKey(
            f"witness.example/{number}", self._secret.public_key().public_bytes_raw(), Kind.COSIGNATURE
        )

    def signature(self, text: str, seconds: int = 1_700_000_000) -> Signature:
        content = seconds.to_bytes(8) + self._secret.sign(cosigned_text(text, seconds))
        return Signature(self.key.name, self.key.id, content)

    def cosign(self, note: Note) -> str:
        """Return the note with the witness's signature below the others."""
        return str(Note(note.text, (*note.signatures, self.signature(note.text))))
