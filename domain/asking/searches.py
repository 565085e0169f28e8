"""Steps 1 and 2: a question becomes the keys of its searches, and the searches run at the same time.

A list that fails does not take the others with it; what becomes of the question without it is a rule of the mandate.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from domain.asking.events import FailedList
from domain.asking.policies import CANDIDATES, SEARCH_SECONDS
from domain.asking.ports import DenseEncoder, DenseIndex, Hit, LexicalIndex, PassageId, SparseEncoder, SparseIndex
from domain.asking.visibility import Visible
from domain.errors import PartError

DENSE: Final = "dense"
SPARSE: Final = "sparse"
BM25: Final = "bm25"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Failure:
    """A list that could not be had, and why."""

    name: str
    error: PartError

    @property
    def recorded(self) -> FailedList:
        """Return it as it is recorded."""
        return FailedList(self.name, self.error.key)

    @classmethod
    def of(cls, recorded: FailedList) -> "Failure":
        """Return what was recorded as a failure."""
        return cls(recorded.name, PartError(recorded.part))


@dataclass(frozen=True, slots=True)
class Sparse:
    """The search by weighted features: its model and its index."""

    encoder: SparseEncoder
    index: SparseIndex


@dataclass(frozen=True, slots=True)
class Keys:
    """What a question became.

    Attributes:
        dense: a unit vector; ``sparse``: weights by feature; ``None`` where there is none.
        failed: lists that cannot be searched, since the encoder did not answer.
    """

    dense: tuple[float, ...] | None
    sparse: Mapping[str, float] | None = None
    failed: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Lists:
    """What the searches found: hits by name of the list, best first, and the lists that failed."""

    hits: Mapping[str, tuple[Hit, ...]]
    failed: tuple[Failure, ...] = ()

    def lacks(self, name: str) -> bool:
        """Say whether a list failed."""
        return any(one.name == name for one in self.failed)


class Searches:
    """The searches of a question with the models that make their keys.

    Args:
        encoder: makes the dense key.
        dense: searched with it.
        bm25: searched with the words themselves.
        sparse: ``None`` in an installation without a sparse encoder.
        seconds: how long a search may take before it counts as failed.
    """

    def __init__(
        self,
        encoder: DenseEncoder,
        dense: DenseIndex,
        bm25: LexicalIndex,
        sparse: Sparse | None = None,
        *,
        seconds: float = SEARCH_SECONDS,
    ) -> None:
        self.encoder = encoder
        self.sparse = sparse
        self._dense = dense
        self._bm25 = bm25
        self._seconds = seconds

    async def encode(self, question: str) -> Keys:
        """Return the keys of the question; both models work at the same time."""
        dense, sparse = await asyncio.gather(
            _tried(DENSE, self.encoder.question(question)),
            _tried(SPARSE, _nothing() if self.sparse is None else self.sparse.encoder.question(question)),
        )
        return Keys(
            dense=None if isinstance(dense, Failure) else dense,
            sparse=None if isinstance(sparse, Failure) else sparse,
            failed=_failures((dense, sparse)),
        )

    async def search(self, question: str, keys: Keys, visible: Visible) -> Lists:
        """Run the searches at the same time, each within its time."""
        searches: dict[str, Awaitable[tuple[Hit, ...]]] = {}
        if keys.dense is not None:
            searches[DENSE] = self._dense.search(keys.dense, visible, CANDIDATES)
        if keys.sparse is not None and self.sparse is not None:
            searches[SPARSE] = self.sparse.index.search(keys.sparse, visible, CANDIDATES)
        searches[BM25] = self._bm25.search(question, visible, CANDIDATES)
        found = await asyncio.gather(*(_tried(name, self._in_time(name, one)) for name, one in searches.items()))
        hits = {name: tuple(one) for name, one in zip(searches, found, strict=True) if not isinstance(one, Failure)}
        return Lists(hits, (*keys.failed, *_failures(found)))

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        """Return the stored dense vectors, by which passages that say the same are told."""
        return await self._dense.vectors(passages, visible)

    async def _in_time(self, name: str, search: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                return await search
        except TimeoutError:
            raise PartError(f"slow_{name}", seconds=round(self._seconds)) from None


async def _tried(name: str, waiting: Awaitable[T]) -> T | Failure:
    try:
        return await waiting
    except PartError as error:
        return Failure(name, error)


async def _nothing() -> None:
    return None


def _failures(found: Iterable[object]) -> tuple[Failure, ...]:
    return tuple(one for one in found if isinstance(one, Failure))
