"""What a question and a passage have in common, as numbers. Every figure depends on these two texts alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from adapters.rerank import answer_kinds
from adapters.rerank.matching import Words, coverage, grams, held, rarity, share
from domain.asking.fusion import similarity
from domain.asking.ports import PassageText
from domain.knowledge.citations import citations
from domain.knowledge.search_text import search_text

RULES: Final = 1
"""Raised with every change of the features: weights and thresholds belong to one set of rules."""

NAMES: Final = (
    "body",
    "all",
    "heads",
    "exact",
    "worst_missing",
    "missing",
    "heads_asked",
    "best_sentence",
    "pairs",
    "grams_body",
    "grams_all",
    "meaning",
    "meaning_sentence",
    "meaning_heading",
    "cited",
    "figures",
    "kind_in_best",
    "kind_lacks",
    "kind_here",
    "strength",
    "length",
    "words_asked",
    "rarity_asked",
    "english",
)
MOST_SENTENCES: Final = 24
"""Sentences of a passage that are looked at one by one; a passage of prose has about four."""

LONGEST_QUESTION: Final = 60
"""Words of a question that count; what follows is a document, not a question."""

LONGEST_BODY: Final = 4_000
_ENGLISH: Final = frozenset(
    [
        "the",
        "of",
        "is",
        "what",
        "how",
        "when",
        "who",
        "which",
        "does",
        "do",
        "are",
        "my",
        "a",
        "an",
        "to",
        "for",
        "must",
        "can",
        "i",
        "in",
    ]
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read once for all passages."""

    text: str
    stems: tuple[str, ...]
    grams: frozenset[str]
    kinds: frozenset[str]
    sections: frozenset[str]

    @property
    def figures(self) -> tuple[str, ...]:
        """Return the numbers in it."""
        return tuple(stem for stem in self.stems if stem[0].isdecimal())


@dataclass(frozen=True, slots=True)
class Read:
    """A passage, cut into what is looked at."""

    heads: str
    heading: str
    body: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """Unit vectors of a passage: as a whole, of its heading, and of its sentences."""

    whole: Sequence[float]
    heading: Sequence[float]
    sentences: Sequence[Sequence[float]]


def ask(question: str, words: Words) -> Asked:
    """Read a question."""
    stems = tuple(dict.fromkeys(words.stems(question)[:LONGEST_QUESTION]))
    cited = frozenset(f"{one.sign}{one.number}" for one in citations(question))
    return Asked(question, stems, grams(question), answer_kinds.asked(question), cited)


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
    in_body, in_heads = _held(asked, body), _held(asked, heads)
    anywhere = [max(pair) for pair in zip(in_body, in_heads, strict=True)]
    missing = [rarity(stem) * (1 - found) for stem, found in zip(asked.stems, anywhere, strict=True)]
    sentences = [_held(asked, words.stems(one)) for one in text.sentences]
    covered = [coverage(asked.stems, found) for found in sentences]
    kinds = [answer_kinds.given(one) for one in text.sentences]
    figures = asked.figures
    return [
        coverage(asked.stems, in_body),
        coverage(asked.stems, anywhere),
        coverage(asked.stems, in_heads),
        coverage(asked.stems, [float(found == 1) for found in anywhere]),
        max(missing, default=1.0),
        sum(missing) / 10,
        _asked_of(asked, words.stems(text.heading)),
        max(covered, default=0.0),
        max(map(_pairs, sentences), default=0.0),
        share(asked.grams, grams(text.body)),
        share(asked.grams, grams(f"{text.heads}\n{text.body}")),
        similarity(question, meaning.whole),
        max((similarity(question, one) for one in meaning.sentences), default=0.0),
        similarity(question, meaning.heading) if text.heading else 0.0,
        _cited(asked, text),
        sum(one in body for one in figures) / len(figures) if figures else 0.5,
        *_kinds(asked, covered, kinds),
        _strength(asked, body, in_body),
        math.log1p(len(text.body)) / 7,
        min(len(asked.stems), 20) / 10,
        sum(map(rarity, asked.stems)) / max(1, len(asked.stems)),
        _english(asked.text),
    ]


def _held(asked: Asked, stems: Sequence[str]) -> list[float]:
    there = frozenset(stems)
    return [held(stem, there) for stem in asked.stems]


def _asked_of(asked: Asked, heading: Sequence[str]) -> float:
    """Return how much of a heading the question names."""
    stems = tuple(stem for stem in dict.fromkeys(heading) if not stem[0].isdecimal())
    there = frozenset(asked.stems)
    return coverage(stems, [held(stem, there) for stem in stems])


def _pairs(found: Sequence[float]) -> float:
    """Return the share of neighbouring words of the question that stand in one sentence."""
    if not found[1:]:
        return found[0] if found else 0.0
    return sum(map(min, found, found[1:])) / (len(found) - 1)


def _cited(asked: Asked, text: Read) -> float:
    """Return 1 for the section that the question cites, -1 for another one, 0 where it cites none."""
    if not asked.sections:
        return 0.0
    here = {f"{one.sign}{one.number}" for one in citations(text.heading)}
    return 1.0 if here & asked.sections else -1.0


def _kinds(asked: Asked, covered: Sequence[float], kinds: Sequence[frozenset[str]]) -> tuple[float, float, float]:
    """Return how well a sentence covers the question that is of the kind asked; whether none is; whether one is."""
    fitting = [share for share, given in zip(covered, kinds, strict=True) if asked.kinds & given]
    if not asked.kinds:
        return max(covered, default=0.0), 0.0, 0.5
    return max(fitting, default=0.0), float(not fitting), float(bool(fitting))


def _strength(asked: Asked, body: Sequence[str], found: Sequence[float]) -> float:
    """Return a saturated sum over the words of the question, as BM25 has it, with background rarity."""
    length = 1.2 * (0.25 + 0.75 * len(body) / 50)
    counts = [max(body.count(stem), 1 if here else 0) * here for stem, here in zip(asked.stems, found, strict=True)]
    return sum(rarity(stem) * 2.2 * n / (n + length) for stem, n in zip(asked.stems, counts, strict=True)) / 5


def _english(text: str) -> float:
    words = text.lower().split()
    return sum(word in _ENGLISH for word in words) / len(words) if words else 0.0
