"""The tree of the journal agrees with published values and with the definition read literally."""

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.journal import verifier
from domain.journal.tree import (
    EMPTY_ROOT,
    Frontier,
    complete_within,
    consistency_path,
    cover,
    extends,
    includes,
    inclusion_path,
    leaf_hash,
    node_hash,
    root_of,
    subtrees_of,
)

_ENTRIES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
_ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The roots of the first one to eight entries, as implementations of Certificate Transparency have them."""

_sizes = st.integers(1, 70)


def _leaves(size: int) -> list[bytes]:
    return [leaf_hash(bytes([number])) for number in range(size)]


def _literal(leaves: Sequence[bytes]) -> bytes:
    """Return MTH as RFC 9162 section 2.1.1 writes it."""
    if len(leaves) == 1:
        return leaves[0]
    split = max(1 << bit for bit in range(len(leaves).bit_length()) if 1 << bit < len(leaves))
    return node_hash(_literal(leaves[:split]), _literal(leaves[split:]))


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_the_published_ones(size: int) -> None:
    """One to eight entries have the roots that other implementations publish."""
    assert root_of(map(leaf_hash, _ENTRIES[:size])).hex() == _ROOTS[size - 1]


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    """No leaves: the hash of the empty string, on every way to it."""
    assert Frontier().root() == root_of([]) == EMPTY_ROOT == sha256(b"").digest()


@given(_sizes)
def test_the_root_is_that_of_the_definition(size: int) -> None:
    """Adding leaf after leaf gives what the recursive definition gives."""
    assert root_of(_leaves(size)) == _literal(_leaves(size))


@given(_sizes, st.integers(0, 70))
def test_a_frontier_goes_on_where_it_was_left(size: int, more: int) -> None:
    """Size and edge are all that has to be kept of a tree to let it grow."""
    first = Frontier()
    for leaf in _leaves(size):
        first.add(leaf)
    second = Frontier(first.size, first.edge)
    for leaf in _leaves(size + more)[size:]:
        second.add(leaf)
    assert (second.size, second.root()) == (size + more, root_of(_leaves(size + more)))


def test_a_frontier_refuses_an_edge_of_another_size() -> None:
    """Three leaves have two complete subtrees, not one."""
    with pytest.raises(ValueError, match="edge"):
        Frontier(3, _leaves(1))


@given(st.data())
def test_every_leaf_is_shown_to_be_included(data: st.DataObject) -> None:
    """The path of a leaf convinces, and convinces of nothing else: no other leaf, place, size, root or path."""
    size = data.draw(_sizes)
    index = data.draw(st.integers(0, size - 1))
    leaves = _leaves(size)
    root, path = root_of(leaves), inclusion_path(index, size, subtrees_of(leaves))
    assert includes(root, size, leaves[index], index, path)
    assert not includes(root, size, leaf_hash(b"another"), index, path)
    assert not includes(leaf_hash(b"another"), size, leaves[index], index, path)
    assert not includes(root, size, leaves[index], index, [*path, root])
    assert not includes(root, size, leaves[index], size, path)
    other = data.draw(st.integers(0, size - 1))
    assert includes(root, size, leaves[index], other, path) == (other == index)
    if path:
        assert not includes(root, size, leaves[index], index, path[:-1])
        assert not includes(root, size, leaves[index], index, [leaf_hash(b"another"), *path[1:]])


@given(st.data())
def test_growth_is_shown_to_be_growth(data: st.DataObject) -> None:
    """The path between two sizes convinces, and not of another old or new root, nor with a path cut or altered."""
    second = data.draw(_sizes)
    first = data.draw(st.integers(1, second))
    leaves = _leaves(second)
    old, new = root_of(leaves[:first]), root_of(leaves)
    path = consistency_path(first, second, subtrees_of(leaves))
    wrong = leaf_hash(b"another")
    assert extends(old, first, new, second, path)
    assert not extends(wrong, first, new, second, path)
    assert not extends(old, first, wrong, second, path)
    assert not extends(old, first, new, second, [*path, wrong])
    for place in range(len(path)):
        assert not extends(old, first, new, second, [*path[:place], wrong, *path[place + 1 :]])
        assert not extends(old, first, new, second, [*path[:place], *path[place + 1 :]])


@pytest.mark.parametrize(("first", "second"), [(0, 3), (4, 3), (-1, 3)])
def test_sizes_out_of_order_are_refused(first: int, second: int) -> None:
    """Nothing is consistent with an empty tree, nor with one that shrinks."""
    with pytest.raises(ValueError, match="sizes"):
        consistency_path(first, second, subtrees_of(_leaves(3)))
    assert not extends(EMPTY_ROOT, first, root_of(_leaves(3)), second, [])


@pytest.mark.parametrize("index", [-1, 3])
def test_a_leaf_outside_the_tree_has_no_path(index: int) -> None:
    """The tree of three leaves has leaves 0, 1 and 2."""
    with pytest.raises(ValueError, match="leaf"):
        inclusion_path(index, 3, subtrees_of(_leaves(3)))
    assert not includes(root_of(_leaves(3)), 3, _leaves(3)[0], index, [])


@given(_sizes)
def test_complete_subtrees_make_up_the_whole(size: int) -> None:
    """From the first leaf on they follow each other without gap or overlap, largest first."""
    covered = [(index << level, (index + 1) << level) for level, index in complete_within(0, size)]
    assert covered[0][0] == 0
    assert covered[-1][1] == size
    assert all(left[1] == right[0] for left, right in pairwise(covered))


@given(_sizes, st.data())
def test_one_proof_covers_many_leaves(size: int, data: st.DataObject) -> None:
    """Whichever leaves: with them it gives the root, and with any other leaf, or fewer or more hashes, it does not."""
    chosen = sorted(data.draw(st.sets(st.integers(0, size - 1), min_size=1)))
    leaves = _leaves(size)
    proof = cover(chosen, size, subtrees_of(leaves))
    shown = {index: bytes([index]) for index in chosen}
    assert verifier.root_of(shown, size, proof) == root_of(leaves)
    assert len(proof) <= len(chosen) * size.bit_length()
    changed = {**shown, data.draw(st.sampled_from(chosen)): b"other"}
    assert verifier.root_of(changed, size, proof) != root_of(leaves)
    assert verifier.root_of(shown, size, [*proof, leaves[0]]) != root_of(leaves)
    assert not proof or verifier.root_of(shown, size, proof[:-1]) != root_of(leaves)


@pytest.mark.parametrize("leaves", [[], [-1], [3], [0, 3]])
def test_a_proof_of_leaves_that_are_not_there_is_refused(leaves: list[int]) -> None:
    """Nothing can be proved of nothing, nor of a leaf beyond the tree."""
    with pytest.raises(ValueError, match="no such leaf"):
        cover(leaves, 3, subtrees_of(_leaves(3)))
