"""An ingest is killed before every single one of its statements, one after the other."""

from datetime import date
from uuid import UUID, uuid4

from adapters.eventstore.recording import open_recording
from adapters.postgres.database import Database
from domain.asking.visibility import Horizon, VisibleVersion
from domain.mandates.events import MandateOpened
from domain.recording import StreamName
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.runner import ProjectionRunner
from tests.crashing import ACTOR, MASTER
from tests.fault.conftest import Victims

LEVELS = ("public", "internal")
MOST_STATEMENTS = 200


async def test_a_document_answers_with_one_version_whenever_its_ingest_dies(
    database: Database, victims: Victims
) -> None:
    """Until the end of an ingest the old version answers, from then on the new one: never none, never both."""
    recording = await open_recording(database, MASTER)
    mandate = uuid4()
    opened = MandateOpened("m", "m", "Europe/Berlin", library=False, levels=LEVELS, founder=ACTOR.person)
    await recording.events.append(mandate, mandate, 0, [opened], ACTOR, name=StreamName("mandate", "m"))
    views = ProjectionRunner(database, recording.events, [KnowledgeProjection()])
    _, ((_, answering), _) = await victims.run("ingest", MOST_STATEMENTS)
    deaths = taken_over = 0

    for number in range(1, MOST_STATEMENTS):
        end, acknowledged = await victims.run("ingest", number)
        intended = [value for kind, *values in acknowledged if kind == "intended" for value in values]
        version = await _answering(database, mandate, await views.reach())
        assert version.blob.sha256 in {answering, *intended}
        assert await recording.blobs.get(mandate, version.blob)
        if ["ingested"] in acknowledged:
            assert version.blob.sha256 == intended[0]
        taken_over += version.blob.sha256 != answering
        answering = version.blob.sha256
        if end == "done":
            break
        assert end == "killed"
        deaths += 1

    assert deaths > 10, "the ingest should have many statements"
    assert taken_over, "the last ingest was not killed"
    await recording.close()


async def _answering(database: Database, mandate: UUID, head: int) -> VisibleVersion:
    """Return the one version that answers today; at every earlier position since the first there was one as well."""
    known = PostgresKnowledge(database)
    first = None
    for position in range(1, head + 1):
        visible = await known.visible(Horizon((mandate,), LEVELS, position, date(2999, 1, 1)))
        first = first or (position if visible.versions else None)
        assert len(visible.versions) == (1 if first else 0)
    (version,) = visible.versions.values()
    return version
