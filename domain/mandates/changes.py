"""What sets two states of a mandate apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from domain.mandates.state import Mandate

LEVELS: Final = "levels"
LIBRARY: Final = "library"
DOMAIN: Final = "domain"
THRESHOLD: Final = "threshold"
THRESHOLD_MODEL: Final = "threshold_model"
RULE: Final = "rule"
MODEL: Final = "model"
CHANNEL: Final = "channel"
CLEARANCE: Final = "clearance"
ROLE: Final = "role"
HOLD: Final = "hold"

OF_OVERSIGHT: Final = frozenset({CHANNEL, CLEARANCE, ROLE, HOLD})
"""Kinds of changes that only administrators and compliance see."""


@dataclass(frozen=True, slots=True)
class MandateChange:
    """One thing that is different.

    Attributes:
        subject: what it is about: a name, a key, or the pseudonym of a person; empty for the order of levels, and for a
            hold on the whole mandate.
        before, after: as text, ``None`` where there is nothing; of a hold its reason.
    """

    kind: str
    subject: str | UUID
    before: str | None
    after: str | None


def changes_between(before: Mandate | None, after: Mandate | None) -> tuple[MandateChange, ...]:
    """Return what is different, ``None`` standing for a mandate that did not exist yet."""
    return tuple(_all(before, after))


def _all(before: Mandate | None, after: Mandate | None) -> Iterator[MandateChange]:
    for kind, (old, new) in _facts(before, after).items():
        for subject in dict.fromkeys([*old, *new]):
            if old.get(subject) != new.get(subject):
                yield MandateChange(kind, subject, old.get(subject), new.get(subject))


def _facts(
    before: Mandate | None, after: Mandate | None
) -> dict[str, tuple[Mapping[str | UUID, str], Mapping[str | UUID, str]]]:
    old, new = _of(before), _of(after)
    return {kind: (old.get(kind, {}), new.get(kind, {})) for kind in {**old, **new}}


def _of(mandate: Mandate | None) -> dict[str, dict[str | UUID, str]]:
    if mandate is None:
        return {}
    return {
        LEVELS: {"": " < ".join(mandate.levels)},
        LIBRARY: {key: key for key in mandate.libraries.values()},
        DOMAIN: {domain: domain for domain in mandate.domains},
        # Every digit: a change that is too small to be seen is one as well.
        THRESHOLD: {name: repr(one.value).removesuffix(".0") for name, one in mandate.thresholds.items()},
        # The same value for another model is another threshold.
        THRESHOLD_MODEL: {name: one.fingerprint for name, one in mandate.thresholds.items() if one.fingerprint},
        RULE: {name: one.value for name, one in mandate.rules.items()},
        MODEL: {role: one.fingerprint for role, one in mandate.models.items()},
        CHANNEL: dict(mandate.channels.items()),
        CLEARANCE: {person: member.clearance for person, member in mandate.members.items()},
        ROLE: {person: member.role for person, member in mandate.members.items()},
        HOLD: {one.person or "": one.because for one in mandate.holds},
    }
