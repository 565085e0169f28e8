"""The writer of folders is killed around every commit, there and in the database, one after the other."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.analyzer import RULES
from adapters.search.subwords import SubwordIndex
from adapters.search.tantivy import TantivyIndex
from projections.lexical import PartitionProjection
from tests.crashing_searches import partitions
from tests.fault.conftest import Victims
from tests.fault.searched import MOST_STEPS, QUESTIONS, Lists, Searched, searched, within
from tests.twins import ANALYZER, SUBWORDS, Entry, InMemoryLexicalIndex, InMemorySubwordIndex


@pytest.fixture
async def installation(database: Database, victims: Victims) -> AsyncIterator[Searched]:
    async with searched(database, victims) as installation:
        yield installation


async def _words(index: TantivyIndex | InMemoryLexicalIndex, seen: list[Entry]) -> Lists:
    return [await index.search(question, within(seen), 9) for question in QUESTIONS]


async def _pieces(index: SubwordIndex | InMemorySubwordIndex, seen: list[Entry]) -> Lists:
    return [await index.search(await SUBWORDS.question(question), within(seen), 9) for question in QUESTIONS]


async def _lists(name: str, folder: Path, seen: list[Entry]) -> Lists:
    """What a process that starts now finds in the folders."""
    if name == "lexical":
        return await _words(TantivyIndex(folder, ANALYZER), seen)
    return await _pieces(SubwordIndex(folder), seen)


async def _undisturbed(name: str, seen: list[Entry]) -> Lists:
    words, pieces = InMemoryLexicalIndex(), InMemorySubwordIndex()
    for twin in (words, pieces):
        twin.put([entry.words() for entry in seen])
    return await (_words(words, seen) if name == "lexical" else _pieces(pieces, seen))


@pytest.fixture(params=["lexical", "subwords"])
def view(request: pytest.FixtureRequest, installation: Searched) -> PartitionProjection:
    return partitions(request.param, installation.recording.blobs, installation.victims.folder)


@pytest.mark.parametrize("task", ["go on", "rebuild"])
async def test_folders_are_whole_whenever_their_writer_dies(
    installation: Searched, view: PartitionProjection, task: str
) -> None:
    """Up to the position that the view claims, lists are those of an undisturbed one; after a restart all are.

    While it is rebuilt, all of them are at any time.
    """
    world, folder, runner = installation.world, installation.victims.folder, installation.runner(view)
    head = world[-1].ordinal
    deaths = between = 0
    for number in range(1, MOST_STEPS):
        shutil.rmtree(folder, ignore_errors=True)
        await _place(installation.database, view.name, RULES, 0)
        if task == "rebuild":
            await runner.reach(head)
            await _place(installation.database, view.name, RULES - 1, head)
        end, _ = await installation.victims.run(view.name, number)
        claimed = await _position(installation.database, view.name)
        seen = [entry for entry in world if entry.ordinal <= claimed]
        assert await _lists(view.name, folder, seen) == await _undisturbed(view.name, seen)
        await runner.reach(head)
        assert await _lists(view.name, folder, world) == await _undisturbed(view.name, world)
        if end == "done":
            break
        assert end == "killed"
        deaths += 1
        between += claimed not in {0, head}

    assert end == "done"
    assert deaths > 8, "the scenario should have many steps"
    assert task == "rebuild" or between > 2, "the scenario should have several batches"


async def _place(database: Database, name: str, version: int, position: int) -> None:
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("DELETE FROM projection_positions WHERE name = %s", (name,))
        await connection.execute("INSERT INTO projection_positions VALUES (%s, %s, %s)", (name, version, position))


async def _position(database: Database, name: str) -> int:
    async with database.connection(Role.OWNER) as connection:
        found = await connection.execute("SELECT position FROM projection_positions WHERE name = %s", (name,))
        [(position,)] = await found.fetchall()
    return int(position)
