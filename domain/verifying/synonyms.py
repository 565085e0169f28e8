"""Words that say the same where one stands for the other, words that say the opposite, and words that exclude another.

The tables stand in ``lexicon``; here they are read by stem.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from domain.verifying.forms import forms
from domain.verifying.lexicon import english, german

_SYNONYMS: Final = {"de": german.SYNONYMS, "en": english.SYNONYMS}
_OPPOSITES: Final = {"de": german.OPPOSITES, "en": english.OPPOSITES}
_RIVALS: Final = {"de": german.RIVALS, "en": english.RIVALS}


@lru_cache(50_000)
def grouped(stems: frozenset[str], language: str) -> frozenset[int]:
    """Return the numbers of the groups of synonyms that a word with these stems is in."""
    table = _groups(language)
    return frozenset(number for stem in stems for number in table.get(stem, ()))


@lru_cache(50_000)
def classed(stems: frozenset[str], language: str) -> frozenset[int]:
    """Return the numbers of the classes whose members exclude one another that a word with these stems is in."""
    table = _classes(language)
    return frozenset(number for stem in stems for number in table.get(stem, ()))


@cache
def opposites(language: str) -> dict[str, frozenset[str]]:
    """Return for each stem the stems that say the opposite."""
    found: dict[str, set[str]] = {}
    for pair in _cut(_OPPOSITES[language]):
        left, right = (tuple(_stems(word, language)) for word in pair)
        for one, others in ((left, right), (right, left)):
            for stem in one:
                found.setdefault(stem, set()).update(others)
    return {stem: frozenset(others) for stem, others in found.items()}


@cache
def _groups(language: str) -> dict[str, frozenset[int]]:
    return _indexed(_cut(_SYNONYMS[language]), language)


@cache
def _classes(language: str) -> dict[str, frozenset[int]]:
    return _indexed((line.split() for line in _RIVALS[language].replace("\n  ", " ").strip().splitlines()), language)


def _cut(table: str) -> Iterator[list[str]]:
    return (group.split() for group in table.split("|"))


def _indexed(groups: Iterator[list[str]], language: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, words in enumerate(groups):
        for word in words:
            for stem in _stems(word, language):
                found.setdefault(stem, set()).add(number)
    return {stem: frozenset(numbers) for stem, numbers in found.items()}


def _stems(word: str, language: str) -> Iterator[str]:
    yield from forms(word, language, is_noun=word[0].isupper()).stems
