"""Fusion and selection at their limits: weights, lengths, lambda, and what a better rank or score may do."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.asking import fusion
from domain.asking.fusion import Candidate, K, fuse, select, similarity
from domain.asking.ports import Hit
from tests.property.test_fusion import PASSAGES, candidate_rows, lists, weights

NO_KEEPING = 2.0
"""A threshold that nothing passes: selection is by marginal relevance alone."""


@given(lists, weights, st.integers(-8, 8))
def test_only_the_ratio_of_weights_counts(rows: dict, share: dict, power: int) -> None:
    """Weights times a power of two give the same order, and scores times that power."""
    scaled = fuse(rows, {name: weight * 2.0**power for name, weight in share.items()})

    assert scaled == tuple(Hit(hit.passage, hit.score * 2.0**power) for hit in fuse(rows, share))


@given(lists, weights, st.lists(st.floats(0, 100), min_size=16, max_size=16))
def test_scores_of_the_lists_are_not_read(rows: dict, share: dict, scores: list[float]) -> None:
    """Ranks alone are fused: searches count on scales that have nothing to do with each other."""
    other = {
        name: tuple(Hit(hit.passage, score) for hit, score in zip(row, scores, strict=False))
        for name, row in rows.items()
    }

    assert fuse(other, share) == fuse(rows, share)


@given(lists, weights, st.sampled_from(["dense", "sparse", "bm25"]), st.sampled_from(PASSAGES))
def test_a_further_hit_at_the_end_moves_nobody_else(rows: dict, share: dict, name: str, late: object) -> None:
    """The others keep their scores and their order, and who comes in gains rank or keeps it: windows may differ."""
    row = rows.get(name, ())
    before = fuse(rows, share)
    after = fuse({**rows, name: (*row, Hit(late, 0.0))}, share)

    assert [hit for hit in after if hit.passage != late] == [hit for hit in before if hit.passage != late]
    ranks = [hit.passage for hit in before]
    assert late not in ranks or [hit.passage for hit in after].index(late) <= ranks.index(late)


@given(lists, weights)
def test_one_list_alone_keeps_its_order_and_no_score_exceeds_first_places(rows: dict, share: dict) -> None:
    """A single list is passed on as it is; nothing scores more than being first everywhere."""
    for name, row in rows.items():
        assert [hit.passage for hit in fuse({name: row}, share)] == [hit.passage for hit in row]
    assert all(0 < hit.score <= sum(share.values()) / (K + 1) * (1 + 1e-12) for hit in fuse(rows, share))


@given(candidate_rows(), st.integers(0, 10))
def test_more_room_adds_at_the_end(row: list[Candidate], pick: int) -> None:
    """Where nothing is kept for its citation, a shorter choice is the beginning of a longer one; none is none."""
    assert select(row, NO_KEEPING, pick) == select(row, NO_KEEPING, pick + 1)[:pick]
    assert len(select(row, 0.4, pick)) == min(pick, len(row))


@given(candidate_rows(), st.integers(0, 8))
def test_lambda_of_one_is_relevance_alone(row: list[Candidate], pick: int) -> None:
    """Without novelty, the most relevant are chosen in their order, ties by passage."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fusion, "LAMBDA", 1.0)
        chosen = select(row, NO_KEEPING, pick)

    assert [*chosen] == sorted(row, key=lambda one: (-one.relevance, one.passage))[:pick]


@given(candidate_rows())
def test_lambda_of_zero_is_novelty_alone(row: list[Candidate]) -> None:
    """Without relevance, each choice is the one least like those before it, ties by passage."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fusion, "LAMBDA", 0.0)
        chosen = select(row, NO_KEEPING)

    for place, one in enumerate(chosen):
        before = chosen[:place]

        def likeness(other: Candidate, before: tuple[Candidate, ...] = before) -> float:
            return max((similarity(other.vector, taken.vector) for taken in before), default=0.0)

        left = [other for other in row if other not in before]
        assert one == min(left, key=lambda other: (likeness(other), other.passage))


@given(candidate_rows(), st.data())
def test_who_becomes_more_relevant_is_not_chosen_later(row: list[Candidate], data: st.DataObject) -> None:
    """Whoever was chosen and gains relevance is chosen again, at the same turn or before."""
    chosen = select(row, NO_KEEPING, 4)
    if not chosen:
        return
    turn = data.draw(st.integers(0, len(chosen) - 1))
    better = replace(chosen[turn], relevance=chosen[turn].relevance + data.draw(st.sampled_from([0.05, 0.5])))
    again = select([better if one.passage == better.passage else one for one in row], NO_KEEPING, 4)

    assert better in again[: turn + 1]


@given(candidate_rows(), st.data())
def test_a_copy_changes_nothing_where_others_are_worth_more(row: list[Candidate], data: st.DataObject) -> None:
    """Of passages worded and cited alike, the more relevant one, then the first, is chosen first, or none is."""
    if not row:
        return
    one = data.draw(st.sampled_from(row))
    copy = replace(one, passage=replace(PASSAGES[0], ordinal=99))
    for threshold in (0.4, NO_KEEPING):
        chosen = select([*row, copy], threshold, 5)
        assert copy not in chosen or one in chosen[: chosen.index(copy)]
