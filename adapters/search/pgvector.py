"""Search by meaning: exact cosine over ``halfvec`` in PostgreSQL, a partition for each mandate."""

from collections.abc import Sequence

from adapters.postgres.database import Database
from adapters.search.scoped import must_be_visible, reading
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import AccessError, PartError


class PgvectorIndex:
    """``DenseIndex`` for the vectors of one encoder."""

    def __init__(self, database: Database, encoder: str) -> None:
        """Search the vectors of the encoder with the fingerprint ``encoder``."""
        self._database = database
        self._encoder = encoder

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return the nearest passages by cosine similarity, best first, ties by passage.

        Raises:
            PartError: ``dense`` when a visible version has not been encoded with this encoder.
        """
        if not visible.versions or limit < 1:
            return ()
        ordinals = sorted(visible.versions)
        async with reading(self._database, visible) as read:
            [(encoded,)] = await read("encoded", encoder=self._encoder, ordinals=ordinals)
            if encoded != len(ordinals):
                raise PartError("dense")
            where = {"encoder": self._encoder, "ordinals": ordinals}
            rows = await read("nearest", vector=list(vector), limit=limit, **where)
        return tuple(Hit(PassageId(ordinal, number), score) for ordinal, number, score in rows)

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        """Return the stored vectors in the order asked.

        Raises:
            AccessError: a passage is not visible or does not exist.
        """
        must_be_visible(passages, visible)
        ordinals, numbers = [one.ordinal for one in passages], [one.number for one in passages]
        async with reading(self._database, visible) as read:
            rows = await read("vectors", encoder=self._encoder, ordinals=ordinals, numbers=numbers)
        found = {PassageId(ordinal, number): tuple(embedding) for ordinal, number, embedding in rows}
        if not found.keys() >= set(passages):
            raise AccessError
        return [found[passage] for passage in passages]
