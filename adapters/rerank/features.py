"""What can be said about a question and a passage from the two texts alone.

Nothing here looks at other passages, so a score depends on nothing that the asker might not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.search.analyzer import GermanAnalyzer
from domain.asking.fusion import similarity

PART = 4
"""Letters from which on a stem counts as part of a compound."""

CITATION = 3.0
"""A citation asked for says as much as this many common words."""

NUMBER = 1.5
"""So does a number."""

INSIDE = 0.8
"""A word inside a longer one ("Frist" in "Kündigungsfrist") is nearly there."""


@dataclass(frozen=True, slots=True)
class Features:
    """Each between 0 and 1.

    Attributes:
        passage: weighted share of the question's words that the passage holds, headings included.
        sentence: the same for its best sentence, headings left out.
        meaning: cosine of the question and the passage.
        sentence_meaning: cosine of the question and its nearest sentence.
    """

    passage: float
    sentence: float
    meaning: float
    sentence_meaning: float


class Wanted:
    """The words of a question with their weights."""

    def __init__(self, question: str, analyzer: GermanAnalyzer) -> None:
        self._analyzer = analyzer
        terms = [term for term in analyzer.question(question) if not term.startswith("=")]
        self._weights = {term: _weight(term) for term in sorted(terms)}

    def share(self, text: str) -> float:
        """Return the weighted share of the words that ``text`` holds, parts of compounds in proportion."""
        total = sum(self._weights.values())
        if not total:
            return 0.0
        held = frozenset(term for term in self._analyzer.passage(text) if not term.startswith("="))
        return sum(weight * _held(term, held) for term, weight in self._weights.items()) / total


def features(
    wanted: Wanted,
    passage: str,
    sentences: Sequence[str],
    question: Sequence[float],
    vectors: Sequence[Sequence[float]],
) -> Features:
    """Compare a question with a passage.

    Args:
        wanted: words of the question.
        passage: search text.
        sentences: search texts of its sentences, at least one.
        question: unit vector.
        vectors: unit vector of the passage, then one for each sentence.
    """
    near = [similarity(question, vector) for vector in vectors]
    return Features(
        passage=wanted.share(passage),
        sentence=max(wanted.share(sentence) for sentence in sentences),
        meaning=near[0],
        sentence_meaning=max(near[1:]),
    )


def _weight(term: str) -> float:
    """Long words are rarer and say more; citations and numbers are asked for on purpose."""
    if "§" in term or (term.startswith("art") and term[3:4].isdecimal()):
        return CITATION
    if term[0].isdecimal():
        return NUMBER
    return min(len(term), 12) / 6


def _held(term: str, held: frozenset[str]) -> float:
    """Return how much of ``term`` is there: all of it, inside a compound, or as many letters as its parts have."""
    if term in held:
        return 1.0
    if len(term) < PART or not term.isalpha():
        return 0.0
    if any(term in other for other in held):
        return INSIDE
    letters: set[int] = set()
    for other in held:
        start = term.find(other) if len(other) >= PART else -1
        if start >= 0:
            letters.update(range(start, start + len(other)))
    return len(letters) / len(term)
