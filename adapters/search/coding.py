r"""BM25 in a form that an index can hold without knowing who will ask.

An engine counts document frequencies and lengths over everything it holds, so its own scores would tell about
documents that the asker must not see. Instead each distinct term of a passage is indexed as one code that carries its
frequency and the passage's length (``term\x1ffrequency.length``). When a question is asked, the codes of each of its
terms are enumerated together with how many *visible* passages hold them: the document frequency is the sum of these
counts, and each code has one weight.

BM25: Robertson et al., TREC-3, 1994, with the idf of Lucene, which is never negative. The weights of
a question are multiples of one power of two, so sums of 32-bit floats are exact in whatever order they are added.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

K1 = 1.2
B = 0.75
MANTISSA = 23
"""Bits that a sum of weights may take in a 32-bit float."""

MOST_FREQUENT = 15
"""Higher frequencies of a term in a passage count as this one; the weight hardly grows any more."""

SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Fineness:
    """How finely a passage is coded: few codes make a question with many terms fast.

    Attributes:
        frequency: higher frequencies count as this one.
        bits: leading bits that are kept of the length.
    """

    frequency: int = MOST_FREQUENT
    bits: int = 4


WORDS = Fineness()
PIECES = Fineness(frequency=3, bits=2)
"""Pieces of words are many: a question of 80 characters has 80. Coarse codes cost no recall that was measured."""


def endings(length: int, fineness: Fineness = WORDS) -> list[str]:
    """Return what the codes of a passage of ``length`` terms end in, by frequency; the last stands for all above it."""
    kept = length_code(length, fineness.bits)
    return [f"{SEPARATOR}{frequency}.{kept}" for frequency in range(fineness.frequency + 1)]


def decode(code: str) -> tuple[int, int]:
    """Return frequency and length of a code, or of its ending."""
    frequency, _, length = code.rpartition(SEPARATOR)[2].partition(".")
    return int(frequency), int(length)


def length_code(length: int, bits: int = WORDS.bits) -> int:
    """Return ``length`` with its leading bits, so that passages of about the same length share codes."""
    shift = max(0, length.bit_length() - bits)
    return length >> shift << shift


def idf(passages: int, frequency: int) -> float:
    """Return how much a term says that ``frequency`` of ``passages`` hold."""
    return math.log1p((passages - frequency + 0.5) / (frequency + 0.5))


def grain(rarities: Sequence[float]) -> float:
    """Return the power of two that weights of a question are multiples of, given the idf of all its terms."""
    most = max(1.0, sum(rarities) * (K1 + 1))
    return math.ldexp(1.0, math.ceil(math.log2(most)) + 1 - MANTISSA)


def saturation(frequency: int, length: int, average: float) -> float:
    """Return what a term counts against its idf in a passage, given the average length of the visible ones."""
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / average))


def weight(idf: float, saturation: float, grain: float) -> float:
    """Return the BM25 weight of a term in a passage, a positive multiple of ``grain``."""
    return max(1, round(idf * saturation / grain)) * grain
