"""Runs are told what has become of the versions that they cite, over the real store and the real views."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import PurePath
from typing import Any
from uuid import UUID

import pytest

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.asking.runs import RunFilter, filter_for
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Material
from projections.runs import PostgresRuns
from tests.cited_world import CitedWorld, now
from tests.crashing import ACTOR

PAST = date(2020, 1, 1)


@pytest.fixture
async def world(database: Database) -> AsyncIterator[CitedWorld]:
    world = await CitedWorld.open(database)
    for key in ("m", "lib"):
        await world.mandates.open(key, None, "Europe/Berlin", ACTOR, library=key == "lib")
    await world.mandates.subscribe("m", "lib", ACTOR)
    await world.ingest("Die Frist beträgt zwei Monate.")
    yield world
    await world.recording.close()


async def test_every_run_that_cites_a_superseded_version_is_told_once(world: CitedWorld) -> None:
    """However often somebody tells; a run that cites another document hears nothing."""
    await world.ingest("Die Kantine öffnet um elf Uhr.", key="kantine")
    runs = [await world.answer(await world.version(1)) for _ in range(3)]
    other = await world.answer(await world.version(1, "kantine"))
    await world.ingest("Die Frist beträgt drei Monate.", PAST)

    counts = [await world.changes.tell(ACTOR) for _ in range(3)]

    assert counts == [3, 0, 0]
    told = [await world.told(run) for run in runs]
    assert [[(one.cause, one.ended_on, one.holds, one.labels) for one in each] for each in told] == [
        [("superseded", PAST, False, ("S1",))]
    ] * 3
    assert told[0][0].change == (await world.version(2))[0]
    assert await world.told(other) == []


async def test_several_tellers_at_once_tell_once(database: Database, world: CitedWorld) -> None:
    """Each is a process of its own with its own connections; who comes second sees that it has been told."""
    runs = [await world.answer(await world.version(1)) for _ in range(8)]
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    others = [await CitedWorld.open(database) for _ in range(4)]

    await asyncio.gather(*(one.changes.tell(ACTOR) for one in (world, *others)))

    assert [len(await world.told(run)) for run in runs] == [1] * len(runs)
    for one in others:
        await one.recording.close()


async def test_an_answer_that_comes_after_the_change_it_did_not_see_is_told(world: CitedWorld) -> None:
    """Its horizon lies before the change, and the change was told to all others before it was delivered."""
    horizon = await world.recording.events.head()
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    assert await world.changes.tell(ACTOR) == 0

    late = await world.answer(await world.version(1), known=horizon)

    assert await world.changes.tell(ACTOR) == 1
    assert len(await world.told(late)) == 1


async def test_an_older_version_beside_the_cited_one_tells_nobody(world: CitedWorld) -> None:
    """A history that comes in later takes no day from the version in force."""
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    run = await world.answer(await world.version(2))
    await world.changes.tell(ACTOR)
    await world.ingest("Die Frist beträgt einen Monat.", PAST - timedelta(days=365))

    assert await world.changes.tell(ACTOR) == 0
    assert await world.told(run) == []


async def test_a_new_version_from_today_on_tells_who_asked_about_the_present(world: CitedWorld) -> None:
    """It takes no day from an answer for a day of the past; an answer of today is told that its source has ended."""
    of_today = await world.answer(await world.version(1))
    of_the_past = await world.answer(await world.version(1), valid_on=PAST)
    tomorrow = now().date() + timedelta(days=1)
    await world.ingest("Die Frist beträgt drei Monate.", tomorrow)

    assert await world.changes.tell(ACTOR) == 1
    (told,) = await world.told(of_today)
    assert (told.ended_on, told.holds) == (tomorrow, True)
    assert await world.told(of_the_past) == []


async def test_who_asked_at_midnight_asked_about_the_day_on_which_they_did(world: CitedWorld) -> None:
    """The question was recorded on the next day; that its source ends later on is told nevertheless."""
    yesterday, later = now().date() - timedelta(days=1), now().date() + timedelta(days=30)
    at_midnight = await world.answer(await world.version(1), valid_on=yesterday, today=yesterday)
    of_yesterday = await world.answer(await world.version(1), valid_on=yesterday, today=now().date())
    await world.ingest("Die Frist beträgt drei Monate.", later)

    assert await world.changes.tell(ACTOR) == 1
    assert [one.ended_on for one in await world.told(at_midnight)] == [later]
    assert await world.told(of_yesterday) == []


async def test_a_withdrawal_tells_whatever_day_was_asked_about(world: CitedWorld) -> None:
    """The document no longer answers for any day; a text that comes back takes nothing back."""
    runs = [await world.answer(await world.version(1), valid_on=day) for day in (None, PAST)]
    await world.withdraw()
    await world.changes.tell(ACTOR)
    await world.ingest("Die Frist beträgt zwei Monate.")
    await world.changes.tell(ACTOR)

    assert [[one.cause for one in await world.told(run)] for run in runs] == [["withdrawn"]] * 2


async def test_a_correction_tells_what_it_does_to_the_day(world: CitedWorld) -> None:
    """The same text with another validity, which no longer holds the day; another title alone tells nobody."""
    await world.ingest("Die Frist beträgt drei Monate.", PAST, key="frist")
    run = await world.answer(await world.version(1, "frist"))
    owner = await world.mandates.find("m")
    await _correct(world, owner.id, title="Anders")
    assert await world.changes.tell(ACTOR) == 0
    await _correct(world, owner.id, valid_to=PAST + timedelta(days=30))

    assert await world.changes.tell(ACTOR) == 1
    (told,) = await world.told(run)
    assert (told.cause, told.ended_on, told.holds) == ("corrected", PAST + timedelta(days=30), False)


async def _correct(world: CitedWorld, mandate: UUID, **stated: Any) -> None:
    text = "Die Frist beträgt drei Monate.".encode()
    statement = Statement("internal", valid_from=PAST, **stated)
    found = await world.knowledge.ingest(mandate, Material("frist", PurePath("a.txt"), text, statement), ACTOR)
    assert found.corrected


async def test_a_library_tells_the_runs_of_its_readers(world: CitedWorld) -> None:
    """The version belongs to another mandate than the run; the run's own mandate records what it is told."""
    await world.ingest("Die Frist beträgt zwei Monate.", mandate="lib", key="gesetz")
    run = await world.answer(await world.version(1, "gesetz", "lib"))
    await world.ingest("Die Frist beträgt drei Monate.", PAST, mandate="lib", key="gesetz")

    assert await world.changes.tell(ACTOR) == 1
    last = (await world.recording.events.read(run))[-1]
    assert last.mandate == (await world.mandates.find("m")).id


async def test_an_erased_question_is_not_told(world: CitedWorld) -> None:
    """Nobody can read it any more, so nothing is written to it, and nothing fails."""
    runs = [await world.answer(await world.version(1)) for _ in range(2)]
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    async with world.database.connection(Role.OWNER) as connection:
        await connection.execute("DELETE FROM event_keys WHERE stream = %s AND version = 1", (runs[0],))

    assert await world.changes.tell(ACTOR) == 1
    assert await world.told(runs[0]) == []


async def test_the_list_counts_what_was_told_up_to_a_position(world: CitedWorld) -> None:
    """A look back to before the change knows nothing of it; nor does a reader who may not see the version any more."""
    run = await world.answer(await world.version(1))
    before = await world.recording.events.head()
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    await world.changes.tell(ACTOR)
    head = await world.views.reach()
    mandate = await world.mandates.find("m")
    view, wanted = PostgresRuns(world.database), filter_for(mandate, ACTOR.person, head)

    async def counted(filter_: RunFilter) -> list[tuple[object, int]]:
        return [(one.run, one.changes) for one in await view.runs(filter_)]

    assert await counted(wanted) == [(run, 1)]
    assert await counted(replace(wanted, up_to=before)) == [(run, 0)]
    assert await view.touched(wanted, ["handbuch"], before) == 1
    assert await view.touched(wanted, ["kantine"], before) == 0
    assert await view.touched(wanted, ["handbuch"], head) == 0
    own = replace(wanted, reader=world.asker, oversees=False, levels=("public",))
    assert await counted(own) == [(run, 0)]
    assert await view.touched(own, ["handbuch"], before) == 0


async def test_a_person_is_told_until_they_have_been(world: CitedWorld) -> None:
    """Own runs only, and only what is new to the person."""
    run = await world.answer(await world.version(1))
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    await world.changes.tell(ACTOR)
    await world.views.reach()
    mandate = (await world.mandates.find("m")).id

    first = await world.citations.untold(mandate, world.asker)
    await world.citations.tell_person(mandate, world.asker, first[-1].told)

    assert [one.run for one in first] == [run]
    assert await world.citations.untold(mandate, world.asker) == ()
    assert await world.citations.untold(mandate, ACTOR.person) == ()


async def test_a_rebuilt_view_tells_nothing_twice(world: CitedWorld) -> None:
    """What has been told is read from the journal as well."""
    run = await world.answer(await world.version(1))
    await world.ingest("Die Frist beträgt drei Monate.", PAST)
    await world.changes.tell(ACTOR)
    await world.citations.forget()
    await world.views.rebuild("runs")
    await world.views.rebuild("knowledge")

    assert await world.changes.tell(ACTOR) == 0
    assert len(await world.told(run)) == 1
