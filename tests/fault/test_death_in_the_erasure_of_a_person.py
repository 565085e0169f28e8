"""The erasure of a person is killed before one of its statements after the other, and always comes to its end."""

from pathlib import Path
from uuid import UUID, uuid4

import psycopg

from adapters.eventstore.keys import OwnerKind, WrappedOwnerKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from domain.journal.events import ErasureOrdered, PersonKeyShredded
from domain.journal.ports import THE_STORE
from tests.crashing import ACTOR, MASTER, PRIVATE, erasures
from tests.detector import Detector
from tests.fault.conftest import Victims

MOST_STATEMENTS = 300
EVERY = 3
"""Every third statement; tried with each of them, which takes three times as long."""
TABLES = {"keyring": "owner", "people": "person", "runs": "person"}


async def test_the_erasure_of_a_person_that_dies_comes_to_its_end(database: Database, victims: Victims) -> None:
    """Before the order is recorded nothing is gone; after it the next command finishes, and no key lies in any file."""
    recording = await open_recording(database, MASTER)
    secrets: dict[str, bytes] = {}
    person: UUID | None = None
    deaths = unordered = finished = 0

    for number in range(1, MOST_STATEMENTS, EVERY):
        if person is None:
            person = await _seen(recording)
            secrets |= _keys(database, person)
        end, _ = await victims.run("erase_person", number)
        assert end in {"done", "killed"}
        deaths += end == "killed"
        left = await erasures(database, recording, victims.folder).finish(patient=True)
        ordered, done = await _history(recording, person)
        if not ordered:
            assert end == "killed"
            assert await recording.people.find("victim") == person
            assert await _questions(recording, person) == 1
            unordered += 1
            continue
        finished += left
        assert (ordered, done) == (1, 1)
        assert await recording.people.find("victim") is None
        assert await _questions(recording, person) == 0
        assert _left(database, person) == []
        person = None
        if end == "done":
            break

    assert end == "done"
    assert deaths > 10
    assert unordered
    assert finished > 5
    assert Detector("victimsname", secrets).files([_files(database)]) == set()
    await recording.close()


async def _seen(recording: Recording) -> UUID:
    """Let somebody ask something."""
    person = await recording.people.register("victim")
    await recording.events.append(uuid4(), uuid4(), 0, [PRIVATE], ACTOR, subject=person)
    return person


async def _questions(recording: Recording, _person: UUID) -> int:
    """Count the questions that can still be read; there is never more than one."""
    return sum(one.event == PRIVATE for one in await recording.events.after(0, 10_000))


async def _history(recording: Recording, person: UUID) -> tuple[int, int]:
    """How often the erasure of a person was ordered, and how often it was done."""
    events = [one.event for one in await recording.events.after(0, 10_000) if one.mandate == THE_STORE]
    ordered = sum(isinstance(one, ErasureOrdered) and one.subject == person for one in events)
    return ordered, sum(isinstance(one, PersonKeyShredded) and one.person == person for one in events)


def _keys(database: Database, person: UUID) -> dict[str, bytes]:
    """Return the key of a person as it lies in the database, and as it opens."""
    with psycopg.connect(database.admin.conninfo) as connection:
        asked = "SELECT key_id, wrapped FROM fundstelle.keyring WHERE owner = %s"
        ((key, wrapped),) = connection.execute(asked, [person]).fetchall()
    opened = MASTER.opened(WrappedOwnerKey(key, OwnerKind("person"), person, wrapped)).secret
    return {f"wrapped key of {person}": bytes(wrapped), f"key of {person}": opened}


def _left(database: Database, person: UUID) -> list[str]:
    """Return the tables that hold anything of a person: as the superuser, whom row-level security hides nothing."""
    with psycopg.connect(database.admin.conninfo) as connection:
        asked = {table: f"SELECT FROM fundstelle.{table} WHERE {column} = %s" for table, column in TABLES.items()}
        return [table for table, statement in asked.items() if connection.execute(statement, [person]).fetchone()]


def _files(database: Database) -> Path:
    """Return the folder of the database's files, once all is in them."""
    with psycopg.connect(database.admin.conninfo, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        asked = "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
        ((folder, oid),) = connection.execute(asked).fetchall()
    return Path(folder) / "base" / str(oid)
