"""Parts of German compounds: "Kündigungsfrist" is a "Frist" and has to do with a "Kündigung".

HanTa (Wartena, KONVENS 2019) finds the parts by a model of morphemes that ships with it. It leaves compounds whole
whose first part it does not know ("Solvenzkapitalanforderung"): there the longest known ending is cut off. Nothing
here looks at the corpus of an installation, so the parts of a word are the same whatever has been ingested.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any, Final

from adapters.search.splits import shipped

SHORTEST_WORD: Final = 7
"""Shorter words are not looked at: what could be cut off them is a syllable."""

SHORTEST_PART: Final = 4
SHORT_PARTS: Final = frozenset({"amt", "art", "bau", "ehe", "hof", "not", "rat", "tag", "tat", "tod", "uhr", "weg"})
"""Nouns of three letters that are common in compounds; other three letters are rather a prefix."""

NO_PARTS: Final = frozenset(
    {
        "schaft",
        "gesell",
        "haft",
        "sonder",
        "heit",
        "keit",
        "barkeit",
        "mäßig",
        "bar",
        "iert",
        "tellerin",
        "über",
        "zurück",
    }
)
"""Words in HanTa's list that stand for a suffix or a prefix where they end or open a word."""

UNKNOWN_LEFT: Final = 6
"""Letters that an unknown first part must have."""

KNOWN_ENDING: Final = 9
"""Letters that the rest must have where the first part is unknown."""

MEMORY: Final = 200_000
"""Words whose parts a process remembers."""

_STEMS: Final = frozenset({"NN", "NN_VAR", "NN_VAR_EL", "ADJ", "ADJ_VAR", "VV", "VVnp", "CARD"})
_LINKS: Final = ("", "s", "es", "n", "en")


def rules() -> str:
    """Return what stands for all that the parts of a word depend on."""
    ours = (
        SHORTEST_WORD,
        SHORTEST_PART,
        UNKNOWN_LEFT,
        KNOWN_ENDING,
        _LINKS,
        *map(sorted, (SHORT_PARTS, NO_PARTS, _STEMS)),
    )
    return f"hanta-{version('hanta')}/{hashlib.sha256(repr(ours).encode()).hexdigest()[:16]}"


class Compounds:
    """Splits words; reads its model when the first word is looked at whose parts are not shipped."""

    def __init__(self) -> None:
        self._loading = Lock()
        self.parts = lru_cache(MEMORY)(self._parts)

    def _parts(self, word: str) -> tuple[str, ...]:
        """Return the parts of ``word`` (lower case), as written in it and without linking letters; none if simple."""
        if not may_be_compound(word):
            return ()
        known = self._shipped.get(word)
        return self.split(word) if known is None else known

    def split(self, word: str) -> tuple[str, ...]:
        """Work out the parts of a word that may be a compound."""
        found = tuple(part for one in self._groups(word) for part in (self._cut(one) or (one,)))
        return found if len(found) > 1 and all(map(_is_part, found)) else ()

    def _groups(self, word: str) -> list[str]:
        """Return the stems of ``word``, each with its prefixes and endings."""
        groups: list[str] = []
        opening = ""
        for morpheme, tag in self._tagger.analyze(word.capitalize(), taglevel=3)[1]:
            if tag in _STEMS:
                groups.append(opening + morpheme)
                opening = ""
            elif tag.startswith("SUF") and groups:
                groups[-1] += morpheme
            elif tag != "FUGE":
                opening += morpheme
        return groups if not opening else []

    def _cut(self, word: str) -> tuple[str, ...]:
        """Return the two or more parts of a word that HanTa has left whole without knowing it."""
        if len(word) < 2 * SHORTEST_PART + 2 or self._knows(word):
            return ()
        for place in range(SHORTEST_PART, len(word) - SHORTEST_PART):
            rest = word[place:]
            ending = (rest,) if self._knows(rest) else self._known_groups(rest)
            if ending and _is_part(ending[-1]) and (first := self._first(word[:place], rest)):
                return (first, *ending)
        return ()

    def _known_groups(self, word: str) -> tuple[str, ...]:
        groups = tuple(self._groups(word)) if len(word) >= KNOWN_ENDING else ()
        return groups if len(groups) > 1 and all(map(self._knows, groups)) else ()

    def _first(self, left: str, rest: str) -> str:
        """Return the first part without its link, empty where it looks like none."""
        for link in _LINKS:
            bare = left.removesuffix(link)
            if left.endswith(link) and len(bare) >= SHORTEST_PART and self._knows(bare):
                return bare
        long = len(left) >= UNKNOWN_LEFT and len(rest) >= KNOWN_ENDING
        return left if long and any(letter in "aeiouäöüy" for letter in left) else ""

    def _knows(self, word: str) -> bool:
        return word not in NO_PARTS and any(form in self._nouns for form in _bare(word))

    @cached_property
    def _shipped(self) -> Mapping[str, tuple[str, ...]]:
        return shipped(rules())

    @cached_property
    def _nouns(self) -> frozenset[str]:
        tagger = self._tagger
        kinds = (tagger.tag2int[tag] for tag in ("NN", "NN_VAR", "ADJ", "CARD"))
        return frozenset(word for kind in kinds for word in tagger.LP_m_t[kind])

    @cached_property
    def _tagger(self) -> Any:
        from HanTa.HanoverTagger import HanoverTagger  # noqa: PLC0415 - the model is read only to split

        with self._loading:
            return HanoverTagger("morphmodel_ger.pgz")


def may_be_compound(word: str) -> bool:
    """Say whether ``word`` is looked at at all."""
    return len(word) >= SHORTEST_WORD and word.isalpha()


def _bare(word: str) -> Iterator[str]:
    """Yield ``word`` with and without the endings of plural and case."""
    yield word
    for ending in ("s", "n", "e", "en", "es", "er", "ern"):
        if word.endswith(ending):
            yield word.removesuffix(ending)


def _is_part(part: str) -> bool:
    return (len(part) >= SHORTEST_PART or part in SHORT_PARTS) and NO_PARTS.isdisjoint(_bare(part))
