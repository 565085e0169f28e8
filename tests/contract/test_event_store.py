"""The contract of the recording ports, for PostgreSQL and for the in-memory twin alike."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import open_recording
from adapters.postgres import roles
from adapters.postgres.database import Database
from domain.asking.events import QuestionEncoded
from domain.errors import AccessError, ConflictError, InputError, PartError
from domain.knowledge.events import DocumentRegistered, DocumentWithdrawn, LevelAssigned
from domain.recording import Actor, BlobRef, BlobStore, Event, EventStore, People, StreamName
from tests.memory import InMemoryBlobs, InMemoryEventStore, InMemoryPeople

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ACTOR = Actor(uuid4(), uuid4())
PRIVATE = QuestionEncoded("model", (0.25, -1.0))


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True, slots=True)
class Ports:
    """The three ports of one store, its clock, and what erasure will do to it."""

    events: EventStore
    people: People
    blobs: BlobStore
    clock: Clock
    shred_event: Callable[[UUID, int], Awaitable[None]]
    shred_person: Callable[[UUID], Awaitable[None]]
    shred_blob: Callable[[UUID, BlobRef], Awaitable[None]]


@pytest.fixture(params=["memory", "postgres"])
def chosen(request: pytest.FixtureRequest) -> Database | None:
    """The database, or None for the twin: a fixture of its own, so that the twin starts no server."""
    return request.getfixturevalue("database") if request.param == "postgres" else None


@pytest.fixture
async def ports(chosen: Database | None) -> AsyncIterator[Ports]:
    database, clock = chosen, Clock()
    if database is None:
        yield _memory(clock)
        return
    recording = await open_recording(database, MasterKey(bytes(range(32))), clock)

    async def erase(table: str, **where: object) -> None:
        condition = " AND ".join(f"{column} = %({column})s" for column in where)
        # As the administrator of the server: rows of texts are closed even to their owner.
        with roles.connect(database.admin) as connection:
            assert connection.execute(f"DELETE FROM fundstelle.{table} WHERE {condition}", where).rowcount == 1

    yield Ports(
        recording.events,
        recording.people,
        recording.blobs,
        clock,
        lambda stream, version: erase("event_keys", stream=stream, version=version),
        lambda person: erase("keyring", kind="person", owner=person),
        lambda mandate, ref: erase("blob_keys", mandate=mandate, address=bytes.fromhex(ref.address)),
    )
    await recording.close()


def _memory(clock: Clock) -> Ports:
    people, blobs = InMemoryPeople(), InMemoryBlobs()
    events = InMemoryEventStore(clock, people)

    async def shred_event(stream: UUID, version: int) -> None:
        events.shred(stream, version)

    async def shred_person(person: UUID) -> None:
        people.shred(person)

    async def shred_blob(mandate: UUID, ref: BlobRef) -> None:
        blobs.shred(mandate, ref)

    return Ports(events, people, blobs, clock, shred_event, shred_person, shred_blob)


async def test_an_append_is_read_back_with_its_place(ports: Ports) -> None:
    """Stream, journal and the answer to the append agree on every field."""
    mandate, stream = uuid4(), uuid4()

    recorded = await ports.events.append(mandate, stream, 0, [DocumentRegistered("a"), LevelAssigned("secret")], ACTOR)

    assert [entry.event for entry in recorded] == [DocumentRegistered("a"), LevelAssigned("secret")]
    assert [(entry.version, entry.position, entry.number) for entry in recorded] == [(1, 1, 1), (2, 2, 2)]
    assert {(e.stream, e.mandate, e.actor, e.logged_at) for e in recorded} == {(stream, mandate, ACTOR, START)}
    assert await ports.events.read(stream) == recorded
    assert await ports.events.after(0, 10) == recorded
    assert await ports.events.head() == 2


async def test_nothing_recorded_is_empty_everywhere(ports: Ports) -> None:
    """An unknown stream, an empty journal and an append of nothing are no errors."""
    assert await ports.events.append(uuid4(), uuid4(), 0, [], ACTOR) == ()
    assert await ports.events.read(uuid4()) == ()
    assert await ports.events.after(0, 10) == ()
    assert await ports.events.head() == 0
    assert await ports.events.position_at(START) == 0
    assert await ports.events.find(StreamName("document", "a", uuid4())) is None


@pytest.mark.parametrize("expected", [0, 2, 7])
async def test_a_wrong_expected_version_is_a_conflict(ports: Ports, expected: int) -> None:
    """Neither an overtaken nor an unknown version can be appended to, and nothing is left behind."""
    mandate, stream = uuid4(), uuid4()
    await ports.events.append(mandate, stream, 0, [DocumentRegistered("a")], ACTOR)

    with pytest.raises(ConflictError):
        await ports.events.append(mandate, stream, expected, [LevelAssigned("public")], ACTOR)

    assert await ports.events.head() == 1
    (after,) = await ports.events.append(mandate, stream, 1, [LevelAssigned("secret")], ACTOR)
    assert (after.position, after.number) == (2, 2)


async def test_a_stream_belongs_to_one_mandate(ports: Ports) -> None:
    """Appending to a stream in the name of another mandate is refused like an unknown thing."""
    stream = uuid4()
    await ports.events.append(uuid4(), stream, 0, [DocumentRegistered("a")], ACTOR)

    with pytest.raises(AccessError):
        await ports.events.append(uuid4(), stream, 1, [LevelAssigned("public")], ACTOR)


async def test_numbers_run_per_mandate_and_positions_over_all(ports: Ports) -> None:
    """Each mandate counts for itself without gaps, the journal counts for all."""
    first, second = uuid4(), uuid4()

    for mandate in (first, second, first, first, second):
        await ports.events.append(mandate, uuid4(), 0, [DocumentRegistered("x")], ACTOR)

    journal = await ports.events.after(0, 10)
    assert [entry.position for entry in journal] == [1, 2, 3, 4, 5]
    assert [entry.number for entry in journal] == [1, 1, 2, 3, 2]


async def test_the_journal_is_read_in_pieces_without_loss(ports: Ports) -> None:
    """Following the last position of each piece gives every event once, in order."""
    for number in range(7):
        await ports.events.append(uuid4(), uuid4(), 0, [DocumentRegistered(str(number))], ACTOR)

    seen, position = [], 0
    while batch := await ports.events.after(position, 3):
        assert len(batch) <= 3
        seen += [entry.event for entry in batch]
        position = batch[-1].position

    assert seen == [DocumentRegistered(str(number)) for number in range(7)]


async def test_a_stream_can_be_read_as_it_was(ports: Ports) -> None:
    """``up_to`` shows the stream as of a position of the journal."""
    mandate, stream = uuid4(), uuid4()
    await ports.events.append(mandate, stream, 0, [DocumentRegistered("a")], ACTOR)
    await ports.events.append(mandate, uuid4(), 0, [DocumentRegistered("b")], ACTOR)
    await ports.events.append(mandate, stream, 1, [LevelAssigned("secret")], ACTOR)

    assert [entry.version for entry in await ports.events.read(stream, up_to=2)] == [1]
    assert [entry.version for entry in await ports.events.read(stream, up_to=3)] == [1, 2]
    assert await ports.events.read(stream, up_to=0) == ()


async def test_a_name_is_claimed_once_in_its_kind_and_mandate(ports: Ports) -> None:
    """A taken name is a conflict that records nothing; kind and mandate keep names apart."""
    mandate, other, stream = uuid4(), uuid4(), uuid4()
    name = StreamName("document", "Kündigung", mandate)
    await ports.events.append(mandate, stream, 0, [DocumentRegistered("a")], ACTOR, name=name)

    with pytest.raises(ConflictError):
        await ports.events.append(mandate, uuid4(), 0, [DocumentRegistered("b")], ACTOR, name=name)

    assert await ports.events.head() == 1
    assert await ports.events.find(name) == stream
    for apart in (StreamName("run", "Kündigung", mandate), StreamName("document", "Kündigung", other)):
        assert await ports.events.find(apart) is None
        owner = uuid4()
        await ports.events.append(apart.mandate or other, owner, 0, [DocumentRegistered("c")], ACTOR, name=apart)
        assert await ports.events.find(apart) == owner


async def test_names_over_the_whole_store_can_be_listed_by_kind(ports: Ports) -> None:
    """All streams of a kind come, and none of another kind or with a name inside a mandate."""
    streams = {uuid4(): name for name in ("acme", "beta")}
    for stream, name in streams.items():
        claim = StreamName("mandate", name)
        await ports.events.append(stream, stream, 0, [DocumentRegistered("a")], ACTOR, name=claim)
    mandate = uuid4()
    for claim in (StreamName("channel", "#a"), StreamName("mandate", "inner", mandate)):
        await ports.events.append(mandate, uuid4(), 0, [DocumentRegistered("a")], ACTOR, name=claim)

    assert set(await ports.events.named("mandate")) == set(streams)
    assert await ports.events.named("library") == ()


async def test_a_conflict_frees_the_name_it_asked_for(ports: Ports) -> None:
    """The claim belongs to the append: when that fails, the name stays free."""
    mandate, stream = uuid4(), uuid4()
    await ports.events.append(mandate, stream, 0, [DocumentRegistered("a")], ACTOR)
    name = StreamName("mandate", "acme")

    with pytest.raises(ConflictError):
        await ports.events.append(mandate, stream, 0, [DocumentRegistered("b")], ACTOR, name=name)

    assert await ports.events.find(name) is None


async def test_of_many_appends_at_once_one_wins_each_version(ports: Ports) -> None:
    """Racing appends to one stream: one is recorded, the others are conflicts."""
    mandate, stream = uuid4(), uuid4()

    results = await asyncio.gather(
        *(ports.events.append(mandate, stream, 0, [DocumentRegistered(str(n))], ACTOR) for n in range(8)),
        return_exceptions=True,
    )

    assert sum(isinstance(result, tuple) for result in results) == 1
    assert sum(isinstance(result, ConflictError) for result in results) == 7
    assert len(await ports.events.read(stream)) == 1


async def test_times_never_decrease_with_positions(ports: Ports) -> None:
    """A clock that is set back does not bring the journal out of order."""
    for step in (0, 5, -60, 6):
        ports.clock.now = START + timedelta(seconds=step)
        await ports.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR)

    times = [(entry.logged_at - START).total_seconds() for entry in await ports.events.after(0, 10)]
    assert times == [0, 5, 5, 6]


async def test_the_position_at_an_instant_is_the_last_one_logged_by_then(ports: Ports) -> None:
    """Before the first event nothing is known; an event counts from its own microsecond on."""
    for step in (0, 10, 10, 20):
        ports.clock.now = START + timedelta(seconds=step)
        await ports.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR)

    at = {step: await ports.events.position_at(START + timedelta(seconds=step)) for step in (-1, 0, 9, 10, 19, 20)}
    assert at == {-1: 0, 0: 1, 9: 1, 10: 3, 19: 3, 20: 4}
    assert await ports.events.position_at(START + timedelta(seconds=10) - timedelta(microseconds=1)) == 1


async def test_the_position_at_an_instant_never_changes(ports: Ports) -> None:
    """After the question, events are logged later than the instant, even by a clock that was set back."""
    await ports.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("a")], ACTOR)
    ports.clock.now = START + timedelta(hours=1)
    asked = ports.clock.now
    assert await ports.events.position_at(asked) == 1

    for now in (asked, START):
        ports.clock.now = now
        (later,) = await ports.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("b")], ACTOR)
        assert later.logged_at > asked

    ports.clock.now = asked
    assert await ports.events.position_at(asked) == 1


async def test_the_future_has_no_position(ports: Ports) -> None:
    """What will be known at an instant to come cannot be said."""
    with pytest.raises(InputError, match="instant_future"):
        await ports.events.position_at(START + timedelta(microseconds=1))


async def test_a_shredded_event_is_passed_over_and_reading_goes_on(ports: Ports) -> None:
    """Its place stays, what it said is gone, and its neighbours are still there."""
    mandate, stream = uuid4(), uuid4()
    events = [DocumentRegistered("a"), LevelAssigned("secret"), LevelAssigned("public")]
    await ports.events.append(mandate, stream, 0, events, ACTOR)

    await ports.shred_event(stream, 2)

    found = await ports.events.read(stream)
    assert [entry.event for entry in found] == [events[0], None, events[2]]
    assert (found[1].actor, found[1].version, found[1].position, found[1].number) == (None, 2, 2, 2)
    assert await ports.events.after(0, 10) == found


async def test_personal_events_go_with_their_person(ports: Ports) -> None:
    """Shredding a person's key takes their personal events and their name, and nothing else; by it they are found."""
    mandate, stream, others = uuid4(), uuid4(), uuid4()
    person, other = await ports.people.register("anna"), await ports.people.register("berta")
    await ports.events.append(mandate, stream, 0, [PRIVATE, DocumentRegistered("a")], ACTOR, subject=person)
    await ports.events.append(mandate, others, 0, [PRIVATE], ACTOR, subject=other)
    await ports.events.append(mandate, others, 1, [DocumentRegistered("b")], ACTOR, subject=person)
    await ports.events.append(mandate, stream, 2, [PRIVATE], ACTOR, subject=person)
    assert [await ports.events.personal(one) for one in (person, other, uuid4())] == [(stream,), (others,), ()]
    public = {2: DocumentRegistered("a"), 4: DocumentRegistered("b")}
    assert [entry.event for entry in await ports.events.after(0, 9)] == [public.get(n, PRIVATE) for n in range(1, 6)]

    await ports.shred_person(person)

    left = {**public, 3: PRIVATE}
    assert [entry.event for entry in await ports.events.after(0, 9)] == [left.get(n) for n in range(1, 6)]
    assert await ports.events.personal(person) == ()
    assert await ports.people.names([person, other]) == {other: "berta"}
    assert await ports.people.find("anna") is None
    for event in (PRIVATE, DocumentRegistered("b")):
        with pytest.raises(AccessError):
            await ports.events.append(mandate, uuid4(), 0, [event], ACTOR, subject=person)
    assert await ports.people.register("anna") not in {person, other}


async def test_personal_events_need_a_registered_person(ports: Ports) -> None:
    """Without a key of the person they would not be erasable."""
    with pytest.raises(ValueError, match="subject"):
        await ports.events.append(uuid4(), uuid4(), 0, [PRIVATE], ACTOR)
    with pytest.raises(AccessError):
        await ports.events.append(uuid4(), uuid4(), 0, [PRIVATE], ACTOR, subject=uuid4())
    assert await ports.events.head() == 0


async def test_one_identity_has_one_pseudonym(ports: Ports) -> None:
    """Composed and decomposed letters are the same person; other identities are other people."""
    composed, decomposed = (unicodedata.normalize(form, "Jürgen") for form in ("NFC", "NFD"))
    assert composed != decomposed

    person = await ports.people.register(decomposed)

    assert await ports.people.register(composed) == person
    assert await ports.people.find(decomposed) == person
    assert await ports.people.register("jürgen") != person
    assert await ports.people.find("nobody") is None
    assert await ports.people.names([person, uuid4()]) == {person: composed}


async def test_registering_at_once_gives_one_pseudonym(ports: Ports) -> None:
    """Racing registrations agree."""
    people = await asyncio.gather(*(ports.people.register("anna") for _ in range(8)))

    assert len(set(people)) == 1
    assert await ports.people.names(people) == {people[0]: "anna"}


@pytest.mark.parametrize("text", ["", "Die Frist beträgt 3 Monate. \N{GRINNING FACE}\n" * 500])
async def test_a_text_comes_back_as_it_was(ports: Ports, text: str) -> None:
    """The stored text is equal, on the first and on every later reading."""
    mandate = uuid4()
    ref = await ports.blobs.put(mandate, text)

    assert await ports.blobs.get(mandate, ref) == text
    assert await ports.blobs.get(mandate, ref) == text


async def test_equal_texts_have_addresses_of_their_own(ports: Ports) -> None:
    """The address tells nothing about the text: equal texts cannot be recognised by it."""
    mandate = uuid4()
    first, second = await ports.blobs.put(mandate, "same"), await ports.blobs.put(mandate, "same")

    assert first.sha256 == second.sha256
    assert first.address != second.address


async def test_a_text_is_there_for_its_mandate_only(ports: Ports) -> None:
    """Another mandate finds nothing at the address, and a wrong hash is not accepted."""
    mandate = uuid4()
    ref = await ports.blobs.put(mandate, "secret")
    await ports.blobs.get(mandate, ref)

    with pytest.raises(PartError, match="blob_damaged"):
        await ports.blobs.get(uuid4(), ref)
    with pytest.raises(PartError, match="blob_damaged"):
        await ports.blobs.get(mandate, BlobRef(ref.address, "0" * 64))


async def test_a_shredded_text_is_gone_even_if_it_was_just_read(ports: Ports) -> None:
    """No cache outlives the key."""
    mandate = uuid4()
    ref, other = await ports.blobs.put(mandate, "secret"), await ports.blobs.put(mandate, "other")
    assert await ports.blobs.get(mandate, ref) == "secret"

    await ports.shred_blob(mandate, ref)

    with pytest.raises(InputError, match="blob_erased"):
        await ports.blobs.get(mandate, ref)
    assert await ports.blobs.get(mandate, other) == "other"


async def test_a_batch_holds_the_kinds_asked_for(ports: Ports) -> None:
    """In order, none of them left out; what it passes over still moves on how far it has come."""
    mandate, stream = uuid4(), uuid4()
    events = [DocumentRegistered("a"), LevelAssigned("one"), LevelAssigned("two"), DocumentWithdrawn("b"), PRIVATE]
    person = await ports.people.register("anna")
    recorded = await ports.events.append(mandate, stream, 0, events, ACTOR, subject=person)

    async def batch(position: int, limit: int, *kinds: type[Event]) -> tuple[list[Event | None], int]:
        found = await ports.events.batch(position, limit, kinds)
        return [one.event for one in found.events], found.reached

    assert await batch(0, 10, LevelAssigned) == ([events[1], events[2]], 5)
    assert await batch(0, 1, LevelAssigned) == ([events[1]], 2)
    assert await batch(2, 1, LevelAssigned) == ([events[2]], 3)
    assert await batch(3, 1, LevelAssigned) == ([], 5)
    assert await batch(5, 9, LevelAssigned) == ([], 5)
    assert await batch(0, 10) == ([], 5)
    every = await ports.events.batch(0, 10, tuple(map(type, events)))
    assert (every.events, every.reached) == (recorded, 5)
