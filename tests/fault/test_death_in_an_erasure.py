"""An erasure is killed before every single one of its statements, one after the other, and always comes to its end."""

import asyncio
from pathlib import Path, PurePath
from uuid import UUID, uuid4

import psycopg

from adapters.eventstore.recording import Recording, open_recording
from adapters.journal.audit import audit
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.readers.readers import FileReaders
from domain.errors import AccessError
from domain.journal.events import ErasureOrdered, MandateKeyShredded
from domain.journal.ports import THE_STORE
from domain.knowledge.documents import Statement
from domain.knowledge.events import VersionIngested
from domain.knowledge.handler import Knowledge, Material
from domain.mandates.handler import Mandates
from domain.recording import BlobStore
from projections.knowledge import KnowledgeProjection
from projections.passages import PassageProjection
from projections.runner import ProjectionRunner
from projections.tables import OF_A_MANDATE
from tests.crashing import ACTOR, MASTER, erasures
from tests.crashing_searches import partitions
from tests.fault.conftest import Victims
from tests.live import always
from tests.memory import utc_now
from tests.twins import HalvesEncoder

MOST_STATEMENTS = 300
EVERY = 3
"""Every third statement of each round; the rounds begin one later, so that all have their turn in three nights."""


async def test_an_erasure_that_dies_comes_to_its_end(database: Database, victims: Victims) -> None:
    """Before the order is recorded nothing is gone; after it the next command finishes, once, whatever was done."""
    recording = await open_recording(database, MASTER)
    mandates = Mandates(recording.events, recording.people, uuid4)
    views = ProjectionRunner(database, recording.events, _projections(recording.blobs, recording, victims.folder))
    deaths = unordered = finished = 0
    mandate: UUID | None = None

    for number in range(1, MOST_STATEMENTS, EVERY):
        if mandate is None:
            mandate = await _filled(recording, mandates, number)
            await views.reach()
        end, _ = await victims.run("erase", number)
        assert end in {"done", "killed"}
        deaths += end == "killed"
        left = await erasures(database, recording, victims.folder).finish(patient=True)
        ordered, done = await _history(recording, mandate)
        if not ordered:
            assert end == "killed"
            assert await mandates.find("m")
            unordered += 1
            continue
        finished += left
        assert (ordered, done) == (1, 1)
        assert _left(database, mandate) == []
        assert not (victims.folder / "lexical" / "1" / str(mandate)).exists()
        await views.reach()
        mandate = None
        if end == "done":
            break

    assert end == "done"
    assert deaths > 10
    assert unordered
    assert finished > 5
    await recording.close()


async def test_others_go_on_meanwhile(database: Database, tmp_path: Path) -> None:
    """What comes into the mandate while it is erased is refused or unreadable; another mandate misses nothing."""
    recording = await open_recording(database, MASTER)
    mandates = Mandates(recording.events, recording.people, uuid4)
    views = ProjectionRunner(database, recording.events, _projections(recording.blobs, recording, tmp_path))
    mandate = await _filled(recording, mandates, 0)
    other = await mandates.open("n", None, "Europe/Berlin", ACTOR, library=False)
    await views.reach()
    order = ErasureOrdered(uuid4(), "mandate", mandate, None, None, "Ende")

    async def keep_coming(into: UUID) -> int:
        done = 0
        for number in range(30):
            try:
                await _ingest(recording, mandates, into, f"text{number}", number)
                await views.reach()
            except AccessError:
                return done
            done += 1
        return done

    _, own, others = await asyncio.gather(
        erasures(database, recording, tmp_path).carry_out(order, ACTOR), keep_coming(mandate), keep_coming(other.id)
    )

    assert own < 30
    assert others == 30
    await views.reach()
    assert await _history(recording, mandate) == (1, 1)
    assert {"keyring", *OF_A_MANDATE, "passage_vectors"}.isdisjoint(_left(database, mandate))
    readable = [one for one in await recording.events.after(0, 10_000) if one.mandate == mandate and one.event]
    assert not readable
    assert sum(isinstance(one.event, VersionIngested) for one in await recording.events.after(0, 10_000)) == 30
    assert audit(database.conninfo(Role.WRITER), ()).problems == []
    await recording.close()


def _projections(blobs: BlobStore, recording: Recording, folder: Path) -> list[object]:
    marks = MASTER.first_marking().text_mac
    index = partitions("lexical", recording.blobs, folder / "lexical" / "1")
    return [KnowledgeProjection(), PassageProjection(blobs, always(HalvesEncoder()), marks), index]


async def _filled(recording: Recording, mandates: Mandates, number: int) -> UUID:
    """Open the mandate ``m`` with a document; its name is free again after each erasure."""
    mandate = await mandates.open("m", None, "Europe/Berlin", ACTOR, library=False)
    await _ingest(recording, mandates, mandate.id, "handbuch", number)
    return mandate.id


async def _ingest(recording: Recording, mandates: Mandates, mandate: UUID, key: str, number: int) -> None:
    readers = FileReaders()
    knowledge = Knowledge(recording.events, recording.blobs, readers, mandates, clock=utc_now, new_id=uuid4)
    text = f"Die Frist beträgt {number} Tage."
    material = Material(key, PurePath(f"{key}.txt"), text.encode(), Statement("internal"))
    await knowledge.ingest(mandate, material, ACTOR)


async def _history(recording: Recording, mandate: UUID) -> tuple[int, int]:
    """How often the erasure of a mandate was ordered, and how often it was done."""
    events = [one.event for one in await recording.events.after(0, 10_000) if one.mandate == THE_STORE]
    ordered = sum(isinstance(one, ErasureOrdered) and one.subject == mandate for one in events)
    return ordered, sum(isinstance(one, MandateKeyShredded) and one.mandate == mandate for one in events)


def _left(database: Database, mandate: UUID) -> list[str]:
    """Return the tables that hold anything of a mandate: as the superuser, whom row-level security hides nothing."""
    tables = (*OF_A_MANDATE, "passage_vectors", "passage_weights", "blobs", "blob_keys", "stream_names")
    asked = {table: f"SELECT FROM {table} WHERE mandate = %s LIMIT 1" for table in tables}
    asked["keyring"] = "SELECT FROM keyring WHERE owner = %s"
    with psycopg.connect(database.admin.conninfo, autocommit=True) as connection:
        connection.execute("SET search_path = fundstelle, public")
        return [table for table, statement in asked.items() if connection.execute(statement, [mandate]).fetchone()]
