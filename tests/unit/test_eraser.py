"""A version and what repeats it go together, whatever fails on the way and whoever asks meanwhile."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from uuid import UUID, uuid4

import pytest

from domain.asking.events import LabelledPassage, PassagesSelected, QuestionAsked
from domain.asking.outcome import AnswerDelivered, AnswerDrafted, AnswerErased, Cut, Sentence
from domain.asking.ports import PassageId
from domain.asking.quoting import Quotes
from domain.erasing.eraser import OrderingEraser
from domain.erasing.events import ERASE_RECORDS, VERSION, Due, DueListed, ErasureDone, ErasureProposed, HoldPlaced
from domain.erasing.ports import Order
from domain.errors import PartError
from domain.journal.erasures import Erasures
from domain.knowledge.documents import document
from domain.knowledge.events import DocumentRegistered, VersionCorrected, VersionIngested
from domain.knowledge.text import Span
from domain.mandates.events import ChangeApproved, MandateOpened
from domain.mandates.handler import Mandates
from domain.recording import Actor, BlobRef, Event
from tests.memory import InMemoryEventStore, InMemoryPeople

ACTOR = Actor(uuid4())
LIBRARY, READER = uuid4(), uuid4()
DRAFT = AnswerDrafted("f", "1", (Sentence("Wort", ("S1",), cut=Cut(Span(0, 4))),))
DELIVERED = AnswerDelivered("verified", (), ())


def version(number: int) -> VersionIngested:
    return VersionIngested(
        version=number,
        blob=BlobRef(f"{number:02}" * 32, f"{number:02}" * 32),
        markup="plain",
        characters=4,
        title="Wort",
        url=None,
        level="public",
        valid_from=None,
        valid_to=None,
        valid_from_kind="assumed",
        source="wort.txt",
        reader="text/1",
        segmentation="1",
        sentences=(),
        passages=(),
        pages=(),
    )


def corrected(number: int) -> VersionCorrected:
    return VersionCorrected(number, "Das Wort", None, None, None, "assumed")


class Shredder:
    """Shreds in the store; fails as often as it is told after it has, and lets somebody ask meanwhile."""

    def __init__(self, store: InMemoryEventStore) -> None:
        self.store = store
        self.failures = 0
        self.late: list[Event] = []
        self.texts: list[str] = []
        self.views = 0

    @asynccontextmanager
    async def alone(self, *, patient: bool) -> AsyncIterator[bool]:
        yield patient

    async def records(self, mandate: UUID, events: Sequence[tuple[UUID, int]], texts: Sequence[str]) -> None:
        assert mandate == LIBRARY
        for stream, place in events:
            self.store.shred(stream, place)
        self.texts += texts
        if self.late:
            late, self.late = self.late, []
            await self.store.append(READER, uuid4(), 0, late, ACTOR)
        if self.failures:
            self.failures -= 1
            raise PartError("database")

    async def record_views(self, mandate: UUID, runs: Sequence[UUID], ordinals: Sequence[int]) -> None:
        assert (mandate, list(runs), len(ordinals)) == (LIBRARY, [], 1)
        self.views += 1


class World:
    """A document of a library with two versions, both put right; a run of a reader that quotes the first."""

    def __init__(self) -> None:
        self.store = InMemoryEventStore()
        self.shredder = Shredder(self.store)
        people = InMemoryPeople()
        erasures = Erasures(self.store, self.shredder, Quotes(self.store), uuid4)  # type: ignore[arg-type]
        mandates = Mandates(self.store, people, uuid4)
        self.eraser = OrderingEraser(erasures, mandates, self.store, Quotes(self.store), self.shredder)
        self.document, self.run = uuid4(), uuid4()

    async def open(self) -> "World":
        events = [DocumentRegistered("wort"), version(1), corrected(1), version(2), corrected(2)]
        recorded = await self.store.append(LIBRARY, self.document, 0, events, ACTOR)
        self.ordinal = recorded[1].position
        self.selected = PassagesSelected((LabelledPassage("S1", PassageId(self.ordinal, 0), 0.5),))
        await self.store.append(READER, self.run, 0, [self.selected, DRAFT, DELIVERED], ACTOR)
        return self

    async def erase(self) -> None:
        due = Due(VERSION, self.document, self.ordinal, None, date(2026, 1, 1))
        await self.eraser.records([due], Order(uuid4(), LIBRARY, ACTOR))

    async def worded(self) -> list[Event]:
        return [one.event for one in await self.store.after(0, 100) if isinstance(one.event, AnswerDrafted)]


@pytest.fixture
async def world() -> World:
    return await World().open()


@pytest.mark.parametrize("failures", [0, 1, 2])
async def test_what_failed_is_done_by_the_same_call(world: World, failures: int) -> None:
    """The version, what put its title right and what quotes it are gone; the run is told once; the rest stays."""
    world.shredder.failures = failures
    for _ in range(failures):
        with pytest.raises(PartError):
            await world.erase()
    await world.erase()

    left = [one.event for one in await world.store.read(world.document)]
    assert left == [DocumentRegistered("wort"), None, None, version(2), corrected(2)]
    run = [one.event for one in await world.store.read(world.run)]
    assert run == [world.selected, None, None, AnswerErased("answered", None, 8)]
    assert set(world.shredder.texts) == {"01" * 32}
    assert world.shredder.views == 1


async def test_what_is_quoted_meanwhile_goes_too(world: World) -> None:
    """A run that ends after the runs were looked for, and before the key was gone."""
    world.shredder.late = [world.selected, DRAFT, DELIVERED]
    await world.erase()
    assert await world.worded() == []


@pytest.mark.parametrize("held", [False, True])
async def test_what_an_earlier_erasure_has_left_goes_with_the_next(world: World, *, held: bool) -> None:
    """An answer that quoted a version too late to be found with it, unless a hold has come upon it since."""
    await world.erase()
    person, change, stream = uuid4(), uuid4(), uuid4()
    asked = QuestionAsked("Frage", person, None, (LIBRARY,), ("public",), None, None, date(2026, 1, 1), 1)
    await world.store.append(LIBRARY, uuid4(), 0, [asked, world.selected, DRAFT, DELIVERED], ACTOR, subject=person)
    gone = Due(VERSION, world.document, world.ordinal, None, date(2026, 1, 1))
    await world.store.append(LIBRARY, stream, 0, [DueListed((gone,))], ACTOR)
    history = [
        MandateOpened("L", "L", "Europe/Berlin", True, ("public",), ACTOR.person),  # noqa: FBT003 - as it is recorded
        ErasureProposed(change, ERASE_RECORDS, None, stream, 1, "Frist"),
        ChangeApproved(change),
        ErasureDone(change),
        *([HoldPlaced(uuid4(), person, "Verfahren")] if held else []),
    ]
    await world.store.append(LIBRARY, LIBRARY, 0, history, ACTOR)

    world.ordinal = (await world.store.read(world.document))[3].position
    await world.erase()

    assert await world.worded() == ([DRAFT] if held else [])


async def test_numbers_are_not_given_again(world: World) -> None:
    """Not those of erased versions, and none that is there, whether or not titles had been put right."""
    await world.erase()
    told = [one.event for one in await world.store.read(world.document)]
    assert document(told).next_number == 3
    assert document([*told[:1], version(1), None]).next_number == 3
    assert document([*told[:1], None, None]).next_number == 3
