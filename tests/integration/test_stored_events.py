"""What lies in the database: chains that verify, damage that is found, rights that are narrow, nothing readable."""

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from adapters.eventstore import recorder
from adapters.eventstore.keyring import Keyring
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.eventstore.shredding import shred_person
from adapters.eventstore.topics import Topics
from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.events import QuestionEncoded
from domain.asking.outcome import CoverageDecided
from domain.errors import ConflictError, PartError
from domain.knowledge.events import DocumentRegistered, LevelAssigned
from domain.recording import Actor, Event, StreamName
from tests.stored_form import Row, faults

ACTOR = Actor(uuid4())
MARKER = "Geheimzeichen-Quastenflosser"
TABLES = ("stored_events", "journal_entries", "event_keys", "keyring", "stream_names", "people", "blobs", "blob_keys")


@pytest.fixture
async def recording(database: Database) -> AsyncIterator[Recording]:
    recording = await open_recording(database, MasterKey(bytes(32)))
    yield recording
    await recording.close()


async def journal(database: Database) -> list[Row]:
    async with database.connection(Role.OWNER) as connection:
        cursor = await connection.execute(
            "SELECT originator_id, originator_version, topic, state, notification_id FROM stored_events ORDER BY 5"
        )
        return [Row(*row) for row in await cursor.fetchall()]


async def owner(database: Database, statement: str, *parameters: object) -> int:
    async with database.connection(Role.OWNER) as connection:
        return (await connection.execute(statement, parameters)).rowcount  # type: ignore[arg-type]


async def test_the_chains_verify_by_the_description_alone(database: Database, recording: Recording) -> None:
    """Two mandates interleaved, several events in one append, conflicts in between: nothing is left out."""
    mandates = [uuid4(), uuid4()]
    for turn in range(6):
        stream = uuid4()
        events = [DocumentRegistered(str(turn))] + [LevelAssigned("secret")] * turn
        await recording.events.append(mandates[turn % 2], stream, 0, events, ACTOR)
        with pytest.raises(ConflictError):
            await recording.events.append(mandates[turn % 2], stream, 0, events, ACTOR)

    rows = await journal(database)

    assert len(rows) == 21
    assert faults(rows) == []
    assert faults(rows[:4] + rows[5:]) != []
    assert faults([rows[1], rows[0], *rows[2:]]) != []


DAMAGE = (
    "UPDATE stored_events SET state = set_byte(state, 27, get_byte(state, 27) # 1) WHERE notification_id = 2",
    "UPDATE stored_events SET state = set_byte(state, 40, get_byte(state, 40) # 1) WHERE notification_id = 2",
    "UPDATE stored_events SET state = set_byte(state, 67, get_byte(state, 67) # 1) WHERE notification_id = 2",
    "UPDATE stored_events SET state = set_byte(state, 80, get_byte(state, 80) # 1) WHERE notification_id = 2",
    "UPDATE stored_events SET state = set_byte(state, 130, get_byte(state, 130) # 1) WHERE notification_id = 2",
    "UPDATE stored_events SET topic = 'DocumentWithdrawn:1' WHERE notification_id = 2",
    "UPDATE stored_events SET state = (SELECT max(state) FROM stored_events) WHERE notification_id = 2",
    "UPDATE stored_events SET notification_id = 9 WHERE notification_id = 2",
    "UPDATE stored_events SET originator_version = 9 WHERE notification_id = 2",
    "UPDATE journal_entries SET hash = sha256(hash) WHERE position = 2",
    "DELETE FROM journal_entries WHERE position = 2",
    "UPDATE event_keys AS a SET wrapped = b.wrapped FROM event_keys AS b WHERE a.version = 2 AND b.version = 3",
    "UPDATE event_keys SET wrapped = set_byte(wrapped, 3, get_byte(wrapped, 3) # 1) WHERE version = 2",
)
DAMAGED = ("stored_events", "journal_entries", "event_keys")


async def test_damage_to_a_row_is_found_when_it_is_read(database: Database, recording: Recording) -> None:
    """Header, seal, topic, places, swapped rows, entries and keys: an error, never another event or none."""
    stream = uuid4()
    events = [DocumentRegistered("a"), LevelAssigned("secret"), LevelAssigned("public")]
    whole = await recording.events.append(uuid4(), stream, 0, events, ACTOR)
    for table in DAMAGED:
        await owner(database, f"CREATE TABLE whole_{table} AS SELECT * FROM {table}")

    for damage in DAMAGE:
        assert await owner(database, damage) == 1, damage
        for reading in (recording.events.read(stream), recording.events.after(0, 10)):
            with pytest.raises(PartError, match="event_damaged"):
                await reading
        for table in DAMAGED:
            await owner(database, f"DELETE FROM {table}")
            await owner(database, f"INSERT INTO {table} SELECT * FROM whole_{table}")
        assert await recording.events.read(stream) == whole


async def test_a_key_row_of_another_mandate_does_not_open(database: Database, recording: Recording) -> None:
    """Exchanged rows of the keyring are found by the key wrap."""
    for _ in range(2):
        await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR)
    exchange = "UPDATE keyring AS a SET wrapped = b.wrapped FROM keyring AS b WHERE a.key_id <> b.key_id"
    assert await owner(database, exchange) == 2

    with pytest.raises(PartError, match="master_key"):
        await recording.events.after(0, 10)


async def test_another_master_key_is_refused_at_the_start(database: Database, recording: Recording) -> None:
    """Before it could hide what is there, or make keys of its own."""
    await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR)

    with pytest.raises(PartError, match="master_key"):
        await open_recording(database, MasterKey(b"x" * 32))


async def test_an_event_of_a_newer_program_is_named(database: Database, recording: Recording) -> None:
    """It is neither damage nor passed over."""
    await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR)
    older = await open_recording(database, MasterKey(bytes(32)), topics=Topics([], {}))
    try:
        with pytest.raises(PartError, match=r"event_unknown\(position=1, topic=DocumentRegistered:1\)"):
            await older.events.after(0, 10)
        with pytest.raises(PartError, match="event_unknown"):
            await older.events.batch(0, 10, ())
    finally:
        await older.close()


@dataclass(frozen=True, slots=True)
class MovedBefore(Event):
    """What an earlier program recorded under the name ``Moved``."""

    place: str


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """The same event today: the place in two, and a field that was not there at all."""

    street: str
    city: str
    because: str | None = None


async def test_an_event_of_an_older_program_comes_in_todays_shape(database: Database) -> None:
    """Read by stream, in order and by kind; stored rows and chain stay as they were, and new ones follow them."""
    mandate, stream = uuid4(), uuid4()
    older = await open_recording(database, MasterKey(bytes(32)), topics=Topics([("Moved", 1, MovedBefore)], {}))
    await older.events.append(mandate, stream, 0, [MovedBefore("Ring 1, Wien")], ACTOR)
    await older.close()
    stored = await journal(database)

    upcasters = {("Moved", 1): lambda told: dict(zip(("street", "city"), told["place"].split(", "), strict=True))}
    newer = await open_recording(database, MasterKey(bytes(32)), topics=Topics([("Moved", 2, Moved)], upcasters))
    try:
        await newer.events.append(mandate, stream, 1, [Moved("Gasse 2", "Linz", "larger")], ACTOR)
        expected = [Moved("Ring 1", "Wien"), Moved("Gasse 2", "Linz", "larger")]
        found = [
            await newer.events.read(stream),
            await newer.events.after(0, 10),
            (await newer.events.batch(0, 10, (Moved,))).events,
        ]
        assert [[one.event for one in each] for each in found] == [expected] * 3
        span = await newer.sealed.rows([1, 2])
        assert [row.recorded.event for row in span] == expected
    finally:
        await newer.close()

    rows = await journal(database)
    assert rows[:1] == stored
    assert [row.topic for row in rows] == ["Moved:1", "Moved:2"]
    assert faults(rows) == []
    # The program before does not know the new shape, and does not pass it over either.
    older = await open_recording(database, MasterKey(bytes(32)), topics=Topics([("Moved", 1, MovedBefore)], {}))
    try:
        with pytest.raises(PartError, match=r"event_unknown\(position=2, topic=Moved:2\)"):
            await older.events.read(stream)
    finally:
        await older.close()


async def test_a_field_with_a_default_needs_no_new_version(database: Database, recording: Recording) -> None:
    """A gate of a run from before rules had versions is read as what it is: none is known."""
    stream = uuid4()
    topics = Topics([("CoverageDecided", 1, CoverageDecidedBefore)], {})
    older = await open_recording(database, MasterKey(bytes(32)), topics=topics)
    await older.events.append(uuid4(), stream, 0, [CoverageDecidedBefore(0.9, 0.8, "default", passed=True)], ACTOR)
    await older.close()

    (found,) = await recording.events.read(stream)

    assert found.event == CoverageDecided(0.9, 0.8, "default", passed=True, rule_version=None)


@dataclass(frozen=True, slots=True)
class CoverageDecidedBefore(Event):
    """As it was before ``rule_version``."""

    value: float
    threshold: float | None
    rule: str
    passed: bool


async def test_nothing_private_can_be_read_in_the_database(database: Database, recording: Recording) -> None:
    """Neither events nor names nor identities nor texts, in no column of no table."""
    mandate = uuid4()
    person = await recording.people.register(MARKER)
    name = StreamName("document", MARKER, mandate)
    await recording.events.append(mandate, uuid4(), 0, [DocumentRegistered(MARKER)], ACTOR, name=name)
    await recording.events.append(mandate, uuid4(), 0, [QuestionEncoded(MARKER, ())], ACTOR, subject=person)
    await recording.blobs.put(mandate, MARKER)

    # As the administrator of the server: rows of texts are closed even to their owner.
    with roles.connect(database.admin) as connection:
        for table in TABLES:
            rows = connection.execute(sql.SQL("SELECT * FROM fundstelle.{}").format(sql.Identifier(table))).fetchall()
            assert rows, table
            for value in (value for row in rows for value in row):
                content = value if isinstance(value, bytes) else str(value).encode()
                assert MARKER.encode() not in content, table


FORBIDDEN = [
    f"{verb} {table}"
    for table in ("stored_events", "journal_entries", "event_keys", "keyring", "stream_names", "people", "blobs")
    for verb in ("DELETE FROM", "TRUNCATE")
] + [
    "UPDATE stored_events SET topic = ''",
    "UPDATE journal_entries SET number = 1",
    "UPDATE event_keys SET version = 1",
    "UPDATE keyring SET kind = 'person'",
    "UPDATE stream_names SET kind = ''",
    "UPDATE people SET mac = ''",
    "UPDATE blobs SET content = ''",
    "DELETE FROM journal_clock",
    "ALTER TABLE stored_events DISABLE TRIGGER ALL",
    "DROP TABLE stored_events",
]


async def test_the_writer_only_appends(database: Database) -> None:
    """Whoever gets hold of the writer's password can change and remove nothing."""
    for statement in FORBIDDEN:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with database.connection(Role.WRITER) as connection:
                await connection.execute(statement)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", [Role.READER, Role.PROJECTOR])
async def test_others_do_not_even_read_events_and_keys(database: Database, role: Role) -> None:
    """Reader and projector have no right to events, keys, names and people."""
    for table in ("stored_events", "journal_entries", "event_keys", "keyring", "stream_names", "people", "blob_keys"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with database.connection(role) as connection:
                await connection.execute(sql.SQL("SELECT FROM {}").format(sql.Identifier(table)))


@pytest.mark.parametrize("role", [Role.READER, Role.PROJECTOR, Role.WRITER])
async def test_texts_are_there_in_scope_only(database: Database, recording: Recording, role: Role) -> None:
    """Without a scope there are no rows; with one, those of its mandates."""
    mandates = [uuid4() for _ in range(3)]
    for mandate in mandates:
        await recording.blobs.put(mandate, "text")

    async def visible(scope: str | None) -> set[UUID]:
        async with database.connection(role) as connection:
            if scope is not None:
                await connection.execute("SELECT set_config('fundstelle.scope', %s, true)", (scope,))
            return {row[0] for row in await (await connection.execute("SELECT mandate FROM blobs")).fetchall()}

    assert await visible(None) == set()
    assert await visible("") == set()
    assert await visible(str(mandates[0])) == {mandates[0]}
    assert await visible(f"{mandates[0]},{mandates[2]}") == {mandates[0], mandates[2]}
    assert await visible(None) == set()


async def test_a_repeated_attempt_whose_answer_was_lost_is_recorded_once(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit went through, the connection died before the answer: the retry finds its own rows."""
    stream, mandate = uuid4(), uuid4()
    monkeypatch.setattr(recorder.JournalRecorder, "_head_under_lock", _losing_head(recorder.JournalRecorder))
    name = StreamName("document", "a", mandate)

    recorded = await recording.events.append(mandate, stream, 0, [DocumentRegistered("a")], ACTOR, name=name)

    assert await recording.events.after(0, 10) == recorded
    assert await recording.events.find(name) == stream


def _losing_head(cls: type[recorder.JournalRecorder]) -> object:
    """Return a ``_head_under_lock`` before which the same append has been committed and its answer lost."""
    real, attempts = cls._head_under_lock, []

    def head(self: recorder.JournalRecorder, cursor: object, append: recorder.Append) -> object:
        attempts.append(append)
        if len(attempts) == 1:
            self.record(append)
        return real(self, cursor, append)  # type: ignore[arg-type]

    return head


async def test_the_position_at_an_instant_waits_for_appends_in_flight(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An append that was logged before the instant and is not committed yet counts."""
    inserted, go = threading.Event(), threading.Event()
    real = recorder.JournalRecorder._fetch_ids_after_insert_events

    def held(self: recorder.JournalRecorder, *args: Any) -> Any:
        inserted.set()
        assert go.wait(20)
        return real(self, *args)

    monkeypatch.setattr(recorder.JournalRecorder, "_fetch_ids_after_insert_events", held)
    appending = asyncio.create_task(recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR))
    assert await asyncio.to_thread(inserted.wait, 20)

    asking = asyncio.create_task(recording.events.position_at(datetime.now(UTC)))
    done, _ = await asyncio.wait([asking], timeout=0.3)
    assert not done
    go.set()

    assert await asking == (await appending)[0].position == 1


async def test_large_events_come_in_smaller_batches(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch ends when it holds enough bytes, and nothing is skipped."""
    monkeypatch.setattr("adapters.eventstore.store._BATCH_BYTES", 500)
    for number in range(5):
        await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered(str(number))], ACTOR)

    sizes, position = [], 0
    while batch := await recording.events.after(position, 100):
        sizes.append(len(batch))
        position = batch[-1].position

    assert sizes == [3, 2]
    assert position == 5


async def test_a_key_that_another_made_and_used_meanwhile_is_the_one(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking for a mandate's key and for its events, another process makes the one and records the other."""
    mandate, real, looks = uuid4(), Keyring._find, []

    def late(self: Keyring, *where: Any) -> Any:
        looks.append(where)
        return None if len(looks) == 1 else real(self, *where)

    await recording.events.append(mandate, uuid4(), 0, [LevelAssigned("public")], ACTOR)
    monkeypatch.setattr(Keyring, "_find", late)
    (recorded,) = await recording.events.append(mandate, uuid4(), 0, [LevelAssigned("secret")], ACTOR)

    assert (recorded.event, recorded.number) == (LevelAssigned("secret"), 2)


async def test_who_destroys_the_key_of_a_person_learns_what_they_asked(
    database: Database, recording: Recording
) -> None:
    """Every stream once, whenever it was recorded; of others none, and of the same person no more the next time."""
    person, other = await recording.people.register("anna"), await recording.people.register("ben")
    asked, mandate = [uuid4(), uuid4()], uuid4()
    for stream, subject in (*((one, person) for one in asked), (uuid4(), other)):
        events = [QuestionEncoded("m", (0.5,)), QuestionEncoded("m", (0.5,)), LevelAssigned("secret")]
        await recording.events.append(mandate, stream, 0, events, ACTOR, subject=subject)

    told = [shred_person(database.endpoint(Role.OWNER), person, []) for _ in range(2)]

    assert [sorted(one) for one in told] == [sorted(asked), []]
