"""German analyzer: which terms a text consists of.

A term is a plain string, and its first character says of which kind it is:

==========  ==========================================================================================
``kundig``  a stem: lower case, umlauts and ß folded, German Snowball stemmer; function words are left out;
            a compound has its own stem and those of its parts, so that it counts more than they do
``=maße``   a word as written, in lower case: tells "Maße" from "Masse"
``§5a``     a citation, ``vvg:§5a`` where the act is named; articles are ``art5``
==========  ==========================================================================================

Passages have all of them. Questions have stems and citations, and words as written only inside quotation marks:
everywhere else they would prefer one inflection to another.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from adapters.search.compounds import Compounds
from adapters.search.english import in_german
from adapters.search.everyday import everyday
from domain.knowledge.citations import citations

RULES = 4
"""Raised with every change of the terms: the index is then built anew, in a folder of its own."""

LONGEST_WORD = 60
"""Longer runs of letters and digits are cut: they are data, not words."""

_WORD = re.compile(r"\d+(?:[.,\u00a0\u202f\u2009 ]\d{3})+(?:,\d+)?(?!\d)|\d+(?:,\d+)?|[^\W_]+")
_GROUPING = re.compile(r"[.,\u00a0\u202f\u2009 ](?=\d{3}(?!\d))")
_QUOTED = re.compile(r"[„“\"»«]([^„“”\"»«]{1,200})[“”\"«»]")


class GermanAnalyzer:
    """Turns texts into terms."""

    def __init__(self) -> None:
        self._stemmer: TextAnalyzer = (
            TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("german")).build()
        )
        self._compounds = Compounds()

    def passage(self, text: str) -> Counter[str]:
        """Return the terms of a passage with how often each occurs."""
        composed = unicodedata.normalize("NFC", text)
        written = _words(composed)
        counts = Counter(self._terms(written))
        counts.update(_cited(composed))
        counts.update(f"={word}" for word in written)
        return counts

    def question(self, text: str) -> frozenset[str]:
        """Return the terms that a question looks for; one in English looks for German words as well."""
        composed = unicodedata.normalize("NFC", f"{text}\n{in_german(text)}".rstrip())
        quoted = (word for part in _QUOTED.findall(composed) for word in _words(part))
        return frozenset(self._terms(_words(composed))).union(_cited(composed), (f"={word}" for word in quoted))

    def stems(self, words: list[str]) -> list[str]:
        """Return the stem of each word (lower case, without blanks)."""
        stems: list[str] = self._stemmer.analyze(" ".join(words))
        return [self._settled(stem) if stem.endswith("s") else stem for stem in stems]

    def parts(self, word: str) -> list[str]:
        """Return the stems of the parts of a compound (lower case), none of a simple word."""
        return self.stems([*self._compounds.parts(word)])

    def meant(self, stem: str) -> tuple[str, ...]:
        """Return the stems of what statutes call the thing of an everyday word."""
        return self._everyday.get(stem, ())

    @cached_property
    def _everyday(self) -> Mapping[str, tuple[str, ...]]:
        return everyday(self.stems)

    def _terms(self, words: list[str]) -> list[str]:
        return self.stems([one for word in words for one in (word, *self._compounds.parts(word))])

    def _settled(self, stem: str) -> str:
        """Take off the s that a bare word would lose: "Zinsen" gives "zins", and "Zins" gives "zin"."""
        settled: str = self._stemmer.analyze(stem)[0]
        return settled


def length(terms: Mapping[str, float]) -> int:
    """Return how long a passage is: its stems and citations, each as often as it occurs."""
    return sum(int(count) for term, count in terms.items() if not term.startswith("="))


def words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, function words left out."""
    return _words(unicodedata.normalize("NFC", text))


@cache
def _function_words() -> frozenset[str]:
    text = files("adapters.search").joinpath("function_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def _words(text: str) -> list[str]:
    left_out = _function_words()
    return [word for word in map(_plain, _WORD.findall(text)) if word not in left_out]


def _plain(word: str) -> str:
    if word[0].isdecimal():
        return _GROUPING.sub("", word)
    return word[:LONGEST_WORD].lower()


def _cited(text: str) -> Iterator[str]:
    for citation in citations(text):
        yield f"{citation.sign}{citation.number}"
        if citation.act:
            yield f"{citation.act.lower()}:{citation.sign}{citation.number}"
