"""Opposites: "brutto" and "netto", "angenommen" and "abgelehnt", "vor" and "nach"."""

import re
from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment, Pair
from domain.verifying.matching import likeness
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence, Word
from domain.verifying.values import Finding, Outcome

REACH: Final = 4
OPPOSED: Final = {
    frozenset(pair.split())
    for pair in (
        "vor nach", "mit ohne", "fur gegen", "uber unter", "innerhalb ausserhalb", "ab bis", "seit bis", "before after",
        "with without", "for against", "above below", "within outside", "since until", "from until", "over under",
        "before since",
    )
}  # fmt: skip
_PHRASES: Final = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (r"\b(?:no|not) earlier than\b|\bat the earliest\b", r"\b(?:no|not) later than\b|\bat the latest\b"),
        (r"\borally\b|\bverbally\b|\bby word of mouth\b", r"\bin writing\b|\bin written form\b"),
        (r"\bmundlich\w*", r"\bschriftlich\w*|\bschriftform\b"),
    )
)
_FALSE: Final = re.compile(
    r"\b(?:falsch|unwahr|unzutreffend|unrichtig|nicht wahr|nicht richtig|stimmt nicht|trifft nicht zu|wrong|false"
    r"|untrue|incorrect|not true|not correct|not the case) (?:, )?(?:dass|that)\b"
)
_TWO_WORDS: Final = {"prior": "before", "subsequent": "after"}
_PREPOSITIONS: Final = frozenset().union(*OPPOSED)


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the words of the claim whose opposite stands in the evidence."""
    del passage
    for pair in alignment.pairs:
        if pair.opposite is not None and pair.opposite.is_denied == pair.mine.is_denied:
            yield Finding("opposite", Outcome.CONTRADICTS, pair.mine.text, pair.opposite.text, 1.0)
        if pair.is_here and pair.theirs is not None:
            yield from _prepositions(alignment, pair)
    yield from _phrases(alignment.claim.low, alignment.unit.sentence.low)


def _phrases(claim: str, unit: str) -> Iterator[Finding]:
    """Yield a phrase whose opposite stands in the evidence, or one that turns the whole claim round."""
    for pair in _PHRASES:
        for mine, theirs in (pair, pair[::-1]):
            found, against = mine.search(claim), theirs.search(unit)
            if found and against and not mine.search(unit) and not theirs.search(claim):
                yield Finding("opposite", Outcome.CONTRADICTS, found[0], against[0], 1.0)
    told = _FALSE.search(claim)
    if told and not _FALSE.search(unit):
        yield Finding("opposite", Outcome.CONTRADICTS, told[0], "", 1.0)


def _prepositions(alignment: Alignment, pair: Pair) -> Iterator[Finding]:
    """Yield a word that has the opposite preposition wherever the evidence has it."""
    mine = _before(alignment.claim, pair.mine)
    if not mine:
        return
    unit = alignment.unit.sentence
    same = [other for other in unit.words if likeness(pair.mine, other, unit.language) is not None]
    theirs = [_before(unit, other) for other in same]
    against = [one for one in theirs if frozenset((mine, one)) in OPPOSED]
    if against and mine not in theirs:
        yield Finding(
            "opposite", Outcome.CONTRADICTS, f"{mine} {pair.mine.text}", f"{against[0]} {pair.mine.text}", 1.0
        )


def _before(sentence: Sentence, word: Word) -> str:
    """Return the preposition that governs ``word``, empty if none of those that have an opposite does."""
    for at in range(word.at - 1, max(-1, word.at - REACH), -1):
        token = sentence.tokens[at]
        if token.kind == "mark" or any(other.at == at and other.is_noun for other in sentence.words):
            return ""
        if token.low == "to" and at and sentence.tokens[at - 1].low in _TWO_WORDS:
            return _TWO_WORDS[sentence.tokens[at - 1].low]
        if token.low in _PREPOSITIONS:
            return token.low
    return ""
