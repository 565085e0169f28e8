"""The view of runs in PostgreSQL: what it holds, and whom it shows it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from psycopg.sql import SQL

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.events import QuestionAsked
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunFailed, RunResumed, SourceShown
from domain.asking.runs import RunFilter
from domain.asking.source_changes import SourceChangeNotified
from domain.instants import parse_beginning, parse_instant
from domain.knowledge.text import Span
from domain.recording import Event, Recorded
from projections.erasing import forget_person, forget_records
from projections.runs import PostgresRuns, RunsProjection

MANDATE, ANNA, BERT = uuid4(), uuid4(), uuid4()
LEVELS = ("public", "internal", "secret")
BEGAN = datetime(2026, 11, 30, 12, tzinfo=UTC)
ALL = RunFilter(MANDATE, ANNA, oversees=True, levels=LEVELS, up_to=99)


def asked(person: UUID, levels: tuple[str, ...] = LEVELS[:2]) -> QuestionAsked:
    return QuestionAsked("Frage", person, None, (MANDATE,), levels, None, None, date(2026, 11, 30), 7)


async def record(database: Database, position: int, run: UUID, event: Event | None, mandate: UUID = MANDATE) -> None:
    at = BEGAN + timedelta(minutes=position)
    recorded = Recorded(event, run, 1, mandate, None, position, position, at)
    async with database.connection(Role.PROJECTOR) as connection:
        await RunsProjection().apply(connection, [recorded])


async def listed(database: Database, wanted: RunFilter = ALL) -> list[tuple[UUID, str | None, str | None]]:
    return [(entry.run, entry.outcome, entry.step) for entry in await PostgresRuns(database).runs(wanted)]


async def test_a_run_is_listed_with_what_became_of_it(database: Database) -> None:
    """Answered, refused, failed and open runs, in the order in which they were asked."""
    ends = [AnswerDelivered("verbatim", (), ()), AnswerRefused("relevance", "relevance", 0.1, 0.35, ())]
    ids = [uuid4() for _ in range(4)]
    for number, run in enumerate(ids, 1):
        await record(database, number, run, asked(ANNA))
    for number, (run, end) in enumerate(zip(ids, [*ends, RunFailed("degraded", "bm25")], strict=False), 10):
        await record(database, number, run, end)

    assert await listed(database) == [
        (ids[0], "answered", None),
        (ids[1], "refused", "relevance"),
        (ids[2], "failed", "degraded"),
        (ids[3], None, None),
    ]


async def test_a_run_had_no_outcome_before_it_ended(database: Database) -> None:
    """Known at a position before its end, the run was open; before its beginning there was none."""
    run = uuid4()
    await record(database, 5, run, asked(ANNA))
    await record(database, 9, run, RunFailed("degraded", "bm25"))

    assert await listed(database, replace(ALL, up_to=8)) == [(run, None, None)]
    assert await listed(database, replace(ALL, up_to=4)) == []


async def test_a_run_that_went_on_had_failed_before(database: Database) -> None:
    """Known at a position between, it is what it was then: failed where it had failed, open while it went on."""
    run = uuid4()
    refused = AnswerRefused("relevance", "relevance", 0.1, 0.35, ())
    course = [
        asked(ANNA),
        RunFailed("degraded", "bm25"),
        RunResumed(),
        RunFailed("model", "vllm"),
        RunResumed(),
        refused,
    ]
    for position, event in enumerate(course, 1):
        await record(database, position, run, event)

    assert [(await listed(database, replace(ALL, up_to=known)))[0][1:] for known in range(1, 7)] == [
        (None, None),
        ("failed", "degraded"),
        (None, None),
        ("failed", "model"),
        (None, None),
        ("refused", "relevance"),
    ]


async def test_a_run_that_was_cut_off_and_went_on_was_open(database: Database) -> None:
    """Nothing had ended it, so nothing is kept of its going on."""
    run = uuid4()
    for position, event in enumerate([asked(ANNA), RunResumed(), RunFailed("degraded", "bm25")], 1):
        await record(database, position, run, event)

    assert [await listed(database, replace(ALL, up_to=known)) for known in (2, 3)] == [
        [(run, None, None)],
        [(run, "failed", "degraded")],
    ]


async def test_a_member_lists_their_own_runs_only(database: Database) -> None:
    """Without oversight the runs of others are not there."""
    own = uuid4()
    await record(database, 1, uuid4(), asked(ANNA))
    await record(database, 2, own, asked(BERT))

    assert await listed(database, replace(ALL, reader=BERT, oversees=False)) == [(own, None, None)]


async def test_oversight_ends_at_the_own_levels(database: Database) -> None:
    """A run that could see more than the reader is not listed, unless it is the reader's own."""
    own = uuid4()
    await record(database, 1, uuid4(), asked(ANNA, LEVELS))
    await record(database, 2, own, asked(BERT, LEVELS))

    assert await listed(database, replace(ALL, reader=BERT, levels=LEVELS[:2])) == [(own, None, None)]


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"person": BERT}, [2]),
        ({"since": BEGAN + timedelta(minutes=2)}, [2, 3]),
        ({"until": BEGAN + timedelta(minutes=2)}, [1, 2]),
        ({"person": uuid4()}, []),
    ],
)
async def test_lists_are_narrowed_by_person_and_time(
    database: Database, narrowed: dict[str, object], expected: list[int]
) -> None:
    """Both ends of the time count."""
    runs = {number: UUID(int=number) for number in (1, 2, 3)}
    for number, run in runs.items():
        await record(database, number, run, asked(BERT if number == 2 else ANNA))

    found = await listed(database, replace(ALL, **narrowed))  # type: ignore[arg-type]

    assert [run for run, *_ in found] == [runs[number] for number in expected]


@pytest.mark.parametrize(
    ("zone", "day", "first", "last"),
    [
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00+00:00", "2026-10-25T22:59:59.999999+00:00"),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00+00:00", "2026-03-29T21:59:59.999999+00:00"),
        ("Asia/Kathmandu", "2026-06-01", "2026-05-31T18:15:00+00:00", "2026-06-01T18:14:59.999999+00:00"),
    ],
)
async def test_a_whole_day_is_that_of_the_mandate(
    database: Database, zone: str, day: str, first: str, last: str
) -> None:
    """From its first moment to its last by the clock of the mandate, also when that day has 23 or 25 hours."""
    edges = [datetime.fromisoformat(first), datetime.fromisoformat(last)]
    step = timedelta(microseconds=1)
    for number, at in enumerate([edges[0] - step, *edges, edges[1] + step], 1):
        recorded = Recorded(asked(ANNA), UUID(int=number), 1, MANDATE, None, number, number, at)
        async with database.connection(Role.PROJECTOR) as connection:
            await RunsProjection().apply(connection, [recorded])

    since, until = parse_beginning(day, zone, BEGAN), parse_instant(day, zone, BEGAN)
    found = await listed(database, replace(ALL, since=since, until=until))

    assert [run.int for run, *_ in found] == [2, 3]


async def test_the_runs_of_another_mandate_are_not_there(database: Database) -> None:
    """The mandate of the filter decides, and row-level security stands behind it."""
    await record(database, 1, uuid4(), asked(ANNA), mandate=uuid4())

    assert await listed(database) == []
    async with database.connection(Role.READER) as connection:
        assert await (await connection.execute("SELECT run FROM runs")).fetchall() == []


async def test_an_erased_question_is_passed_over(database: Database) -> None:
    """What nobody can read any more is in no view that is built anew."""
    run = uuid4()
    await record(database, 1, run, None)
    await record(database, 2, run, RunFailed("degraded", "bm25"))

    assert await listed(database) == []


@pytest.mark.parametrize("by", ["person", "run"])
async def test_an_erased_run_leaves_nothing(database: Database, by: str) -> None:
    """Neither what it cites nor what it was told of it; the runs of others stay whole."""
    theirs, others = uuid4(), uuid4()
    source = SourceShown(
        "S1", 3, MANDATE, "handbuch", 1, "Handbuch", None, (), "", None, None, "plain", Span(0, 5), None,
        "internal", None, None, "assumed", in_force=True, ended_on=None, in_force_as_known=True,
    )  # fmt: skip
    told = SourceChangeNotified(30, BEGAN, 3, ("S1",), "superseded", None, holds=False)
    for number, (run, person) in enumerate([(theirs, ANNA), (others, BERT)], 1):
        for step, event in enumerate([asked(person), AnswerDelivered("verbatim", (), (source,)), told]):
            await record(database, 10 * number + step, run, event)

    if by == "person":
        await forget_person(database, ANNA)
    else:
        await forget_records(database, MANDATE, [theirs], [], ())

    async with database.connection(Role.PROJECTOR) as connection:
        for table in (SQL("runs"), SQL("run_citations"), SQL("run_changes")):
            rows = await (await connection.execute(SQL("SELECT run FROM {}").format(table))).fetchall()
            assert rows == [(others,)], table
