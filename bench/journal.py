"""How fast the journal's tree grows: leaves a second, against hashing the same leaves once and nothing else.

``python bench/journal.py``; medians of five rounds on one core.
"""

import os
from collections.abc import Callable
from hashlib import sha256
from statistics import median
from time import perf_counter
from typing import Final

from domain.journal.tree import leaf_hash, root_of

LEAVES: Final = 200_000
ROUNDS: Final = 5


def main() -> None:
    """Print the figures."""
    entries = [os.urandom(32) for _ in range(LEAVES)]
    ours = _seconds(lambda: root_of(map(leaf_hash, entries)))
    baseline = _seconds(lambda: [sha256(b"\x00" + entry).digest() for entry in entries])
    print(f"tree: {LEAVES / ours:,.0f} leaves/s; one hash a leaf alone: {LEAVES / baseline:,.0f}/s")
    print(f"ratio {ours / baseline:.2f}; the tree takes two hashes a leaf")


def _seconds(work: Callable[[], object]) -> float:
    return median(_once(work) for _ in range(ROUNDS))


def _once(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


if __name__ == "__main__":
    main()
