"""What the journal needs from outside."""

from collections.abc import Sequence
from typing import Final, Protocol
from uuid import UUID

from domain.journal.notes import VerifierKey

THE_STORE: Final = UUID(int=0)
"""Stands for the store itself where an event belongs to no mandate: nobody can open it or ask in it."""


class JournalTree(Protocol):
    """The Merkle tree over all events; leaf ``i`` is the hash of the event at position ``i + 1``.

    Every method raises ``PartError("database")`` when the database does not answer, and ``ValueError`` for a size
    that the journal does not have.
    """

    async def size(self) -> int:
        """Return the number of leaves."""
        ...

    async def root(self, size: int) -> bytes:
        """Return the root over the first ``size`` leaves."""
        ...

    async def inclusion(self, position: int, size: int) -> Sequence[bytes]:
        """Return the path of the event at ``position`` in the tree of ``size`` leaves."""
        ...

    async def cover(self, positions: Sequence[int], size: int) -> Sequence[bytes]:
        """Return one proof for the events at ``positions``, ascending, in the tree of ``size`` leaves."""
        ...

    async def consistency(self, firsts: Sequence[int], second: int) -> Sequence[Sequence[bytes]]:
        """Return the path between each of ``firsts``, sizes in ascending order, and the size ``second``."""
        ...


class Signer(Protocol):
    """The journal's signing keys: the one in use, and the next one while a change of keys is under way."""

    @property
    def key(self) -> VerifierKey:
        """The public half of the key in use."""
        ...

    @property
    def in_use(self) -> bool:
        """Whether a key is in use: it has signed for this journal, or for one that was here before."""
        ...

    def make(self) -> VerifierKey:
        """Make the first key, if there is none yet, and return its public half; ``advance`` puts it in use."""
        ...

    @property
    def next_key(self) -> VerifierKey | None:
        """The public half of the key that a change has prepared."""
        ...

    def sign(self, message: bytes) -> bytes:
        """Sign with the key in use: 64 bytes."""
        ...

    def prepare(self) -> VerifierKey:
        """Make the next key, if there is none yet, and return its public half."""
        ...

    def sign_next(self, message: bytes) -> bytes:
        """Sign with the next key."""
        ...

    def advance(self, key: VerifierKey) -> None:
        """Let the next key be the one in use, if it is ``key``; the old one is destroyed."""
        ...
