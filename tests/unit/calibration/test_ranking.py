"""Recall, reciprocal rank and gain, worked out by hand."""

from math import isclose, log2

import pytest

from domain.calibration.labels import Target
from domain.calibration.ranking import first_ranks, quality
from domain.knowledge.anchors import Anchor
from domain.knowledge.text import Span


def anchor(start: int, end: int, document: str = "vvg", version: int = 1) -> Anchor:
    return Anchor(document, version, Span(start, end))


def test_a_target_is_met_by_the_first_passage_that_shares_a_character_with_it() -> None:
    """Touching is not enough, and neither is the same place in another document or version."""
    found = [
        anchor(10, 20, "bgb"),
        anchor(0, 10),
        anchor(20, 30),
        anchor(19, 25, version=2),
        anchor(19, 25),
        anchor(5, 40),
    ]

    assert first_ranks(found, [Target("vvg", Span(10, 20), 1)]) == (5,)
    assert first_ranks(found, [Target("vvg", Span(10, 20))]) == (4,)
    assert first_ranks(found, [Target("hgb", Span(10, 20))]) == (None,)


def test_means_over_questions() -> None:
    """One question answered at rank 2, one at rank 9, one not at all."""
    measured = quality([(2,), (9,), (None,)])

    assert measured.questions == 3
    assert measured.recall == {1: 0.0, 5: 1 / 3, 8: 1 / 3, 10: 2 / 3, 20: 2 / 3}
    assert isclose(measured.mrr, (1 / 2 + 1 / 9) / 3)
    assert isclose(measured.ndcg, (1 / log2(3) + 1 / log2(10)) / 3)


def test_several_targets_are_wanted_all() -> None:
    """Recall counts each; the gain is 1 only when they stand on top."""
    assert quality([(1, 2)]).ndcg == 1.0
    assert quality([(1, None)]).recall[1] == 0.5
    assert 0 < quality([(1, None)]).ndcg < 1


def test_a_passage_that_meets_two_targets_gains_once() -> None:
    """Both are found at rank 1, and nothing better is possible."""
    assert quality([(1, 1)]).ndcg == 1.0
    assert quality([(3, 3)]).ndcg == quality([(3,)]).ndcg


@pytest.mark.parametrize("questions", [[], [()], [(1,), ()]])
def test_nothing_is_measured_without_targets(questions: list[tuple[int | None, ...]]) -> None:
    """A question without a target would count as perfect or as hopeless, both wrong."""
    with pytest.raises(ValueError, match="no target"):
        quality(questions)
