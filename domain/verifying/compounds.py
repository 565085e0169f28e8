"""Compounds of a claim whose parts are words of the evidence: "Provisionsanspruch" and "Anspruch auf Provision"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from domain.verifying.actors import is_actor
from domain.verifying.forms import forms
from domain.verifying.matching import COMPOUND, PREFIXES, ROOT, SHORTEST, SYNONYM, is_word
from domain.verifying.sentence import Sentence, Word
from domain.verifying.synonyms import grouped

HEAD_ONLY, MODIFIER_ONLY = 0.15, 0.22
"""What it costs that only one part of a compound is accounted for."""

LEAST, LEAST_PART = 8, 4
"""Letters of a word that is taken apart, and of the part of one that stands for the whole."""

Levels = Sequence[tuple[Sentence, float]]
"""Sentences at hand, the nearest first, with what it costs that a word stands there."""

_LIGHT_HEADS: Final = frozenset(
    ("frist", "fristen", "hohe", "betrag", "dauer", "zahl", "anzahl", "zeit", "based", "related")
)
"""Heads of compounds that say no more than the number beside them."""

_LINKS: Final = ("s", "es", "n", "en", "e", "er", "")
_ENDINGS: Final = ("", "e", "en", "n", "s", "es", "er", "ern", "em")


class Found(NamedTuple):
    """A word of the evidence that accounts for a compound or a part of one, the cost, and whether it stands here."""

    word: Word
    cost: float
    is_here: bool


class _Keys(NamedTuple):
    """What a part of a compound is looked up by."""

    same: tuple[str, ...]
    roots: tuple[str, ...]
    groups: frozenset[int]
    longest: str


def built(word: Word, levels: Levels, far: float) -> Found | None:
    """Return what accounts for both parts of a compound; a part that is farther away than ``far`` costs that much."""
    if "-" not in word.low.rstrip("-") and len(word.low) < LEAST:
        return None
    near = levels if word.is_noun else levels[:1]
    found = [_parts(word, left, right, near, far) for left, right in _splits(word.low)]
    return min((one for one in found if one is not None), key=lambda one: one.cost, default=None)


def partly(word: Word, levels: Levels) -> Found | None:
    """Return what accounts for one part of a compound: "Ausschlagungsfrist" and "Frist"."""
    if len(word.low) < LEAST or not word.is_noun or is_actor(word, "de"):
        return None
    for left, right in _splits(word.low):
        if left in PREFIXES or len(left) < SHORTEST or len(right) < LEAST_PART:
            continue
        for part, cost in ((right, HEAD_ONLY), (left, MODIFIER_ONLY)):
            found = _find(part, levels, is_head=part is right)
            if found is not None and found.cost <= SYNONYM and len(found.word.low) <= len(part) + 3:
                return found._replace(cost=cost + found.cost)
    return None


def _splits(low: str) -> Iterator[tuple[str, str]]:
    if "-" in low.rstrip("-"):
        left, _, right = low.rstrip("-").partition("-")
        yield left, right
        return
    for at in range(len(low) - SHORTEST - 1, SHORTEST - 1, -1):
        yield low[:at], low[at:]


def _parts(word: Word, left: str, right: str, levels: Levels, far: float) -> Found | None:
    head = _find(right, levels, is_head=True)
    if right in _LIGHT_HEADS and (head is None or head.cost >= far):
        only = _find(left, levels[:2], is_head=False)
        return None if only is None else only._replace(cost=COMPOUND + only.cost)
    is_short = not word.is_noun and len(left) < 5 and "-" not in word.low
    if head is None or left in PREFIXES or is_short:
        return None
    modifier = _find(left, levels, is_head=False)
    if modifier is None or head.word is modifier.word:
        return None
    return head._replace(cost=COMPOUND + head.cost + min(modifier.cost, far))


def _find(part: str, levels: Levels, *, is_head: bool) -> Found | None:
    best: Found | None = None
    for number, (sentence, level) in enumerate(levels):
        if best is not None and level >= best.cost:
            break
        found = _in_sentence(part, sentence, is_head=is_head)
        if found is not None and (best is None or level + found[1] < best.cost):
            best = Found(found[0], level + found[1], number == 0)
    return best


def _in_sentence(part: str, sentence: Sentence, *, is_head: bool) -> tuple[Word, float] | None:
    """Return the word of a sentence that a part of a compound stands for, or is a part of."""
    keys, index = _keys(part, sentence.language, is_head=is_head), sentence.index
    for names, table, cost in ((keys.same, index.stems, 0.0), (keys.same + keys.roots, index.roots, ROOT)):
        words = next((table[name] for name in names if name in table), None)
        if words is not None:
            return words[0], cost
    for group in keys.groups:
        if group in index.groups:
            return index.groups[group][0], SYNONYM
    for word in index.long:
        inside = _inside(part, word.low, sentence.language, is_head=is_head)
        if inside is not None:
            return word, inside
    return None


@lru_cache(50_000)
def _keys(part: str, language: str, *, is_head: bool) -> _Keys:
    cut = _ENDINGS if is_head else _LINKS
    wanted = {part.removesuffix(one) for one in cut if part.endswith(one) and len(part) - len(one) >= SHORTEST} | {part}
    plain = part if is_head else max(wanted - {part}, key=len, default=part)
    roots = forms(part, language, is_noun=True).roots | forms(plain, language, is_noun=True).roots
    groups = grouped(frozenset(wanted), language)
    return _Keys(tuple(sorted(wanted)), tuple(sorted(roots)), groups, max(wanted, key=len))


@lru_cache(200_000)
def _inside(part: str, low: str, language: str, *, is_head: bool) -> float | None:
    """Return the cost of finding a part of a compound inside another compound."""
    keys = _keys(part, language, is_head=is_head)
    longest = keys.longest
    if not is_head and len(longest) in {3, 4} and low.startswith(longest) and len(low) >= len(longest) + 4:
        return SYNONYM
    if len(longest) >= 5 and low.startswith(longest):
        return ROOT
    ends = (one for one in keys.same if len(one) >= 5 and low.endswith(one) and is_word(low.removesuffix(one)))
    return None if next(ends, None) is None else ROOT
