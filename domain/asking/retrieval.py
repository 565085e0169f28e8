"""Steps 1 to 5: encode, search, fuse, rerank, select; the same whether a question is asked or looked up."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, inf, isfinite
from typing import Final

from domain.asking.events import CandidatesRetrieved, Ranked
from domain.asking.fusion import CITED, Candidate, fuse, select
from domain.asking.policies import RERANKED, SEARCH_SECONDS
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
from domain.asking.rules import Ruling, cited
from domain.asking.searches import Keys, Lists, Searches, Sparse
from domain.asking.sought import asks_for_a_section
from domain.asking.visibility import Visible
from domain.mandates.policies import ModelThreshold

CITED_LIST: Final = "cited"


@dataclass(frozen=True, slots=True)
class Fused:
    """All lists with what each counted, and the one list made of them, best first."""

    lists: Mapping[str, tuple[Hit, ...]]
    weights: Mapping[str, float]
    hits: tuple[Hit, ...]

    @property
    def cited(self) -> frozenset[PassageId]:
        """Return the passages that the question cites: those of the paragraph named, else those of the section."""
        return nearest(self.lists.get(CITED_LIST, ()))


class Retrieval:
    """The searches and models of a question.

    Args:
        sparse: the search by weighted features, ``None`` in an installation without one.
        weights: what each list counts in fusion unless a mandate says otherwise, by name; 1 where it is missing.
        seconds: how long a search may take.
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
        sparse: Sparse | None = None,
        seconds: float = SEARCH_SECONDS,
    ) -> None:
        self.searches = Searches(encoder, dense, bm25, sparse, seconds=seconds)
        self.reranker = reranker
        self._texts = texts
        self._weights = weights

    @property
    def model(self) -> ModelThreshold:
        """Return the reranker with the threshold that it brings along."""
        return ModelThreshold(self.reranker.fingerprint, self.reranker.threshold)

    async def encode(self, question: str, may_fail: int = 0) -> Keys:
        """Return the keys of the question.

        Raises:
            PartError: the first encoder that did not answer, if more than ``may_fail`` did not.
        """
        keys = await self.searches.encode(question)
        if len(keys.failed) > may_fail:
            raise keys.failed[0].error
        return keys

    async def search(self, question: str, keys: Keys, visible: Visible, may_fail: int = 0) -> Lists:
        """Run the searches at the same time.

        Raises:
            PartError: the first search that did not answer, if more than ``may_fail`` did not or the others found
                nothing: that there is nothing can only be said of a whole search.
        """
        lists = await self.searches.search(question, keys, visible)
        if lists.failed and (len(lists.failed) > may_fail or not any(lists.hits.values())):
            raise lists.failed[0].error
        return lists

    def fuse(self, found: Lists, ruling: Ruling, weights: Mapping[str, float]) -> Fused:
        """Return one list of all, with the passages of cited sections before all others.

        Args:
            found: what the searches found.
            ruling: which sections the question cites.
            weights: what the mandate lets a list count, by name; else it counts what belongs to the models.
        """
        counts = {**self._weights, **weights}
        lists, weights = dict(found.hits), {name: counts.get(name, 1.0) for name in found.hits}
        pinned = cited(ruling, fuse(lists, weights))
        if pinned:
            weights[CITED_LIST] = CITED * (fsum(weights.values()) or 1.0)
            lists[CITED_LIST] = pinned
        return Fused(lists, weights, fuse(lists, weights))

    async def texts(self, passages: Sequence[PassageId], visible: Visible) -> dict[PassageId, PassageText]:
        """Return the words of ``passages``."""
        found = await self._texts.texts(passages, visible)
        return {text.id: text for text in found}

    async def rerank(
        self, question: str, texts: Mapping[PassageId, PassageText], cited: Collection[PassageId] = ()
    ) -> tuple[Ranked, ...]:
        """Return the passages, those that the question cites before the others, and better scores first.

        A score that is no number between 0 and 1 comes last, as ``None``. That a passage is cited changes its rank
        and not its score: the gate asks whether it answers the question. Only where the question asks for the section
        itself nothing can answer it better, whatever the model makes of so few words.
        """
        scores = await self.reranker.scores(question, list(texts.values()))
        sought = frozenset(cited) if asks_for_a_section(question) else frozenset[PassageId]()
        usable = (
            (1.0 if passage in sought else score) if isfinite(score) and 0 <= score <= 1 else None
            for score, passage in zip(scores, texts, strict=True)
        )
        scored = sorted(zip(usable, texts, strict=True), key=lambda one: _first_cited(one[0], one[1], cited))
        return tuple(Ranked(passage, rank, score) for rank, (score, passage) in enumerate(scored, 1))

    async def select(
        self,
        reranked: Sequence[Ranked],
        texts: Mapping[PassageId, PassageText],
        visible: Visible,
        threshold: float | None,
        *,
        without_vectors: bool = False,
    ) -> tuple[Hit, ...]:
        """Return the passages that an answer may be made of, in the order of choice; without threshold none passes.

        Where the search by meaning has failed, its vectors cannot be had either: no two passages then count as alike.
        """
        usable = [(one.passage, one.score) for one in reranked if one.score is not None]
        passages = [passage for passage, _ in usable]
        vectors = [()] * len(passages) if without_vectors else await self.searches.vectors(passages, visible)
        candidates = [
            Candidate(passage, score, _citation(texts[passage], visible), vector)
            for (passage, score), vector in zip(usable, vectors, strict=True)
        ]
        return tuple(
            Hit(one.passage, one.relevance) for one in select(candidates, inf if threshold is None else threshold)
        )


def nearest(cited: Sequence[Hit]) -> frozenset[PassageId]:
    """Return the passages of the list of cited ones that are nearest to what the question cites."""
    most = max((hit.score for hit in cited), default=0.0)
    return frozenset(hit.passage for hit in cited if hit.score == most)


def best(fused: Sequence[Hit]) -> tuple[PassageId, ...]:
    """Return the candidates that are worth reading together with the question."""
    return tuple(hit.passage for hit in fused[:RERANKED])


def ranked(hits: Sequence[Hit]) -> tuple[Ranked, ...]:
    """Give hits, best first, their ranks."""
    return tuple(Ranked(hit.passage, rank, hit.score) for rank, hit in enumerate(hits, 1))


def hits(entries: Sequence[Ranked]) -> tuple[Hit, ...]:
    """Return the hits of a recorded list, best first; every search gives its hits a score."""
    return tuple(Hit(one.passage, one.score) for one in entries if one.score is not None)


def cited_list(found: CandidatesRetrieved) -> tuple[Hit, ...]:
    """Return the recorded list of cited passages; none where the question cites nothing."""
    return next((hits(one.entries) for one in found.lists if one.name == CITED_LIST), ())


def _first_cited(
    score: float | None, passage: PassageId, cited: Collection[PassageId]
) -> tuple[bool, bool, float, PassageId]:
    return score is None, passage not in cited, -(score or 0.0), passage


def _citation(text: PassageText, visible: Visible) -> tuple[str, ...]:
    return (visible.versions[text.id.ordinal].key, *text.section, text.place)
