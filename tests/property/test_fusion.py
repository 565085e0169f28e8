"""Invariants of fusion and selection."""

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from domain.asking.fusion import CITED, Candidate, fuse, select, similarity
from domain.asking.ports import Hit, PassageId

PASSAGES = [PassageId(ordinal, number) for ordinal in range(4) for number in range(4)]
NAMES = ["dense", "sparse", "bm25"]
ranked = st.lists(st.sampled_from(PASSAGES), unique=True).map(lambda row: tuple(Hit(one, 0.0) for one in row))
lists = st.dictionaries(st.sampled_from(NAMES), ranked)
weights = st.fixed_dictionaries({name: st.floats(0.1, 2) for name in NAMES})


@st.composite
def candidate_rows(draw: st.DrawFn) -> list[Candidate]:
    """Up to ten candidates on a circle, some alike, some with the same citation."""
    passages = draw(st.lists(st.sampled_from(PASSAGES), unique=True, max_size=10))
    row = []
    for passage in passages:
        angle = draw(st.sampled_from([0.0, 0.1, 0.2, 1.5, 3.0]))
        relevance = draw(st.sampled_from([0.0, 0.2, 0.4, 0.41, 0.6, 0.9]))
        citation = (draw(st.sampled_from("abcdef")),)
        row.append(Candidate(passage, relevance, citation, (math.cos(angle), math.sin(angle))))
    return row


@given(lists, weights, st.permutations(NAMES))
def test_the_order_of_the_lists_changes_nothing(rows: dict, share: dict, order: list[str]) -> None:
    """Fusion is the same, bit for bit, in whatever order the lists come."""
    assert fuse({name: rows[name] for name in order if name in rows}, share) == fuse(rows, share)


@given(lists, weights, st.data())
def test_moving_up_in_a_list_never_moves_down_in_the_fusion(rows: dict, share: dict, data: st.DataObject) -> None:
    """A passage that changes places with the one before it gains rank or keeps it."""
    name = data.draw(st.sampled_from([name for name in rows if len(rows[name]) > 1] or [""]))
    if not name:
        return
    place = data.draw(st.integers(1, len(rows[name]) - 1))
    row = list(rows[name])
    row[place - 1 : place + 1] = row[place], row[place - 1]
    passage = rows[name][place].passage

    def rank(fused: dict) -> int:
        return [hit.passage for hit in fuse(fused, share)].index(passage)

    assert rank({**rows, name: tuple(row)}) <= rank(rows)


@given(lists, weights)
def test_an_empty_list_changes_no_score(rows: dict, share: dict) -> None:
    """A list without hits adds nothing."""
    assert fuse({**rows, "empty": ()}, share) == fuse(rows, share)


@given(candidate_rows(), st.randoms(use_true_random=False))
def test_selection_does_not_depend_on_the_order_of_the_input(row: list[Candidate], random: object) -> None:
    """Shuffled candidates give the same passages in the same order."""
    shuffled = row.copy()
    random.shuffle(shuffled)

    assert select(shuffled, 0.4) == select(row, 0.4)


@given(candidate_rows())
def test_selection_begins_with_the_most_relevant(row: list[Candidate]) -> None:
    """The best passage is always shown, first, and nothing is chosen twice."""
    chosen = select(row, 0.4)

    assert len({one.passage for one in chosen}) == len(chosen) == min(8, len(row))
    if row:
        assert chosen[0].relevance == max(one.relevance for one in row)


@given(candidate_rows(), st.integers(1, 8))
def test_no_citation_is_lost_to_similarity(row: list[Candidate], pick: int) -> None:
    """Each citation among the most relevant that passes the threshold keeps its best passage."""
    best = sorted(row, key=lambda one: (-one.relevance, one.passage))[:pick]
    citations = {one.citation for one in best if one.relevance >= 0.4}

    assert citations <= {one.citation for one in select(row, 0.4, pick)}


@given(lists, weights)
def test_a_passage_scores_the_sum_of_its_shares(rows: dict, share: dict) -> None:
    """Weight / (60 + rank) of each list that holds it, and equal scores stand in the order of passages."""
    expected = {
        passage: math.fsum(
            share[name] / (60 + place)
            for name, row in rows.items()
            for place, hit in enumerate(row, 1)
            if hit.passage == passage
        )
        for passage in PASSAGES
    }
    fused = fuse(rows, share)

    assert {hit.passage: hit.score for hit in fused} == {one: score for one, score in expected.items() if score}
    assert [*fused] == sorted(fused, key=lambda hit: (-hit.score, hit.passage))


@given(lists, weights, st.data())
def test_a_repeated_passage_counts_once(rows: dict, share: dict, data: st.DataObject) -> None:
    """A list that names a passage again further down gives it no more."""
    name = data.draw(st.sampled_from([name for name in rows if rows[name]] or [""]))
    if name:
        again = data.draw(st.sampled_from(rows[name]))
        assert fuse({**rows, name: (*rows[name], again)}, share) == fuse(rows, share)


@given(lists, weights, st.lists(st.sampled_from(PASSAGES), unique=True, max_size=16))
def test_cited_passages_stand_before_all_others(rows: dict, share: dict, pinned: list[PassageId]) -> None:
    """Whatever the other lists say, the fused list begins with the cited ones in their own order."""
    counts = {**share, "cited": CITED * math.fsum(share.values())}
    fused = fuse({**rows, "cited": tuple(Hit(one, 1.0) for one in pinned)}, counts)

    assert [hit.passage for hit in fused][: len(pinned)] == pinned


@given(candidate_rows())
def test_each_choice_is_worth_most_at_its_turn(row: list[Candidate]) -> None:
    """Half relevance, half novelty (lambda 0.5), where no citation is waiting to be kept."""
    row = [replace(one, citation=("same",)) for one in row]
    chosen = select(row, 2.0)

    for place, one in enumerate(chosen):
        before = chosen[:place]

        def worth(other: Candidate, before: tuple[Candidate, ...] = before) -> float:
            closest = max((similarity(other.vector, taken.vector) for taken in before), default=0.0)
            return 0.5 * other.relevance - 0.5 * closest

        left = [other for other in row if other not in before]
        assert worth(one) >= max(map(worth, left)) - 1e-12
