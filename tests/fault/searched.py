"""A small installation that is searched, and processes that die while they keep its searches."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from domain.asking.ports import Hit
from domain.asking.visibility import Visible
from domain.knowledge.events import DocumentRegistered
from domain.recording import StreamName
from projections.projection import Projection
from projections.runner import ProjectionRunner
from tests.crashing import ACTOR
from tests.crashing_searches import MANDATE, MASTER
from tests.fault.conftest import Victims
from tests.twins import Entry, horizon, ingested, visible

OTHER: Final = UUID(int=2)
MOST_STEPS: Final = 300
QUESTIONS: Final = ("Frist Vertrag", "Kündigung nummer3", "Fristen der Verträge nummer1")

Lists = list[tuple[Hit, ...]]


@dataclass(frozen=True)
class Searched:
    """Four documents in two mandates, ``world`` under the positions of their versions."""

    database: Database
    recording: Recording
    victims: Victims
    world: list[Entry]

    @property
    def of_the_first(self) -> list[Entry]:
        return [entry for entry in self.world if entry.mandate == MANDATE]

    def runner(self, *projections: Projection) -> ProjectionRunner:
        return ProjectionRunner(self.database, self.recording.events, projections)


@asynccontextmanager
async def searched(database: Database, victims: Victims) -> AsyncIterator[Searched]:
    recording = await open_recording(database, MASTER)
    world = []
    for number, mandate in enumerate((MANDATE, OTHER, MANDATE, OTHER)):
        entry = Entry(number, mandate, (f"Frist nummer{number} im Vertrag", "Kündigung der Frist"))
        event = (await ingested(entry, recording.blobs)).event
        assert event is not None
        events, name = [DocumentRegistered(f"d{number}"), event], StreamName("document", f"d{number}", mandate)
        _, ingest = await recording.events.append(mandate, UUID(int=100 + number), 0, events, ACTOR, name=name)
        world.append(Entry(ingest.position, mandate, entry.passages))
    yield Searched(database, recording, victims, world)
    await recording.close()


def within(seen: list[Entry]) -> Visible:
    return visible(seen, horizon([MANDATE, OTHER]))
