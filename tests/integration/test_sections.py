"""The view of numbered sections in PostgreSQL: what it holds, and whom it shows it."""

from dataclasses import replace
from uuid import UUID

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.sections import StoredSections
from domain.asking.ports import PassageId
from domain.asking.sections import SectionPassage
from domain.asking.visibility import VisibleVersion
from domain.knowledge.events import VersionIngested
from domain.knowledge.numbered import Numbered
from domain.knowledge.text import Passage, Span
from projections.sections import SectionProjection
from tests.memory import InMemoryBlobs
from tests.twins import Entry, horizon, ingested, visible

A, B = UUID(int=1), UUID(int=2)
SPAN = Span(0, 1)
PASSAGES = (
    Passage(SPAN, (0, 1), ("Teil 1", "§ 8 – Widerrufsrecht"), None, "Abs. 1 bis 3"),
    Passage(SPAN, (0, 1), ("Teil 1", "§ 8 – Widerrufsrecht"), None, "", ("Abs. 4 Nr. 1", "Abs. 5")),
    Passage(SPAN, (0, 1), ("Teil 1", "§ 8a – 14 Tage"), None, ""),
    Passage(SPAN, (0, 1), ("§§ 9 bis 11 – (weggefallen)",), None, ""),
    Passage(SPAN, (0, 1), ("Art. 46 Befugnisse",), None, ""),
    Passage(SPAN, (0, 1), ("Anlage 1 – (zu § 8)",), None, ""),
    Passage(SPAN, (0, 1), (), None, ""),
)


async def feed(database: Database, *entries: Entry) -> None:
    events = []
    for entry in entries:
        recorded = await ingested(entry, InMemoryBlobs())
        assert isinstance(recorded.event, VersionIngested)
        events.append(replace(recorded, event=replace(recorded.event, passages=PASSAGES)))
    async with database.connection(Role.PROJECTOR) as connection:
        await SectionProjection().apply(connection, events)


def versions(*entries: Entry) -> list[VisibleVersion]:
    return [*visible(entries, horizon({entry.mandate for entry in entries})).versions.values()]


def numbers(found: tuple[SectionPassage, ...]) -> list[tuple[str, int]]:
    return [(one.section.number, one.passage.number) for one in found]


async def test_sections_are_found_by_number(database: Database) -> None:
    """Exactly the number, with its letter; a range of headings stands for each of its sections."""
    entry = Entry(4, A, ("x",))
    await feed(database, entry)
    find = StoredSections(database).find

    async def found(*wanted: Numbered) -> list[tuple[str, int]]:
        return numbers(await find(wanted, versions(entry), [A]))

    assert await found(Numbered("§", "8")) == [("8", 0), ("8", 1)]
    assert await found(Numbered("§", "8a"), Numbered("§", "10")) == [("8a", 2), ("10", 3)]
    assert await found(Numbered("art", "46")) == [("46", 4)]
    assert await found(Numbered("§", "46"), Numbered("§", "1"), Numbered("§", "14")) == []
    assert await found() == []


async def test_a_passage_tells_its_paragraphs(database: Database) -> None:
    """Ranges are spelt out; where the sentences part, each has its own."""
    entry = Entry(4, A, ("x",))
    await feed(database, entry)

    found = await StoredSections(database).find([Numbered("§", "8")], versions(entry), [A])

    assert found == (
        SectionPassage(Numbered("§", "8"), PassageId(4, 0), ("1", "2", "3")),
        SectionPassage(Numbered("§", "8"), PassageId(4, 1), ("4", "5")),
    )


async def test_only_the_versions_asked_for_and_the_scope_are_looked_at(database: Database) -> None:
    """Neither another version nor another mandate; row-level security stands behind the filter."""
    one, other, foreign = Entry(4, A, ("x",)), Entry(5, A, ("x",)), Entry(6, B, ("x",))
    await feed(database, one, other, foreign)
    sections = StoredSections(database)

    found = await sections.find([Numbered("§", "8a")], versions(one), [A, B])
    hidden = await sections.find([Numbered("§", "8a")], versions(one, foreign), [A])

    assert [hit.passage.ordinal for hit in found] == [4]
    assert [hit.passage.ordinal for hit in hidden] == [4]
    assert await sections.numbered(versions(other, foreign), [A, B]) == {5, 6}
    assert await sections.numbered(versions(other, foreign), [B]) == {6}


async def test_the_view_can_be_built_again(database: Database) -> None:
    """Emptied and fed anew it holds the same."""
    entry = Entry(4, A, ("x",))
    await feed(database, entry)
    async with database.connection(Role.PROJECTOR) as connection:
        await SectionProjection().clear(connection)
    assert await StoredSections(database).numbered(versions(entry), [A]) == frozenset()

    await feed(database, entry)

    assert await StoredSections(database).numbered(versions(entry), [A]) == {4}
