"""What keeps the searches, for processes that die on the way (``tests/crashing.py``)."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from tantivy import Index, IndexWriter

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from adapters.search.feed import LexicalFeed, PartitionFeed, SubwordFeed
from domain.recording import BlobStore
from projections import backfill, runner
from projections.backfill import Backfill
from projections.encodings import DENSE, SPARSE, Kind
from projections.graphs import open_graph
from projections.lexical import PartitionProjection
from tests.twins import ANALYZER, SUBWORDS, HalvesEncoder, TokenEncoder

MANDATE: Final = UUID(int=1)
MASTER: Final = MasterKey(bytes(32))
FEEDS: Final[dict[str, Callable[[Path], PartitionFeed]]] = {
    "lexical": lambda folder: LexicalFeed(folder, ANALYZER),
    "subwords": lambda folder: SubwordFeed(folder, SUBWORDS),
}


class NewVectors(HalvesEncoder):
    """The vectors of ``HalvesEncoder`` under another name."""

    fingerprint = "halves/2"


class NewWeights(TokenEncoder):
    """The weights of ``TokenEncoder`` under another name."""

    fingerprint = "tokens/2"


ENCODINGS: Final[dict[str, tuple[Kind[Any], Any]]] = {
    "dense": (DENSE, NewVectors()),
    "sparse": (SPARSE, NewWeights()),
}


def partitions(name: str, blobs: BlobStore, folder: Path) -> PartitionProjection:
    return PartitionProjection(name, blobs, FEEDS[name](folder))


def graphs_from_the_first_passage() -> None:
    open_graph.__defaults__ = (1,)


async def _feed(name: str, database: Database, folder: Path) -> None:
    """Bring an index in folders to the head, building it anew when its version is new."""
    runner.BATCH_EVENTS = 2  # type: ignore[misc]
    recording = await open_recording(database, MASTER)
    views = [partitions(name, recording.blobs, folder)]
    await runner.ProjectionRunner(database, recording.events, views).reach()
    os._exit(0)


async def opened(name: str, database: Database) -> tuple[Recording, Backfill[Any], Any]:
    """Return the recording, the backfill of one kind, and its encoder."""
    recording = await open_recording(database, MASTER)
    kind, encoder = ENCODINGS[name]
    return (
        recording,
        Backfill(database, recording.events, recording.blobs, MASTER.first_marking().text_mac, kind),
        encoder,
    )


async def _fill(name: str, database: Database) -> None:
    """Encode a mandate with one more encoder."""
    backfill.BATCH_VERSIONS = 1  # type: ignore[misc]
    graphs_from_the_first_passage()
    _, filling, encoder = await opened(name, database)
    await filling.run(MANDATE, encoder)
    os._exit(0)


async def _retire(name: str, database: Database) -> None:
    """Delete what that encoder has made."""
    _, filling, encoder = await opened(name, database)
    await filling.retire(MANDATE, encoder.fingerprint)
    os._exit(0)


Scenario = Callable[[Database, Path], Awaitable[None]]


def scenarios() -> dict[str, Scenario]:
    """Return the scenarios by name."""
    return {
        **{name: lambda database, folder, name=name: _feed(name, database, folder) for name in FEEDS},
        **{f"fill-{name}": lambda database, _, name=name: _fill(name, database) for name in ENCODINGS},
        **{f"retire-{name}": lambda database, _, name=name: _retire(name, database) for name in ENCODINGS},
    }


class Ticking:
    """A writer of a folder that ticks before and after its commit."""

    def __init__(self, writer: IndexWriter, tick: Callable[[], None]) -> None:
        self._writer = writer
        self._tick = tick

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def commit(self) -> None:
        self._tick()
        self._writer.commit()
        self._tick()


def tick_in_folders(tick: Callable[[], None]) -> None:
    """Let writers of folders tick before they commit, and before they have merged what is there."""
    wait = PartitionFeed._wait_for_writer

    def waiting(self: PartitionFeed, index: Index) -> Any:
        return Ticking(wait(self, index), tick)

    PartitionFeed._wait_for_writer = waiting  # type: ignore[method-assign]
