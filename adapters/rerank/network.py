"""The weights of the embedded reranker: a few small networks whose mean is calibrated to a probability.

The sums are exact (``math.fsum``), so a score has the same bits on every machine and beside any other candidates.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from adapters.rerank.features import NAMES, RULES

WEIGHTS: Final = "weights.json"

Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer of rectified units: ``hidden`` has a row of weights for each of them, ``bias`` a number."""

    hidden: tuple[Numbers, ...]
    bias: Numbers
    output: Numbers
    output_bias: float

    def probability(self, figures: Sequence[float]) -> float:
        """Return what the network says of standardised ``figures``."""
        units = (
            max(0.0, math.fsum((shift, *map(float.__mul__, row, figures))))
            for row, shift in zip(self.hidden, self.bias, strict=True)
        )
        return logistic(math.fsum((self.output_bias, *map(float.__mul__, self.output, units))))


@dataclass(frozen=True, slots=True)
class Weights:
    """All that was learned.

    Attributes:
        mean, spread: of each feature in training; features are standardised by them.
        slope, offset: of the logistic function that turns the mean of the networks into a probability (Platt, 1999).
        threshold: probability from which on the gate lets a passage through.
        digest: hash over the file.
    """

    mean: Numbers
    spread: Numbers
    networks: tuple[Network, ...]
    slope: float
    offset: float
    threshold: float
    digest: str

    def probability(self, figures: Sequence[float]) -> float:
        """Return the probability that a passage with these features answers the question, in [0, 1]."""
        standard = [(one - mean) / spread for one, mean, spread in zip(figures, self.mean, self.spread, strict=True)]
        said = math.fsum(network.probability(standard) for network in self.networks) / len(self.networks)
        said = min(1 - 1e-12, max(1e-12, said))
        return logistic(self.offset + self.slope * math.log(said / (1 - said)))


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
    if held["rules"] != RULES or tuple(held["features"]) != NAMES:
        raise ValueError("weights of other features")
    networks = tuple(
        Network(tuple(map(tuple, one["hidden"])), tuple(one["bias"]), tuple(one["output"]), one["output_bias"])
        for one in held["networks"]
    )
    return Weights(
        mean=tuple(held["mean"]),
        spread=tuple(held["spread"]),
        networks=networks,
        slope=held["slope"],
        offset=held["offset"],
        threshold=held["threshold"],
        digest=hashlib.sha256(content).hexdigest(),
    )
