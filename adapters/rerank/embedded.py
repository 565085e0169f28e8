"""Reranker of an installation without models: a few features over question and passage, and their trained weights.

An English question is read in German words (``adapters/search/english.py``) beside a German passage.

``features.py`` says what is looked at, ``linear.py`` what becomes of it, docs/reranker.md how it was trained and how
far it can be trusted. A score depends on the question, the passage and files that ship with the product alone.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files

from adapters.rerank import features, linear
from adapters.rerank.matching import BACKGROUND, Words
from adapters.search import english, everyday
from adapters.search.analyzer import RULES as ANALYZER_RULES
from adapters.search.analyzer import GermanAnalyzer
from adapters.search.english import in_german
from domain.asking.ports import DenseEncoder, PassageText
from domain.verifying.function_words import language_of


class EmbeddedReranker:
    """``Reranker`` by features; a score does not depend on the other candidates."""

    name = "embedded"
    version = "1"

    def __init__(self, encoder: DenseEncoder, analyzer: GermanAnalyzer) -> None:
        self._encoder = encoder
        self._words = Words(analyzer)
        self._weights = linear.shipped()
        self.threshold: float | None = self._weights.threshold

    @cached_property
    def fingerprint(self) -> str:
        """Name, version, a hash over weights, words and rules, and the encoder behind the cosines."""
        digest = hashlib.sha256(repr((features.RULES, ANALYZER_RULES, self._weights.digest)).encode())
        digest.update(files("adapters.rerank").joinpath(BACKGROUND).read_bytes())
        digest.update(everyday.content())
        digest.update(english.content())
        return f"{self.name}/{self.version}/{digest.hexdigest()[:16]}/{self._encoder.fingerprint}"

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        """Return for each passage the probability that it answers the question.

        An English question is read in German words where the passage is German: what is read depends on the two alone.

        Raises:
            PartError: ``encoder`` does not answer.
        """
        if not passages:
            return []
        german = in_german(question)
        readings = [features.ask(one, self._words) for one in ([question, german] if german else [question])]
        texts = [features.read(passage) for passage in passages]
        needed = [[passage.search_text, *text.sentences] for passage, text in zip(passages, texts, strict=True)]
        vectors = await self._encoder.encode([*(one.text for one in readings), *(one for row in needed for one in row)])
        start, scores = len(readings), []
        for text, row in zip(texts, needed, strict=True):
            reading = len(readings) - 1 if language_of(row[0]) == "de" else 0
            whole, *sentences = vectors[start : start + len(row)]
            start += len(row)
            meaning = features.Meaning(whole, sentences)
            figures = features.features(readings[reading], text, vectors[reading], meaning, self._words)
            scores.append(self._weights.probability(figures))
        return scores
