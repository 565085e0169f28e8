"""How long a mandate keeps what was asked and which texts, and what is due.

The rules ``retention_runs`` and ``retention_versions`` say ``keep``, or a term in days, months or years. It counts, by
the mandate's clock, from the day on which a question was asked, or from the last day on which a version answered for
anything. Nothing is ever erased by itself: what is due is proposed when somebody says so, and takes a second person.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.runs import RunEntry
from domain.erasing.events import RUN, VERSION, Due
from domain.mandates.rules import KEEP, term_of


@dataclass(frozen=True, slots=True)
class EndedVersion:
    """A version that answers for no day from some day on, or no more at all.

    Attributes:
        ordinal: journal position of its VersionIngested event.
        key, number: how people name it.
        closed: journal position at which it stopped to answer, ``None`` while it still answers for past days.
        until: first day for which it no longer answers; ``None`` when it had no end before it was closed.
    """

    ordinal: int
    document: UUID
    key: str
    number: int
    closed: int | None
    until: date | None


class EndedVersions(Protocol):
    """The view of versions that have come to an end."""

    async def ended(self, mandate: UUID, levels: tuple[str, ...]) -> tuple[EndedVersion, ...]:
        """Return the versions at these levels that have come to an end, in the order of their recording."""
        ...


def last_kept(day: date, term: str) -> date:
    """Return the last day on which something from ``day`` is kept; ``term`` as in ``365d``, ``18m``, ``10y``.

    A month ends with the day of the same number, or with its last day where it has no such day.
    """
    number, unit = term_of(term)
    if unit == "d":
        return day + timedelta(days=number)
    months = day.year * 12 + day.month - 1 + number * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    last = following - timedelta(days=1)
    return last.replace(day=min(day.day, last.day))


def due_runs(runs: Iterable[RunEntry], term: str, zone: ZoneInfo, today: date) -> list[Due]:
    """Return the runs whose term is over; they are listed in the order in which they were asked."""
    found = []
    for run in runs:
        since = _due_since(run.asked_at.astimezone(zone).date(), term, today)
        if since is not None:
            found.append(Due(RUN, run.run, 0, run.person, since))
    return found


def due_versions(
    ended: Iterable[tuple[EndedVersion, datetime | None]], term: str, zone: ZoneInfo, today: date
) -> list[Due]:
    """Return the versions whose term is over.

    Args:
        ended: versions that have come to an end, each with the instant at which it was closed.
        term: the rule.
        zone: the mandate's clock.
        today: the day by it.
    """
    found = []
    for version, closed_at in ended:
        # Withdrawn or replaced whole, it has answered until then, whatever it claims; else until its validity ends.
        last = version.until - timedelta(days=1) if version.until is not None else None
        if closed_at is not None:
            last = closed_at.astimezone(zone).date()
        since = None if last is None else _due_since(last, term, today)
        if since is not None:
            found.append(Due(VERSION, version.document, version.ordinal, None, since))
    return found


def _due_since(day: date, term: str, today: date) -> date | None:
    if term == KEEP:
        return None
    try:
        since = last_kept(day, term) + timedelta(days=1)
    except (OverflowError, ValueError):  # beyond the last day of the calendar
        return None
    return since if since <= today else None
