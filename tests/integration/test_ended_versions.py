"""Which versions have come to an end, by the view in PostgreSQL."""

from datetime import date
from uuid import UUID, uuid4

from adapters.postgres.database import Database
from domain.knowledge.events import DocumentRegistered, DocumentWithdrawn, LevelAssigned
from domain.recording import Event
from projections.ended import PostgresEndedVersions
from tests.integration.test_known_view import record
from tests.property.test_known_view import version

LEVELS = ("public", "internal", "secret")
D20, D21, D22, D30 = (date(year, 1, 1) for year in (2020, 2021, 2022, 2030))


async def ended(
    database: Database, *events: Event, levels: tuple[str, ...] = LEVELS
) -> list[tuple[int, int | None, date | None]]:
    mandate = uuid4()
    await record(database, mandate, DocumentRegistered("handbuch"), *events)
    found = await PostgresEndedVersions(database).ended(mandate, levels)
    assert all(one.key == "handbuch" for one in found)
    return [(one.number, one.closed, one.until) for one in found]


async def test_what_still_answers_has_no_end(database: Database) -> None:
    """A version in force without a last day is not there; one that answers for past days says until when."""
    assert await ended(database, version(1, "internal", (D20, None))) == []
    assert await ended(database, version(1, "internal", (D20, D22))) == [(1, None, D22)]
    assert await ended(database, version(1, "internal", (D20, D30))) == [(1, None, D30)]


async def test_what_a_later_version_leaves(database: Database) -> None:
    """Cut short it ends where the later one begins; replaced whole it ended when that was recorded."""
    short = (version(1, "internal", (D20, None)), version(2, "internal", (D21, None)))
    assert await ended(database, *short) == [(1, None, D21)]
    whole = (version(1, "internal", (D21, D22)), version(2, "internal", (D21, None)))
    assert await ended(database, *whole) == [(1, 3, None)]


async def test_what_is_withdrawn_ends_with_its_withdrawal(database: Database) -> None:
    """All its versions end there, also one that had ended before: until then it answered for its days."""
    events = (version(1, "internal", (D20, D21)), version(2, "internal", (D21, None)), DocumentWithdrawn("weg"))
    assert await ended(database, *events) == [(1, 4, None), (2, 4, None)]


async def test_another_level_is_no_end(database: Database) -> None:
    """Slices are closed and opened anew; and what lies above the reader is not there."""
    events = (version(1, "internal", (D20, D21)), LevelAssigned("secret"))
    assert await ended(database, *events) == [(1, None, D21)]
    assert await ended(database, *events, levels=LEVELS[:2]) == []


async def test_another_mandate_is_not_there(database: Database) -> None:
    """The mandate asked for decides."""
    await record(database, uuid4(), DocumentRegistered("handbuch"), version(1, "internal", (D20, D21)))
    assert await PostgresEndedVersions(database).ended(UUID(int=7), LEVELS) == ()
