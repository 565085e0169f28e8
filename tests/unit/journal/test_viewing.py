"""Looks are recorded before anything is shown, and one's own runs are nobody's business."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from domain.asking.runs import RunFilter, filter_for
from domain.errors import AccessError, PartError
from domain.journal.viewing import RUN_SHOW, RecordViewed, Viewing
from domain.recording import Actor
from tests.asking_world import World

QUESTION = "Wie lang ist die Frist der Kündigung?"


@pytest.fixture
async def world() -> World:
    return await World().open()


async def looks(world: World) -> list[tuple[Actor | None, RecordViewed, UUID]]:
    journal = await world.store.after(0, 10_000)
    return [(one.actor, one.event, one.mandate) for one in journal if isinstance(one.event, RecordViewed)]


async def asked_by_bert(world: World) -> UUID:
    await world.add("a", "handbuch", "Die Frist der Kündigung ist drei Monate lang.")
    return (await world.asking().ask(world.question(QUESTION, asker=world.bert))).run


async def listing(world: World, reader: UUID) -> RunFilter:
    return filter_for(await world.handler.find("a"), reader, 9)


async def test_a_run_of_somebody_else(world: World) -> None:
    """Who, which run, and what it could see stand in the chain of its mandate; not a word of the question."""
    run = await asked_by_bert(world)

    await Viewing(world.store, uuid4).at_run(RUN_SHOW, run, Actor(world.anna))

    ((actor, viewed, mandate),) = await looks(world)
    assert (actor, mandate) == (Actor(world.anna), world.mandates["a"])
    assert viewed == RecordViewed("run_show", (run,), ("public", "internal"))


async def test_the_own_run(world: World) -> None:
    """Bert looks at what he has asked himself."""
    await Viewing(world.store, uuid4).at_run(RUN_SHOW, await asked_by_bert(world), Actor(world.bert))
    assert await looks(world) == []


async def test_on_behalf_of_the_asker(world: World) -> None:
    """Anna, speaking for Bert, looks at what is not hers."""
    run = await asked_by_bert(world)
    await Viewing(world.store, uuid4).at_run(RUN_SHOW, run, Actor(world.bert, world.anna))
    assert [actor for actor, *_ in await looks(world)] == [Actor(world.bert, world.anna)]


@pytest.mark.parametrize(
    ("reader", "operator", "person", "recorded"),
    [
        ("anna", None, None, 1),
        ("anna", None, "bert", 1),
        ("anna", None, "anna", 0),
        ("bert", None, None, 0),
        ("bert", "anna", None, 1),
        ("anna", "bert", "anna", 1),
    ],
)
async def test_lists(world: World, reader: str, operator: str | None, person: str | None, recorded: int) -> None:
    """A list in which nobody else can stand is no look; the filter is kept with the position that it told up to."""
    who: UUID = getattr(world, reader)
    actor = Actor(who, getattr(world, operator) if operator else None)
    wanted = replace(await listing(world, who), person=getattr(world, person) if person else None)

    await Viewing(world.store, uuid4).at_list(wanted, actor)

    kept = [(by, viewed) for by, viewed, _ in await looks(world)]
    assert kept == [(actor, RecordViewed("run_list", person=wanted.person, position=9))] * recorded


async def test_what_is_no_run_is_no_look(world: World) -> None:
    """An unknown id and another stream leave nothing."""
    for run in (uuid4(), world.mandates["a"]):
        with pytest.raises(AccessError):
            await Viewing(world.store, uuid4).at_run(RUN_SHOW, run, Actor(world.anna))
    assert await looks(world) == []


async def test_what_cannot_be_recorded_is_said(world: World) -> None:
    """The caller learns of it before it shows anything."""
    run = await asked_by_bert(world)

    class Silent(type(world.store)):  # type: ignore[misc]
        async def append(self, *_: object, **__: object) -> None:
            raise PartError("database")

    world.store.__class__ = Silent
    with pytest.raises(PartError):
        await Viewing(world.store, uuid4).at_run(RUN_SHOW, run, Actor(world.anna))
