"""Events of erasing and of legal holds. They share the mandate's stream, but for the lists of what is to go."""

from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from domain.recording import Event

ERASE_PERSON: Final = "erase_person"
ERASE_MANDATE: Final = "erase_mandate"
ERASE_RECORDS: Final = "erase_records"
ERASURES: Final = frozenset({ERASE_PERSON, ERASE_MANDATE, ERASE_RECORDS})

RETENTION_RUNS: Final = "retention_runs"
RETENTION_VERSIONS: Final = "retention_versions"
"""Names of the rules that say how long what is kept."""

RUN: Final = "run"
VERSION: Final = "version"


@dataclass(frozen=True, slots=True)
class Due:
    """Something whose time is over.

    Attributes:
        kind: ``run`` or ``version``.
        stream: id of the run or of the document.
        ordinal: for a version the journal position of its VersionIngested, 0 for a run.
        person: who asked, ``None`` for a version.
        since: the first day on which it was due.
    """

    kind: str
    stream: UUID
    ordinal: int
    person: UUID | None
    since: date

    @property
    def place(self) -> tuple[UUID, int]:
        """What tells it from all others."""
        return self.stream, self.ordinal


@dataclass(frozen=True, slots=True)
class ErasureProposed(Event):
    """Erasing waits for a second person.

    Attributes:
        change: id of the proposal.
        kind: ``erase_person``, ``erase_mandate`` (the one of this stream) or ``erase_records``.
        person: whom to erase, if it is a person.
        listed: stream that lists the records to erase, if it is records; ``count``: how many there are.
        rationale: the reason.
    """

    change: UUID
    kind: str
    person: UUID | None
    listed: UUID | None
    count: int
    rationale: str


@dataclass(frozen=True, slots=True)
class DueListed(Event):
    """The records that a proposal is about, in a stream of their own: they may be many, and a mandate is read often."""

    records: tuple[Due, ...]


@dataclass(frozen=True, slots=True)
class ErasureBegun(Event):
    """An approved erasure is carried out from here on, once more after an interruption; no hold stood in its way."""

    change: UUID


@dataclass(frozen=True, slots=True)
class ErasureDone(Event):
    """An erasure is complete. After that of the mandate itself nothing can be recorded here any more."""

    change: UUID


@dataclass(frozen=True, slots=True)
class HoldPlaced(Event):
    """Nothing of the mandate, or of one person in it, may be erased until the hold is lifted."""

    hold: UUID
    person: UUID | None
    rationale: str


@dataclass(frozen=True, slots=True)
class HoldLifted(Event):
    """A legal hold stands no more."""

    hold: UUID
