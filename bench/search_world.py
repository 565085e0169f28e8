"""A synthetic corpus: passages of German-looking words, skewed over mandates, and vectors that follow the words."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from uuid import UUID

import numpy as np

MANDATES = 50
PROBE = 2_000
"""Passages of the mandate that is asked, the same in every corpus: what grows is the rest."""

PER_VERSION = 20
WORDS = 60
DIMENSIONS = 512
STEMS = tuple(
    (
        "frist vertrag schaden prämie anzeige risiko deckung kapital haftung kunde leistung anspruch beitrag "
        "police antrag rente verzug mahnung rücktritt kündigung nachweis bescheid behörde prüfung bilanz "
        "rückstellung anlage aufsicht vorstand treuhänder vermögen gutachten versicherer makler arzt unfall "
        "kranken leben feuer wasser sturm pflicht recht gesetz klausel summe zins laufzeit beginn ende dauer "
        "monat jahr tag woche stelle meldung "
    ).split()
)


@dataclass
class Corpus:
    """Texts of versions by mandate, drawn from a fixed seed."""

    passages: int
    seed: int = 7
    mandates: list[UUID] = field(init=False)
    sizes: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.mandates = [UUID(int=number + 1) for number in range(MANDATES)]
        rest = max(0, self.passages - PROBE)
        shares = [1 / (number + 1) for number in range(MANDATES - 1)]
        scale = rest / sum(shares)
        self.sizes = [PROBE, *(max(PER_VERSION, round(share * scale)) for share in shares)]
        words = random.Random(self.seed)
        self._vocabulary = [*STEMS, *(_compound(words) for _ in range(30_000))]
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self._vocabulary))))

    def versions(self, mandate: int) -> Iterator[tuple[str, ...]]:
        """Yield the passages of each version of a mandate."""
        words = random.Random(self.seed * 1000 + mandate)
        for start in range(0, self.sizes[mandate], PER_VERSION):
            count = min(PER_VERSION, self.sizes[mandate] - start)
            yield tuple(self._passage(words) for _ in range(count))

    def questions(self, number: int) -> list[str]:
        """Return questions of eight words, each taken from one passage of the probe."""
        words = random.Random(self.seed + 1)
        texts = [text for version in self.versions(0) for text in version]
        return [" ".join(words.sample(words.choice(texts).split(), 8)) + "?" for _ in range(number)]

    def _passage(self, words: random.Random) -> str:
        return " ".join(words.choices(self._vocabulary, cum_weights=self._weights, k=WORDS))


def _compound(words: random.Random) -> str:
    first, *others = words.choices(STEMS, k=words.choice((2, 2, 3)))
    return first.capitalize() + "s" * words.randrange(2) + "".join(others)


class BagEncoder:
    """``DenseEncoder`` that adds up one fixed random direction for each word: near texts share words."""

    name = "bag"
    version = "1"
    fingerprint = "bag/1/synthetic"

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        return [tuple(self.vector(text).tolist()) for text in texts]

    async def question(self, text: str) -> tuple[float, ...]:
        return (await self.encode([text]))[0]

    @staticmethod
    def vector(text: str) -> np.ndarray:
        total = np.sum([_direction(word) for word in text.lower().strip("?").split()], axis=0)
        return total / np.linalg.norm(total)


@lru_cache(40_000)
def _direction(word: str) -> np.ndarray:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
