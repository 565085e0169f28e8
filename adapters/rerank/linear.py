"""The weights of the embedded reranker: one number for each feature, whose weighted sum is the log odds of an answer.

The sum is exact (``math.fsum``), so a score has the same bits on every machine and beside any other candidates.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Final

from adapters.rerank.features import NAMES, RULES

WEIGHTS: Final = "weights.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """All that was learned.

    Attributes:
        coefficients: of the features, in their order.
        offset: what is added to the weighted sum.
        threshold: probability from which on the gate lets a passage through.
        digest: hash over the file.
    """

    coefficients: tuple[float, ...]
    offset: float
    threshold: float
    digest: str

    def probability(self, figures: Sequence[float]) -> float:
        """Return the probability that a passage with these features answers the question, in [0, 1]."""
        return logistic(math.fsum((self.offset, *map(mul, self.coefficients, figures))))


def logistic(value: float) -> float:
    """Return the logistic function, without overflow."""
    if value < 0:
        return math.exp(max(value, -700.0)) / (1 + math.exp(max(value, -700.0)))
    return 1 / (1 + math.exp(-value))


@cache
def shipped() -> Weights:
    """Return the weights that come with the product.

    Raises:
        ValueError: they belong to other features than these.
    """
    return parse(files("adapters.rerank").joinpath(WEIGHTS).read_bytes())


def parse(content: bytes) -> Weights:
    """Return the weights in a file.

    Raises:
        ValueError: they belong to other features than these.
    """
    held = json.loads(content)
    if held["rules"] != RULES or tuple(held["weights"]) != NAMES:
        raise ValueError("weights of other features")
    return Weights(
        coefficients=tuple(held["weights"].values()),
        offset=held["offset"],
        threshold=held["threshold"],
        digest=hashlib.sha256(content).hexdigest(),
    )
