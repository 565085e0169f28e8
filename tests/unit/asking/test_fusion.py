"""Fusion and selection on small lists, the known pitfalls among them."""

import math

from domain.asking.fusion import Candidate, fuse, select, similarity
from domain.asking.ports import Hit, PassageId

A, B, C = PassageId(1, 0), PassageId(1, 1), PassageId(2, 0)


def ranked(*passages: PassageId) -> tuple[Hit, ...]:
    return tuple(Hit(passage, 1.0 / place) for place, passage in enumerate(passages, 1))


def candidate(number: int, relevance: float, angle: float, citation: str = "") -> Candidate:
    vector = (math.cos(angle), math.sin(angle))
    return Candidate(PassageId(1, number), relevance, (citation or f"§ {number}",), vector)


def test_equal_sums_are_ordered_by_passage() -> None:
    """First in one list and second in the other is a tie, whatever the order of the lists."""
    one = fuse({"x": ranked(A, B), "y": ranked(B, A), "z": ()}, {})
    other = fuse({"z": (), "y": ranked(B, A), "x": ranked(A, B)}, {})

    assert one == other
    assert [hit.passage for hit in one] == [A, B]
    assert one[0].score == one[1].score == 1 / 61 + 1 / 62


def test_without_a_list_the_others_are_fused() -> None:
    """One list less does not raise and changes nothing between the others; a search that fails ends the run before."""
    fused = fuse({"list1": ranked(A, B), "list3": ranked(B)}, {})

    assert [hit.passage for hit in fused] == [B, A]
    assert fused == fuse({"list1": ranked(A, B), "list2": (), "list3": ranked(B)}, {})


def test_weights_scale_the_share_of_a_list() -> None:
    """With a dense weight of 0.3 the first of the lexical list stands above the first of the dense one."""
    fused = fuse({"dense": ranked(A), "bm25": ranked(C)}, {"dense": 0.3})

    assert fused == (Hit(C, 1 / 61), Hit(A, 0.3 / 61))


def test_a_passage_twice_in_a_list_counts_once() -> None:
    """Only the best rank of a passage counts."""
    assert fuse({"x": ranked(A, A, B)}, {}) == (Hit(A, 1 / 61), Hit(B, 1 / 62))


def test_the_fused_list_holds_every_candidate() -> None:
    """Pages are cut from one fused window, so nothing is cut off here."""
    passages = [PassageId(1, number) for number in range(40)]

    fused = fuse({"x": ranked(*passages[:20]), "y": ranked(*passages[20:])}, {})

    assert {hit.passage for hit in fused} == set(passages)


def test_nothing_in_nothing_out() -> None:
    """No candidates, no passages."""
    assert select([], 0.5) == ()


def test_a_cosine_below_zero_is_no_bonus() -> None:
    """Opposite vectors count as unlike, not as more than unlike: both scales run from 0 to 1."""
    assert similarity((1.0, 0.0), (-1.0, 0.0)) == 0.0
    assert similarity((1.0, 0.0), (1.0 + 1e-9, 0.0)) == 1.0


def test_a_repetition_of_the_same_citation_makes_room() -> None:
    """A second copy of the best passage loses its place to a less relevant but new one."""
    copy = candidate(2, 0.89, 0.0, "§ 1")
    chosen = select([candidate(1, 0.9, 0.0), copy, candidate(3, 0.5, 1.5)], 0.4, pick=2)

    assert [one.passage.number for one in chosen] == [1, 3]


def test_like_wording_with_another_citation_is_kept() -> None:
    """Size classes of two paragraphs read alike: both stay, since both pass the threshold."""
    alike = candidate(2, 0.89, 0.01, "§ 267 Abs. 2 HGB")
    chosen = select([candidate(1, 0.9, 0.0, "§ 267 Abs. 1 HGB"), alike, candidate(3, 0.5, 1.5)], 0.4, pick=2)

    assert [one.passage.number for one in chosen] == [1, 2]


def test_the_order_follows_marginal_relevance() -> None:
    """With room for all, the unlike passage comes before the like one although it is less relevant."""
    chosen = select([candidate(1, 0.9, 0.0), candidate(2, 0.8, 0.1), candidate(3, 0.6, 1.5)], 0.0)

    assert [one.passage.number for one in chosen] == [1, 3, 2]


def test_equal_candidates_are_ordered_by_passage() -> None:
    """The order of the input does not matter, ties go by passage."""
    same = [candidate(number, 0.5, 0.3) for number in (3, 1, 2)]

    assert [one.passage.number for one in select(same, 0.4)] == [1, 2, 3]
