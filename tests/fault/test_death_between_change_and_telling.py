"""A process that tells runs of a changed source is killed before every single one of its statements."""

from datetime import date, timedelta

from adapters.postgres.database import Database
from tests.cited_world import CitedWorld
from tests.crashing import ACTOR
from tests.fault.conftest import Victims

FIRST = date(2020, 1, 1)
MOST_STATEMENTS = 200
RUNS = 2


async def test_each_run_is_told_once_whenever_the_teller_dies(database: Database, victims: Victims) -> None:
    """The change is committed, the teller dies; the next one tells who has not been told, and nobody twice."""
    world = await CitedWorld.open(database)
    await world.mandates.open("m", None, "Europe/Berlin", ACTOR, library=False)
    await world.ingest("Die Frist beträgt 0 Tage.", FIRST)
    told_by_the_dead: list[int] = []

    for number in range(1, MOST_STATEMENTS):
        runs = [await world.answer(await world.version(number)) for _ in range(RUNS)]
        await world.ingest(f"Die Frist beträgt {number} Tage.", FIRST + timedelta(days=number))
        await world.views.reach()
        end, _ = await victims.run("tell", number)
        if end == "done":
            break
        assert end == "killed"
        told_by_the_dead.append(sum([len(await world.told(run)) for run in runs]))

        await world.changes.tell(ACTOR, await world.recording.events.head())

        assert [len(await world.told(run)) for run in runs] == [1] * RUNS

    assert end == "done"
    assert [len(await world.told(run)) for run in runs] == [1] * RUNS
    assert set(told_by_the_dead) == {0, 1, RUNS}, "some died before they told, some in between, some behind it"
    await world.recording.close()
