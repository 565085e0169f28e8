"""The master key is changed: nothing is lost, nothing is rewritten but wrapped keys, and the old key opens nothing."""

import asyncio
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.eventstore.rotation import rotate
from adapters.postgres.database import Database
from adapters.postgres.dump import snapshot
from adapters.postgres.endpoint import Role
from domain.asking.events import QuestionEncoded
from domain.errors import PartError
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor, StreamName

OLD, NEW = bytes(32), bytes(range(32))
ACTOR = Actor(uuid4())
NAME = StreamName("document", "handbuch")


async def _filled(recording: Recording) -> None:
    stream = uuid4()
    person = await recording.people.register("anna")
    await recording.events.append(stream, stream, 0, [DocumentRegistered("handbuch")], ACTOR, name=NAME)
    await recording.events.append(stream, stream, 1, [QuestionEncoded("m", (0.5,))], ACTOR, subject=person)


async def _told(recording: Recording) -> tuple[object, ...]:
    person = await recording.people.find("anna")
    assert person is not None
    events = await recording.events.after(0, 100)
    assert all(one.event is not None for one in events)
    return events, person, await recording.people.names([person]), await recording.events.find(NAME)


async def test_all_is_as_before_under_the_new_key(database: Database) -> None:
    """Events, names and people are found and opened; the old key is refused; a second change finds nothing to do."""
    before = await open_recording(database, MasterKey(OLD))
    await _filled(before)
    told = await _told(before)
    await before.close()
    owner = database.endpoint(Role.OWNER)

    assert rotate(owner, MasterKey(OLD), MasterKey(NEW)) == 2
    assert rotate(owner, MasterKey(OLD), MasterKey(NEW)) is None

    after = await open_recording(database, MasterKey(NEW))
    assert await _told(after) == told
    await after.close()
    with pytest.raises(PartError, match="master_key"):
        await open_recording(database, MasterKey(OLD))
    with pytest.raises(PartError, match="master_key"):
        rotate(owner, MasterKey(OLD), MasterKey(bytes(31) + b"x"))


async def test_what_runs_meanwhile_goes_on(database: Database) -> None:
    """A process that began with the old key reads, and makes keys that the new one opens, once it finds that one."""
    places = [OLD]
    running = await open_recording(database, MasterKey(OLD, again=lambda: places))
    await _filled(running)
    told = await _told(running)
    places[:] = [OLD, NEW]

    rotate(database.endpoint(Role.OWNER), MasterKey(OLD), MasterKey(NEW))
    ben = await running.people.register("ben")
    other = uuid4()
    await running.events.append(other, other, 0, [DocumentRegistered("akte")], ACTOR)

    later = await open_recording(database, MasterKey(NEW))
    assert (await later.people.names([ben]))[ben] == "ben"
    assert (await later.events.read(other))[0].event == DocumentRegistered("akte")
    assert (await _told(running))[1:] == told[1:] == (await _told(later))[1:]
    await later.close()
    await running.close()


async def test_no_key_is_made_that_nobody_can_open(database: Database) -> None:
    """A process that does not find the new key is refused, and leaves no row that the new one cannot open."""
    stale = await open_recording(database, MasterKey(OLD))
    await _filled(stale)
    rotate(database.endpoint(Role.OWNER), MasterKey(OLD), MasterKey(NEW))

    with pytest.raises(PartError, match="master_key"):
        await stale.people.register("ben")
    other = uuid4()
    with pytest.raises(PartError, match="master_key"):
        await stale.events.append(other, other, 0, [DocumentRegistered("akte")], ACTOR)

    assert rotate(database.endpoint(Role.OWNER), MasterKey(NEW), MasterKey(OLD)) == 2
    await stale.close()


async def test_a_change_waits_for_a_backup(database: Database) -> None:
    """Otherwise the backup could hold keys under the one master key, and the file of the other."""
    recording = await open_recording(database, MasterKey(OLD))
    await _filled(recording)
    await recording.close()
    with snapshot(database.admin):
        changing = asyncio.create_task(
            asyncio.to_thread(rotate, database.endpoint(Role.OWNER), MasterKey(OLD), MasterKey(NEW))
        )
        _, waiting = await asyncio.wait({changing}, timeout=0.3)
        assert waiting
    assert await changing == 2


async def test_nothing_wrapped_by_the_old_key_stays_in_the_files(database: Database) -> None:
    """Rows as they were before are gone from the files of the tables, not only from what a query sees."""
    recording = await open_recording(database, MasterKey(OLD))
    await _filled(recording)
    await recording.close()
    async with database.connection(Role.OWNER) as connection:
        rows = await (await connection.execute("SELECT wrapped FROM keyring")).fetchall()
    wrapped = [bytes(row[0]) for row in rows]
    assert await _files_with(database, wrapped) > 0

    rotate(database.endpoint(Role.OWNER), MasterKey(OLD), MasterKey(NEW))

    assert await _files_with(database, wrapped) == 0


async def _files_with(database: Database, marks: list[bytes]) -> int:
    """How many files of the database hold one of ``marks``, after all of it is written out."""
    with psycopg.connect(database.admin.conninfo, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        row = connection.execute(
            "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    files = [file for file in (Path(row[0]) / "base" / str(row[1])).iterdir() if file.is_file()]
    return sum(any(mark in content for mark in marks) for content in (file.read_bytes() for file in files))
