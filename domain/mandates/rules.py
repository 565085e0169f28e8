"""The rules of a mandate: settings that are words and not thresholds, their values and defaults."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from domain.erasing.events import RETENTION_RUNS, RETENTION_VERSIONS
from domain.errors import InputError
from domain.mandates import naming
from domain.mandates.policies import DEFAULT, MANDATE
from domain.mandates.state import Mandate

FUSION_WEIGHTS: Final = "fusion_weights"
FAILED_SEARCHES: Final = "failed_searches"
SCOPE_KIND: Final = "scope_kind"
INTEGRITY: Final = "integrity"
FOREIGN_CHECK: Final = "foreign_check"

OPEN_ROOMS: Final = "open_rooms"
"""The highest level that may be shown in a room that is not encrypted, or that shows later joiners what was said."""

REFUSE: Final = "refuse"
ALLOW_ONE: Final = "allow_one"
DOCUMENTS: Final = "documents"
WIKI: Final = "wiki"
DISCARD: Final = "discard"
STRIKE: Final = "strike"
REJECT: Final = "reject"
ALLOW: Final = "allow"
KEEP: Final = "keep"

LISTS: Final = ("dense", "sparse", "bm25")
MOST_WEIGHT: Final = 10.0
"""A list that counts ten times as much as another decides alone; more would only hide a slip."""

_WEIGHT: Final = re.compile(r"\s*(\w+)\s*=\s*(\d{1,3}(?:[.,]\d{1,6})?)\s*[,;]?(?=\s|\Z)|\s*\Z")


_TERM: Final = re.compile(r"(\d{1,5})\s*([dmy])", re.ASCII | re.IGNORECASE)
_LONGEST_TERM: Final[Mapping[str, int]] = {"d": 36_525, "m": 1_200, "y": 100}
"""A hundred years in days, months and years."""

_TERMS: Final = f"{KEEP}, 90d, 18m, 10y"


@dataclass(frozen=True, slots=True)
class RuleKind:
    """A rule.

    Attributes:
        default: the value without a decision of the mandate; empty: it comes with the models in use, or is the lowest
            level of the mandate.
        example: values as one would write them, for whoever wrote something else.
        read: returns the value in its one form, ``None`` when it is none.
        careful: values that are the safe ones; leaving them takes a second person.
    """

    default: str
    example: str
    read: Callable[[str], str | None]
    careful: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in force; ``origin`` is ``MANDATE`` or ``DEFAULT``."""

    name: str
    value: str
    origin: str
    rationale: str


def _one_of(*values: str) -> Callable[[str], str | None]:
    return lambda text: text.strip() if text.strip() in values else None


def _weights(text: str) -> str | None:
    weights: dict[str, float] = {}
    end = 0
    while end < len(text):
        found = _WEIGHT.match(text, end)
        if found is None:
            return None
        end = found.end()
        if found[1] is not None:
            weight = float(found[2].replace(",", "."))
            if found[1] not in LISTS or found[1] in weights or not 0 < weight <= MOST_WEIGHT:
                return None
            weights[found[1]] = weight
    return " ".join(f"{name}={weights[name]:g}" for name in LISTS if name in weights) or None


def _term(text: str) -> str | None:
    if text.strip() == KEEP:
        return KEEP
    found = _TERM.fullmatch(text.strip())
    if found is None or not 1 <= int(found[1]) <= _LONGEST_TERM[found[2].lower()]:
        return None
    return f"{int(found[1])}{found[2].lower()}"


def _level(text: str) -> str | None:
    try:
        return naming.level_name(text.strip())
    except InputError:
        return None


def term_of(value: str) -> tuple[int, str]:
    """Return number and unit (``d``, ``m``, ``y``) of a term that is not ``keep``."""
    return int(value[:-1]), value[-1]


RULES: Final[Mapping[str, RuleKind]] = {
    FUSION_WEIGHTS: RuleKind("", "dense=0.3 sparse=1 bm25=1", _weights),
    FAILED_SEARCHES: RuleKind(REFUSE, f"{REFUSE}, {ALLOW_ONE}", _one_of(REFUSE, ALLOW_ONE), frozenset({REFUSE})),
    INTEGRITY: RuleKind(DISCARD, f"{DISCARD}, {STRIKE}", _one_of(DISCARD, STRIKE), frozenset({DISCARD})),
    FOREIGN_CHECK: RuleKind(REJECT, f"{REJECT}, {ALLOW}", _one_of(REJECT, ALLOW), frozenset({REJECT})),
    OPEN_ROOMS: RuleKind("", "public", _level),
    SCOPE_KIND: RuleKind(DOCUMENTS, f"{DOCUMENTS}, {WIKI}", _one_of(DOCUMENTS, WIKI)),
    RETENTION_RUNS: RuleKind(KEEP, _TERMS, _term),
    RETENTION_VERSIONS: RuleKind(KEEP, _TERMS, _term),
}


def rule(mandate: Mandate, name: str) -> Rule:
    """Return the rule in force."""
    own = mandate.rules.get(name)
    if own is not None:
        return Rule(name, own.value, MANDATE, own.rationale)
    return Rule(name, mandate.levels[0] if name == OPEN_ROOMS else RULES[name].default, DEFAULT, "")


def parse_rule(mandate: Mandate, name: str, text: str) -> str:
    """Return the value written in ``text`` in its one form.

    Raises:
        InputError: ``rule_value``, or ``level_unknown``.
    """
    value = RULES[name].read(text)
    if value is None:
        raise InputError("rule_value", name=name, value=text, example=RULES[name].example)
    return naming.level_among(mandate.levels, value) if name == OPEN_ROOMS else value


def needs_four_eyes(mandate: Mandate, name: str, before: str, after: str) -> bool:
    """Say whether a change leaves what is safe, as lowering a threshold does."""
    if name == OPEN_ROOMS:
        return mandate.rank(after) > mandate.rank(before)
    return before != after and before in RULES[name].careful


def weights_of(value: str) -> dict[str, float]:
    """Return the weights that a value of ``fusion_weights`` stands for, by name of the list; none where it is empty."""
    return {name: float(weight) for name, _, weight in (one.partition("=") for one in value.split())}
