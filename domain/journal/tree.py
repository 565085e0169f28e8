"""The Merkle tree of the journal, as in RFC 9162 section 2.1: pure functions over hashes of 32 bytes.

A complete subtree is named ``(level, index)``: it covers the leaves from ``index << level`` on, ``1 << level`` of them.
Paths are made from whatever can say the hash of a complete subtree, so that a caller may keep some of them.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

EMPTY_ROOT: Final = sha256(b"").digest()
"""Root of the tree without leaves."""

CompleteSubtree = Callable[[int, int], bytes]
"""Returns the hash of the complete subtree ``(level, index)``."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf (RFC 9162 section 2.1.1)."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node (RFC 9162 section 2.1.1)."""
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """The right edge of a growing tree: enough to add leaves and to say the root.

    Args:
        size: leaves so far.
        edge: hashes of the complete subtrees they fall into, largest first.
    """

    def __init__(self, size: int = 0, edge: Sequence[bytes] = ()) -> None:
        if len(edge) != size.bit_count():
            raise ValueError("the edge does not fit the size")
        self.size = size
        self.edge = list(edge)

    def add(self, leaf: bytes) -> None:
        """Add the hash of a leaf, or of a complete subtree to a tree that counts such subtrees as leaves."""
        merges = self.size
        while merges & 1:
            leaf = sha256(b"\x01" + self.edge.pop() + leaf).digest()
            merges >>= 1
        self.edge.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root."""
        return joined(self.edge) if self.edge else EMPTY_ROOT


def root_of(leaves: Iterable[bytes]) -> bytes:
    """Return the root over hashes of leaves."""
    frontier = Frontier()
    for leaf in leaves:
        frontier.add(leaf)
    return frontier.root()


def subtrees_of(leaves: Sequence[bytes]) -> CompleteSubtree:
    """Return the complete subtrees over hashes of leaves, each computed when it is asked for."""

    def subtree(level: int, index: int) -> bytes:
        return root_of(leaves[index << level : (index + 1) << level])

    return subtree


def inclusion_path(index: int, size: int, subtree: CompleteSubtree) -> list[bytes]:
    """Return the audit path of leaf ``index`` in the tree of ``size`` leaves (RFC 9162 section 2.1.3.1).

    Raises:
        ValueError: the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError("no such leaf in the tree")
    start, end, path = 0, size, list[bytes]()
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            path.append(_range_hash(start, middle, subtree))
            start = middle
    return path[::-1]


def consistency_path(first: int, second: int, subtree: CompleteSubtree) -> list[bytes]:
    """Return the proof that the tree of ``first`` leaves is a prefix of that of ``second`` (RFC 9162 section 2.1.4.1).

    Raises:
        ValueError: not ``0 < first <= second``.
    """
    if not 0 < first <= second:
        raise ValueError("sizes out of order")
    start, end, path = 0, second, list[bytes]()
    while end > first:
        middle = start + _split(end - start)
        if first <= middle:
            path.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            path.append(_range_hash(start, middle, subtree))
            start = middle
    if start > 0:
        path.append(_range_hash(start, end, subtree))
    return path[::-1]


def cover(leaves: Sequence[int], size: int, subtree: CompleteSubtree) -> list[bytes]:
    """Return one proof for several leaves of the tree of ``size`` leaves.

    It holds the hash of each largest part of the tree (RFC 9162 section 2.1.1) without any of ``leaves``, from left
    to right; with the leaves between them they give the root.

    Args:
        leaves: their indexes, ascending.
        size: leaves of the tree.
        subtree: says the hashes of complete subtrees.

    Raises:
        ValueError: the tree has no such leaf.
    """
    if not leaves or not 0 <= leaves[0] <= leaves[-1] < size:
        raise ValueError("no such leaf in the tree")
    proof = list[bytes]()
    parts = [(0, size)]
    while parts:
        start, end = parts.pop()
        place = bisect_left(leaves, start)
        if place == len(leaves) or leaves[place] >= end:
            proof.append(_range_hash(start, end, subtree))
        elif end - start > 1:
            middle = start + _split(end - start)
            parts += [(middle, end), (start, middle)]
    return proof


def includes(root: bytes, size: int, leaf: bytes, index: int, path: Sequence[bytes]) -> bool:
    """Whether ``path`` shows leaf ``index`` under ``root`` (RFC 9162 section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root


def extends(old_root: bytes, first: int, root: bytes, second: int, path: Sequence[bytes]) -> bool:
    """Whether ``path`` shows the tree of ``first`` leaves to be a prefix of that of ``second`` (section 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not path and old_root == root
    steps = [old_root, *path] if first.bit_count() == 1 else list(path)
    if not steps:
        return False
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    older = newer = steps[0]
    for sibling in steps[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and older == old_root and newer == root


def complete_within(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the complete subtrees ``(level, index)`` that make up the leaves from ``start`` to ``end``, left to right.

    ``start`` is where a split of the tree falls, so the subtrees come largest first.
    """
    while start < end:
        level = (end - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level


def joined(edge: Sequence[bytes]) -> bytes:
    """Return the root over complete subtrees that follow each other, largest first; there must be one."""
    found = edge[-1]
    for left in reversed(edge[:-1]):
        found = node_hash(left, found)
    return found


def _range_hash(start: int, end: int, subtree: CompleteSubtree) -> bytes:
    return joined([subtree(level, index) for level, index in complete_within(start, end)])


def _split(size: int) -> int:
    """Return the largest power of two below ``size``."""
    return 1 << ((size - 1).bit_length() - 1)
