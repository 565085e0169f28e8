"""Durations of steps are told by the times of recording."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from domain.asking.events import CandidatesFused, CandidatesRetrieved, QuestionAsked, QuestionEncoded
from domain.asking.outcome import AnswerRefused
from domain.asking.source_changes import SourceChangeNotified
from domain.asking.timings import Timing, step_timings
from domain.mandates.events import ChannelUnbound
from domain.recording import Event, Recorded

START = datetime(2026, 1, 1, tzinfo=UTC)
ANNA, MANDATE = UUID(int=1), UUID(int=2)
ASKED = QuestionAsked("?", ANNA, None, (MANDATE,), ("public",), None, None, date(2026, 1, 1), 0)
ENCODED = QuestionEncoded("model", ())
REFUSED = AnswerRefused("none_found", "x", None, None, ())


def run(number: int, steps: Sequence[tuple[int, Event]]) -> list[Recorded]:
    """One run: each event with the milliseconds after its beginning."""
    return [
        Recorded(
            event, UUID(int=100 + number), version, MANDATE, None, version, version, START + timedelta(milliseconds=at)
        )
        for version, (at, event) in enumerate(steps, 1)
    ]


def test_each_step_lasts_from_the_one_before() -> None:
    """What is recorded together is one step; the whole run goes from the question to its end."""
    found = step_timings(
        run(1, [(0, ASKED), (10, ENCODED), (25, CandidatesRetrieved(())), (25, CandidatesFused(60, ())), (30, REFUSED)])
    )
    assert found == (Timing("encode", 1, 10, 10), Timing("search", 1, 15, 15), Timing("whole", 1, 30, 30))


def test_what_a_run_is_told_later_does_not_make_it_longer() -> None:
    """The whole run goes to its end, not to the day on which one of its sources changed."""
    told = SourceChangeNotified(9, START, 1, ("S1",), "superseded", None, holds=False)

    assert step_timings(run(1, [(0, ASKED), (30, REFUSED), (9_000, told)])) == (Timing("whole", 1, 30, 30),)


def test_percentiles_are_those_of_the_nearest_rank() -> None:
    """Of 1 to 100 milliseconds, half are at most 50 and 95 of 100 at most 95."""
    recorded = [one for number in range(1, 101) for one in run(number, [(0, ASKED), (number, ENCODED)])]
    assert step_timings(recorded) == (Timing("encode", 100, 50, 95),)


def test_runs_cut_at_the_beginning_and_other_streams_do_not_count() -> None:
    """Only runs whose question is among the events are timed; nothing at all gives nothing."""
    assert step_timings(run(1, [(5, ENCODED), (9, REFUSED)])) == ()
    assert step_timings(run(1, [(0, ChannelUnbound("#a"))])) == ()
    assert step_timings([]) == ()
