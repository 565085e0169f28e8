"""The one filter: which versions a question may search. Every search gets it, and nothing else filters."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol
from uuid import UUID

from domain.recording import BlobRef


@dataclass(frozen=True, slots=True)
class Horizon:
    """What may be looked at.

    Attributes:
        scope: ids of the mandates in scope, the own one first.
        levels: names of the levels that the asker may see.
        position: journal position up to which the system knew.
        valid_on: the day on which a version must be in force.
        documents: keys of documents, when the question is narrowed to some.
        exact: searches may not approximate: questions about the past and replays give the same for ever.
    """

    scope: tuple[UUID, ...]
    levels: tuple[str, ...]
    position: int
    valid_on: date
    documents: tuple[str, ...] | None = None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class VisibleVersion:
    """One version inside the horizon.

    Attributes:
        ordinal: journal position of its VersionIngested event; names the version in every index.
        key: document key.
        valid_from, valid_to: the stretch of its validity that holds the horizon's day.
        recorded_at: when it was recorded (UTC).
    """

    ordinal: int
    mandate: UUID
    document: UUID
    key: str
    version: int
    title: str
    url: str | None
    level: str
    blob: BlobRef
    valid_from: date | None
    valid_to: date | None
    valid_from_kind: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Visible:
    """All versions inside a horizon, by ordinal."""

    horizon: Horizon
    versions: dict[int, VisibleVersion]


class KnowledgeView(Protocol):
    """What is known inside a horizon."""

    async def visible(self, horizon: Horizon) -> Visible:
        """Return the versions inside ``horizon``, whose position the views must have reached."""
        ...

    async def documents(self, horizon: Horizon) -> frozenset[str]:
        """Return the keys of documents that have a version inside ``horizon`` on any day."""
        ...

    async def history(self, horizon: Horizon) -> tuple[VisibleVersion, ...]:
        """Return the versions inside ``horizon`` on any day, one entry for each stretch of their validity."""
        ...


class Views(Protocol):
    """How far the views of all projections have come.

    A question searches at one position that every view has reached, so it sees each version entirely or not at
    all, whatever is being ingested meanwhile.
    """

    async def reach(self, position: int | None = None) -> int:
        """Return a position that all views have reached.

        Without ``position``, views are brought to the head unless another process is at it, whose progress is
        taken as it is. With ``position``, waits until all views have reached it and returns it.

        Either way the view of what is known is at the head as of the call when this returns, however old the
        position: what somebody may see is decided by the levels of today.
        """
        ...
