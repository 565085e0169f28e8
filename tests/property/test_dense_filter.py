"""Nothing outside the horizon is found by meaning, and nothing outside it moves a score."""

from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.pgvector import PgvectorIndex
from domain.asking.ports import PassageId
from projections.passages import PassageProjection
from tests.examples import examples
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import Entry, HalvesEncoder, InMemoryDenseIndex, horizon, ingested, visible
from tests.worlds import LEVELS, MANDATES, entries, questions

MASTER = MasterKey(bytes(32))
scopes = st.lists(st.sampled_from(MANDATES), min_size=1, unique=True)
reach = st.lists(st.sampled_from(LEVELS), min_size=1, unique=True)


@settings(max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    world=entries(),
    question=questions,
    scope=scopes,
    levels=reach,
    position=st.integers(0, 45),
    limit=st.integers(1, 9),
)
async def test_hits_are_those_of_the_visible_passages_alone(  # noqa: PLR0917
    database: Database,
    world: list[Entry],
    question: str,
    scope: list[UUID],
    levels: list[str],
    position: int,
    limit: int,
) -> None:
    """The database holds all documents, the naive twin the visible ones; both give the same hits."""
    blobs, encoder, alone = InMemoryBlobs(), HalvesEncoder(), InMemoryDenseIndex()
    projection = PassageProjection(blobs, always(encoder), MASTER.first_marking().text_mac)
    async with database.connection(Role.PROJECTOR) as connection:
        await projection.clear(connection)
        await projection.apply(connection, [await ingested(entry, blobs) for entry in world])
    seen = visible(world, horizon(scope, levels, position))
    for entry in world:
        if entry.ordinal in seen.versions:
            vectors = await encoder.encode(entry.passages)
            alone.add({PassageId(entry.ordinal, number): vector for number, vector in enumerate(vectors)})
    (vector,) = await encoder.encode([question])

    hits = await PgvectorIndex(database, encoder.fingerprint).search(vector, seen, limit)

    assert hits == await alone.search(vector, seen, limit)
    assert all(hit.passage.ordinal in seen.versions for hit in hits)
