"""Embedded sparse search: passages share pieces of words with the question, however the words are put together.

Features are character 4-grams across the borders of words, lower case and folded, and the stems of words and of the
parts of compounds. The encoder counts them; the index weighs them, under the statistics of the visible passages. A
question in everyday words also looks for what statutes call the same thing.
"""

import asyncio
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from adapters.search import english, everyday
from adapters.search.analyzer import RULES, GermanAnalyzer
from adapters.search.english import in_german
from adapters.search.partitions import Partitions
from domain.asking.ports import Hit
from domain.asking.visibility import Visible

PART: Final = "subwords"

GRAM: Final = 4

STEM: Final = 2.0
"""What a stem counts against a gram; a word of eight letters has eight grams besides."""

LONGEST_QUESTION: Final = 600
"""Characters of a question that are looked at: each is a feature, and each feature takes time."""

_WORD: Final = re.compile(r"[^\W_]+")
_FOLDED: Final = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})


class SubwordEncoder:
    """``SparseEncoder`` that counts pieces of words."""

    name = "subwords"
    version = "1"

    def __init__(self, analyzer: GermanAnalyzer) -> None:
        self._analyzer = analyzer

    @property
    def fingerprint(self) -> str:
        """Name, version and a hash over the rules."""
        words = (everyday.content(), english.content())
        rules = repr((GRAM, STEM, _WORD.pattern, sorted(_FOLDED.items()), RULES, words))
        return f"{self.name}/{self.version}/{hashlib.sha256(rules.encode()).hexdigest()[:16]}"

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Return how often each text has each feature."""
        return await asyncio.to_thread(lambda: [self.features(text) for text in texts])

    async def question(self, text: str) -> dict[str, float]:
        """Return 1 for each gram of the question and ``STEM`` for each stem and for what statutes call it."""
        return await asyncio.to_thread(self.asked, text[:LONGEST_QUESTION])

    def asked(self, text: str) -> dict[str, float]:
        """Return the weights of a question; one in English looks for German words as well."""
        features = self.features(f"{text}\n{in_german(text)}".rstrip())
        stems = [feature[1:] for feature in features if feature[0] == "+"]
        meant = {f"+{other}": STEM for stem in stems for other in self._analyzer.meant(stem)}
        return meant | {feature: STEM if feature[0] == "+" else 1.0 for feature in features}

    def features(self, text: str) -> dict[str, float]:
        """Return how often ``text`` has each feature; ``+`` stands before a stem."""
        counts = Counter(_grams(text))
        for term, count in self._analyzer.passage(text).items():
            if term[0].isalnum():
                counts[f"+{term}"] += count
        return {feature: float(count) for feature, count in sorted(counts.items())}


class SubwordIndex:
    """``SparseIndex`` in folders, one for each mandate."""

    def __init__(self, folder: Path) -> None:
        self._partitions = Partitions(folder, PART)

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that share at least one feature with the question, best first, ties by passage.

        Raises:
            PartError: ``subwords`` when the index is missing, damaged, or lacks a visible version.
        """
        if not weights or not visible.versions or limit < 1:
            return ()
        return await asyncio.to_thread(self._partitions.search, weights, visible, limit)

    async def count(self) -> int:
        """Return how many documents the index holds.

        Raises:
            PartError: ``subwords`` when the index is missing or damaged.
        """
        return await asyncio.to_thread(self._partitions.count)


def size(features: Mapping[str, float]) -> int:
    """Return how long a passage is: its features, each as often as it occurs."""
    return int(sum(features.values()))


def _grams(text: str) -> list[str]:
    words = _WORD.findall(unicodedata.normalize("NFC", text).lower())
    line = f" {' '.join(words)} ".translate(_FOLDED) if words else ""
    return [line[start : start + GRAM] for start in range(len(line) - GRAM + 1)]
