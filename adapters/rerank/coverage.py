"""Reranker of an installation without models: how much of the question a passage covers, in words and in meaning.

A logistic function of two figures that anybody can check by hand: the share of the question's words that the passage
holds (``words.py``), and the cosine of the question and the passage's nearest sentence.

How it was set: a regression over the candidates of 77 questions about statutes, of XQuAD, and of each asked of the
other's texts gave -5.0, 6.2 and 6.1; two more features (best sentence by words, the passage's own cosine) separated no
better. The weights were then made a little steeper and the threshold chosen by eye, on the same questions: no question
was held back, so figures from them flatter. At the threshold, statutes refuse 234 of 238 XQuAD questions and 12 of 23
unanswerable questions about law, and 41 of 54 answerable ones pass.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from typing import Final

from adapters.rerank.words import Wanted
from adapters.search.analyzer import RULES, GermanAnalyzer
from domain.asking.fusion import similarity
from domain.asking.ports import DenseEncoder, PassageText
from domain.knowledge.search_text import search_text

BIAS: Final = -6.0
WORDS: Final = 7.0
MEANING: Final = 7.0
THRESHOLD: Final = 0.55


class CoverageReranker:
    """``Reranker`` over the two texts; a score does not depend on the other candidates."""

    name = "coverage"
    version = "1"
    threshold: float | None = THRESHOLD

    def __init__(self, encoder: DenseEncoder, analyzer: GermanAnalyzer) -> None:
        self._encoder = encoder
        self._analyzer = analyzer

    @property
    def fingerprint(self) -> str:
        """Name, version, a hash over weights and rules, and the encoder behind the cosine."""
        digest = hashlib.sha256(repr((BIAS, WORDS, MEANING, RULES)).encode()).hexdigest()[:16]
        return f"{self.name}/{self.version}/{digest}/{self._encoder.fingerprint}"

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        """Return for each passage how well it answers the question, in [0, 1].

        Raises:
            PartError: ``encoder`` does not answer.
        """
        sentences = [list(_sentences(passage)) for passage in passages]
        asked, *vectors = await self._encoder.encode([question, *(words for row in sentences for words in row)])
        wanted, start, scores = Wanted(question, self._analyzer), 0, []
        for passage, row in zip(passages, sentences, strict=True):
            near = [similarity(asked, vector) for vector in vectors[start : start + len(row)]]
            scores.append(score(wanted.share(passage.search_text), max(near, default=0.0)))
            start += len(row)
        return scores


def score(words: float, meaning: float) -> float:
    """Return the logistic function of the share of words and of the cosine."""
    return 1 / (1 + math.exp(-(BIAS + WORDS * words + MEANING * meaning)))


def _sentences(passage: PassageText) -> Iterator[str]:
    for sentence in passage.sentences:
        start, end = sentence.start - passage.span.start, sentence.end - passage.span.start
        yield search_text(passage.text[start:end], passage.markup).text
