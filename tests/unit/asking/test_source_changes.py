"""What touches an answer of what happens to its sources, and what does not."""

from datetime import date

import pytest

from domain.asking.source_changes import Change, Slice, cause, changes
from domain.knowledge.events import DocumentWithdrawn, LevelAssigned, ValidPeriod, VersionCorrected
from domain.recording import Event

DAY = date(2026, 11, 30)
BEFORE, LATER, LATEST = date(2026, 7, 1), date(2027, 1, 1), date(2028, 1, 1)
ALWAYS = ValidPeriod(None, None)
KNOWN = 10


def until(end: date | None) -> ValidPeriod:
    return ValidPeriod(None, end)


def told(*history: Slice, present: bool = True, day: date = DAY) -> tuple[Change, ...]:
    return changes(history, day, KNOWN, about_the_present=present)


@pytest.mark.parametrize("present", [True, False])
def test_a_version_that_lasts_touches_nothing(*, present: bool) -> None:
    """Nothing has happened to it."""
    assert told(Slice(5, None, ALWAYS), present=present) == ()


@pytest.mark.parametrize("present", [True, False])
def test_a_version_that_another_has_taken_the_day_from_is_told(*, present: bool) -> None:
    """Whatever day was asked about; what remains of the version before says since when."""
    history = (Slice(5, 20, ALWAYS), Slice(20, None, until(BEFORE)))

    assert told(*history, present=present) == (Change(20, BEFORE, holds=False),)


@pytest.mark.parametrize("present", [True, False])
def test_a_withdrawn_document_is_told(*, present: bool) -> None:
    """Nothing of it remains, so no day says since when."""
    assert told(Slice(5, 20, ALWAYS), present=present) == (Change(20, None, holds=False),)


def test_a_later_end_is_told_of_a_question_about_the_present_only() -> None:
    """Who asked for a day that has passed has an answer for that day."""
    history = (Slice(5, 20, ALWAYS), Slice(20, None, until(LATER)))

    assert told(*history, present=True) == (Change(20, LATER, holds=True),)
    assert told(*history, present=False) == ()


def test_what_was_known_when_the_answer_was_given_is_no_news() -> None:
    """The change at the horizon itself was seen; a version that answered no longer then cannot be lost."""
    assert told(Slice(5, KNOWN, ALWAYS), Slice(KNOWN, None, until(LATER))) == ()
    assert told(Slice(5, KNOWN, ALWAYS), Slice(KNOWN, 30, until(BEFORE))) == ()


def test_another_title_a_longer_term_or_a_lost_past_touch_nothing() -> None:
    """The day and what comes behind it stay as they were."""
    same = (Slice(5, 20, until(LATER)), Slice(20, None, until(LATER)))
    longer = (Slice(5, 20, until(LATER)), Slice(20, None, ALWAYS))
    shorter_past = (Slice(5, 20, ALWAYS), Slice(20, None, ValidPeriod(BEFORE, None)))

    assert [told(*history) for history in (same, longer, shorter_past)] == [(), (), ()]


def test_each_change_that_makes_it_worse_is_told_once() -> None:
    """An end, an earlier end, then the day itself; a later end in between and what comes after the loss are not."""
    history = (
        Slice(5, 20, ALWAYS),
        Slice(20, 30, until(LATEST)),
        Slice(30, 40, ALWAYS),
        Slice(40, 50, until(LATEST)),
        Slice(50, 60, until(LATER)),
        Slice(60, 70, until(BEFORE)),
        Slice(70, 80, ALWAYS),
    )

    assert told(*history) == (
        Change(20, LATEST, holds=True),
        Change(50, LATER, holds=True),
        Change(60, BEFORE, holds=False),
    )


def test_another_stretch_of_the_same_version_is_another_matter() -> None:
    """A version in two pieces: what happens to the piece that does not hold the day touches nothing."""
    piece = Slice(5, None, ValidPeriod(BEFORE, LATER))
    other = Slice(5, 20, ValidPeriod(LATEST, None))

    assert told(piece, other) == ()


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (DocumentWithdrawn("überholt"), "withdrawn"),
        (VersionCorrected(1, "T", None, None, LATER, "legal"), "corrected"),
        (VersionCorrected(2, "T", None, None, LATER, "legal"), "superseded"),
        (LevelAssigned("secret"), "superseded"),
        (None, "superseded"),
    ],
)
def test_the_cause_is_read_from_what_changed_it(event: Event | None, expected: str) -> None:
    """The correction of another version, which then takes over, supersedes the cited one."""
    assert cause(event, 1) == expected
