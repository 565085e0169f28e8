"""How much of a question's words a text holds.

Nothing here looks at other passages, so a score depends on nothing that the asker might not see; in place of document
frequencies, which would need them, long words count more than short ones.
"""

from typing import Final

from adapters.search.analyzer import GermanAnalyzer

PART: Final = 4
"""Letters from which on a stem counts as part of a compound."""

CITATION: Final = 3.0
"""A citation is asked for on purpose: it counts more than any word (at most 2)."""

NUMBER: Final = 1.5
"""So is a number, yet figures also stand in a question by the way."""

INSIDE: Final = 0.8
"""A word inside a longer one ("Frist" in "Kündigungsfrist") is nearly there."""

_LONGEST: Final = 12
_PER_LETTER: Final = 1 / 6


class Wanted:
    """The words of a question with their weights."""

    def __init__(self, question: str, analyzer: GermanAnalyzer) -> None:
        self._analyzer = analyzer
        self._weights = {term: _weight(term) for term in sorted(analyzer.question(question)) if term[0] != "="}

    def share(self, text: str) -> float:
        """Return the weighted share of the words that ``text`` holds, in [0, 1]; 0 for a question without words."""
        total = sum(self._weights.values())
        if not total:
            return 0.0
        held = frozenset(term for term in self._analyzer.passage(text) if term[0] != "=")
        return sum(weight * _held(term, held) for term, weight in self._weights.items()) / total


def _weight(term: str) -> float:
    if "§" in term or (term.rpartition(":")[2].startswith("art") and term[-1].isdecimal()):
        return CITATION
    if term[0].isdecimal():
        return NUMBER
    return min(len(term), _LONGEST) * _PER_LETTER


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
