"""Whatever is changed in the stored journal is found, and nothing is found in one that is intact."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import uuid4

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.journal.audit import CHAIN, CHANGED, CLOCK, ENTRY, MISSING, TEXT, TIME, Findings, audit
from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.errors import PartError
from domain.journal.tree import EMPTY_ROOT
from domain.knowledge.events import DocumentRegistered, LevelAssigned
from domain.recording import Actor
from projections.journal import PostgresJournalTree

ACTOR = Actor(uuid4())
EVENTS = 12

_FLIP = "set_byte({0}, {1}, get_byte({0}, {1}) # 1)"
_SWAP = (
    "UPDATE stored_events AS one SET {0} = other.{0} FROM stored_events AS other "
    "WHERE (one.notification_id, other.notification_id) IN ((4, 7), (7, 4))"
)
_HEADER = {"magic": 0, "mandate": 5, "number": 27, "previous": 30, "time": 67, "commitment": 70, "nonce": 101}

TAMPERED = {
    **{
        f"{name} flipped": f"UPDATE stored_events SET state = {_FLIP.format('state', byte)} WHERE notification_id = 6"
        for name, byte in _HEADER.items()
    },
    "ciphertext flipped": f"UPDATE stored_events SET state = {_FLIP.format('state', '120')} WHERE notification_id = 6",
    "tag flipped": f"UPDATE stored_events SET state = {_FLIP.format('state', 'length(state) - 1')} "
    "WHERE notification_id = 6",
    "state cut": "UPDATE stored_events SET state = substring(state FROM 1 FOR 100) WHERE notification_id = 6",
    "state emptied": "UPDATE stored_events SET state = '' WHERE notification_id = 6",
    "state grown": "UPDATE stored_events SET state = state || '\\x00' WHERE notification_id = 6",
    "topic": "UPDATE stored_events SET topic = 'LevelAssigned:1' WHERE notification_id = 1",
    "stream": "UPDATE stored_events SET originator_id = gen_random_uuid() WHERE notification_id = 6",
    "version": "UPDATE stored_events SET originator_version = 99 WHERE notification_id = 6",
    "two states swapped": _SWAP.format("state"),
    "position moved": "UPDATE stored_events SET notification_id = 99 WHERE notification_id = 6",
    "event deleted": "DELETE FROM stored_events WHERE notification_id = 6",
    "last event deleted": f"DELETE FROM stored_events WHERE notification_id = {EVENTS}",
    "first event deleted": "DELETE FROM stored_events WHERE notification_id = 1",
    "entry deleted": "DELETE FROM journal_entries WHERE position = 6",
    "last entry deleted": f"DELETE FROM journal_entries WHERE position = {EVENTS}",
    "entry moved": "UPDATE journal_entries SET position = 99 WHERE position = 6",
    "entry of another mandate": "UPDATE journal_entries SET mandate = gen_random_uuid() WHERE position = 6",
    "entry of another number": "UPDATE journal_entries SET number = 99 WHERE position = 6",
    "entry of another time": "UPDATE journal_entries SET logged_at = logged_at + interval '1 ms' WHERE position = 6",
    "entry of another hash": f"UPDATE journal_entries SET hash = {_FLIP.format('hash', 0)} WHERE position = 6",
    "no version that can be": "ALTER TABLE stored_events DROP CONSTRAINT stored_events_originator_version_check; "
    "UPDATE stored_events SET originator_version = -5 WHERE notification_id = 6",
    "no position that can be": "UPDATE stored_events SET notification_id = -6 WHERE notification_id = 6",
    "no time that can be": "UPDATE journal_entries SET logged_at = 'infinity' WHERE position = 6",
    "a time before all": "UPDATE journal_entries SET logged_at = '0044-03-15 BC' WHERE position = 6",
    "state taken away": "ALTER TABLE stored_events ALTER state DROP NOT NULL; "
    "UPDATE stored_events SET state = NULL WHERE notification_id = 6",
    "topic taken away": "ALTER TABLE stored_events ALTER topic DROP NOT NULL; "
    "UPDATE stored_events SET topic = NULL WHERE notification_id = 6",
    "no last time": "UPDATE journal_clock SET floor = 'infinity'",
    "no clock": "DELETE FROM journal_clock",
    "text flipped": f"UPDATE blobs SET content = {_FLIP.format('content', 9)}",
    "address of a text": f"UPDATE blobs SET address = {_FLIP.format('address', 9)}",
}


@pytest.fixture
async def recording(database: Database) -> AsyncIterator[Recording]:
    """A journal of two mandates, interleaved, and a text in each."""
    recording = await open_recording(database, MasterKey(bytes(32)))
    mandates = [uuid4(), uuid4()]
    for turn, mandate in product(range(3), mandates):
        events = [DocumentRegistered(str(turn)), LevelAssigned("secret")]
        await recording.events.append(mandate, uuid4(), 0, events, ACTOR)
    for mandate in mandates:
        await recording.blobs.put(mandate, "A text.")
    yield recording
    await recording.close()


async def checked(database: Database, *sizes: int) -> Findings:
    return await asyncio.to_thread(audit, database.conninfo(Role.WRITER), sizes)


async def change(database: Database, statement: str) -> None:
    # As the administrator of the server: rows of texts are closed even to their owner.
    with roles.connect(database.admin) as connection:
        connection.execute("SET search_path = fundstelle")
        *before, last = statement.split("; ")
        for one in before:
            connection.execute(one)  # type: ignore[call-overload]
        assert connection.execute(last).rowcount != 0  # type: ignore[call-overload]


async def test_an_intact_journal_passes(database: Database, recording: Recording) -> None:
    """Nothing is found, and the roots are those of the tree that signs."""
    assert await recording.events.head() == EVENTS
    found = await checked(database, 0, 1, 5, EVENTS)
    tree = PostgresJournalTree(database)
    assert not found.problems
    assert found.size == EVENTS
    assert found.roots == {size: await tree.root(size) for size in (0, 1, 5, EVENTS)}
    assert found.root == found.roots[EVENTS]


async def test_an_empty_journal_passes(database: Database) -> None:
    """Nothing has happened yet."""
    found = await checked(database, 0)
    assert (found.size, found.problems, found.roots) == (0, [], {0: EMPTY_ROOT})


@pytest.mark.parametrize("name", TAMPERED)
async def test_every_change_is_found(database: Database, recording: Recording, name: str) -> None:
    """One row edited, exchanged, moved or taken away, in either table, or a text."""
    assert await recording.events.head() == EVENTS
    await change(database, TAMPERED[name])
    assert (await checked(database)).counts.total() > 0


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE stored_events CASCADE",
        "DROP TABLE journal_entries CASCADE",
        "ALTER TABLE stored_events ALTER originator_id TYPE text USING originator_id::text",
        "ALTER TABLE stored_events DROP COLUMN topic",
        "REVOKE ALL ON stored_events FROM PUBLIC, fundstelle_writer",
    ],
)
async def test_tables_that_are_others_now_are_found(database: Database, recording: Recording, statement: str) -> None:
    """It is a finding as any other, not a fault of the program: what the checkpoint covers is gone."""
    assert await recording.events.head() == EVENTS
    await change(database, statement.replace("fundstelle_writer", database.endpoint(Role.WRITER).user))
    found = await checked(database, EVENTS)
    assert found.counts.total() > 0
    assert (found.size == EVENTS) == ("text" in statement)


async def test_both_tables_changed_alike_are_found(database: Database, recording: Recording) -> None:
    """An event and its entry taken away together leave a gap, or a root that no checkpoint has at that size."""
    root = (await checked(database, EVENTS)).roots[EVENTS]
    for table, column in (("stored_events", "notification_id"), ("journal_entries", "position")):
        await change(database, f"DELETE FROM {table} WHERE {column} = {EVENTS}")
    cut = await checked(database, EVENTS)
    assert (cut.problems, cut.size, cut.roots) == ([], EVENTS - 1, {})
    await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("other")], ACTOR)
    regrown = await checked(database, EVENTS)
    assert regrown.problems == []
    assert regrown.roots[EVENTS] != root


async def test_the_kind_of_damage_is_named(database: Database, recording: Recording) -> None:
    """So that somebody who looks for it knows where to begin."""
    assert await recording.events.head() == EVENTS
    kinds = (("topic", CHANGED), ("entry of another time", ENTRY), ("event deleted", MISSING), ("no clock", CLOCK))
    for name, kind in kinds:
        await change(database, TAMPERED[name])
        assert (await checked(database)).counts[kind] > 0, name
    await change(database, TAMPERED["text flipped"])
    assert (await checked(database)).counts[TEXT] == 2
    assert (await checked(database)).counts[CHAIN] > 0


@pytest.mark.parametrize(
    "statement",
    [
        TAMPERED["no last time"],
        TAMPERED["no clock"],
        "UPDATE journal_entries SET logged_at = 'infinity'",
        TAMPERED["state taken away"],
        TAMPERED["topic taken away"],
        TAMPERED["no version that can be"],
    ],
)
async def test_what_cannot_be_read_is_said_so(database: Database, recording: Recording, statement: str) -> None:
    """By an error that says where to look, whether somebody reads, records, or asks about an instant."""
    stream = (await recording.events.after(5, 1))[0].stream
    await change(database, statement)
    errors = []
    for work in (
        recording.events.after(0, EVENTS),
        recording.events.read(stream),
        recording.events.position_at(datetime.now(UTC)),
        recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("D")], ACTOR),
    ):
        try:
            await work
        except PartError as error:
            errors.append(error.key)
    assert errors
    assert set(errors) <= {"journal_unreadable", "event_damaged"}


async def test_times_out_of_order_are_found(database: Database) -> None:
    """A journal whose clock was set back while it was written is consistent in itself, and wrong."""
    recording = await open_recording(database, MasterKey(bytes(32)))
    clock = recording.events._recorder.clock
    try:
        await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("D")], ACTOR)
        await change(database, "UPDATE journal_entries SET logged_at = logged_at - interval '1 day'")
        recording.events._recorder.clock = lambda: clock() - timedelta(hours=1)
        await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("D")], ACTOR)
    finally:
        await recording.close()
    assert (await checked(database)).counts[TIME] == 1
