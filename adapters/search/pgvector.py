"""Search by meaning: exact cosine over ``halfvec`` in PostgreSQL, a partition for each mandate."""

from collections.abc import Sequence

from adapters.postgres.database import Database
from adapters.search.scoped import must_be_visible, rows_in_scope
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError


class PgvectorIndex:
    """``DenseIndex`` for the vectors of one encoder."""

    def __init__(self, database: Database, encoder: str) -> None:
        """Search the vectors of the encoder with the fingerprint ``encoder``."""
        self._database = database
        self._encoder = encoder

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return the nearest passages by cosine similarity, best first, ties by passage."""
        if not visible.versions or limit < 1:
            return ()
        values = {"vector": list(vector), "ordinals": sorted(visible.versions), "limit": limit}
        rows = await rows_in_scope(self._database, "nearest", visible, encoder=self._encoder, **values)
        return tuple(Hit(PassageId(ordinal, number), score) for ordinal, number, score in rows)

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        """Return the stored vectors in the order asked.

        Raises:
            AccessError: a passage is not visible or does not exist.
        """
        must_be_visible(passages, visible)
        rows = await rows_in_scope(
            self._database,
            "vectors",
            visible,
            encoder=self._encoder,
            ordinals=[passage.ordinal for passage in passages],
            numbers=[passage.number for passage in passages],
        )
        found = {PassageId(ordinal, number): tuple(embedding) for ordinal, number, embedding in rows}
        if not found.keys() >= set(passages):
            raise AccessError
        return [found[passage] for passage in passages]
