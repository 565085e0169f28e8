"""Small edits: a claim that is a copy of the evidence but for a word or two stands or falls with these.

Paraphrases move and shorten; who changes one word in the middle of a sentence that is otherwise copied changes what
it says, unless the new word means the same. This also finds words of the passage that have changed places.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from domain.verifying.alignment import Alignment
from domain.verifying.cues import NEGATIONS, RESTRICTING
from domain.verifying.function_words import LIGHT
from domain.verifying.guards.opposites import OPPOSED
from domain.verifying.matching import ROOT, likeness
from domain.verifying.numerals import cardinal, number
from domain.verifying.passage import Passage
from domain.verifying.sentence import Sentence, Word
from domain.verifying.tokens import Token, word_set
from domain.verifying.values import Finding, Outcome

COPIED: Final = 0.6
"""Share of the claim's tokens that must stand in the evidence in the same order."""

SMALL: Final = 4
"""Tokens that an edit changes at most."""

ALONE: Final = 2
"""Tokens, "nur" among them, whose loss is the loss of "nur"."""

LEAST: Final = 5
"""Tokens of a claim that is long enough to be a copy of something."""

_ARTICLES: Final = word_set("der die das den dem des ein eine einen einem einer eines the a an")
_CONTRACTED: Final = {
    "im": "in", "ins": "in", "am": "an", "ans": "an", "beim": "bei", "vom": "von", "zum": "zu", "zur": "zu",
    "aufs": "auf",
    "dass": "dass", "muss": "mussen", "mussen": "mussen", "kann": "konnen", "konnen": "konnen", "darf": "durfen",
    "durfen": "durfen",
    "soll": "sollen", "sollen": "sollen", "ist": "sein", "sind": "sein", "wird": "werden", "hat": "haben",
    "were": "be", "was": "be", "is": "be", "are": "be", "has": "have", "does": "do",
}  # fmt: skip
_KINDS: Final = (
    # modal words
    ("konnen durfen may can could might", "mussen shall must", "sollen should", "wollen will would"),
    # bounds
    ("mindestens wenigstens zumindest fruhestens least", "hochstens maximal spatestens most"),
    # scope
    ("nur lediglich ausschliesslich allein only solely", "auch also"),
    ("alle jede jeder jedes jeden allen all every each", "einige manche mehrere some several"),
    ("stets immer always", "nie niemals never"),
    ("mehr more", "weniger less fewer"),
    # conditions
    ("wenn falls sofern soweit if where when", "obwohl although"),
    # persons
    (
        "sein seine seiner seinem seinen his",
        "ihr ihre ihrer ihrem ihren her their",
        "unser unsere our",
        "mein meine my",
    ),
)
_CLASSES: Final = {
    word: (kind, sense)
    for kind, senses in enumerate(_KINDS)
    for sense, words in enumerate(senses)
    for word in words.split()
}
"""Function words by kind and by what they say; two of a kind with different senses don't say the same."""


class _Unit(NamedTuple):
    """What is compared: a token with its key, and the content word that it is."""

    key: str
    token: Token
    word: Word | None


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield what a small edit of the evidence changes."""
    del passage
    mine, theirs = _units(alignment.claim), _units(alignment.unit.sentence)
    if len(mine) < LEAST:
        return
    matcher = SequenceMatcher(None, [one.key for one in mine], [one.key for one in theirs], autojunk=False)
    operations = matcher.get_opcodes()
    copied = sum(end - start for kind, start, end, _, _ in operations if kind == "equal")
    if copied < COPIED * len(mine):
        return
    for at, (kind, start, end, other_start, other_end) in enumerate(operations):
        if kind == "equal" or end - start > SMALL or other_end - other_start > SMALL:
            continue
        new, old = mine[start:end], theirs[other_start:other_end]
        if not _is_held(mine, operations, at):
            continue
        found = _replaced(alignment, new, old) if kind == "replace" else _added(alignment, new, old)
        if found:
            yield Finding("edit", Outcome.CONTRADICTS, _said(new), _said(old), 1.0)
    for one, other in _exchanged(mine, theirs):
        yield Finding("edit", Outcome.CONTRADICTS, f"{one} … {other}", f"{other} … {one}", 1.0)


def _exchanged(mine: Sequence[_Unit], theirs: Sequence[_Unit]) -> Iterator[tuple[str, str]]:
    """Yield two words that have changed places: each stands behind what stands before the other in the evidence."""
    before, after = _contexts(theirs), _contexts(mine)
    shared = [key for key in after if key in before and not after[key] & before[key]]
    for at, one in enumerate(shared):
        for other in shared[at + 1 :]:
            if after[one] & before[other] and after[other] & before[one]:
                yield one, other
                return


def _contexts(units: Sequence[_Unit]) -> dict[str, set[tuple[str, ...]]]:
    """Return for each content word the pairs of tokens that it stands behind, as written."""
    found: dict[str, set[tuple[str, ...]]] = {}
    low = ["", "", *(one.token.low for one in units)]
    for at, one in enumerate(units):
        if one.word is not None and (one.word.is_noun or one.word.is_name or not one.token.is_capital):
            found.setdefault(one.key, set()).add(tuple(low[at : at + 2]))
    return found


def _is_held(mine: Sequence[_Unit], operations: Sequence[tuple[str, int, int, int, int]], at: int) -> bool:
    """Say whether copied content stands on both sides of an edit; the border of the claim may be one of them."""
    sides: list[bool | None] = []
    for beside in (at - 1, at + 1):
        if not 0 <= beside < len(operations):
            sides.append(None)
            continue
        _, start, end, _, _ = operations[beside]
        holds = _holds(mine[start:end])
        sides.append(holds or (None if start == 0 or end == len(mine) else False))
    return all(side is not False for side in sides) and any(sides)


def _holds(units: Sequence[_Unit]) -> bool:
    return any(one.word or one.token.kind == "number" for one in units)


def _units(sentence: Sentence) -> list[_Unit]:
    words = {word.at: word for word in sentence.words}
    return [
        _Unit(_key(token, words.get(at), sentence.language), token, words.get(at))
        for at, token in enumerate(sentence.tokens)
        if token.kind != "mark" or token.text in {"%", "€", "$", "£"}
    ]


def _key(token: Token, word: Word | None, language: str) -> str:
    if token.kind == "number":
        return f"{number(token.text, language):g}"
    if word is not None:
        return min(word.forms.stems)
    if token.low in _ARTICLES:
        return "*"
    value = cardinal(token.low, language)
    return f"{value:g}" if value is not None else _CONTRACTED.get(token.low, token.low)


def _replaced(alignment: Alignment, new: Sequence[_Unit], old: Sequence[_Unit]) -> bool:
    """Say whether the new words say something else than those that they stand for."""
    new, old = [one for one in new if one.key != "*"], [one for one in old if one.key != "*"]
    content, others = [one.word for one in new if one.word], [one.word for one in old if one.word]
    if content and others:
        return len(new) == len(old) == 1 and _is_other(alignment, content, others)
    if content or others or len(new) != len(old) or _is_same_number(alignment, new, old):
        return False
    return any(_differ(one, other) for one, other in zip(new, old, strict=True))


def _is_same_number(alignment: Alignment, new: Sequence[_Unit], old: Sequence[_Unit]) -> bool:
    """Say whether both edits hold quantities that are equal: "10 Prozent" and "dem zehnten Teil"."""
    mine = _counted_in(alignment.claim, new)
    theirs = _counted_in(alignment.unit.sentence, old)
    return bool(mine) and mine == theirs


def _counted_in(sentence: Sentence, units: Sequence[_Unit]) -> set[tuple[str, float]]:
    starts = {one.token.start for one in units}
    return {
        (one.quantity.kind, one.quantity.value)
        for one in sentence.counted
        if any(sentence.tokens[at].start in starts for at in range(one.quantity.start, one.quantity.end))
    }


def _is_other(alignment: Alignment, content: Sequence[Word], others: Sequence[Word]) -> bool:
    """Say whether a new word has nothing to do with any of the old ones though one of these is of its kind."""
    language = alignment.claim.language
    told = {pair.mine for pair in alignment.pairs if pair.theirs is not None and pair.is_here and pair.cost <= ROOT}
    told |= {pair.mine for pair in alignment.pairs if pair.theirs in others}
    for word in content:
        alike = word in told or any(likeness(word, other, language) is not None for other in others)
        if not alike and any(other.is_noun == word.is_noun and other.low not in LIGHT[language] for other in others):
            return True
    return False


def _differ(one: _Unit, other: _Unit) -> bool:
    """Say whether two numbers or two function words that stand in the same place differ in what they say."""
    if "number" in {one.token.kind, other.token.kind}:
        return one.key != other.key
    left, right = _CLASSES.get(one.key), _CLASSES.get(other.key)
    if left is None or right is None:
        return frozenset((one.key, other.key)) in OPPOSED
    return left[0] == right[0] and left[1] != right[1]


def _added(alignment: Alignment, new: Sequence[_Unit], old: Sequence[_Unit]) -> bool:
    """Say whether nothing but a negation has come in, or nothing but a negation or "nur" has gone."""
    claim, unit = alignment.claim, alignment.unit.sentence
    sides = ((new, claim, unit, False), (old, unit, claim, True))
    for units, sentence, other, has_gone in sides:
        low = [one.token.low for one in units]
        if not units or any(one.word or one.token.kind == "number" for one in units):
            continue
        told = set(low) & NEGATIONS
        more = _negations_in(sentence) - _negations_in(other)
        is_more = more > 0 and more % 2 == 1
        if told and is_more and not _belongs_to_bound(sentence, units):
            return True
        if has_gone and set(low) & RESTRICTING and len(units) <= ALONE:
            return True
    return False


def _negations_in(sentence: Sentence) -> int:
    return sum(token.low in NEGATIONS for token in sentence.tokens) + sentence.low.count("sei denn")


def _belongs_to_bound(sentence: Sentence, units: Sequence[_Unit]) -> bool:
    starts = {one.token.start for one in units}
    return any(sentence.tokens[at].start in starts for counted in sentence.counted for at in counted.bound.negations)


def _said(units: Sequence[_Unit]) -> str:
    return " ".join(one.token.text for one in units)
