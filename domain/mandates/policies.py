"""The thresholds of a mandate: their names, ranges and defaults. Its rules stand in ``rules.py``."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final

from domain.errors import InputError
from domain.mandates.state import Mandate

RELEVANCE: Final = "relevance"
COVERAGE: Final = "coverage"
CONFIDENCE: Final = "confidence"

MANDATE: Final = "mandate"
DEFAULT: Final = "default"
OTHER_MODEL: Final = "other_model"


@dataclass(frozen=True, slots=True)
class ThresholdKind:
    """A threshold in [0, 1].

    Attributes:
        default: the value without a decision of the mandate; ``None`` when it comes with the model.
        bound: whether it belongs to a model and loses its meaning with another one.
    """

    name: str
    default: float | None
    bound: bool


@dataclass(frozen=True, slots=True)
class ModelThreshold:
    """The model in use and the threshold that it brings along, if any."""

    fingerprint: str
    value: float | None


THRESHOLDS: Final[Mapping[str, ThresholdKind]] = {
    RELEVANCE: ThresholdKind(RELEVANCE, None, bound=True),
    COVERAGE: ThresholdKind(COVERAGE, 0.80, bound=False),
    CONFIDENCE: ThresholdKind(CONFIDENCE, 0.80, bound=False),
}


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold in force.

    Attributes:
        value: ``None`` when no threshold belongs to the model; then nothing passes.
        origin: ``MANDATE`` (set there), ``DEFAULT``, or ``OTHER_MODEL`` (set, but for a model no longer in use).
        rationale: why it was set; empty for a default.
    """

    name: str
    value: float | None
    fingerprint: str
    origin: str
    rationale: str


def threshold(mandate: Mandate, name: str, model: ModelThreshold | None = None) -> Threshold:
    """Return the threshold in force; ``model`` is the one in use, for thresholds that belong to a model."""
    kind = THRESHOLDS[name]
    fingerprint = model.fingerprint if kind.bound and model is not None else ""
    default = model.value if kind.bound and model is not None else kind.default
    own = mandate.thresholds.get(name)
    if own is None:
        return Threshold(name, default, fingerprint, DEFAULT, "")
    if kind.bound and model is not None and own.fingerprint != fingerprint:
        return Threshold(name, None, fingerprint, OTHER_MODEL, own.rationale)
    return Threshold(name, own.value, own.fingerprint, MANDATE, own.rationale)


def has_lapsed(mandate: Mandate, model: ModelThreshold) -> bool:
    """Whether a threshold of the mandate was set for another model than ``model``, so that nothing passes."""
    return any(threshold(mandate, name, model).origin == OTHER_MODEL for name in THRESHOLDS)


def parse_threshold(name: str, text: str) -> float:
    """Return the number written in ``text``, with decimal point or comma.

    Raises:
        InputError: ``policy_unknown`` or ``policy_value``.
    """
    if name not in THRESHOLDS:
        raise InputError("policy_unknown", name=name, known=", ".join(THRESHOLDS))
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not isfinite(value) or not 0 <= value <= 1:
        raise InputError("policy_value", name=name, value=text)
    return abs(value)  # nobody is shown a nought with a sign
