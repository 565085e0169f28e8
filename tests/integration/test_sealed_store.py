"""Rows and texts as they lie in the database, with the keys that open them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.journal.verifier import fields, unsealed
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.errors import PartError
from domain.knowledge.events import DocumentRegistered, LevelAssigned
from domain.recording import Actor, Recorded
from tests.stored_form import Row, hash_of

ACTOR = Actor(uuid4())
MANDATE, OTHER = uuid4(), uuid4()
SCOPE = "SELECT set_config('fundstelle.scope', %(scope)s, true)"


@pytest.fixture
async def recording(database: Database) -> AsyncIterator[Recording]:
    recording = await open_recording(database, MasterKey(bytes(32)))
    yield recording
    await recording.close()


async def record(recording: Recording, mandate: UUID) -> tuple[Recorded, ...]:
    events = [DocumentRegistered("D"), LevelAssigned("secret")]
    return await recording.events.append(mandate, uuid4(), 0, events, ACTOR)


async def test_rows_come_with_what_opens_them(recording: Recording) -> None:
    """Read by the description of the stored form alone: the hash covers the row, the key opens it."""
    first, second = await record(recording, MANDATE)
    rows = await recording.sealed.rows([first.position, second.position])
    assert [row.recorded for row in rows] == [first, second]
    for row in rows:
        one = row.recorded
        assert hash_of(Row(one.stream, one.version, row.topic, row.state, one.position)) == row.hash
        version = one.version.to_bytes(8, "big")
        bound = fields(b"FSE\x01", MANDATE.bytes, one.stream.bytes, version, row.topic.encode())
        assert row.data_key is not None
        assert unsealed(row.data_key, row.state[68:], bound) == row.plaintext


async def test_a_mandates_entries_are_found_by_number_and_time(recording: Recording) -> None:
    """Only its own, without those behind the position."""
    first, second = await record(recording, MANDATE)
    await record(recording, OTHER)
    third, fourth = await record(recording, MANDATE)
    sealed = recording.sealed
    assert await sealed.span(MANDATE, 99, None, None) == (1, 4)
    assert await sealed.span(MANDATE, third.position, None, None) == (1, 3)
    assert await sealed.span(MANDATE, 99, third.logged_at, None) == (3, 4)
    assert await sealed.span(MANDATE, 99, None, second.logged_at) == (1, 2)
    assert await sealed.span(MANDATE, 99, fourth.logged_at + timedelta(seconds=1), None) is None
    assert await sealed.span(uuid4(), 99, None, None) is None
    entries = await sealed.entries(MANDATE, 2, 3)
    assert [(one.position, one.number, one.logged_at) for one in entries] == [
        (one.position, one.number, one.logged_at) for one in (second, third)
    ]
    assert entries[0].hash == (await sealed.rows([second.position]))[0].hash
    assert first.number == 1


async def test_texts_come_with_their_key(recording: Recording) -> None:
    """For the mandate that they belong to, and for no other."""
    ref = await recording.blobs.put(MANDATE, "Ein Text. 🦒")
    found = await recording.sealed.text(MANDATE, ref.address)
    assert found is not None
    assert found.text == "Ein Text. 🦒"
    assert unsealed(found.data_key, found.content[4:], fields(b"FSB\x01", MANDATE.bytes)) == "Ein Text. 🦒".encode()
    assert await recording.sealed.text(OTHER, ref.address) is None


async def test_what_was_erased_has_no_key(database: Database, recording: Recording) -> None:
    """The row is there as it was, without its content; the text is gone."""
    first, second = await record(recording, MANDATE)
    ref = await recording.blobs.put(MANDATE, "Ein Text.")
    async with database.connection(Role.OWNER) as connection:
        await connection.execute(SCOPE, {"scope": str(MANDATE)})
        await connection.execute("DELETE FROM event_keys WHERE version = 1")
        assert (await connection.execute("DELETE FROM blob_keys")).rowcount == 1
    erased, left = await recording.sealed.rows([first.position, second.position])
    assert (erased.data_key, erased.plaintext, erased.recorded.event) == (None, None, None)
    assert left.recorded == second
    assert await recording.sealed.text(MANDATE, ref.address) is None


DAMAGED = {
    "row changed": ("UPDATE stored_events SET state = state || '\\x00' WHERE notification_id = 1", "event_damaged"),
    "row gone": ("DELETE FROM stored_events WHERE notification_id = 1", "journal_damaged"),
    "entry gone": ("DELETE FROM journal_entries WHERE position = 1", "journal_damaged"),
    "text changed": ("UPDATE blobs SET content = content || '\\x00'", "blob_damaged"),
}


@pytest.mark.parametrize("name", DAMAGED)
async def test_damage_is_never_passed_on(database: Database, recording: Recording, name: str) -> None:
    """Nobody gets a bundle of a row that is not what was recorded."""
    await record(recording, MANDATE)
    ref = await recording.blobs.put(MANDATE, "Ein Text.")
    statement, error = DAMAGED[name]
    async with database.connection(Role.OWNER) as connection:
        await connection.execute(SCOPE, {"scope": str(MANDATE)})
        assert (await connection.execute(statement)).rowcount == 1  # type: ignore[call-overload]
    with pytest.raises(PartError, match=error):
        await _all(recording, ref.address)


async def _all(recording: Recording, address: str) -> None:
    await recording.sealed.entries(MANDATE, 1, 2)
    await recording.sealed.rows([1, 2])
    await recording.sealed.text(MANDATE, address)
