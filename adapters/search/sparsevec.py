"""Search by learned weights: exact inner products over ``sparsevec``, a partition for each mandate.

A feature is a token of the encoder's vocabulary, named by its decimal number.
"""

from collections.abc import Mapping
from typing import Final

from adapters.postgres.database import Database
from adapters.search.scoped import VECTORS, reading
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError

DIMENSIONS: Final = 1_000_000_000
"""Size of every stored vector, the largest that the type takes: sizes must agree, vocabularies need not."""

MOST_FEATURES: Final = 16_000
"""The type takes no more elements that are not zero; the heaviest are kept."""

_LEAST: Final = 1e-30
"""A smaller weight would be zero as a single-precision number."""


class SparsevecIndex:
    """``SparseIndex`` for the weights of one encoder."""

    def __init__(self, database: Database, encoder: str) -> None:
        """Search the weights of the encoder with the fingerprint ``encoder``."""
        self._database = database
        self._encoder = encoder

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return the passages with the highest inner product above zero, best first, ties by passage.

        Raises:
            PartError: ``sparse`` when a visible version has not been encoded with this encoder.
            ValueError: a feature is no number of a token.
        """
        if not visible.versions or not weights or limit < 1:
            return ()
        ordinals = sorted(visible.versions)
        where = {"encoder": self._encoder, "ordinals": ordinals}
        async with reading(self._database, visible, VECTORS) as read:
            [(encoded,)] = await read("weighed", **where)
            if encoded != len(ordinals):
                raise PartError("sparse")
            rows = await read("heaviest", weights=sparse_literal(weights), limit=limit, **where)
        return tuple(Hit(PassageId(ordinal, number), score) for ordinal, number, score in rows if score > 0)


def sparse_literal(weights: Mapping[str, float]) -> str:
    """Write positive weights down as the database reads them; its elements are counted from 1.

    Raises:
        ValueError: a feature is no decimal number below ``DIMENSIONS``.
    """
    numbered = {int(feature): weight for feature, weight in weights.items() if weight > _LEAST}
    if any(not 0 <= feature < DIMENSIONS for feature in numbered):
        raise ValueError("a feature of learned weights is the number of a token")
    heaviest = sorted(numbered.items(), key=lambda one: (-one[1], one[0]))[:MOST_FEATURES]
    elements = ",".join(f"{feature + 1}:{weight:.8g}" for feature, weight in sorted(heaviest))
    return f"{{{elements}}}/{DIMENSIONS}"
