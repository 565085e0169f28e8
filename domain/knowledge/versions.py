"""The two time axes: which stretch of validity each version answers for.

For a day, among the recorded versions that claim it, the one with the latest ``valid_from`` answers; with equal
``valid_from`` the one recorded later. The rule looks at claims only, so the order of ingestion does not matter: a
version takes over where its validity overlaps an older one's, and what remains of the older one stays valid.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from domain.errors import InputError
from domain.knowledge.events import ValidPeriod, VersionSuperseded

# Days are compared as numbers; the open ends lie outside every calendar day (1 to date.max).
_OPEN_START = 0
_OPEN_END = date.max.toordinal() + 1

_Days = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """The validity that a recorded version claims."""

    version: int
    valid: ValidPeriod


def period(valid_from: date | None, valid_to: date | None) -> ValidPeriod:
    """Return the half-open interval of days.

    Raises:
        InputError: ``validity_empty`` when it holds no day.
    """
    # The calendar begins on its first day: nothing can end there.
    if valid_to is not None and valid_to <= (valid_from or date.min):
        raise InputError("validity_empty", valid_from=valid_from or "–", valid_to=valid_to)
    return ValidPeriod(valid_from, valid_to)


def holds(valid: ValidPeriod, day: date) -> bool:
    """Say whether ``day`` lies inside ``valid``."""
    return (valid.start is None or valid.start <= day) and (valid.end is None or day < valid.end)


def overlap(one: ValidPeriod, other: ValidPeriod) -> bool:
    """Say whether the two share a day."""
    (start, end), (other_start, other_end) = _days(one), _days(other)
    return max(start, other_start) < min(end, other_end)


def place(claim: Claim) -> tuple[int, int]:
    """Return the sort key of a claim: of two that hold a day, the greater one answers."""
    return _days(claim.valid)[0], claim.version


def stretches(claims: Iterable[Claim]) -> dict[int, tuple[ValidPeriod, ...]]:
    """Return for each version the stretches that it answers for, in order; none when it is covered entirely."""
    covered: list[_Days] = []
    answered: dict[int, tuple[ValidPeriod, ...]] = {}
    for claim in sorted(claims, key=place, reverse=True):
        own = _days(claim.valid)
        answered[claim.version] = tuple(_period(days) for days in _without(own, covered))
        covered = _merged([*covered, own])
    return answered


def takeovers(before: Sequence[Claim], after: Sequence[Claim], by: int) -> tuple[VersionSuperseded, ...]:
    """Return what must be recorded when version ``by`` is ingested or its validity corrected.

    One event for each other version whose stretches change, and one for ``by`` itself when others newly cover a part
    of it; the latter names the version that takes over first.
    """
    old, new = stretches(before), stretches(after)
    events = [
        VersionSuperseded(version, by, new[version])
        for version in sorted(new)
        if version != by and new[version] != old.get(version)
    ]
    claims = {claim.version: claim for claim in after}
    if new[by] not in ((claims[by].valid,), old.get(by)):
        events.append(VersionSuperseded(by, _first_over(claims, by), new[by]))
    return tuple(events)


def _first_over(claims: Mapping[int, Claim], by: int) -> int:
    own = claims[by]
    start, end = _days(own.valid)
    over = [
        claim
        for claim in claims.values()
        if place(claim) > place(own) and _days(claim.valid)[0] < end and _days(claim.valid)[1] > start
    ]
    return min(over, key=place).version


def _days(valid: ValidPeriod) -> _Days:
    start = _OPEN_START if valid.start is None else valid.start.toordinal()
    return start, _OPEN_END if valid.end is None else valid.end.toordinal()


def _period(days: _Days) -> ValidPeriod:
    start, end = days
    return ValidPeriod(
        None if start == _OPEN_START else date.fromordinal(start),
        None if end == _OPEN_END else date.fromordinal(end),
    )


def _without(own: _Days, covered: Sequence[_Days]) -> list[_Days]:
    left, end = own
    free: list[_Days] = []
    for start, stop in covered:
        if left < min(start, end):
            free.append((left, min(start, end)))
        left = max(left, stop)
    return [*free, (left, end)] if left < end else free


def _merged(intervals: Sequence[_Days]) -> list[_Days]:
    merged: list[_Days] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
