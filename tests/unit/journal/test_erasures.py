"""Erasures in the store's own history: ordered once, finished once, whatever fails in between."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from uuid import UUID, uuid4

import pytest

from domain.asking.events import LabelledPassage, PassagesSelected, QuestionAsked
from domain.asking.outcome import AnswerDrafted, AnswerErased, AnswerRefused, Cut, Sentence
from domain.asking.ports import PassageId
from domain.asking.quoting import Quotes
from domain.errors import ConflictError, PartError
from domain.journal.erasures import MANDATE, PERSON, Erasures
from domain.journal.events import ErasureOrdered, MandateKeyShredded, PersonKeyShredded
from domain.journal.ports import THE_STORE
from domain.knowledge.events import LevelAssigned
from domain.knowledge.text import Span
from domain.recording import Actor, Event
from tests.memory import InMemoryEventStore

ACTOR = Actor(uuid4())
LIBRARY, SUBSCRIBER = uuid4(), uuid4()


class Shredder:
    """Writes down what it is asked to do; ``fails_at`` names a step that fails once."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.about: list[object] = []
        self.places: list[tuple[UUID, int]] = []
        self.fails_at = ""
        self.free = True

    @asynccontextmanager
    async def alone(self, *, patient: bool) -> AsyncIterator[bool]:
        yield self.free or patient

    async def person(self, person: UUID, written: Sequence[tuple[UUID, int]]) -> Sequence[UUID]:
        self._step("person", person)
        self.places += written
        return ()

    async def mandate(self, mandate: UUID, quoting: Sequence[tuple[UUID, int]]) -> None:
        self._step("mandate", mandate)
        self.places += quoting

    async def runs(self, person: UUID) -> None:
        self._step("runs", person)

    async def views(self, mandate: UUID) -> None:
        self._step("views", mandate)

    async def remains(self, kind: str) -> None:
        self._step("remains", kind)

    def _step(self, name: str, about: object) -> None:
        self.about.append(about)
        if self.fails_at == name:
            self.fails_at = ""
            raise PartError("database")
        self.done.append(name)


class World:
    def __init__(self) -> None:
        self.store = InMemoryEventStore()
        self.shredder = Shredder()
        self.erasures = Erasures(self.store, self.shredder, Quotes(self.store), uuid4)

    async def history(self) -> list[Event | None]:
        return [one.event for one in await self.store.after(0, 100) if one.mandate == THE_STORE]


def order(kind: str, subject: UUID) -> ErasureOrdered:
    return ErasureOrdered(uuid4(), kind, subject, uuid4(), None, "Ende")


async def test_an_erasure_is_recorded_before_and_after() -> None:
    """Carried out twice, it is ordered and done once."""
    world, ordered = World(), order(PERSON, uuid4())
    await world.erasures.carry_out(ordered, ACTOR)
    await world.erasures.carry_out(ordered, ACTOR)
    assert await world.history() == [ordered, PersonKeyShredded(ordered.change, ordered.subject)]
    assert world.shredder.done == ["person", "person", "runs", "remains"]
    assert world.shredder.about == [ordered.subject, ordered.subject, ordered.subject, PERSON]


@pytest.mark.parametrize("step", ["mandate", "views", "remains"])
async def test_what_failed_is_finished_by_the_next_command(step: str) -> None:
    """Every step that failed is taken again, and the end is recorded once."""
    world, ordered = World(), order(MANDATE, LIBRARY)
    world.shredder.fails_at = step
    with pytest.raises(PartError):
        await world.erasures.carry_out(ordered, ACTOR)
    assert await world.history() == [ordered]
    assert await world.erasures.finish() == 1
    assert await world.erasures.finish() == 0
    assert await world.history() == [ordered, MandateKeyShredded(ordered.change, LIBRARY)]


async def test_what_somebody_else_is_at_is_left_to_them() -> None:
    """A command that merely starts does not wait for a running backup or erasure."""
    world, ordered = World(), order(PERSON, uuid4())
    world.shredder.fails_at = "person"
    with pytest.raises(PartError):
        await world.erasures.carry_out(ordered, ACTOR)
    world.shredder.free = False
    assert await world.erasures.finish() == 0
    assert world.shredder.done == []
    assert await world.erasures.finish(patient=True) == 1


async def test_runs_that_quote_a_library_say_that_it_is_gone() -> None:
    """Drafts and refusals about it lose their keys; a run about something else stays as it is."""
    world = World()
    (library,) = await world.store.append(LIBRARY, uuid4(), 0, [LevelAssigned("public")], ACTOR)
    (own,) = await world.store.append(SUBSCRIBER, uuid4(), 0, [LevelAssigned("public")], ACTOR)
    runs = {name: uuid4() for name in ("quoting", "other")}
    for name, about in (("quoting", library.position), ("other", own.position)):
        selected = PassagesSelected((LabelledPassage("S1", PassageId(about, 0), 0.5),))
        refused = AnswerRefused("coverage", "coverage", 0.1, 0.8, ())
        events = [selected, AnswerDrafted("f", "1", ()), refused]
        await world.store.append(SUBSCRIBER, runs[name], 0, events, ACTOR)

    await world.erasures.carry_out(order(MANDATE, LIBRARY), ACTOR)

    quoting = await world.store.read(runs["quoting"])
    assert quoting[-1].event == AnswerErased("refused", "coverage", quoting[2].position)
    assert len(quoting) == 4
    assert set(world.shredder.places) == {(runs["quoting"], 2), (runs["quoting"], 3)}
    assert len(await world.store.read(runs["other"])) == 3


async def test_a_question_under_way_cannot_quote_what_is_erased() -> None:
    """A run that has chosen passages of the library and not ended gets an end, so nothing more is recorded on it."""
    world, run = World(), uuid4()
    (library,) = await world.store.append(LIBRARY, uuid4(), 0, [LevelAssigned("public")], ACTOR)
    selected = PassagesSelected((LabelledPassage("S1", PassageId(library.position, 0), 0.5),))
    await world.store.append(SUBSCRIBER, run, 0, [selected], ACTOR)

    await world.erasures.carry_out(order(MANDATE, LIBRARY), ACTOR)

    assert (await world.store.read(run))[-1].event == AnswerErased("failed", None, 2)
    with pytest.raises(ConflictError):
        await world.store.append(SUBSCRIBER, run, 1, [AnswerDrafted("f", "1", ())], ACTOR)


async def test_what_a_model_wrote_for_a_person_goes_with_them(world_of_answers: tuple[World, dict[str, UUID]]) -> None:
    """A draft in free words can repeat the question; word-for-word answers and those to others stay."""
    world, runs = world_of_answers
    await world.erasures.carry_out(order(PERSON, ACTOR.person), ACTOR)
    assert set(world.shredder.places) == {(runs["free"], 2), (runs["free"], 3)}


async def test_what_is_written_while_a_person_goes_goes_too() -> None:
    """A draft that comes in after the answers were looked for, and before the key is gone, is found afterwards.

    So is one to a question that was not even asked when they were looked for.
    """
    world, run, late = World(), uuid4(), uuid4()
    asked = QuestionAsked("Frage", ACTOR.person, None, (SUBSCRIBER,), ("public",), None, None, date(2026, 1, 1), 0)
    await world.store.append(SUBSCRIBER, run, 0, [asked], ACTOR, subject=ACTOR.person)
    draft = AnswerDrafted("f", "1", (Sentence("Wort", ("S1",)),))

    class Late(Shredder):
        async def person(self, person: UUID, written: Sequence[tuple[UUID, int]]) -> Sequence[UUID]:
            is_first = not self.done
            if is_first:
                await world.store.append(SUBSCRIBER, run, 1, [draft], ACTOR)
                await world.store.append(SUBSCRIBER, late, 0, [asked, draft], ACTOR, subject=person)
            await super().person(person, written)
            return (run, late) if is_first else ()

    world.shredder = Late()
    await Erasures(world.store, world.shredder, Quotes(world.store), uuid4).carry_out(
        order(PERSON, ACTOR.person), ACTOR
    )
    assert world.shredder.places == [(run, 2), (late, 2)]


@pytest.fixture
async def world_of_answers() -> tuple[World, dict[str, UUID]]:
    """A free and a literal answer to ACTOR, and a free one to somebody else."""
    world, runs = World(), {name: uuid4() for name in ("free", "literal", "other")}
    cut = Cut(Span(0, 4))
    for name, run in runs.items():
        asker = uuid4() if name == "other" else ACTOR.person
        asked = QuestionAsked("Frage", asker, None, (SUBSCRIBER,), ("public",), None, None, date(2026, 1, 1), 0)
        draft = AnswerDrafted("f", "1", (Sentence("Wort", ("S1",), cut=cut if name == "literal" else None),))
        refused = AnswerRefused("coverage", "coverage", 0.1, 0.8, ())
        await world.store.append(SUBSCRIBER, run, 0, [asked, draft, refused], ACTOR, subject=asker)
    return world, runs
