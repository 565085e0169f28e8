"""The steps of a question after it has been admitted. What a step decides is recorded before the next begins."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf

from domain.asking.admission import Admission
from domain.asking.anchors import label, resolve
from domain.asking.delivery import deliver, nothing_found, refuse
from domain.asking.events import (
    AnchorsResolved,
    AnswerDelivered,
    AnswerDrafted,
    AnswerRefused,
    CandidatesFused,
    CandidatesReranked,
    CandidatesRetrieved,
    CoverageDecided,
    LabelledPassage,
    PassagesSelected,
    QuestionEncoded,
    Ranked,
    RankedList,
    RelevanceDecided,
    Sentence,
)
from domain.asking.force import Standing
from domain.asking.fusion import K
from domain.asking.gates import coverage_gate, relevance_gate
from domain.asking.naming import NamedSection, SectionsNamed
from domain.asking.parts import Parts
from domain.asking.ports import Hit, LabelledText, PassageId, PassageText, Quotable
from domain.asking.retrieval import Fused, Retrieval, best, ranked
from domain.asking.rules import Ruling, refusal
from domain.asking.run import Recorder
from domain.asking.searches import DENSE, Keys, Searches
from domain.asking.visibility import Visible
from domain.mandates.policies import COVERAGE, RELEVANCE

Texts = Mapping[PassageId, PassageText]


class Steps:
    """One question on its way; ``timings_ms`` holds how long each step took, its recording included."""

    def __init__(  # noqa: PLR0917 - what one question is made of
        self,
        parts: Parts,
        retrieval: Retrieval,
        recorder: Recorder,
        text: str,
        visible: Visible,
        admission: Admission,
    ) -> None:
        self._parts = parts
        self._retrieval = retrieval
        self._formulator = parts.formulator(retrieval.reranker)
        self._recorder = recorder
        self._text = text
        self._visible = visible
        self._admission = admission
        self._has_vectors = True
        self.timings_ms: dict[str, float] = {}

    async def answer(self) -> AnswerDelivered | AnswerRefused:
        """Go through the steps and return how the run ends.

        Raises:
            PartError: a part did not answer.
        """
        fused = await self._find()
        if isinstance(fused, AnswerRefused):
            return fused
        texts, reranked = await self._rerank(fused)
        relevance, selected = await self._select(texts, reranked)
        if not relevance.passed:
            return refuse("relevance", self._visible, relevance, reranked, texts)
        draft = await self._formulate(self._labelled(selected, texts, fused.cited, relevance))
        anchors, coverage = await self._check(draft, selected)
        if anchors.unknown:
            return refuse("integrity", self._visible, None, reranked, texts)
        if not (draft and coverage.passed):
            return refuse("coverage", self._visible, coverage, reranked, texts)
        return await self._deliver(draft, anchors, texts)

    async def _find(self) -> Fused | AnswerRefused:
        """Return the candidates, or the refusal of what is not there."""
        ruling = await self._rule()
        if ruling.missing:
            return refusal(ruling.missing)
        fused = await self._search(ruling)
        missing = await self._settle(ruling, fused.hits) if ruling.in_doubt else ()
        if missing:
            return refusal(missing)
        return fused if fused.hits else nothing_found(in_a_wiki=self._admission.searches_a_wiki)

    async def _rule(self) -> Ruling:
        with self._timed("rules"):
            ruling = await self._parts.rules.of(self._text, self._visible)
            if ruling.named and not ruling.in_doubt:
                await self._recorder.save(SectionsNamed(ruling.named))
        return ruling

    async def _search(self, ruling: Ruling) -> Fused:
        retrieval = self._retrieval
        with self._timed("encode"):
            keys = await retrieval.encode(self._text)
            await self._recorder.save(_encoded(retrieval.searches, keys))
        with self._timed("search"):
            found = await retrieval.search(self._text, keys, self._visible, self._admission.lists_that_may_fail)
            self._has_vectors = not found.lacks(DENSE)
            fused = retrieval.fuse(found, ruling, self._admission.fusion_weights)
            failed = tuple(one.recorded for one in found.failed)
            lists = tuple(RankedList(name, ranked(hits)) for name, hits in fused.lists.items())
            weights = tuple(fused.weights.items())
            await self._recorder.save(
                CandidatesRetrieved(lists, failed), CandidatesFused(K, ranked(fused.hits), weights)
            )
        return fused

    async def _settle(self, ruling: Ruling, fused: Sequence[Hit]) -> tuple[NamedSection, ...]:
        """Return what the question names and nothing found speaks about."""
        settled = ruling.settled(await self._retrieval.texts(best(fused), self._visible))
        await self._recorder.save(SectionsNamed(settled.named))
        return settled.missing

    async def _rerank(self, fused: Fused) -> tuple[Texts, tuple[Ranked, ...]]:
        retrieval = self._retrieval
        with self._timed("rerank"):
            texts = await retrieval.texts(best(fused.hits), self._visible)
            reranked = await retrieval.rerank(self._text, texts, fused.cited)
            await self._recorder.save(CandidatesReranked(retrieval.reranker.fingerprint, reranked))
        return texts, reranked

    async def _select(
        self, texts: Texts, reranked: Sequence[Ranked]
    ) -> tuple[RelevanceDecided, tuple[LabelledPassage, ...]]:
        retrieval = self._retrieval
        with self._timed("select"):
            threshold = self._admission.threshold(RELEVANCE, retrieval.model)
            relevance = relevance_gate([one.score for one in reranked], threshold)
            chosen = await retrieval.select(
                reranked, texts, self._visible, relevance.threshold, without_vectors=not self._has_vectors
            )
            selected = label(chosen)
            await self._recorder.save(PassagesSelected(selected), relevance)
        return relevance, selected

    @staticmethod
    def _labelled(
        selected: Sequence[LabelledPassage], texts: Texts, cited: Collection[PassageId], relevance: RelevanceDecided
    ) -> list[LabelledText]:
        least = inf if relevance.threshold is None else relevance.threshold
        return [
            LabelledText(one.label, texts[one.passage], one.score, one.passage in cited and one.score >= least)
            for one in selected
        ]

    async def _formulate(self, labelled: Sequence[LabelledText]) -> tuple[Quotable, ...]:
        formulator = self._formulator
        with self._timed("formulate"):
            draft = await formulator.draft(self._text, labelled)
            await self._recorder.save(AnswerDrafted(formulator.name, formulator.version, _sentences(draft)))
        return draft

    async def _check(
        self, draft: Sequence[Quotable], selected: Sequence[LabelledPassage]
    ) -> tuple[AnchorsResolved, CoverageDecided]:
        with self._timed("anchors"):
            stored = await self._parts.stored.of((one.passage.id.ordinal for one in draft), self._visible)
            anchors = resolve(draft, selected, stored)
            known = frozenset(one.label for one in anchors.resolved)
            coverage = coverage_gate(_sentences(draft), known, self._admission.threshold(COVERAGE))
            await self._recorder.save(anchors, coverage)
        return anchors, coverage

    async def _deliver(self, draft: Sequence[Quotable], anchors: AnchorsResolved, texts: Texts) -> AnswerDelivered:
        with self._timed("validity"):
            standing, known = await self._standing(anchors), await self._in_force_as_known(anchors)
            return deliver(_sentences(draft), anchors.resolved, texts, self._visible, standing=standing, known=known)

    async def _standing(self, anchors: AnchorsResolved) -> Standing:
        """Return what is in force today, as far as it concerns the cited documents and is open to the asker."""
        horizon = self._visible.horizon
        if self._admission.at is None and horizon.valid_on == self._admission.today:
            return Standing(self._visible, self._visible)
        position, keys = await self._parts.views.reach(), self._cited(anchors)
        now = replace(horizon, position=position, valid_on=self._admission.today, documents=keys)
        then = replace(now, valid_on=horizon.valid_on)
        return Standing(await self._parts.knowledge.visible(now), await self._parts.knowledge.visible(then))

    async def _in_force_as_known(self, anchors: AnchorsResolved) -> Visible:
        """Return what is in force today as far as the question's own knowledge goes; it never changes afterwards."""
        horizon = replace(self._visible.horizon, valid_on=self._admission.today, documents=self._cited(anchors))
        return await self._parts.knowledge.visible(horizon)

    def _cited(self, anchors: AnchorsResolved) -> tuple[str, ...]:
        return tuple(sorted({self._visible.versions[one.passage.ordinal].key for one in anchors.resolved}))

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        began = self._parts.stopwatch()
        try:
            yield
        finally:
            self.timings_ms[step] = round((self._parts.stopwatch() - began) * 1000, 2)


def _encoded(searches: Searches, keys: Keys) -> QuestionEncoded:
    sparse = "" if searches.sparse is None else searches.sparse.encoder.fingerprint
    weights = tuple(sorted((keys.sparse or {}).items()))
    return QuestionEncoded(searches.encoder.fingerprint, keys.dense or (), sparse, weights)


def _sentences(draft: Sequence[Quotable]) -> tuple[Sentence, ...]:
    return tuple(Sentence(one.told, (one.label,), one.form, one.opening) for one in draft)
