"""The view of looks in PostgreSQL: what it holds, and whom it shows it."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.journal.viewing import Look, RecordViewed
from domain.recording import Actor, Event, Recorded
from projections.looks import LooksProjection, PostgresLooks

MANDATE, ANNA, BERT = uuid4(), uuid4(), uuid4()
BY_ANNA = Actor(ANNA)
LEVELS = ("public", "internal", "secret")
BEGAN = datetime(2026, 11, 30, 12, tzinfo=UTC)
FULL = RecordViewed("run_list", (), (), BERT, BEGAN, BEGAN + timedelta(days=1), 7)


async def record(
    database: Database, position: int, event: Event | None, mandate: UUID = MANDATE, actor: Actor | None = BY_ANNA
) -> None:
    at = BEGAN + timedelta(minutes=position)
    recorded = Recorded(event, uuid4(), 1, mandate, actor, position, position, at)
    async with database.connection(Role.PROJECTOR) as connection:
        await LooksProjection().apply(connection, [recorded])


async def listed(database: Database, levels: tuple[str, ...] = LEVELS) -> list[Look]:
    return list(await PostgresLooks(database).looks(MANDATE, levels))


async def test_a_look_comes_back_as_it_was_recorded(database: Database) -> None:
    """Who looked on whose behalf, at what, how narrowed; in the order of the journal."""
    shown = RecordViewed("run_show", (uuid4(), uuid4()), ("public",))
    await record(database, 1, FULL, actor=Actor(ANNA, BERT))
    await record(database, 2, shown)

    assert await listed(database) == [
        Look(BEGAN + timedelta(minutes=1), Actor(ANNA, BERT), FULL),
        Look(BEGAN + timedelta(minutes=2), Actor(ANNA), shown),
    ]


async def test_a_look_at_what_is_above_the_own_levels_is_not_there(database: Database) -> None:
    """Or the list would tell that there is something."""
    await record(database, 1, RecordViewed("run_show", (uuid4(),), LEVELS))
    assert await listed(database, LEVELS[:2]) == []
    assert len(await listed(database)) == 1


async def test_the_looks_of_another_mandate_are_not_there(database: Database) -> None:
    """The mandate decides, and row-level security stands behind it."""
    await record(database, 1, FULL, mandate=uuid4())

    assert await listed(database) == []
    async with database.connection(Role.READER) as connection:
        assert await (await connection.execute("SELECT position FROM looks")).fetchall() == []


async def test_rebuilt_it_is_the_same(database: Database) -> None:
    """Emptied and filled again; what nobody can read any more is passed over."""
    await record(database, 1, FULL)
    before = await listed(database)
    async with database.connection(Role.PROJECTOR) as connection:
        await LooksProjection().clear(connection)
    assert await listed(database) == []
    await record(database, 1, FULL)
    await record(database, 2, None, actor=None)
    assert await listed(database) == before
