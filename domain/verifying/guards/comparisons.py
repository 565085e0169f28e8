"""Comparisons: "der Bund mehr als die Länder" is not "die Länder mehr als der Bund"."""

from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence
from domain.verifying.values import Finding, Outcome

_THAN: Final = frozenset({"als", "than"})


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield a comparison of the claim whose two sides have changed places."""
    del passage
    mine, theirs = _than(alignment.claim), _than(alignment.unit.sentence)
    if mine is None or theirs is None:
        return
    told = [
        pair for pair in alignment.pairs if pair.is_here and pair.theirs and (pair.mine.is_noun or pair.mine.is_name)
    ]
    left = [pair.theirs for pair in told if pair.theirs and pair.mine.at < mine]
    right = [pair.theirs for pair in told if pair.theirs and pair.mine.at > mine]
    if right and all(word.at < theirs for word in right) and any(word.at > theirs for word in left):
        yield Finding("comparison", Outcome.CONTRADICTS, right[0].text, left[0].text, 1.0)


def _than(sentence: Sentence) -> int | None:
    """Return the "als" behind which the second thing stands, not the one before a number."""
    numbers = {one.quantity.start for one in sentence.counted}
    places = [at for at, token in enumerate(sentence.tokens) if token.low in _THAN and at + 1 not in numbers]
    return places[0] if len(places) == 1 else None
