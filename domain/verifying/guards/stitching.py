"""Stitching: a claim made of words from two statements that stand side by side says what neither says.

"Die Gesellschaft verwendet die Standardformel; ein internes Modell wird nicht eingesetzt" does not say that the
company uses an internal model, though every word of that is there.
"""

from collections.abc import Iterator
from itertools import pairwise

from domain.verifying.alignment import LIGHTLY, Alignment, Pair
from domain.verifying.clauses import FINITE
from domain.verifying.function_words import LIGHT
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence, Word
from domain.verifying.tokens import word_set
from domain.verifying.values import Finding, Outcome

STITCHED, WHOLLY = 0.3, 1.0
_SUBORDINATE = word_set(
    "dass daß wenn falls sofern soweit insoweit weil damit ob obwohl während nachdem bevor indem wobei wodurch womit"
    " solange die der das den dem deren dessen denen welche welcher welches wer was wo es that which who whom whose"
    " where when if unless because although provided including taking as"
)
_CONTRASTING = frozenset({"while", "whereas", "but"})
_ARTICLES = word_set("der die das den dem")


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the words that a claim takes from the statement beside the one that it rests on."""
    del passage
    unit = alignment.unit.sentence
    said = {pair.theirs.at for pair in alignment.pairs if pair.is_here and pair.theirs is not None}
    for clause in sorted({pair.mine.clause for pair in alignment.pairs}):
        pairs = [pair for pair in alignment.pairs if pair.is_here and pair.mine.clause == clause and pair.theirs]
        main = next(iter(alignment.clause_of(clause)), None)
        if main is None or _borrows(unit, main) or _is_infinitive(unit, main):
            continue
        left_out = [
            word for word in unit.words if word.clause == main and word.at not in said and _is_argument(word, unit)
        ]
        foreign = [pair for pair in pairs if _is_from_beside(unit, pair, main, said)]
        if left_out and foreign:
            words = " ".join(pair.mine.text for pair in foreign)
            is_copied = all(pair.is_here and pair.cost <= LIGHTLY for pair in alignment.pairs)
            cost = WHOLLY if is_copied and not alignment.unit.is_joined else STITCHED
            yield Finding("stitching", Outcome.LACKS, words, left_out[0].text, cost)


def _is_argument(word: Word, sentence: Sentence) -> bool:
    if sentence.language == "de":
        return word.is_noun
    return word.low not in LIGHT["en"]


def _is_from_beside(unit: Sentence, pair: Pair, main: int, said: set[int]) -> bool:
    """Say whether a noun stands in another statement, of which the claim leaves something out."""
    if pair.theirs is None or pair.theirs.clause == main or not (pair.mine.is_noun or unit.language == "en"):
        return False
    other = pair.theirs.clause
    if (
        unit.language == "en"
        and not {*_opening(unit, other)[:1], *_opening(unit, pair.theirs.clause)[:1]} & _CONTRASTING
    ):
        return False
    if _borrows(unit, other) or not _has_verb(unit, other):
        return False
    if _is_subordinate(unit, other) or _is_subordinate(unit, main):
        return False
    return any(word.clause == other and word.at not in said for word in unit.words)


def _opening(unit: Sentence, clause: int) -> list[str]:
    """Return the first words of a clause; an article with a capital opens a sentence and subordinates nothing."""
    words = [
        token for token, one in zip(unit.tokens, unit.clauses, strict=True) if one == clause and token.kind != "mark"
    ]
    return ["" if token.is_capital and token.low in _ARTICLES else token.low for token in words[:3]]


def _is_subordinate(unit: Sentence, clause: int) -> bool:
    return bool(set(_opening(unit, clause)[:1]) & _SUBORDINATE)


def _borrows(unit: Sentence, clause: int) -> bool:
    """Say whether a clause has its subject from the one before: "and is due", but not "und stehen die Erträge"."""
    opening = _opening(unit, clause)
    return opening[:1] in (["und"], ["and"], ["oder"], ["or"]) and opening[2:] not in (
        ["die"],
        ["der"],
        ["das"],
        ["ein"],
        ["eine"],
    )


def _is_infinitive(unit: Sentence, clause: int) -> bool:
    """Say whether a clause has its subject from the one before: "sind berechtigt, unter Angabe ... zu verlangen"."""
    inside = [token.low for token, one in zip(unit.tokens, unit.clauses, strict=True) if one == clause]
    is_open = any(one == "zu" and other.endswith("n") for one, other in pairwise(inside))
    return is_open and not set(inside) & FINITE


def _has_verb(unit: Sentence, clause: int) -> bool:
    inside = {token.low for token, one in zip(unit.tokens, unit.clauses, strict=True) if one == clause}
    if inside & FINITE:
        return True
    verbs = [word for word in unit.words if word.clause == clause and not word.is_noun]
    return any(word.low.endswith(("t", "te", "ten", "ed", "rose", "fell")) for word in verbs)
