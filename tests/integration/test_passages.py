"""The table of contents of passages and the words behind it, in PostgreSQL."""

from dataclasses import replace
from hashlib import sha256
from uuid import UUID

import psycopg
import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.passages import StoredPassages
from domain.asking.ports import PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError
from domain.knowledge.events import VersionIngested
from domain.knowledge.text import Page, Passage, Span
from domain.recording import Recorded
from projections.passages import PassageProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import Entry, HalvesEncoder, horizon, ingested, visible

A, B = UUID(int=1), UUID(int=2)
MASTER = MasterKey(bytes(32))
TEXT = "# § 3 Fristen\n\nDie Frist beträgt:\n\n1. drei Immo\u00ad\nbilien,\n\n2. **vier** Wochen. Danach nichts.\n"
LEAD_IN = Span(TEXT.index("Die Frist"), TEXT.index("\n\n1."))
ITEM = Span(TEXT.index("2. **"), TEXT.index("\n", TEXT.index("Danach")))
SENTENCES = (LEAD_IN, Span(ITEM.start, TEXT.index(" Danach")), Span(TEXT.index("Danach"), ITEM.end))


async def feed(database: Database, blobs: InMemoryBlobs, *events: Recorded) -> HalvesEncoder:
    encoder = HalvesEncoder()
    async with database.connection(Role.PROJECTOR) as connection:
        await PassageProjection(blobs, always(encoder), MASTER.first_marking().text_mac).apply(connection, events)
    return encoder


async def version(blobs: InMemoryBlobs) -> tuple[Recorded, Visible]:
    """A version with an enumeration on its second page."""
    recorded = await ingested(Entry(4, A, ()), blobs)
    assert isinstance(recorded.event, VersionIngested)
    event = replace(
        recorded.event,
        blob=await blobs.put(A, TEXT),
        title="Reiserichtlinie",
        markup="markdown",
        sentences=SENTENCES,
        passages=(Passage(ITEM, (1, 3), ("Teil 1", "§ 3 Fristen"), LEAD_IN, "", ("Nr. 2", "")),),
        pages=(Page(0, 1, "i"), Page(LEAD_IN.start, 2, "ii"), Page(len(TEXT), 3, "iii")),
    )
    seen = visible([Entry(4, A, ())], horizon([A]))
    shown = {4: replace(seen.versions[4], blob=event.blob)}
    return replace(recorded, event=event), replace(seen, versions=shown)


async def test_a_passage_comes_back_with_its_words_and_places(database: Database) -> None:
    """Text, lead-in and sentences are cut from the stored text; the search text is made of them."""
    blobs = InMemoryBlobs()
    recorded, seen = await version(blobs)
    await feed(database, blobs, recorded)

    (passage,) = await StoredPassages(database, blobs).texts([PassageId(4, 0)], seen)

    assert passage.text == "2. **vier** Wochen. Danach nichts."
    assert passage.lead_in == "Die Frist beträgt:"
    assert passage.lead_in_span == LEAD_IN
    assert passage.sentences == SENTENCES[1:]
    assert (passage.section, passage.place) == (("Teil 1", "§ 3 Fristen"), "")
    assert [passage.place_of(sentence) for sentence in passage.sentences] == ["Nr. 2", ""]
    assert (passage.page, passage.page_label) == (2, "ii")
    assert passage.search_text.splitlines()[:4] == ["Reiserichtlinie", "Teil 1", "§ 3 Fristen", "Die Frist beträgt:"]
    assert "vier Wochen" in passage.search_text


async def test_a_passage_knows_that_its_list_goes_on_in_the_next(database: Database) -> None:
    """The introduction of the next passage lies in this one or above it; the last has no next."""
    blobs = InMemoryBlobs()
    recorded, seen = await version(blobs)
    assert isinstance(recorded.event, VersionIngested)
    head = Passage(Span(LEAD_IN.start, ITEM.start), (0, 1), (), None, "", ())
    last = Passage(SENTENCES[2], (2, 3), (), None, "", ())
    middle = replace(recorded.event.passages[0], span=SENTENCES[1], sentences=(1, 2), places=())
    event = replace(recorded.event, passages=(head, middle, last))
    await feed(database, blobs, replace(recorded, event=event))

    found = await StoredPassages(database, blobs).texts([PassageId(4, number) for number in range(3)], seen)

    assert [passage.goes_on for passage in found] == [True, False, False]


@pytest.mark.parametrize("asked", [PassageId(4, 1), PassageId(5, 0)])
async def test_unknown_and_hidden_passages_are_refused_alike(database: Database, asked: PassageId) -> None:
    """No words for a passage that does not exist or lies outside the horizon."""
    blobs = InMemoryBlobs()
    recorded, seen = await version(blobs)
    await feed(database, blobs, recorded, await ingested(Entry(5, B, ("Geheim",)), blobs))

    with pytest.raises(AccessError):
        await StoredPassages(database, blobs).texts([PassageId(4, 0), asked], seen)


async def test_a_known_search_text_is_not_encoded_again(database: Database) -> None:
    """Versions share vectors inside a mandate, never with another mandate."""
    blobs = InMemoryBlobs()
    first = await feed(database, blobs, await ingested(Entry(1, A, ("eins", "zwei", "eins")), blobs))
    second = await feed(database, blobs, await ingested(Entry(2, A, ("zwei", "drei", "eins")), blobs))
    foreign = await feed(database, blobs, await ingested(Entry(3, B, ("eins",)), blobs))

    assert first.seen == ["eins", "zwei"]
    assert second.seen == ["drei"]
    assert foreign.seen == ["eins"]


async def test_the_table_confirms_no_guess(database: Database) -> None:
    """Equal texts of a mandate share a mark; of two mandates, or hashed without the key, they do not."""
    blobs = InMemoryBlobs()
    await feed(database, blobs, await ingested(Entry(1, A, ("Gehalt 5000", "Gehalt 5000")), blobs))
    await feed(database, blobs, await ingested(Entry(2, B, ("Gehalt 5000",)), blobs))
    async with database.connection(Role.PROJECTOR) as connection:
        rows = await (await connection.execute("SELECT mandate, search_text FROM passage_vectors")).fetchall()

    assert len(rows) == 3
    assert len(set(rows)) == 2
    assert len({mark for _, mark in rows}) == 2
    assert sha256(b"Gehalt 5000").digest() not in {mark for _, mark in rows}


async def test_a_rebuild_gives_the_same_rows(database: Database) -> None:
    """After clear and replay the view is what it was."""
    blobs = InMemoryBlobs()
    events = [await ingested(Entry(number, A, ("eins", f"und {number}")), blobs) for number in (1, 2)]
    await feed(database, blobs, *events)
    before = await _rows(database)
    async with database.connection(Role.PROJECTOR) as connection:
        await PassageProjection(blobs, always(HalvesEncoder()), MASTER.first_marking().text_mac).clear(connection)
    assert await _rows(database) == []
    await feed(database, blobs, *events)

    assert await _rows(database) == before != []


@pytest.mark.parametrize("table", ["passages", "passage_versions", "passage_vectors"])
async def test_row_level_security_stands_behind_the_filter(database: Database, table: str) -> None:
    """Without scope a reader sees no row, with one only its own, and it cannot read a partition directly."""
    blobs = InMemoryBlobs()
    await feed(database, blobs, *[await ingested(Entry(one.int, one, ("eins",)), blobs) for one in (A, B)])
    async with database.connection(Role.READER) as connection:
        count = f"SELECT count(*), count(*) FILTER (WHERE mandate = '{A}') FROM {table}"
        assert await (await connection.execute(count)).fetchone() == (0, 0)
        await connection.execute("SELECT set_config('fundstelle.scope', %s, true)", [str(A)])
        assert await (await connection.execute(count)).fetchone() == (1, 1)
        await connection.execute("SELECT set_config('fundstelle.scope', %s, true)", [str(UUID(int=9))])
        assert await (await connection.execute(count)).fetchone() == (0, 0)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute(f"SELECT * FROM passage_vectors_{A.hex}")


async def test_readers_cannot_open_partitions(database: Database) -> None:
    """Only the projector may have a partition opened, and twice is fine."""
    async with database.connection(Role.PROJECTOR) as connection:
        for _ in range(2):
            await connection.execute("SELECT open_passage_partition(%s)", [A])
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.connection(Role.READER) as connection:
            await connection.execute("SELECT open_passage_partition(%s)", [A])


async def _rows(database: Database) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    async with database.connection(Role.PROJECTOR) as connection:
        for table in ("passage_versions", "passages", "passage_vectors"):
            rows += await (await connection.execute(f"SELECT t::text FROM {table} AS t ORDER BY 1")).fetchall()
    return rows
