"""The index of words as the runner keeps it."""

from pathlib import Path
from uuid import UUID

import pytest

from adapters.postgres.database import Database
from adapters.search.feed import LexicalFeed
from adapters.search.tantivy import TantivyIndex
from domain.asking.ports import Hit
from domain.errors import PartError
from domain.knowledge.events import VersionIngested
from domain.recording import Actor
from projections.lexical import PartitionProjection
from projections.runner import ProjectionRunner
from tests.memory import InMemoryBlobs, InMemoryEventStore
from tests.twins import ANALYZER, Entry, InMemoryLexicalIndex, horizon, ingested, visible

A, B = UUID(int=1), UUID(int=2)
WORLD = [
    Entry(1, A, ("Die Frist", "Der Vertrag")),
    Entry(2, B, ("Frist der anderen",)),
    Entry(3, A, ("Vertrag, Frist",)),
]
SEEN = visible(WORLD, horizon([A]))


class Kept:
    """A journal with three versions, and the runner over it."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.folder, self.blobs, self.store = folder, InMemoryBlobs(), InMemoryEventStore()
        projection = PartitionProjection("lexical", self.blobs, LexicalFeed(folder, ANALYZER))
        self.runner = ProjectionRunner(database, self.store, [projection])

    async def record(self) -> None:
        for entry in WORLD:
            recorded = await ingested(entry, self.blobs)
            assert isinstance(recorded.event, VersionIngested)
            stream = UUID(int=100 + entry.ordinal)
            await self.store.append(entry.mandate, stream, 0, [recorded.event], Actor(A))

    async def search(self) -> tuple[Hit, ...]:
        return await TantivyIndex(self.folder, ANALYZER).search("Frist und Vertrag", SEEN, 10)


@pytest.fixture
async def kept(database: Database, tmp_path: Path) -> Kept:
    kept = Kept(database, tmp_path / "lexical")
    await kept.record()
    await kept.runner.reach()
    return kept


async def expected() -> tuple[Hit, ...]:
    twin = InMemoryLexicalIndex()
    twin.put([entry.words() for entry in WORLD])
    return await twin.search("Frist und Vertrag", SEEN, 10)


async def test_events_become_searchable(kept: Kept) -> None:
    """What the journal holds is found, under the statistics of the visible passages."""
    assert await kept.search() == await expected() != ()


async def test_a_lost_folder_is_named_and_rebuilt(kept: Kept) -> None:
    """A folder that vanished or was damaged is an error until the rebuild, never an empty result."""
    for file in kept.folder.glob("*/*"):
        file.unlink()
    with pytest.raises(PartError):
        await kept.search()
    await kept.runner.rebuild("lexical")

    assert await kept.search() == await expected()


async def test_a_rebuild_over_a_whole_index_changes_nothing(kept: Kept) -> None:
    """Versions replace themselves."""
    await kept.runner.rebuild("lexical")

    assert await kept.search() == await expected()
