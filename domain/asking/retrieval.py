"""Steps 1 to 5: encode, search, fuse, rerank, select; the same whether a question is asked or looked up."""

import asyncio
from collections.abc import Mapping, Sequence
from math import inf, isfinite

from domain.asking.events import Ranked
from domain.asking.fusion import Candidate, fuse, select
from domain.asking.policies import CANDIDATES, RERANKED
from domain.asking.ports import (
    DenseEncoder,
    DenseIndex,
    Hit,
    LexicalIndex,
    PassageId,
    PassageText,
    PassageTexts,
    Reranker,
)
from domain.asking.visibility import Visible
from domain.mandates.policies import ModelThreshold


class Retrieval:
    """The searches and models of a question.

    Args:
        weights: what each list counts in fusion, by name; 1 where it is missing.
    """

    def __init__(
        self,
        *,
        encoder: DenseEncoder,
        dense: DenseIndex,
        bm25: LexicalIndex,
        texts: PassageTexts,
        reranker: Reranker,
        weights: Mapping[str, float],
    ) -> None:
        self.encoder = encoder
        self.reranker = reranker
        self._dense = dense
        self._bm25 = bm25
        self._texts = texts
        self._weights = weights

    @property
    def model(self) -> ModelThreshold:
        """Return the reranker with the threshold that it brings along."""
        return ModelThreshold(self.reranker.fingerprint, self.reranker.threshold)

    async def encode(self, question: str) -> tuple[float, ...]:
        """Return the vector of the question."""
        return await self.encoder.question(question)

    async def search(self, question: str, vector: Sequence[float], visible: Visible) -> dict[str, tuple[Hit, ...]]:
        """Run the searches at the same time; all must answer.

        Raises:
            PartError: the first search that did not answer, after all have ended.
        """
        found = await asyncio.gather(
            self._dense.search(vector, visible, CANDIDATES),
            self._bm25.search(question, visible, CANDIDATES),
            return_exceptions=True,
        )
        lists = []
        for hits in found:
            if isinstance(hits, BaseException):
                raise hits
            lists.append(tuple(hits))
        return dict(zip(("dense", "bm25"), lists, strict=True))

    def fuse(self, lists: Mapping[str, Sequence[Hit]]) -> tuple[Hit, ...]:
        """Return one list of all."""
        return fuse(lists, self._weights)

    async def texts(self, passages: Sequence[PassageId], visible: Visible) -> dict[PassageId, PassageText]:
        """Return the words of ``passages``."""
        found = await self._texts.texts(passages, visible)
        return {text.id: text for text in found}

    async def rerank(self, question: str, texts: Mapping[PassageId, PassageText]) -> tuple[Ranked, ...]:
        """Return the passages, best first; a score that is no number between 0 and 1 comes last, as ``None``."""
        scores = await self.reranker.scores(question, list(texts.values()))
        usable = (score if isfinite(score) and 0 <= score <= 1 else None for score in scores)
        scored = sorted(zip(usable, texts, strict=True), key=lambda one: (inf if one[0] is None else -one[0], one[1]))
        return tuple(Ranked(passage, rank, score) for rank, (score, passage) in enumerate(scored, 1))

    async def select(
        self,
        reranked: Sequence[Ranked],
        texts: Mapping[PassageId, PassageText],
        visible: Visible,
        threshold: float | None,
    ) -> tuple[Hit, ...]:
        """Return the passages that an answer may be made of, in the order of choice; without threshold none passes."""
        usable = [(one.passage, one.score) for one in reranked if one.score is not None]
        vectors = await self._dense.vectors([passage for passage, _ in usable], visible)
        candidates = [
            Candidate(passage, score, _citation(texts[passage], visible), vector)
            for (passage, score), vector in zip(usable, vectors, strict=True)
        ]
        return tuple(
            Hit(one.passage, one.relevance) for one in select(candidates, inf if threshold is None else threshold)
        )


def best(fused: Sequence[Hit]) -> tuple[PassageId, ...]:
    """Return the candidates that are worth reading together with the question."""
    return tuple(hit.passage for hit in fused[:RERANKED])


def ranked(hits: Sequence[Hit]) -> tuple[Ranked, ...]:
    """Give hits, best first, their ranks."""
    return tuple(Ranked(hit.passage, rank, hit.score) for rank, hit in enumerate(hits, 1))


def _citation(text: PassageText, visible: Visible) -> tuple[str, ...]:
    return (visible.versions[text.id.ordinal].key, *text.section, text.place)
