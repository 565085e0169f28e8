"""Whether one word says what another says: the same stem or root, a synonym, a part of a compound, a negation of it."""

from functools import lru_cache
from typing import Final

from domain.verifying.forms import BARE, WITH_PARTICLE
from domain.verifying.sentence import Index, Sentence, Word
from domain.verifying.synonyms import grouped, opposites
from domain.verifying.tokens import word_set

ROOT, SYNONYM, COMPOUND, PART, PARTICLE = 0.02, 0.04, 0.04, 0.05, 0.08
"""What it costs to take another form of the root, a synonym, a compound, a part of one, a verb with a particle."""

PREFIXES: Final = word_set(
    "ver be ent er zer miss un nicht ab an auf aus ein vor nach uber unter gegen wider zuruck hin her mit zu"
    " um durch ge bei"
    " ausser halb neben sonder re co sub over under mis dis in im non ex pre"
)


SHORTEST: Final = 3


_UNSURE_NEGATIONS: Final = ("un", "nicht-", "nicht", "in", "im", "ir", "il", "non-", "non", "dis")


def likeness(mine: Word, theirs: Word, language: str) -> float | None:
    """Return what it costs to take one word for the other, ``None`` if that is out of the question."""
    if mine.low == theirs.low or mine.forms.stems & theirs.forms.stems:
        return 0.0
    if mine.forms.roots & theirs.forms.roots:
        return ROOT
    if are_synonyms(mine.forms.stems, theirs.forms.stems, language):
        return SYNONYM
    return _inside_of(mine, theirs, language)


def match(word: Word, sentence: Sentence) -> tuple[Word, float, bool] | None:
    """Return the word of ``sentence`` that says the same, the cost of the step, and whether it is negated in itself."""
    found = looked_up(word, sentence.index, sentence.language)
    if found is not None:
        return found[0], found[1], False
    best: tuple[Word, float, bool] | None = None
    for other in sentence.index.long:
        cost = _inside_of(word, other, sentence.language)
        if cost is not None and (best is None or cost < best[1]):
            best = (other, cost, False)
    if best is not None:
        return best
    negated = _negation_of(word, sentence.index)
    return None if negated is None else (negated, ROOT, True)


def looked_up(word: Word, words: Index, language: str) -> tuple[Word, float] | None:
    """Return the word with the same stem, root or group of synonyms; of several the one that is denied alike."""
    numbers = grouped(word.forms.stems, language)
    for found, cost in (
        ([other for key in word.forms.stems for other in words.stems.get(key, ())], 0.0),
        ([other for key in word.forms.roots for other in words.roots.get(key, ())], ROOT),
        ([other for number in numbers for other in words.groups.get(number, ())], SYNONYM),
        ([other for key in _other_verbs(word) for other in words.roots.get(key, ())], PARTICLE),
    ):
        if found:
            return min(found, key=lambda other: (other.is_denied != word.is_denied, other.at)), cost
    return None


def _other_verbs(word: Word) -> list[str]:
    """Return the keys of a verb with a particle for one without, and the other way round: "hören", "anhören"."""
    other = {BARE: WITH_PARTICLE, WITH_PARTICLE: BARE}
    return [other[root[0]] + root[1:] for root in word.forms.roots if root[0] in other]


def _inside_of(mine: Word, theirs: Word, language: str) -> float | None:
    if language == "en":
        is_part = len(mine.low) >= 5 and theirs.low.startswith(mine.low) and len(theirs.low) > len(mine.low) + 3
        return PART if is_part or (mine.low in theirs.low.split("-")) else None
    return _inside(mine.low, theirs.low, mine.forms.roots, theirs.forms.roots)


def are_synonyms(mine: frozenset[str], theirs: frozenset[str], language: str) -> bool:
    """Say whether two words are in one group of synonyms."""
    return bool(grouped(mine, language) & grouped(theirs, language))


@lru_cache(100_000)
def _inside(mine: str, theirs: str, stems: frozenset[str], other_stems: frozenset[str]) -> float | None:
    """Return the cost of finding a word inside a compound of the evidence: its head, or what comes before it."""
    if len(theirs) < len(mine) + SHORTEST or len(mine) < 4:
        return None
    for stem in stems:
        if len(stem) < 4 or not stem.isalpha():
            continue
        for other in other_stems:
            if other.isalpha() and other.endswith(stem) and is_word(other.removesuffix(stem)):
                return COMPOUND
        if theirs.startswith(stem) and len(stem) >= 4 and len(theirs) - len(stem) >= 4:
            return PART
    return None


def is_word(rest: str) -> bool:
    """Say whether what is left of a compound may be a word, and is no prefix."""
    plain = rest.rstrip("-")
    return len(plain) >= SHORTEST and plain not in PREFIXES


def _negation_of(word: Word, words: Index) -> Word | None:
    """Return the word that is ``word`` with or without a prefix that negates."""
    return next((words.stems[stem][0] for stem in _negated(word.forms.stems) if stem in words.stems), None)


@lru_cache(50_000)
def _negated(stems: frozenset[str]) -> tuple[str, ...]:
    """Return the stems that deny, or are denied by, a word with these stems."""
    found = [stem.removesuffix("los") for stem in stems if stem.endswith("los") and len(stem) > 6]
    for stem in stems:
        found += [prefix + stem for prefix in _UNSURE_NEGATIONS if len(stem) >= 4]
        cut = (prefix for prefix in _UNSURE_NEGATIONS if stem.startswith(prefix) and len(stem) - len(prefix) >= 4)
        found += [stem.removeprefix(prefix) for prefix in cut]
    return tuple(found)


def opposite_of(word: Word, sentence: Sentence) -> Word | None:
    """Return the word of a sentence that says the opposite."""
    table = opposites(sentence.language)
    against = frozenset(stem for mine in word.forms.stems for stem in table.get(mine, ()))
    if not against:
        return None
    return next((other for other in sentence.words if other.forms.stems & against), None)
