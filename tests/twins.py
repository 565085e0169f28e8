"""In-memory twins of the searches, and a small world to search in. They pass the same suites as the real ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from math import fsum
from operator import mul
from uuid import UUID

from adapters.search.analyzer import GermanAnalyzer, length
from adapters.search.coding import PIECES, WORDS, Fineness, grain, idf, length_code, saturation, weight
from adapters.search.feed import VersionWords
from adapters.search.subwords import SubwordEncoder, size
from domain.asking.fusion import best_first
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Horizon, Visible, VisibleVersion
from domain.errors import AccessError
from domain.knowledge.events import VersionIngested
from domain.knowledge.text import Passage, Span
from domain.recording import BlobRef, BlobStore, Recorded

ANALYZER = GermanAnalyzer()
SUBWORDS = SubwordEncoder(ANALYZER)
DAY = date(2026, 1, 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """A version of the small world with all that a filter looks at."""

    ordinal: int
    mandate: UUID
    passages: tuple[str, ...]
    level: str = "internal"
    valid_from: date | None = None
    valid_to: date | None = None

    def words(self) -> VersionWords:
        return VersionWords(self.mandate, self.ordinal, self.passages)

    def inside(self, horizon: Horizon) -> bool:
        day = horizon.valid_on
        return (
            self.mandate in horizon.scope
            and self.level in horizon.levels
            and self.ordinal <= horizon.position
            and (self.valid_from is None or self.valid_from <= day)
            and (self.valid_to is None or day < self.valid_to)
        )


def horizon(scope: Sequence[UUID], levels: Sequence[str] = ("internal",), position: int = 10**6) -> Horizon:
    return Horizon(tuple(scope), tuple(levels), position, DAY)


def visible(entries: Sequence[Entry], within: Horizon) -> Visible:
    """What the view of knowledge gives for ``entries``."""
    return Visible(within, {entry.ordinal: _version(entry) for entry in entries if entry.inside(within)})


def _version(entry: Entry) -> VisibleVersion:
    document = UUID(int=entry.ordinal)
    return VisibleVersion(
        ordinal=entry.ordinal,
        mandate=entry.mandate,
        document=document,
        key=f"d{entry.ordinal}",
        version=1,
        title="",
        url=None,
        level=entry.level,
        blob=BlobRef("", ""),
        valid_from=entry.valid_from,
        valid_to=entry.valid_to,
        valid_from_kind="assumed",
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


class InMemoryWeighing:
    """BM25 by the book over the visible passages, all counted at the time of the question."""

    def __init__(
        self,
        terms: Callable[[str], Mapping[str, float]],
        measure: Callable[[Mapping[str, float]], int],
        fineness: Fineness,
    ) -> None:
        self._terms = terms
        self._measure = measure
        self._fineness = fineness
        self._versions: dict[int, Sequence[str]] = {}
        self._mandates: dict[int, UUID] = {}

    def put(self, versions: Sequence[VersionWords]) -> None:
        self._versions |= {version.ordinal: version.passages for version in versions}
        self._mandates |= {version.ordinal: version.mandate for version in versions}

    def forget(self, mandate: UUID) -> None:
        self._versions = {one: held for one, held in self._versions.items() if self._mandates[one] != mandate}

    def weigh(self, wanted: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        passages = {
            PassageId(ordinal, number): self._terms(words)
            for ordinal in visible.versions
            for number, words in enumerate(self._versions[ordinal])
        }
        lengths = {passage: self._measure(terms) for passage, terms in passages.items()}
        average = sum(lengths.values()) / len(lengths) if lengths else 1.0
        holding = {term: [one for one, terms in passages.items() if term in terms] for term in wanted}
        rarities = {term: wanted[term] * idf(len(passages), len(found)) for term, found in holding.items() if found}
        fine = grain(sorted(rarities.values()))
        scores: dict[PassageId, float] = {}
        for term, rarity in rarities.items():
            for passage in holding[term]:
                frequency = min(int(passages[passage][term]), self._fineness.frequency)
                share = (frequency, length_code(lengths[passage], self._fineness.bits))
                scores[passage] = scores.get(passage, 0.0) + weight(rarity, saturation(*share, average), fine)
        return tuple(sorted((Hit(*one) for one in scores.items()), key=best_first)[:limit])


class InMemoryLexicalIndex(InMemoryWeighing):
    """The twin of the index of words."""

    def __init__(self) -> None:
        super().__init__(ANALYZER.passage, length, WORDS)

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        return self.weigh(dict.fromkeys(ANALYZER.question(text), 1.0), visible, limit)


class InMemorySubwordIndex(InMemoryWeighing):
    """The twin of the index of pieces of words."""

    def __init__(self) -> None:
        super().__init__(SUBWORDS.features, size, PIECES)

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        return self.weigh(weights, visible, limit)


class InMemoryDenseIndex:
    """Cosine over the visible passages."""

    def __init__(self) -> None:
        self._vectors: dict[PassageId, tuple[float, ...]] = {}

    def add(self, vectors: Mapping[PassageId, tuple[float, ...]]) -> None:
        self._vectors |= vectors

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        found = (Hit(one, fsum(map(mul, vector, other))) for one, other in self._inside(visible))
        return tuple(sorted(found, key=best_first)[:limit])

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        inside = dict(self._inside(visible))
        if not inside.keys() >= set(passages):
            raise AccessError
        return [inside[passage] for passage in passages]

    def _inside(self, visible: Visible) -> list[tuple[PassageId, tuple[float, ...]]]:
        return [(one, vector) for one, vector in self._vectors.items() if one.ordinal in visible.versions]


class HalvesEncoder:
    """Maps texts to unit vectors with four components of one half: cosines are exact, and ties are many."""

    name = "halves"
    version = "1"
    fingerprint = "halves/1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        self.seen.extend(texts)
        return [_halves(text) for text in texts]

    async def question(self, text: str) -> tuple[float, ...]:
        return (await self.encode([text]))[0]


def _halves(text: str) -> tuple[float, ...]:
    digest = sha256(text.encode()).digest()
    vector = [0.0] * 512
    for place in sorted(range(8), key=lambda one: digest[one])[:4]:
        vector[place] = 0.5 if digest[8 + place] % 2 else -0.5
    return tuple(vector)


async def ingested(entry: Entry, blobs: BlobStore) -> Recorded:
    """The event by which ``entry`` came in; its text is one paragraph for each passage."""
    text = "\n\n".join(entry.passages)
    spans, start = [], 0
    for passage in entry.passages:
        spans.append(Span(start, start + len(passage)))
        start += len(passage) + 2
    event = VersionIngested(
        version=1,
        blob=await blobs.put(entry.mandate, text),
        markup="plain",
        characters=len(text),
        title="",
        url=None,
        level=entry.level,
        valid_from=entry.valid_from,
        valid_to=entry.valid_to,
        valid_from_kind="assumed",
        source="twin.txt",
        reader="txt/1",
        segmentation="twin/1",
        sentences=tuple(spans),
        passages=tuple(Passage(span, (number, number + 1), ()) for number, span in enumerate(spans)),
        pages=(),
    )
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Recorded(event, UUID(int=entry.ordinal), 1, entry.mandate, None, entry.ordinal, 1, now)


class TokenEncoder:
    """Maps texts to the counts of their words, each word under a number of its own: inner products are exact."""

    name = "tokens"
    version = "1"
    fingerprint = "tokens/1"

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        return [_counts(text) for text in texts]

    async def question(self, text: str) -> dict[str, float]:
        return _counts(text)


def _counts(text: str) -> dict[str, float]:
    counts: dict[str, float] = {}
    for word in text.split():
        token = str(int.from_bytes(sha256(word.encode()).digest()[:2]))
        counts[token] = counts.get(token, 0.0) + 1.0
    return counts


class InMemoryWeights:
    """Inner products over the visible passages."""

    def __init__(self) -> None:
        self._weights: dict[PassageId, dict[str, float]] = {}

    def add(self, weights: Mapping[PassageId, dict[str, float]]) -> None:
        self._weights |= weights

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        found = (
            Hit(passage, fsum(weights[feature] * other.get(feature, 0.0) for feature in weights))
            for passage, other in self._weights.items()
            if passage.ordinal in visible.versions
        )
        return tuple(sorted((hit for hit in found if hit.score > 0), key=best_first)[:limit])
