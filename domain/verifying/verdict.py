"""The verdict over an answer, made of what the two checks have counted."""

from typing import Final

VERIFIED: Final = "verified"
PARTIALLY: Final = "partially_verified"
REJECTED: Final = "rejected"

SPOTS: Final = 2
"""Suspicious spots from which on an answer is rejected."""


def verdict(claims: int, dropped: int, spots: int, weak: int) -> str:
    """Return the verdict.

    Args:
        claims: sentences that cite a source.
        dropped: those of them that it does not carry.
        spots: sentences without a source that state what would need one.
        weak: claims that stand although something about them could not be decided.
    """
    if claims == 0 or 2 * dropped > claims or spots >= SPOTS:
        return REJECTED
    return PARTIALLY if dropped or spots or weak else VERIFIED
