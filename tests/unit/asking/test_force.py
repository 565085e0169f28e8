"""Whether a version is in force, and since when it no longer is."""

from dataclasses import replace
from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from domain.asking.force import Standing, Term, term
from domain.asking.visibility import Horizon, Visible, VisibleVersion
from domain.recording import BlobRef

TODAY, THEN = date(2026, 11, 30), date(2026, 2, 1)
DOCUMENT = UUID(int=7)


def version(number: int, valid_from: date | None, valid_to: date | None = None) -> VisibleVersion:
    blob = BlobRef(f"{number}", f"{number}")
    dates = (valid_from, valid_to, "legal", datetime(2026, 1, 1, tzinfo=UTC))
    return VisibleVersion(number, UUID(int=1), DOCUMENT, "z", number, "Z", None, "internal", blob, *dates)


def standing(today: list[VisibleVersion], then: list[VisibleVersion]) -> Standing:
    horizon = Horizon((UUID(int=1),), ("internal",), 9, TODAY)
    return Standing(
        Visible(horizon, {one.ordinal: one for one in today}),
        Visible(replace(horizon, valid_on=THEN), {one.ordinal: one for one in then}),
    )


FIRST = version(1, date(2026, 1, 1))
SECOND, THIRD = version(2, date(2026, 7, 1)), version(3, date(2026, 9, 1))


def test_a_version_in_force_has_not_ended() -> None:
    """Today's version answers."""
    assert standing([FIRST], [FIRST]).ended_on(FIRST) is None


def test_the_next_version_ends_it_not_the_latest() -> None:
    """Known then it had no end; now it ends where the second version begins, whatever came after that."""
    closed = replace(FIRST, valid_to=date(2026, 7, 1))

    assert standing([THIRD], [closed]).ended_on(FIRST) == date(2026, 7, 1)


def test_a_successor_for_the_same_days_ended_it_where_it_begins() -> None:
    """Put right for the day asked about as well, the version has no day left of its own."""
    assert standing([SECOND], [SECOND]).ended_on(FIRST) == date(2026, 7, 1)


@pytest.mark.parametrize("valid_to", [None, date(2099, 1, 1)])
def test_no_day_tells_since_when_a_document_is_withdrawn(valid_to: date | None) -> None:
    """Withdrawn is not ended."""
    assert standing([], []).ended_on(replace(FIRST, valid_to=valid_to)) is None


def test_the_version_before_does_not_end_a_coming_one() -> None:
    """What begins later has not ended because an earlier version is in force today."""
    coming = version(4, date(2030, 1, 1))

    assert standing([FIRST], [coming]).ended_on(coming) is None
    assert standing([FIRST], []).ended_on(coming) is None
    assert term(date(2030, 1, 1), None, in_force=False, ended_on=None, today=TODAY) == Term(
        date(2030, 1, 1), None, is_coming=True
    )
