"""How learned weights are written down for the database."""

from collections.abc import Sequence
from uuid import UUID

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search.sparsevec import DIMENSIONS, MOST_FEATURES, SparsevecIndex, sparse_literal
from domain.asking.ports import Hit, PassageId
from projections.weights import WeightProjection
from tests.live import always
from tests.memory import InMemoryBlobs
from tests.twins import Entry, TokenEncoder, horizon, ingested, visible

A = UUID(int=1)


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
        projection = WeightProjection(blobs, always(Full()), MasterKey(bytes(32)).first_marking().text_mac)
        await projection.apply(connection, [await ingested(entry, blobs)])
    index = SparsevecIndex(database, Full.fingerprint)
    assert await index.search({"5": 2.0}, visible([entry], horizon([A])), 3) == (Hit(PassageId(3, 0), 2.0),)
