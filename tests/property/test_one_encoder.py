"""A search sees what one encoder made and nothing that another did, whichever lie beside it."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.pgvector import PgvectorIndex
from adapters.search.sparsevec import SparsevecIndex
from domain.asking.ports import PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError
from projections.passages import PassageProjection
from projections.weights import WeightProjection
from tests.examples import examples
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import (
    Entry,
    HalvesEncoder,
    InMemoryDenseIndex,
    InMemoryWeights,
    TokenEncoder,
    horizon,
    ingested,
    visible,
)
from tests.worlds import MANDATES, entries, questions

MASTER = MasterKey(bytes(32))


class OtherHalves(HalvesEncoder):
    """As many numbers as the other's, and other ones: only their fingerprints tell the vectors apart."""

    fingerprint = "halves/2"

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        return await super().encode([f"{text} anders" for text in texts])


class OtherTokens(TokenEncoder):
    """The same features, each of them twice as heavy."""

    fingerprint = "tokens/2"

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        found = await super().encode(texts)
        return [{token: 2 * weight for token, weight in weights.items()} for weights in found]


DENSE = (HalvesEncoder(), OtherHalves())
SPARSE = (TokenEncoder(), OtherTokens())


async def keep(database: Database, world: Sequence[Entry], through: Sequence[int]) -> None:
    """Take ``world`` in, each version through the encoders that the bits of its number in ``through`` name."""
    blobs = InMemoryBlobs()
    async with database.connection(Role.PROJECTOR) as connection:
        for entry, bits in zip(world, through, strict=True):
            dense = always(*(one for bit, one in enumerate(DENSE, 1) if bits & bit))
            sparse = always(*(one for bit, one in enumerate(SPARSE, 1) if bits & bit))
            recorded = [await ingested(entry, blobs)]
            await PassageProjection(blobs, dense, MASTER.first_marking().text_mac).apply(connection, recorded)
            await WeightProjection(blobs, sparse, MASTER.first_marking().text_mac).apply(connection, recorded)


async def empty(database: Database) -> None:
    async with database.connection(Role.PROJECTOR) as connection:
        await PassageProjection(InMemoryBlobs(), always(*DENSE), MASTER.first_marking().text_mac).clear(connection)
        await WeightProjection(InMemoryBlobs(), always(*SPARSE), MASTER.first_marking().text_mac).clear(connection)


async def same_as_alone(database: Database, number: int, question: str, seen: Visible, world: Sequence[Entry]) -> None:
    """Compare with twins that never held anything of another encoder."""
    dense, sparse = DENSE[number], SPARSE[number]
    vector, weights = await dense.question(question), await sparse.question(question)
    alone, weighed = InMemoryDenseIndex(), InMemoryWeights()
    for entry in world:
        ids = [PassageId(entry.ordinal, place) for place in range(len(entry.passages))]
        alone.add(dict(zip(ids, await dense.encode(entry.passages), strict=True)))
        weighed.add(dict(zip(ids, await sparse.encode(entry.passages), strict=True)))
    index = PgvectorIndex(database, dense.fingerprint)
    hits = await index.search(vector, seen, 20)
    heaviest = await SparsevecIndex(database, sparse.fingerprint).search(weights, seen, 20)

    assert hits == await alone.search(vector, seen, 20)
    assert heaviest == await weighed.search(weights, seen, 20)
    found = [hit.passage for hit in hits]
    assert await index.vectors(found, seen) == await alone.vectors(found, seen)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    world=entries(),
    through=st.lists(st.sampled_from([1, 2, 3, 3]), min_size=8, max_size=8),
    question=questions,
    scope=st.lists(st.sampled_from(MANDATES), min_size=1, unique=True),
)
async def test_hits_are_what_the_encoder_of_the_search_made(
    database: Database, world: list[Entry], through: list[int], question: str, scope: list[UUID]
) -> None:
    """With either encoder a search is as if there were no other; a version that it has not been through ends it."""
    await empty(database)
    await keep(database, world, through[: len(world)])
    seen = visible(world, horizon(scope, ["public", "internal"]))
    inside = [(one, bits) for one, bits in zip(world, through, strict=False) if one.ordinal in seen.versions]
    for number, (dense, sparse) in enumerate(zip(DENSE, SPARSE, strict=True)):
        if all(bits & 1 << number for _, bits in inside):
            await same_as_alone(database, number, question, seen, [one for one, _ in inside])
            continue
        with pytest.raises(PartError, match="dense"):
            await PgvectorIndex(database, dense.fingerprint).search(await dense.question(question), seen, 9)
        with pytest.raises(PartError, match="sparse"):
            await SparsevecIndex(database, sparse.fingerprint).search({"1": 1.0}, seen, 9)
