"""Several processes ingest at once, over the real event store."""

import asyncio
from datetime import UTC, datetime
from pathlib import PurePath
from uuid import uuid4

from adapters.eventstore.recording import Recording, open_recording
from adapters.postgres.database import Database
from domain.asking.visibility import Horizon
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Knowledge, Material
from domain.mandates.handler import Mandates
from domain.mandates.state import Mandate
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.runner import ProjectionRunner
from tests.crashing import ACTOR, MASTER
from tests.unit.test_knowledge_handler import PlainReaders

TEXTS = [f"Die Frist beträgt {number} Tage." for number in range(4)]


def handler(recording: Recording) -> Knowledge:
    mandates = Mandates(recording.events, recording.people, uuid4)
    return Knowledge(
        recording.events, recording.blobs, PlainReaders(), mandates, clock=lambda: datetime.now(UTC), new_id=uuid4
    )


async def opened(recording: Recording) -> Mandate:
    mandates = Mandates(recording.events, recording.people, uuid4)
    return await mandates.open("m", None, "Europe/Berlin", ACTOR, library=False)


async def test_texts_that_come_in_at_once_become_versions_one_after_the_other(database: Database):
    """No text is lost and no number given twice, the first version included; one of them answers."""
    recordings = [await open_recording(database, MASTER) for _ in TEXTS]
    mandate = await opened(recordings[0])

    found = await asyncio.gather(
        *(
            handler(recording).ingest(
                mandate.id, Material("frist", PurePath("frist.txt"), text.encode(), Statement("internal")), ACTOR
            )
            for recording, text in zip(recordings, TEXTS, strict=True)
        )
    )

    views = ProjectionRunner(database, recordings[0].events, [KnowledgeProjection()])
    position = await views.reach()
    today = datetime.now(UTC).date()
    visible = await PostgresKnowledge(database).visible(Horizon((mandate.id,), mandate.levels, position, today))
    assert sorted(one.version for one in found) == [1, 2, 3, 4]
    assert len(visible.versions) == 1
    for recording in recordings:
        await recording.close()


async def test_the_same_text_that_comes_in_twice_at_once_is_one_version(database: Database):
    """The second process finds what the first has recorded, and changes nothing."""
    recordings = [await open_recording(database, MASTER) for _ in range(2)]
    mandate = await opened(recordings[0])
    material = Material("frist", PurePath("frist.txt"), TEXTS[0].encode(), Statement("internal"))

    found = await asyncio.gather(*(handler(recording).ingest(mandate.id, material, ACTOR) for recording in recordings))

    assert [one.version for one in found] == [1, 1]
    assert sorted(one.changed for one in found) == [False, True]
    for recording in recordings:
        await recording.close()
