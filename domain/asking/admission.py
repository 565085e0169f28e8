"""What an admitted person may ask: the answer of the mandate's state to a question that comes in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.values import Ask
from domain.asking.visibility import Horizon
from domain.errors import AccessError
from domain.mandates.events import ThresholdSet


@dataclass(frozen=True, slots=True)
class Admission:
    """What the asker may search.

    Attributes:
        scope: the own mandate first and then its libraries, id by key.
        levels: names of the levels that may be seen.
        zone: the mandate's time zone.
        relevance: the mandate's own threshold of the relevance gate, if it has one.
        at: the instant asked about, ``None`` for the present; ``position``: the last one known at that instant.
    """

    mandate: UUID
    asker: UUID
    scope: Mapping[str, UUID]
    levels: tuple[str, ...]
    zone: ZoneInfo
    relevance: ThresholdSet | None
    at: datetime | None = None
    position: int | None = None

    def today(self, now: datetime) -> date:
        """Return the day in the mandate's time zone."""
        return now.astimezone(self.zone).date()

    def horizon(self, ask: Ask, position: int, today: date) -> Horizon:
        """Return what ``ask`` may look at.

        Raises:
            AccessError: the question names a scope that is none of the mandate's.
        """
        wanted = tuple(self.scope) if ask.scope is None else ask.scope
        if not wanted or any(key not in self.scope for key in wanted):
            raise AccessError
        scope = tuple(id_ for key, id_ in self.scope.items() if key in wanted)
        documents = None if ask.documents is None else tuple(sorted(set(ask.documents)))
        return Horizon(scope, self.levels, position, ask.valid_on or today, documents)


class Admissions(Protocol):
    """Who may ask what."""

    async def admit(self, ask: Ask, now: datetime) -> Admission:
        """Return what the asker may search, by today's members and levels and the libraries of the time asked about.

        Raises:
            AccessError: unknown mandate, unknown channel or not admitted.
            InputError: ``instant_future``.
        """
        ...
