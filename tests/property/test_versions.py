"""The two time axes against a model that looks at each day by itself."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import InputError
from domain.knowledge.events import ValidPeriod
from domain.knowledge.versions import Claim, holds, overlap, period, stretches, takeovers
from tests.examples import examples
from tests.knowledge_model import Row, answering

FIRST = date(2020, 1, 1)
DAYS = [FIRST + timedelta(days=n) for n in range(-1, 15)]
days = st.integers(0, 12).map(lambda n: FIRST + timedelta(days=n))


@st.composite
def periods(draw: st.DrawFn) -> ValidPeriod:
    start = draw(st.none() | days)
    end = draw(st.none() | days)
    if start is not None and end is not None and end <= start:
        end = start + timedelta(days=1)
    return ValidPeriod(start, end)


histories = st.lists(periods(), min_size=1, max_size=7).map(
    lambda valid: [Claim(version, one) for version, one in enumerate(valid, 1)]
)


def model(claims: list[Claim], day: date) -> int | None:
    rows = [Row(claim.version, claim.version, "", "", claim.valid.start, claim.valid.end) for claim in claims]
    found = answering(rows, day)
    return None if found is None else found.version


def answers(claims: list[Claim], day: date) -> list[int]:
    return [version for version, kept in stretches(claims).items() if any(holds(one, day) for one in kept)]


@settings(max_examples=examples(400))
@given(histories)
def test_each_day_is_answered_by_the_version_that_the_rule_names_and_by_no_other(claims: list[Claim]):
    """Stretches and the day-by-day model agree on every day: one version, or none where none claims the day."""
    for day in DAYS:
        expected = model(claims, day)
        assert answers(claims, day) == ([] if expected is None else [expected])


@given(histories, st.randoms(use_true_random=False))
def test_the_order_of_ingestion_does_not_matter(claims: list[Claim], random):
    """Versions that begin on different days answer the same stretches in whatever order they came in."""
    starts = {claim.valid.start: claim.valid for claim in claims}
    shuffled = list(starts.values())
    random.shuffle(shuffled)

    def by_claim(valid: list[ValidPeriod]) -> dict[ValidPeriod, tuple[ValidPeriod, ...]]:
        kept = stretches([Claim(version, one) for version, one in enumerate(valid, 1)])
        return {one: kept[version] for version, one in enumerate(valid, 1)}

    assert by_claim(shuffled) == by_claim(list(starts.values()))


@given(histories)
def test_stretches_are_parts_of_the_claim_in_order_and_apart(claims: list[Claim]):
    """What a version keeps lies inside its claim, is sorted, and has gaps between its parts."""
    kept = stretches(claims)
    for claim in claims:
        parts = kept[claim.version]
        assert all(overlap(part, claim.valid) for part in parts)
        assert all(
            left.end is not None and right.start is not None and left.end < right.start
            for left, right in pairwise(parts)
        )


@given(histories)
def test_takeovers_tell_every_stretch_that_changed(claims: list[Claim]):
    """Replaying the events of each ingest over the claims gives the stretches that the rule gives."""
    told: dict[int, tuple[ValidPeriod, ...]] = {}
    for count in range(1, len(claims) + 1):
        before, after = claims[: count - 1], claims[:count]
        told[count] = (after[-1].valid,)
        for event in takeovers(before, after, count):
            assert count in (event.version, event.by)
            told[event.version] = event.remaining
    assert told == stretches(claims)


def test_a_version_between_two_others_keeps_what_the_younger_one_leaves():
    """A version of 2021 that comes in after the one of 2024 answers for the years between, and says who covers it."""
    first = Claim(1, ValidPeriod(None, None))
    latest = Claim(2, ValidPeriod(date(2024, 1, 1), None))
    middle = Claim(3, ValidPeriod(date(2021, 1, 1), None))

    kept = stretches([first, latest, middle])
    events = takeovers([first, latest], [first, latest, middle], 3)

    assert kept[1] == (ValidPeriod(None, date(2021, 1, 1)),)
    assert kept[3] == (ValidPeriod(date(2021, 1, 1), date(2024, 1, 1)),)
    assert [(event.version, event.by) for event in events] == [(1, 3), (3, 2)]


def test_a_version_that_ends_leaves_both_sides_of_the_older_one():
    """A version in force for one year only cuts the older one in two."""
    old = Claim(1, ValidPeriod(None, None))
    year = Claim(2, ValidPeriod(date(2022, 1, 1), date(2023, 1, 1)))

    assert stretches([old, year])[1] == (
        ValidPeriod(None, date(2022, 1, 1)),
        ValidPeriod(date(2023, 1, 1), None),
    )


@pytest.mark.parametrize("end", [date(2022, 1, 1), date(2021, 12, 31)])
def test_a_validity_without_a_day_is_refused(end: date):
    """An end on or before the start is an error that names both days."""
    with pytest.raises(InputError) as caught:
        period(date(2022, 1, 1), end)
    assert caught.value.key == "validity_empty"
