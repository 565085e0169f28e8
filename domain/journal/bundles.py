"""What an audit bundle holds, and the port that takes rows and texts out of the store as they are kept there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.asking.run import Run
from domain.journal.handler import Signed
from domain.journal.notes import Note, VerifierKey
from domain.mandates.state import Mandate, Member
from domain.recording import Recorded


@dataclass(frozen=True, slots=True)
class Entry:
    """An event's place in the journal; ``number`` is the mandate's own, ``hash`` that of the stored row."""

    position: int
    number: int
    hash: bytes
    logged_at: datetime


@dataclass(frozen=True, slots=True)
class SealedRow:
    """A row as it is stored, with what opens it.

    Attributes:
        recorded: the event; without one where it has been erased.
        data_key: opens ``state``; ``plaintext``: what is in it. Neither is there where it has been erased.
    """

    recorded: Recorded
    topic: str
    state: bytes
    hash: bytes
    data_key: bytes | None = field(repr=False)
    plaintext: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class SealedText:
    """A stored text with what opens it; ``content`` is what its address is the hash of."""

    mandate: UUID
    address: str
    content: bytes = field(repr=False)
    data_key: bytes = field(repr=False)
    text: str = field(repr=False)


class SealedStore(Protocol):
    """The store as it lies there. Whoever calls decides who may see what.

    Every method raises ``PartError("database")`` when the database does not answer.
    """

    async def span(
        self, mandate: UUID, up_to: int, since: datetime | None, until: datetime | None
    ) -> tuple[int, int] | None:
        """Return the first and the last number of a mandate's events logged between two instants, none without any.

        Args:
            mandate: whose events.
            up_to: journal position behind which nothing counts.
            since: the earlier instant, inclusive.
            until: the later instant, inclusive.
        """
        ...

    async def entries(self, mandate: UUID, first: int, last: int) -> Sequence[Entry]:
        """Return a mandate's entries by number, both ends inclusive, as far as they are there."""
        ...

    async def rows(self, positions: Sequence[int]) -> Sequence[SealedRow]:
        """Return the rows at these positions, ascending.

        Raises:
            PartError: ``event_damaged`` when a row does not match its hash or its key.
        """
        ...

    async def text(self, mandate: UUID, address: str) -> SealedText | None:
        """Return a stored text, none where it has been erased.

        Raises:
            PartError: ``blob_damaged``.
        """
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a bundle is asked for.

    Attributes:
        since, until: only events logged between these instants.
        run: only the events of one run; ``person``: only those of this person's runs.
    """

    since: datetime | None = None
    until: datetime | None = None
    run: UUID | None = None
    person: UUID | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a bundle: the hash alone, the sealed row, or the row and its key."""

    entry: Entry
    row: SealedRow | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Earlier:
    """A checkpoint from before, and the proof that the bundle's one contains it."""

    size: int
    root: bytes
    path: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Quote:
    """What an open event cites, cut from the stored text.

    Attributes:
        event: position of the event; ``version``: of the cited VersionIngested event.
    """

    event: int
    label: str
    version: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """Everything that goes into the file.

    Attributes:
        reader: pseudonym of whoever may see what is open; ``member``: as what.
        first, last: the mandate's numbers that it covers without a gap.
        made_at: when (UTC).
        signed: the checkpoint; ``earlier``: what was signed before.
        keys: the keys of the log; ``changes``: the checkpoints by which one has named the next.
        lines: by position; besides those of the mandate open versions that are cited.
        proof: that all of them lie in the checkpoint's tree.
        runs: the runs that are open, as far as they belong to the selection.
    """

    mandate: Mandate
    reader: UUID
    member: Member
    wanted: Wanted
    first: int
    last: int
    made_at: datetime
    signed: Signed
    keys: tuple[VerifierKey, ...]
    changes: tuple[Note, ...]
    earlier: tuple[Earlier, ...]
    lines: tuple[Line, ...]
    proof: tuple[bytes, ...]
    texts: tuple[SealedText, ...]
    quotes: tuple[Quote, ...]
    runs: tuple[Run, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many of the mandate's events are ``open``, ``sealed``, or there as a hash only (``hidden``)."""
        own = [line for line in self.lines if self.is_own(line)]
        opened = sum(line.is_open for line in own)
        hidden = sum(line.row is None for line in own)
        return {"open": opened, "sealed": len(own) - opened - hidden, "hidden": hidden}

    def is_own(self, line: Line) -> bool:
        """Whether a line is one of the events that the bundle covers, and not a cited version from elsewhere."""
        is_ours = line.row is None or line.row.recorded.mandate == self.mandate.id
        return is_ours and self.first <= line.entry.number <= self.last
