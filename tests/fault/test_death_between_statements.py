"""Writer and projector are killed before every single one of their statements, one after the other."""

import asyncio
from uuid import UUID, uuid4

import pytest

from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.knowledge.events import DocumentRegistered
from domain.recording import BlobRef, StreamName
from tests.crashing import ACTOR, DOCUMENT, MASTER, PRIVATE
from tests.fault.conftest import Victims
from tests.stored_form import Row, faults

MOST_STATEMENTS = 200


async def test_a_writer_dies_before_each_statement(database: Database, victims: Victims) -> None:
    """What was acknowledged is there and whole; of the rest there is all or nothing; others go on writing at once."""
    recording = await open_recording(database, MASTER)
    acknowledged: list[list[str]] = []
    for number in range(1, MOST_STATEMENTS):
        end, new = await victims.run("write", number)
        acknowledged += new
        async with asyncio.timeout(60):
            await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("next")], ACTOR)
        await _nothing_is_half_done(database, recording)
        if end == "done":
            break
        assert end == "killed"
    assert end == "done"
    assert number > 30, "the scenario should have many statements"
    assert {kind for kind, *_ in new} == {"document", "person", "text", "run"}
    for kind, *values in acknowledged:
        await _is_there(recording, kind, values)
    await recording.close()


async def _is_there(recording: Recording, kind: str, values: list[str]) -> None:
    match kind, values:
        case "document", (mandate, stream):
            assert [one.event for one in await recording.events.read(UUID(stream))] == list(DOCUMENT)
            assert await recording.events.find(StreamName("document", stream, UUID(mandate))) == UUID(stream)
        case "person", (person, identity):
            assert await recording.people.names([UUID(person)]) == {UUID(person): identity}
        case "text", (mandate, address, digest, text):
            assert await recording.blobs.get(UUID(mandate), BlobRef(address, digest)) == text
        case "run", (stream,):
            assert [one.event for one in await recording.events.read(UUID(stream))] == [PRIVATE]
        case _:
            pytest.fail(kind)


async def _nothing_is_half_done(database: Database, recording: Recording) -> None:
    """Chains verify; each event has key and entry, each key its event; documents are whole and have their names."""
    async with database.connection(Role.OWNER) as connection:
        rows = await (
            await connection.execute(
                "SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events ORDER BY 5"
            )
        ).fetchall()
        counts = await (
            await connection.execute(
                "SELECT (SELECT count(*) FROM event_keys), (SELECT count(*) FROM journal_entries),"
                " (SELECT count(*) FROM stream_names), (SELECT count(*) FROM blobs), (SELECT count(*) FROM blob_keys),"
                " (SELECT count(*) FROM people), (SELECT count(*) FROM keyring WHERE kind = 'person')"
            )
        ).fetchone()
    assert counts is not None
    keys, entries, names, blobs, blob_keys, people, person_keys = counts
    assert faults([Row(*row) for row in rows]) == []
    assert keys == entries == len(rows)
    assert blobs == blob_keys
    assert people == person_keys
    topics = [row[2] for row in rows]
    assert topics.count("LevelAssigned:1") == names
    assert all(one.event is not None for one in await recording.events.after(0, len(rows)))


@pytest.mark.parametrize("scenario", ["project", "rebuild"])
async def test_a_projector_dies_before_each_statement(database: Database, victims: Victims, scenario: str) -> None:
    """View and position agree after each death, and a rebuild shows the old view or the new one, whole."""
    recording = await open_recording(database, MASTER)
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("CREATE TABLE seen (position bigint PRIMARY KEY, version int)")
        await connection.execute(f'GRANT ALL ON seen TO "{database.role_name(Role.PROJECTOR)}"')
    for key in "abcde":
        await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered(key)], ACTOR)
    deaths = 0
    for number in range(1, MOST_STATEMENTS):
        await _set_back(database, 5 if scenario == "rebuild" else 0)
        end, _ = await victims.run(scenario, number)
        await _view_and_position_agree(database)
        if end == "done":
            break
        assert end == "killed"
        deaths += 1
    assert end == "done"
    assert deaths > 20, "the scenario should have many statements"
    async with database.connection(Role.OWNER) as connection:
        row = await (await connection.execute("SELECT position FROM projection_positions")).fetchone()
    assert row == (5,)
    await recording.close()


async def _set_back(database: Database, position: int) -> None:
    """Let version 1 of the projection have come as far as ``position``."""
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("DELETE FROM seen")
        await connection.execute("INSERT INTO seen SELECT place, 1 FROM generate_series(1, %s) AS place", (position,))
        await connection.execute("DELETE FROM projection_positions")
        await connection.execute("INSERT INTO projection_positions VALUES ('seen', 1, %s)", (position,))


async def _view_and_position_agree(database: Database) -> None:
    async with database.connection(Role.OWNER) as connection:
        seen = await (await connection.execute("SELECT position, version FROM seen ORDER BY position")).fetchall()
        kept = await (await connection.execute("SELECT position, version FROM projection_positions")).fetchone()
    position, version = kept or (0, 0)
    assert seen == [(place, version) for place in range(1, position + 1)]
