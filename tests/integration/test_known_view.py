"""What the reader of the view sees, and what it cannot see."""

from datetime import UTC, date, datetime
from uuid import UUID, uuid4

import pytest
from psycopg import errors

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.visibility import Horizon
from domain.knowledge.events import DocumentRegistered, LevelAssigned, VersionIngested
from domain.recording import Event, Recorded
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from tests.property.test_known_view import version

DAY = date(2026, 1, 1)
LEVELS = ("public", "internal", "secret")
TABLES = ("known_documents", "known_versions", "known_slices")


async def record(
    database: Database, mandate: UUID, *events: Event, after: int = 0, document: UUID | None = None
) -> None:
    stream = document or uuid4()
    batch = [
        Recorded(event, stream, place, mandate, None, after + place, place, datetime(2026, 1, 1, tzinfo=UTC))
        for place, event in enumerate(events, 1)
    ]
    async with database.connection(Role.PROJECTOR) as connection:
        await KnowledgeProjection().apply(connection, batch)


def handbook(level: str = "internal") -> tuple[DocumentRegistered, VersionIngested]:
    return DocumentRegistered("handbuch"), version(1, level, (None, None))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("scope", [None, "", str(UUID(int=7))])
async def test_a_reader_without_the_scope_sees_no_row(database: Database, table: str, scope: str | None):
    """Row-level security hides every row of a mandate that the transaction did not name, and all by default."""
    await record(database, uuid4(), *handbook())

    async with database.connection(Role.READER) as connection:
        if scope is not None:
            await connection.execute("SELECT set_config('fundstelle.scope', %s, true)", (scope,))
        rows = await (await connection.execute(f"SELECT mandate FROM {table}")).fetchall()

    assert rows == []


async def test_the_scope_ends_with_its_transaction(database: Database):
    """A pooled connection does not carry the scope of the last question into the next."""
    mandate = uuid4()
    await record(database, mandate, *handbook())
    assert (await PostgresKnowledge(database).visible(Horizon((mandate,), LEVELS, 9, DAY))).versions

    async with database.connection(Role.READER) as connection:
        rows = await (await connection.execute("SELECT mandate FROM known_slices")).fetchall()

    assert rows == []


@pytest.mark.parametrize("table", TABLES)
async def test_a_reader_cannot_write(database: Database, table: str):
    """The role that answers questions has no right to change the view."""
    with pytest.raises(errors.InsufficientPrivilege):
        async with database.connection(Role.READER) as connection:
            await connection.execute(f"DELETE FROM {table}")


async def test_another_mandates_document_with_the_same_key_does_not_show(database: Database):
    """A scope holds its own mandates only, in the view and for a version asked by name."""
    own, foreign = uuid4(), uuid4()
    await record(database, foreign, *handbook())
    known = PostgresKnowledge(database)

    assert (await known.visible(Horizon((own,), LEVELS, 9, DAY))).versions == {}
    assert await known.version((own,), LEVELS, "handbuch", 1) is None
    assert await known.version((foreign,), LEVELS, "handbuch", 1) is not None


async def test_the_own_document_goes_before_a_librarys(database: Database):
    """With one key in two mandates of the scope, the version asked by name is that of the first."""
    own, library = uuid4(), uuid4()
    await record(database, library, *handbook())
    await record(database, own, *handbook(), after=2)

    found = await PostgresKnowledge(database).version((own, library), LEVELS, "handbuch", 1)

    assert found is not None
    assert found.mandate == own


async def test_a_level_raised_later_hides_the_past_as_well(database: Database):
    """Looking back, today's clearance must cover the higher of the level then and now."""
    mandate, document = uuid4(), uuid4()
    await record(database, mandate, *handbook("internal"), document=document)
    await record(database, mandate, LevelAssigned("secret"), after=2, document=document)
    known = PostgresKnowledge(database)

    async def keys(levels: tuple[str, ...], position: int) -> list[tuple[str, str]]:
        found = await known.visible(Horizon((mandate,), levels, position, DAY))
        return [(one.key, one.level) for one in found.versions.values()]

    assert await keys(("public", "internal"), 2) == []
    assert await keys(LEVELS, 2) == [("handbuch", "internal")]
    assert await keys(LEVELS, 3) == [("handbuch", "secret")]


async def test_a_cleared_view_is_built_again_from_the_events(database: Database):
    """After clearing nothing is left, and the same events give the same view."""
    mandate = uuid4()
    horizon = Horizon((mandate,), LEVELS, 9, DAY)
    known = PostgresKnowledge(database)
    document = uuid4()
    await record(database, mandate, *handbook(), document=document)
    before = await known.visible(horizon)

    async with database.connection(Role.PROJECTOR) as connection:
        await KnowledgeProjection().clear(connection)
    assert (await known.visible(horizon)).versions == {}
    await record(database, mandate, *handbook(), document=document)

    assert await known.visible(horizon) == before


async def test_a_question_may_be_narrowed_to_documents(database: Database):
    """Keys narrow the horizon; an unknown key leaves nothing."""
    mandate = uuid4()
    await record(database, mandate, *handbook())
    known = PostgresKnowledge(database)

    assert (await known.visible(Horizon((mandate,), LEVELS, 9, DAY, ("handbuch",)))).versions
    assert (await known.visible(Horizon((mandate,), LEVELS, 9, DAY, ("anderes",)))).versions == {}


async def test_documents_are_told_on_any_day_and_only_inside_the_horizon(database: Database):
    """Out of force is still known; above the level, elsewhere or later is not."""
    mandate, day = uuid4(), date(1999, 1, 1)
    past = version(1, "internal", (date(2020, 1, 1), date(2021, 1, 1)))
    await record(database, mandate, DocumentRegistered("handbuch"), past)
    await record(database, mandate, DocumentRegistered("geheim"), version(1, "secret", (None, None)), after=5)
    await record(database, uuid4(), *handbook(), after=10)
    view = PostgresKnowledge(database)

    assert await view.documents(Horizon((mandate,), LEVELS[:2], 99, day)) == {"handbuch"}
    assert await view.documents(Horizon((mandate,), LEVELS, 99, day, ("geheim", "nirgends"))) == {"geheim"}
    assert await view.documents(Horizon((mandate,), LEVELS, 1, day)) == frozenset()


@pytest.mark.parametrize(
    ("projection", "position", "open_at"),
    [("passages", 3, {2}), ("lexical", 2, set()), ("knowledge", 3, set()), ("knowledge", 9, set())],
)
async def test_a_document_that_could_not_be_taken_in_is_closed(
    database: Database, projection: str, position: int, open_at: set[int]
):
    """From the event on for searches, so that the past stays as it was; whole where its levels are not known whole."""
    mandate, document, other = uuid4(), uuid4(), uuid4()
    await record(database, mandate, *handbook(), LevelAssigned("public"), document=document)
    another = DocumentRegistered("anderes"), version(1, "public", (None, None))
    await record(database, mandate, *another, after=9, document=other)
    # Those of another mandate and of a run close nothing.
    failed = [(position, mandate, document), (20, uuid4(), other), (21, mandate, uuid4())]
    async with database.connection(Role.PROJECTOR) as connection:
        for row in failed:
            values = (projection, *row, "ValueError")
            await connection.execute("INSERT INTO projection_failures VALUES (%s, %s, %s, %s, %s)", values)
    known = PostgresKnowledge(database)

    for at in (2, 3, 12):
        horizon = Horizon((mandate,), LEVELS, at, DAY)
        keys = {one.key for one in (await known.visible(horizon)).versions.values()}
        assert ("handbuch" in keys) == (at in open_at)
        assert await known.documents(horizon) == keys
        assert ("anderes" in keys) == (at == 12)
    assert await known.version((mandate,), LEVELS, "handbuch", 1) is None
    assert await known.version((mandate,), LEVELS, "anderes", 1) is not None


async def test_the_history_holds_every_day_and_nothing_hidden(database: Database):
    """Each stretch of each version that the asker may see, whichever day; levels, scope and documents filter it."""
    own, foreign = uuid4(), uuid4()
    old, new = date(2024, 1, 1), date(2026, 1, 1)
    first, second = version(1, "internal", (None, None)), version(2, "internal", (new, None))
    await record(database, own, DocumentRegistered("handbuch"), first, second)
    await record(database, own, DocumentRegistered("geheim"), version(1, "secret", (old, None)), after=10)
    await record(database, foreign, *handbook(), after=20)
    known = PostgresKnowledge(database)

    async def history(levels: tuple[str, ...], position: int, documents: tuple[str, ...] | None = None) -> list:
        found = await known.history(Horizon((own,), levels, position, DAY, documents))
        return [(one.key, one.version, one.valid_from, one.valid_to) for one in found]

    both = [("handbuch", 1, None, new), ("handbuch", 2, new, None)]
    assert await history(LEVELS, 99) == [*both, ("geheim", 1, old, None)]
    assert await history(LEVELS[:2], 99) == both
    assert await history(LEVELS, 99, ("geheim",)) == [("geheim", 1, old, None)]
    assert await history(LEVELS, 2) == [("handbuch", 1, None, None)]
