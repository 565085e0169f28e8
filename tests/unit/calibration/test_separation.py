"""Both kinds of errors, and how well a score separates."""

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from domain.calibration.separation import Scored, Share, area_under_curve, curve, errors_at

scores = st.none() | st.floats(0, 1)
questions = st.lists(st.builds(Scored, scores, st.booleans()), max_size=30)


def test_errors_of_both_kinds_at_a_threshold() -> None:
    """The threshold itself passes; a question for which nothing was found never does."""
    asked = [
        Scored(0.9, is_answerable=True),
        Scored(0.5, is_answerable=True),
        Scored(None, is_answerable=True),
        Scored(0.5, is_answerable=False),
        Scored(0.1, is_answerable=False),
    ]

    errors = errors_at(asked, 0.5)

    assert (errors.refused_answerable.count, errors.refused_answerable.of) == (1, 3)
    assert (errors.passed_unanswerable.count, errors.passed_unanswerable.of) == (1, 2)


def test_the_area_is_the_chance_of_the_right_order() -> None:
    """Three of four pairs in the right order, and one tie that counts half of the fourth."""
    asked = [
        Scored(0.9, is_answerable=True),
        Scored(0.5, is_answerable=True),
        Scored(0.5, is_answerable=False),
        Scored(0.1, is_answerable=False),
    ]

    assert area_under_curve(asked) == 3.5 / 4
    assert area_under_curve([Scored(0.9, is_answerable=True)]) is None
    assert area_under_curve([]) is None


def test_the_interval_of_wilson() -> None:
    """8 of 10, as tables give it; certainty never comes from few questions."""
    low, high = Share(8, 10).interval
    assert isclose(low, 0.4902, abs_tol=1e-4)
    assert isclose(high, 0.9433, abs_tol=1e-4)
    assert Share(0, 0).interval == (0.0, 1.0)
    assert Share(0, 5).interval[0] == 0.0 < Share(0, 5).interval[1]
    assert Share(5, 5).interval[1] == 1.0 > Share(5, 5).interval[0]


@given(questions)
def test_a_higher_threshold_refuses_more_and_lets_less_through(asked: list[Scored]) -> None:
    """Along the curve one kind of error only grows, the other only falls."""
    points = curve(asked)

    refused = [point.refused_answerable.count for point in points]
    passed = [point.passed_unanswerable.count for point in points]
    assert refused == sorted(refused)
    assert passed == sorted(passed, reverse=True)
    assert (points[0].threshold, points[-1].threshold) == (0.0, 1.0)


@given(questions)
def test_turning_the_answers_round_turns_the_area_round(asked: list[Scored]) -> None:
    """AUC of the opposite labels is what is missing to 1."""
    area = area_under_curve(asked)
    opposite = area_under_curve([Scored(one.score, not one.is_answerable) for one in asked])

    assert (area is None) == (opposite is None)
    assert area is None or opposite is None or isclose(area + opposite, 1)
