"""Reranker of an installation without models: how much of the question a passage covers, in words and in meaning.

A logistic function over four features that anybody can check by hand. It was fitted to the candidates of questions
about statutes and of XQuAD; ``docs`` say how, and ``bench/law_questions.py`` measures it.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from typing import Final

from adapters.rerank.features import Features, Wanted, features
from adapters.search.analyzer import GermanAnalyzer
from domain.asking.ports import DenseEncoder, PassageText
from domain.knowledge.search_text import search_text

BIAS: Final = -6.0
WEIGHTS: Final = Features(passage=4.0, sentence=2.0, meaning=2.0, sentence_meaning=2.0)
THRESHOLD: Final = 0.5


class CoverageReranker:
    """``Reranker`` over features of the two texts; scores do not depend on the other candidates."""

    name = "coverage"
    version = "1"
    threshold: float | None = THRESHOLD

    def __init__(self, encoder: DenseEncoder, analyzer: GermanAnalyzer) -> None:
        self._encoder = encoder
        self._analyzer = analyzer

    @property
    def fingerprint(self) -> str:
        """Name, version, a hash over the weights, and the encoder behind the features."""
        digest = hashlib.sha256(repr((BIAS, WEIGHTS)).encode()).hexdigest()[:16]
        return f"{self.name}/{self.version}/{digest}/{self._encoder.fingerprint}"

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        """Return for each passage how well it answers the question, in [0, 1]."""
        sentences = [list(_sentences(passage)) for passage in passages]
        texts = [question]
        for passage, words in zip(passages, sentences, strict=True):
            texts += [passage.search_text, *words]
        asked, *vectors = await self._encoder.encode(texts)
        wanted, scores, start = Wanted(question, self._analyzer), [], 0
        for passage, words in zip(passages, sentences, strict=True):
            end = start + 1 + len(words)
            scores.append(score(features(wanted, passage.search_text, words, asked, vectors[start:end])))
            start = end
        return scores


def score(found: Features) -> float:
    """Return the logistic function of the weighted features."""
    weighted = (
        found.passage * WEIGHTS.passage,
        found.sentence * WEIGHTS.sentence,
        found.meaning * WEIGHTS.meaning,
        found.sentence_meaning * WEIGHTS.sentence_meaning,
    )
    return 1 / (1 + math.exp(-(BIAS + sum(weighted))))


def _sentences(passage: PassageText) -> Iterator[str]:
    for sentence in passage.sentences:
        start, end = sentence.start - passage.span.start, sentence.end - passage.span.start
        yield search_text(passage.text[start:end], passage.markup).text
