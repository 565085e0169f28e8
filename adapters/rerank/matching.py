"""How much of a question's words a text holds, weighted by how rare they are.

Rarity comes from a fixed table that ships with the product (``background.txt``), never from the passages that an asker
may see: a score depends on question and passage alone, so narrowing a question cannot loosen the gate.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from adapters.search.analyzer import GermanAnalyzer

BACKGROUND: Final = "background.txt"
PART: Final = 4
"""Letters from which on a stem counts as part of a compound."""

INSIDE: Final = 0.85
"""A word inside a longer one ("Frist" in "Kündigungsfrist") is nearly there."""

MEANT: Final = 0.7
"""What statutes call the thing of an everyday word is less than the word itself."""

ALIKE: Final = 0.6
"""Share of common pieces from which on two words are taken for relatives ("verjähren", "Verjährung")."""

LONGEST_WORD: Final = 60
MEMORY: Final = 100_000

_WORD: Final = re.compile(r"\d+(?:[.\u00a0\u202f ]\d{3})+(?!\d)|[^\W_]+")
_GROUPING: Final = re.compile(r"[.\u00a0\u202f ](?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question.

    Attributes:
        stem: of the whole word.
        parts: stems of its parts where it is a compound.
        meant: stems of what statutes call it where it is an everyday word.
        is_noun: whether it is written like a German noun.
    """

    stem: str
    parts: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    is_noun: bool = False

    @property
    def is_number(self) -> bool:
        """Say whether it is a number."""
        return self.stem[0].isdecimal()


class Words:
    """Turns texts into stems and questions into terms, and remembers what it has stemmed."""

    def __init__(self, analyzer: GermanAnalyzer) -> None:
        self._analyzer = analyzer
        self._stem = lru_cache(MEMORY)(lambda word: "".join(self._analyzer.stems([word])))

    def stems(self, text: str) -> list[str]:
        """Return the stems of ``text`` in order, without function words."""
        return [self._stem(word.lower()) for word in _words(text)]

    def terms(self, text: str) -> tuple[Term, ...]:
        """Return the words of a question in order, each once, without function words."""
        found: dict[str, Term] = {}
        for word in _words(text):
            stem = self._stem(word.lower())
            parts, meant = tuple(self._analyzer.parts(word.lower())), self._analyzer.meant(stem)
            found.setdefault(stem, Term(stem, parts, meant, word[0].isupper()))
        return tuple(found.values())


def _words(text: str) -> list[str]:
    words = (_GROUPING.sub("", word)[:LONGEST_WORD] for word in _WORD.findall(unicodedata.normalize("NFC", text)))
    return [word for word in words if word.lower() not in function_words()]


@cache
def function_words() -> frozenset[str]:
    """Return the words that say nothing about the matter."""
    text = files("adapters.search").joinpath("function_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


@cache
def background() -> dict[str, int]:
    """Return in how many of ``passages()`` background texts a stem occurs."""
    lines = files("adapters.rerank").joinpath(BACKGROUND).read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(" ") for line in lines if not line.startswith("#"))
    return {stem: int(count) for count, _, stems in pairs for stem in stems.split()}


@cache
def rarity(stem: str) -> float:
    """Return the inverse document frequency of a stem in the background, in [0, 1]; unknown ones are rarest."""
    texts = background()["*"]
    count = background().get(stem, 0)
    return math.log1p((texts - count + 0.5) / (count + 0.5)) / math.log1p((texts + 0.5) / 0.5)


def held(term: Term, stems: Collection[str]) -> float:
    """Return how much of ``term`` is among ``stems``, in [0, 1].

    All of it, inside a compound or as a relative; else the parts of a compound, each as much as it is rare, so that a
    "Hausrat" is missed where only the "Versicherung" is there; else what statutes call it.
    """
    found = stem_held(term.stem, stems)
    if found < 1 and term.parts:
        found = max(found, INSIDE * coverage(term.parts, [stem_held(part, stems) for part in term.parts]))
    if found < MEANT and term.meant:
        found = max(found, *(MEANT * stem_held(other, stems) for other in term.meant))
    return found


def stem_held(stem: str, stems: Collection[str]) -> float:
    """Return how much of ``stem`` is among ``stems``: all of it, inside a compound, or a relative."""
    if stem in stems:
        return 1.0
    if len(stem) < PART or not stem.isalpha():
        return 0.0
    return max((likeness(stem, other) for other in stems), default=0.0)


@lru_cache(MEMORY)
def likeness(stem: str, other: str) -> float:
    """Return how much of one word another one says, in [0, 1)."""
    if len(other) < PART or not other.isalpha():
        return 0.0
    if stem in other:
        return INSIDE
    if other in stem:
        return INSIDE * len(other) / len(stem)
    common = pieces(stem) & pieces(other)
    share = 2 * len(common) / (len(pieces(stem)) + len(pieces(other)))
    return INSIDE * share if share >= ALIKE else 0.0


@lru_cache(MEMORY)
def pieces(word: str) -> frozenset[str]:
    """Return the runs of three letters of a word, with its beginning marked."""
    marked = f"^{word}"
    return frozenset(marked[at : at + 3] for at in range(len(marked) - 2))


def coverage(asked: Sequence[str], found: Iterable[float]) -> float:
    """Return the share of ``asked`` that was ``found``, each stem as much as it is rare; 0 without stems."""
    total = sum(map(rarity, asked))
    return sum(rarity(stem) * share for stem, share in zip(asked, found, strict=True)) / total if total else 0.0


def grams(text: str, size: int = 4) -> frozenset[str]:
    """Return the runs of ``size`` characters of a text across its words."""
    flat = f" {' '.join(_WORD.findall(unicodedata.normalize('NFC', text).lower()))} "
    return frozenset(flat[at : at + size] for at in range(len(flat) - size + 1))


def share(asked: frozenset[str], said: Iterable[str]) -> float:
    """Return the share of ``asked`` that is ``said``."""
    return len(asked.intersection(said)) / len(asked) if asked else 0.0
