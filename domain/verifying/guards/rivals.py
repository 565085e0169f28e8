"""Rivals: "Woche" for "Monat", "Aufsichtsrat" for "Vorstand": members of one class that exclude one another."""

from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.sentence import Word
from domain.verifying.synonyms import classed
from domain.verifying.values import Finding, Outcome

ELSEWHERE: Final = 0.15
"""Cost of a rival that the evidence names too, but not in the sentence that carries the claim."""


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the words of the claim in whose place the evidence has another member of their class."""
    del passage
    unit = alignment.unit.sentence
    said = {pair.theirs.at for pair in alignment.pairs if pair.theirs is not None and pair.is_here}
    for pair in alignment.pairs:
        classes = frozenset[int]() if pair.is_here else classed(pair.mine.forms.stems, unit.language)
        rival = next((one for one in unit.words if classes and _is_rival(one, classes, said, unit.language)), None)
        if rival is not None:
            is_missing = pair.theirs is None
            outcome = Outcome.CONTRADICTS if is_missing else Outcome.UNSURE
            yield Finding("rival", outcome, pair.mine.text, rival.text, 1.0 if is_missing else ELSEWHERE)


def _is_rival(word: Word, classes: frozenset[int], said: set[int], language: str) -> bool:
    return word.at not in said and bool(classes & classed(word.forms.stems, language))
