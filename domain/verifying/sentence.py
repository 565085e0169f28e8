"""One sentence, read: its content words with their clause and polarity, its numbers, dates and references."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from domain.verifying.bounds import Bound, bound
from domain.verifying.clauses import clauses
from domain.verifying.dates import Day, dates
from domain.verifying.forms import PARTICLES, Forms, forms
from domain.verifying.function_words import FUNCTION
from domain.verifying.number_words import counted_noun
from domain.verifying.quantities import Quantity, quantities
from domain.verifying.rates import rates_of
from domain.verifying.references import Reference, references
from domain.verifying.scope import PREPOSITIONS, denied_here, denies, is_function
from domain.verifying.scope import denied as denied_by
from domain.verifying.synonyms import grouped
from domain.verifying.tokens import Token, fold, tokens

LONG: Final = 7
"""Letters that a word has at least if it is a compound."""

MEMORY: Final = 512
"""Sentences that a process remembers; a claim is held against the same passages again and again."""


@dataclass(frozen=True, slots=True)
class Word:
    """A content word.

    Attributes:
        at: index of its token.
        text: as written; ``low`` folded.
        forms: what it is compared by.
        is_noun: written with a capital in German; ``is_name``: with a capital inside an English sentence.
        clause: number of its clause.
        is_denied: an odd number of negations has it in its scope.
        is_denied_here: one of them denies this word and not its clause: "ohne", "außer", "kein".
        is_shadowed: it stands in a denied clause in front of what is denied there, so that it may be denied or not.
        is_rate: says how often, which a guard of its own looks at.
    """

    at: int
    text: str
    low: str
    forms: Forms
    is_noun: bool
    is_name: bool
    clause: int
    is_denied: bool
    is_denied_here: bool
    is_rate: bool = False
    is_shadowed: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """Words by stem, by root and by group of synonyms; ``long`` are those that may be compounds."""

    stems: Mapping[str, Sequence[Word]]
    roots: Mapping[str, Sequence[Word]]
    groups: Mapping[int, Sequence[Word]]
    long: tuple[Word, ...]


def index(words: Sequence[Word], language: str) -> Index:
    """Return ``words`` by what they are compared by."""
    stems: dict[str, list[Word]] = {}
    roots: dict[str, list[Word]] = {}
    synonyms: dict[int, list[Word]] = {}
    for word in words:
        for stem in word.forms.stems:
            stems.setdefault(stem, []).append(word)
        for root in word.forms.roots:
            roots.setdefault(root, []).append(word)
        for number in grouped(word.forms.stems, language):
            synonyms.setdefault(number, []).append(word)
    long = tuple(word for word in words if len(word.low) >= LONG)
    return Index(stems, roots, synonyms, long)


@dataclass(frozen=True, slots=True)
class Counted:
    """A quantity with its bound and the content word that it counts, if one follows."""

    quantity: Quantity
    bound: Bound
    noun: Word | None
    text: str
    clause: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the guards see it.

    Attributes:
        text: folded.
        tokens: all of them; ``clauses``: clause of each.
        words: content words in order.
        counted: quantities in order; ``days``, ``references`` likewise.
        rates: how often ("month", "year"), with the words that say so.
        negations: tokens that deny, without those that belong to a bound.
        low: the tokens in lower case, joined by blanks.
        index: the content words by what they are compared by.
    """

    text: str
    language: str
    tokens: tuple[Token, ...]
    clauses: tuple[int, ...]
    words: tuple[Word, ...]
    counted: tuple[Counted, ...]
    days: tuple[Day, ...]
    references: tuple[Reference, ...]
    rates: dict[str, str]
    negations: tuple[int, ...]
    low: str
    index: Index

    @property
    def is_question(self) -> bool:
        """Say whether it asks."""
        return self.text.rstrip('" )').endswith("?")

    def said(self, start: int, end: int) -> str:
        """Return the words of tokens ``start`` to ``end``."""
        if start >= end:
            return ""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]


@lru_cache(MEMORY)
def read(text: str, language: str) -> Sentence:
    """Read one sentence."""
    folded = fold(text)
    found = tokens(folded)
    days, refs = dates(folded), references(folded)
    taken = _inside(found, [*((one.start, one.end) for one in days), *((one.start, one.end) for one in refs)])
    rates, rate_tokens = rates_of(found)
    amounts = quantities(found, language, taken | rate_tokens)
    bounds = [bound(found, one.start, one.end) for one in amounts]
    clause = clauses(found)
    swallowed = frozenset(at for one in bounds for at in one.negations)
    negations = tuple(at for at, token in enumerate(found) if denies(found, at, token) and at not in swallowed)
    counted_tokens = {at for one in amounts for at in range(one.start, one.end) if at not in one.apart}
    words = _words(found, language, clause, negations, taken | counted_tokens, rate_tokens=rate_tokens)
    counted = tuple(
        Counted(one, limit, _noun_behind(words, found, one, language), _said(folded, found, one), clause[one.start])
        for one, limit in zip(amounts, bounds, strict=True)
    )
    low = " ".join(token.low for token in found)
    return Sentence(
        folded,
        language,
        found,
        tuple(clause),
        words,
        counted,
        days,
        refs,
        rates,
        negations,
        low,
        index(words, language),
    )


def _said(folded: str, found: Sequence[Token], one: Quantity) -> str:
    return folded[found[one.start].start : found[one.end - 1].end]


def _inside(found: Sequence[Token], spans: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Return the indexes of the tokens that lie in one of ``spans``."""
    starts = [token.start for token in found]
    inside: set[int] = set()
    for start, end in spans:
        at = bisect_left(starts, start)
        while at < len(found) and found[at].end <= end:
            inside.add(at)
            at += 1
    return frozenset(inside)


def _words(
    found: Sequence[Token],
    language: str,
    clause: Sequence[int],
    negations: Sequence[int],
    taken: frozenset[int],
    *,
    rate_tokens: frozenset[int],
) -> tuple[Word, ...]:
    denied, shadowed = denied_by(found, clause, negations, language)
    near = denied_here(found, clause)
    particles = _particles(found, clause) if language == "de" else {}
    words = []
    for at, token in enumerate(found):
        if token.kind != "word" or at in taken or at in particles.values() or is_function(found, at, language):
            continue
        if language == "de" and (counting := counted_noun(token.low)):
            noun = counting[2]
            token = Token(noun.capitalize(), noun, token.end - len(noun), token.end, "word")  # noqa: PLW2901
        parity = denied.count(at) + (at in near)
        is_noun = language == "de" and token.is_capital
        words.append(
            Word(
                at,
                token.text,
                token.low,
                _forms(token, language, found[particles[at]].low if at in particles else "", is_noun=is_noun),
                is_noun,
                language == "en" and token.is_capital and at > 0,
                clause[at],
                parity % 2 == 1,
                at in near,
                at in rate_tokens,
                at in shadowed,
            )
        )
    return tuple(words)


def _forms(token: Token, language: str, particle: str, *, is_noun: bool) -> Forms:
    plain = forms(token.text, language, is_noun=is_noun)
    if is_noun and len(token.low) > 3:
        # A capital may only say that the sentence begins here.
        other = forms(token.text, language, is_noun=False)
        plain = Forms(
            plain.stems, plain.roots | (other.stems if not token.low.endswith(("er", "ern", "ers")) else frozenset())
        )
    if not particle:
        return plain
    joined = frozenset(particle + stem for stem in plain.stems)
    return Forms(joined | plain.stems, joined | plain.roots | frozenset(particle + root for root in plain.roots))


def _particles(found: Sequence[Token], clause: Sequence[int]) -> dict[int, int]:
    """Return for a verb the particle that it has left at the end of its clause: "setzt ... ein"."""
    joined: dict[int, int] = {}
    for at, token in enumerate(found):
        is_last = at + 1 == len(found) or found[at + 1].kind == "mark"
        if token.low not in PARTICLES or not is_last or token.is_capital:
            continue
        verbs = [
            other
            for other in range(at)
            if clause[other] == clause[at] and found[other].kind == "word" and not _is_nominal(found, other)
        ]
        if verbs:
            joined[verbs[0]] = at
    return joined


def _is_nominal(found: Sequence[Token], at: int) -> bool:
    """Say whether a token can't be a finite verb: function words, nouns, adjectives before a noun."""
    token = found[at]
    if token.low in FUNCTION["de"] or (token.is_capital and at > 0):
        return True
    return not token.low.endswith(("t", "en", "te", "ten", "hm", "g", "b", "f", "h", "l", "s"))


def _noun_behind(words: Sequence[Word], found: Sequence[Token], one: Quantity, language: str) -> Word | None:
    """Return the word that a number without a unit counts: the next one, adjectives skipped."""
    if one.kind not in {"", "percent", "ordinal"}:
        return None
    counted = None
    for word in words:
        if not one.end <= word.at <= one.end + 3:
            continue
        between = found[one.end : word.at]
        if any(
            token.kind == "mark" or token.low in PREPOSITIONS or token.low in {"und", "oder", "and", "or"}
            for token in between
        ):
            return counted
        if word.is_noun:
            return word
        if language == "en" and (counted is None or word.at == counted.at + 1):
            counted = word
    return counted
