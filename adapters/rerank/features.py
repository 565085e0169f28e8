"""What a question and a passage have in common, as numbers. Every figure depends on these two texts alone."""

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from adapters.rerank import answer_kinds, circumstances
from adapters.rerank.matching import Term, Words, coverage, grams, held, rarity, share, stem_held
from domain.asking.fusion import similarity
from domain.asking.ports import PassageText
from domain.knowledge.citations import citations
from domain.knowledge.search_text import search_text

RULES: Final = 2
"""Raised with every change of the features: weights and thresholds belong to one set of rules."""

NAMES: Final = (
    "all",
    "heads",
    "heads_asked",
    "two_sentences",
    "nouns_in_sentence",
    "nouns_missing",
    "others_missing",
    "part_missing",
    "grams_body",
    "grams_all",
    "meaning",
    "meaning_sentence",
    "cited",
    "figures",
    "kind_lacks",
    "kind_here",
    "place_missing",
    "year_missing",
    "length",
    "somebody",
    "today",
    "oneself",
    "english",
)
MOST_SENTENCES: Final = 24
"""Sentences of a passage that are looked at one by one; a passage of prose has about four."""

LONGEST_QUESTION: Final = 60
"""Words of a question that count; what follows is a document, not a question."""

MOST_MISSING: Final = 3.0
"""Rarity of missing words that counts: three words that the background does not know."""

LONGEST_BODY: Final = 4_000
_ENGLISH: Final = re.compile(
    r"(?:the|of|is|what|how|when|who|which|does|do|are|my|an?|to|for|must|can|i|in)\Z", re.IGNORECASE
)
"""Words of English questions; some are German ones, too ("in", "an"), but no German question consists of them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read once for all passages."""

    text: str
    terms: tuple[Term, ...]
    grams: frozenset[str]
    kinds: frozenset[str]
    sections: frozenset[str]
    places: tuple[re.Pattern[str], ...]
    years: frozenset[str]


@dataclass(frozen=True, slots=True)
class Read:
    """A passage, cut into what is looked at."""

    heads: str
    heading: str
    body: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """Unit vectors of a passage: as a whole, and of its sentences."""

    whole: Sequence[float]
    sentences: Sequence[Sequence[float]]


def ask(question: str, words: Words) -> Asked:
    """Read a question."""
    return Asked(
        text=question,
        terms=words.terms(question)[:LONGEST_QUESTION],
        grams=grams(question),
        kinds=answer_kinds.asked(question),
        sections=frozenset(f"{one.sign}{one.number}" for one in citations(question)),
        places=circumstances.places(question),
        years=circumstances.years(question),
    )


def read(passage: PassageText) -> Read:
    """Cut a passage: what stands above it, its words with their lead-in, and its sentences."""
    lead_in = search_text(passage.lead_in[:LONGEST_BODY], passage.markup).text
    words = search_text(passage.text[:LONGEST_BODY], passage.markup).text
    body = f"{lead_in}\n{words}" if lead_in else words
    heads = passage.search_text[: max(0, len(passage.search_text) - len(words))].strip()
    start = passage.span.start
    cut = (passage.text[one.start - start : one.end - start] for one in passage.sentences[:MOST_SENTENCES])
    sentences = tuple(search_text(one[:LONGEST_BODY], passage.markup).text for one in cut)
    return Read(heads.removesuffix(lead_in), passage.section[-1] if passage.section else "", body, sentences)


def features(asked: Asked, text: Read, question: Sequence[float], meaning: Meaning, words: Words) -> list[float]:
    """Return the figures in the order of ``NAMES``.

    Args:
        asked: the question.
        text: the passage.
        question: unit vector of the question.
        meaning: unit vectors of the passage.
        words: tells stems.
    """
    body, heads = words.stems(text.body), words.stems(text.heads)
    in_heads = _held(asked, heads)
    anywhere = _either(_held(asked, body), in_heads)
    sentences = [_held(asked, words.stems(one)) for one in text.sentences]
    said = f"{text.heads}\n{text.body}"
    return [
        _covered(asked.terms, anywhere),
        _covered(asked.terms, in_heads),
        _asked_of(asked, words.stems(text.heading)),
        max((_covered(asked.terms, _either(one, in_heads)) for one in _pairs(sentences)), default=0.0),
        max((_nouns_covered(asked, one) for one in sentences), default=0.0),
        *_missing(asked, anywhere),
        _part_missing(asked, anywhere, {*body, *heads}),
        share(asked.grams, grams(text.body)),
        share(asked.grams, grams(said)),
        similarity(question, meaning.whole),
        max((similarity(question, one) for one in meaning.sentences), default=0.0),
        _cited(asked, text),
        _figures(asked, body),
        *_kinds(asked, text),
        float(any(not place.search(said) for place in asked.places)),
        float(any(year not in said for year in asked.years)),
        math.log1p(len(text.body)) / 7,
        float(circumstances.names_somebody(asked.text)),
        float(circumstances.asks_of_today(asked.text)),
        float(circumstances.asks_for_oneself(asked.text)),
        _english(asked.text),
    ]


def _held(asked: Asked, stems: Sequence[str]) -> list[float]:
    there = frozenset(stems)
    return [held(term, there) for term in asked.terms]


def _either(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return list(map(max, one, other))


def _covered(terms: Sequence[Term], found: Iterable[float]) -> float:
    return coverage([term.stem for term in terms], found)


def _pairs(sentences: Sequence[list[float]]) -> list[list[float]]:
    """Return what each two neighbouring sentences hold together; of a single one, what it holds."""
    return list(map(_either, sentences, sentences[1:])) or [*sentences]


def _nouns_covered(asked: Asked, found: Sequence[float]) -> float:
    """Return how much of the nouns a sentence holds; of all words where the question has no noun."""
    nouns = [(term, share) for term, share in zip(asked.terms, found, strict=True) if _is_noun(term)]
    return _covered([term for term, _ in nouns], [one for _, one in nouns]) if nouns else _covered(asked.terms, found)


def _missing(asked: Asked, found: Sequence[float]) -> tuple[float, float]:
    """Return how much rarity is missing in nouns and in other words: what is asked about is mostly a noun.

    Both are bounded: in a long text that is no question, many missing words say no more than a few.
    """
    missing = [(_is_noun(term), rarity(term.stem) * (1 - one)) for term, one in zip(asked.terms, found, strict=True)]
    nouns, others = (sum(one for noun, one in missing if noun == wanted) for wanted in (True, False))
    return min(nouns, MOST_MISSING) / 10, min(others, MOST_MISSING) / 10


def _part_missing(asked: Asked, found: Sequence[float], there: Collection[str]) -> float:
    """Return the rarest part of a noun that is missing: the "Hausrat" of a "Hausratversicherung"."""
    parts = (
        part
        for term, share in zip(asked.terms, found, strict=True)
        if share < 1 and _is_noun(term)
        for part in term.parts
    )
    return max((rarity(part) * (1 - stem_held(part, there)) for part in parts), default=0.0)


def _is_noun(term: Term) -> bool:
    return term.is_noun and term.stem.isalpha()


def _asked_of(asked: Asked, heading: Sequence[str]) -> float:
    """Return how much of a heading the question names."""
    stems = tuple(stem for stem in dict.fromkeys(heading) if not stem[0].isdecimal())
    there = frozenset(term.stem for term in asked.terms)
    return coverage(stems, [stem_held(stem, there) for stem in stems])


def _cited(asked: Asked, text: Read) -> float:
    """Return 1 for the section that the question cites, -1 for another one, 0 where it cites none."""
    if not asked.sections:
        return 0.0
    here = {f"{one.sign}{one.number}" for one in citations(text.heading)}
    return 1.0 if here & asked.sections else -1.0


def _figures(asked: Asked, body: Sequence[str]) -> float:
    """Return the share of the numbers asked that a passage has; one half where none is asked."""
    figures = [term.stem for term in asked.terms if term.is_number]
    return sum(one in body for one in figures) / len(figures) if figures else 0.5


def _kinds(asked: Asked, text: Read) -> tuple[float, float]:
    """Return whether no sentence is of the kind asked, and whether one is; one half where no kind is asked."""
    if not asked.kinds:
        return 0.0, 0.5
    here = any(asked.kinds & answer_kinds.given(one) for one in text.sentences)
    return float(not here), float(here)


def _english(text: str) -> float:
    words = text.split()
    return sum(_ENGLISH.match(word) is not None for word in words) / len(words) if words else 0.0
