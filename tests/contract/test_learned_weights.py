"""What an index of learned weights promises, the in-memory twin included."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.sparsevec import DIMENSIONS, MOST_FEATURES, SparsevecIndex, sparse_literal
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError
from projections.encodings import always
from projections.weights import WeightProjection
from tests.memory import InMemoryBlobs
from tests.twins import Entry, InMemoryWeights, TokenEncoder, horizon, ingested, visible

A, B = UUID(int=1), UUID(int=2)
MASTER = MasterKey(bytes(32))
WORLD = (
    Entry(3, A, ("Kündigung", "Kündigung Kündigung", "Vertrag", "")),
    Entry(5, A, ("Kündigung Vertrag", "Kündigung")),
    Entry(8, B, ("Kündigung Marker",)),
)


class Feedable(Protocol):
    async def put(self, entries: Sequence[Entry]) -> None: ...

    async def ask(self, text: str, seen: Visible, limit: int) -> tuple[Hit, ...]: ...


class Sparsevec:
    """Index and feed of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._blobs = InMemoryBlobs()
        self._index = SparsevecIndex(database, TokenEncoder.fingerprint)

    async def put(self, entries: Sequence[Entry]) -> None:
        projection = WeightProjection(self._blobs, always(TokenEncoder()), MASTER.text_mac)
        async with self._database.connection(Role.PROJECTOR) as connection:
            await projection.apply(connection, [await ingested(entry, self._blobs) for entry in entries])

    async def ask(self, text: str, seen: Visible, limit: int) -> tuple[Hit, ...]:
        return await self._index.search(await TokenEncoder().question(text), seen, limit)


class Memory:
    """The twin, fed with versions."""

    def __init__(self) -> None:
        self._index = InMemoryWeights()

    async def put(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            weights = await TokenEncoder().encode(entry.passages)
            self._index.add({PassageId(entry.ordinal, number): one for number, one in enumerate(weights)})

    async def ask(self, text: str, seen: Visible, limit: int) -> tuple[Hit, ...]:
        return await self._index.search(await TokenEncoder().question(text), seen, limit)


@pytest.fixture(params=["sparsevec", "memory"])
async def index(request: pytest.FixtureRequest, database: Database) -> Feedable:
    index: Feedable = Sparsevec(database) if request.param == "sparsevec" else Memory()
    await index.put(WORLD)
    return index


async def test_only_passages_that_share_a_feature_are_found(index: Feedable) -> None:
    """A passage without a common feature is no hit, however short the list."""
    hits = await index.ask("Vertrag Anderes", visible(WORLD, horizon([A])), 20)

    assert [hit.passage for hit in hits] == [PassageId(3, 2), PassageId(5, 0)]
    assert all(hit.score > 0 for hit in hits)
    assert await index.ask("Anderes", visible(WORLD, horizon([A])), 20) == ()
    assert await index.ask("", visible(WORLD, horizon([A])), 20) == ()


async def test_scores_fall_and_ties_go_by_passage(index: Feedable) -> None:
    """A shorter list is the beginning of a longer one, also between equal scores."""
    seen = visible(WORLD, horizon([A, B]))
    whole = await index.ask("Kündigung", seen, 20)

    assert whole[0].passage == PassageId(3, 1)
    assert len(whole) == 5
    assert list(whole) == sorted(whole, key=lambda hit: (-hit.score, hit.passage))
    for limit in range(6):
        assert await index.ask("Kündigung", seen, limit) == whole[:limit]


async def test_what_is_hidden_moves_no_score(index: Feedable) -> None:
    """Documents elsewhere, later or above the level change nothing."""
    seen = visible(WORLD, horizon([A]))
    before = await index.ask("Kündigung Vertrag", seen, 20)
    await index.put([Entry(20, B, ("Kündigung",) * 5), Entry(21, A, ("Vertrag Kündigung",) * 5)])

    assert await index.ask("Kündigung Vertrag", seen, 20) == before
    assert await index.ask("Marker", seen, 20) == ()


async def test_nothing_visible_nothing_found(index: Feedable) -> None:
    """An empty horizon has no hits."""
    assert await index.ask("Kündigung", visible([], horizon([A])), 20) == ()


async def test_versions_without_weights_are_named(database: Database) -> None:
    """A visible version that this encoder has not been through is no empty result."""
    index = Sparsevec(database)
    await index.put(WORLD[:1])
    with pytest.raises(PartError) as caught:
        await index.ask("Kündigung", visible(WORLD, horizon([A])), 20)
    assert caught.value.key == "sparse"


def test_elements_are_counted_from_one_and_the_heaviest_are_kept() -> None:
    """Token 0 exists, weights that are no number above zero do not, and the type's limit drops the lightest."""
    assert sparse_literal({"0": 0.5, "7": 0.0, "3": -1.0, "29999": 2.0}) == f"{{1:0.5,30000:2}}/{DIMENSIONS}"
    many = sparse_literal({str(token): 1.0 + token for token in range(MOST_FEATURES + 5)})
    assert many.count(":") == MOST_FEATURES
    assert many.startswith("{6:6,")


@pytest.mark.parametrize("feature", ["Wort", "-1", str(DIMENSIONS), "1.5", ""])
def test_a_feature_that_is_no_token_is_refused(feature: str) -> None:
    """Learned weights are named by the number of a token."""
    with pytest.raises(ValueError, match=r"token|invalid literal"):
        sparse_literal({feature: 1.0})


async def test_the_largest_passage_is_stored(database: Database) -> None:
    """The most features that the type takes fit into a row."""
    weights = {str(token): 1.0 for token in range(MOST_FEATURES + 100)}

    class Full(TokenEncoder):
        async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
            return [weights for _ in texts]

    blobs, entry = InMemoryBlobs(), Entry(3, A, ("viel",))
    async with database.connection(Role.PROJECTOR) as connection:
        projection = WeightProjection(blobs, always(Full()), MASTER.text_mac)
        await projection.apply(connection, [await ingested(entry, blobs)])
    index = SparsevecIndex(database, Full.fingerprint)
    assert await index.search({"5": 2.0}, visible([entry], horizon([A])), 3) == (Hit(PassageId(3, 0), 2.0),)
