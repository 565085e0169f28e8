"""The commands on documents, with the recording ports in memory."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import PurePath
from uuid import UUID, uuid4

import pytest

from domain.errors import AccessError, ConflictError, InputError
from domain.knowledge.documents import Statement
from domain.knowledge.events import (
    DocumentRegistered,
    DocumentWithdrawn,
    IngestFailed,
    LevelAssigned,
    VersionCorrected,
    VersionIngested,
    VersionSuperseded,
)
from domain.knowledge.handler import NAME_KIND, Knowledge, Material
from domain.knowledge.text import Extract
from domain.mandates.handler import Mandates
from domain.recording import Actor, Event, Recorded, StreamName
from tests.memory import InMemoryBlobs, InMemoryEventStore, InMemoryPeople

NOW = datetime(2026, 5, 1, 23, 30, tzinfo=UTC)


class PlainReaders:
    """Reads UTF-8, and calls everything else broken."""

    def suffixes(self) -> frozenset[str]:
        return frozenset({".txt"})

    def read(self, name: PurePath, content: bytes) -> Extract:
        try:
            return Extract(content.decode(), "plain", None, (), "plain/1")
        except UnicodeDecodeError:
            raise InputError("file_broken", file=name) from None


class BusyStore(InMemoryEventStore):
    """Lets somebody else record on a document before each of the first appends."""

    def __init__(self, rivals: list[tuple[Event, ...]]) -> None:
        super().__init__(lambda: NOW)
        self.rivals = rivals

    async def append(
        self,
        mandate: UUID,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        actor: Actor,
        *,
        name: StreamName | None = None,
        subject: UUID | None = None,
    ) -> tuple[Recorded, ...]:
        if expected and self.rivals and not isinstance(events[0], DocumentRegistered) and stream != mandate:
            await super().append(mandate, stream, expected, self.rivals.pop(), actor)
        return await super().append(mandate, stream, expected, events, actor, name=name, subject=subject)


class World:
    """A mandate with its administrator, and the handler."""

    def __init__(self, store: InMemoryEventStore) -> None:
        self.store = store
        self.blobs = InMemoryBlobs()
        self.mandates = Mandates(store, InMemoryPeople(), uuid4)
        self.anna = Actor(uuid4())
        self.knowledge = Knowledge(store, self.blobs, PlainReaders(), self.mandates, clock=lambda: NOW, new_id=uuid4)
        self.mandate = UUID(int=0)

    async def opened(self) -> "World":
        opened = await self.mandates.open("bestand", None, "Europe/Berlin", self.anna, library=False)
        self.mandate = opened.id
        return self

    async def ingest(self, content: bytes | str, actor: Actor | None = None, **stated: object):
        encoded = content.encode() if isinstance(content, str) else content
        statement = Statement(**{"level": "internal", **stated})
        material = Material("handbuch", PurePath("ordner/handbuch.txt"), encoded, statement)
        return await self.knowledge.ingest(self.mandate, material, actor or self.anna)

    async def events(self) -> list[Event | None]:
        stream = await self.store.find(StreamName(NAME_KIND, "handbuch", self.mandate))
        return [] if stream is None else [entry.event for entry in await self.store.read(stream)]

    async def kinds(self) -> list[type]:
        return [type(event) for event in await self.events()]


@pytest.fixture
async def world() -> World:
    return await World(InMemoryEventStore(lambda: NOW)).opened()


async def test_a_first_text_is_registered_and_ingested_at_once(world: World):
    """Both events are one append; the text lies in the blob store, cut into sentences and passages."""
    found = await world.ingest("Die Frist beträgt drei Monate. Sie endet am 3. Oktober.")

    assert await world.kinds() == [DocumentRegistered, VersionIngested]
    event = (await world.events())[1]
    assert isinstance(event, VersionIngested)
    text = await world.blobs.get(world.mandate, event.blob)
    assert [span.of(text) for span in event.sentences] == [
        "Die Frist beträgt drei Monate.",
        "Sie endet am 3. Oktober.",
    ]
    assert (found.version, found.changed, found.sentences, found.characters) == (1, True, 2, len(text))
    assert (event.title, event.source) == ("handbuch", "handbuch.txt")


async def test_the_same_text_again_records_nothing(world: World):
    """An ingest that brings nothing new leaves the journal as it is."""
    first = await world.ingest("Eine Regel.")
    head = await world.store.head()

    again = await world.ingest("Eine Regel.")

    assert await world.store.head() == head
    assert (again.version, again.changed, again.sha256) == (1, False, first.sha256)


async def test_another_text_takes_over_from_the_day_of_recording_in_the_mandates_zone(world: World):
    """Half past eleven in the evening UTC is tomorrow in Berlin; what the old version keeps is recorded."""
    await world.ingest("Alt.")
    await world.ingest("Neu.")

    superseded = (await world.events())[-1]
    assert await world.kinds() == [DocumentRegistered, VersionIngested, VersionIngested, VersionSuperseded]
    assert isinstance(superseded, VersionSuperseded)
    assert (superseded.version, superseded.by) == (1, 2)
    assert [one.end for one in superseded.remaining] == [date(2026, 5, 2)]


async def test_a_correction_is_recorded_without_storing_the_text_again(world: World):
    """Title and link are put right by an event of their own."""
    await world.ingest("Eine Regel.")
    found = await world.ingest("Eine Regel.", title="Handbuch Schaden", url="https://wiki.example/schaden")

    assert await world.kinds() == [DocumentRegistered, VersionIngested, VersionCorrected]
    assert (found.version, found.changed) == (1, True)


async def test_a_file_that_cannot_be_read_is_recorded_and_the_old_version_stays(world: World):
    """The failure stands in the journal with the key of its reason, and nothing else changes."""
    await world.ingest("Eine Regel.")
    with pytest.raises(InputError) as caught:
        await world.ingest(b"\xff\xfe\x00")

    assert caught.value.key == "file_broken"
    assert (await world.events())[-1] == IngestFailed("handbuch.txt", "file_broken")
    assert not (await world.ingest("Eine Regel.")).changed


async def test_a_failed_first_file_does_not_register_its_document(world: World):
    """A document that was never read does not exist; its failure is in the journal all the same."""
    with pytest.raises(InputError):
        await world.ingest(b"\xff")

    assert await world.events() == []
    assert (await world.store.after(await world.store.head() - 1, 1))[0].event == IngestFailed(
        "handbuch.txt", "file_broken"
    )


async def test_only_administrators_change_documents(world: World):
    """Anybody else meets what somebody meets who asks for a mandate that does not exist."""
    await world.ingest("Eine Regel.")
    stranger = Actor(uuid4())
    head = await world.store.head()

    with pytest.raises(AccessError):
        await world.ingest("Andere Regel.", stranger)
    with pytest.raises(AccessError):
        await world.knowledge.withdraw(world.mandate, "handbuch", "überholt", stranger)
    with pytest.raises(AccessError):
        await world.knowledge.assign_level(world.mandate, "handbuch", "public", stranger)
    with pytest.raises(AccessError):
        await world.knowledge.withdraw(uuid4(), "handbuch", "überholt", world.anna)
    assert await world.store.head() == head


async def test_withdrawing_and_assigning_a_level_are_recorded(world: World):
    """Both are events of the document; a level that it has already is not recorded again."""
    await world.ingest("Eine Regel.")
    await world.knowledge.assign_level(world.mandate, "handbuch", "secret", world.anna)
    await world.knowledge.assign_level(world.mandate, "handbuch", "secret", world.anna)
    await world.knowledge.withdraw(world.mandate, "handbuch", "überholt", world.anna)

    assert (await world.events())[2:] == [LevelAssigned("secret"), DocumentWithdrawn("überholt")]


async def test_who_was_overtaken_reads_again_and_decides_again():
    """When somebody else ingested first, the own text becomes the next version instead of a second version 2."""
    store = BusyStore([])
    world = await World(store).opened()
    await world.ingest("Eins.")
    rival = (await world.events())[1]
    assert isinstance(rival, VersionIngested)
    store.rivals.append((LevelAssigned("secret"),))

    found = await world.ingest("Zwei.")

    last = [event for event in await world.events() if isinstance(event, VersionIngested)][-1]
    assert (found.version, last.level) == (2, "secret")


async def test_a_document_that_never_stands_still_is_a_conflict():
    """After enough attempts the command gives up instead of going on for ever."""
    world = await World(BusyStore([])).opened()
    await world.ingest("Eins.")
    assert isinstance(world.store, BusyStore)
    world.store.rivals.extend((IngestFailed("a.txt", "file_broken"),) for _ in range(50))

    with pytest.raises(ConflictError):
        await world.ingest("Zwei.")
