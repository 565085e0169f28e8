"""Every stored row held against what it must be: its own hash, its mandate's chain, the journal's order and the tree.

Nothing is decrypted, so it works without keys and after an erasure.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import psycopg
from eventsourcing.persistence import Notification
from psycopg import IsolationLevel
from psycopg.rows import DictRow, dict_row

from adapters.eventstore.form import NO_EVENT, Header
from adapters.eventstore.rows import NO_ROW, row_hash
from adapters.postgres.failures import translated
from adapters.postgres.sql import statements
from domain.journal.tree import Frontier, leaf_hash

_SQL: Final = statements("adapters.journal", "audit.sql")
_ROWS_AT_ONCE: Final = 2_000
_MOST_NAMED: Final = 100
MISSING: Final = "missing"
"""An event or its entry is not there, or a position is left out."""

CHANGED: Final = "changed"
"""The row does not give the hash that was recorded."""

ENTRY: Final = "entry"
"""The entry tells another mandate, number or time than the event."""

CHAIN: Final = "chain"
"""The event does not follow the mandate's previous one."""

TIME: Final = "time"
"""It was logged before the event before it."""

CLOCK: Final = "clock"
"""The row that no event may be logged before is gone or holds no time."""

TABLE: Final = "table"
"""The tables of the journal are not as the program has made them; the place is how far they could be read."""

TEXT: Final = "text"
"""A stored text does not match its address."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: a journal position, the address of a text, or the name of a table."""

    kind: str
    place: str


@dataclass(slots=True)
class Findings:
    """What an audit has found.

    Attributes:
        size: events.
        roots: root of the tree at each size that was asked for and that there is.
        root: root over all events.
        problems: the first hundred; ``counts`` has all of them by kind.
    """

    size: int = 0
    roots: dict[int, bytes] = field(default_factory=dict)
    root: bytes = b""
    problems: list[Problem] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, place: object) -> None:
        """Note a problem."""
        self.counts[kind] += 1
        if len(self.problems) < _MOST_NAMED:
            self.problems.append(Problem(kind, str(place)))


def audit(conninfo: str, sizes: Collection[int]) -> Findings:
    """Read the journal whole, as one snapshot, and check it; blocks.

    Args:
        conninfo: the database, as the writer.
        sizes: at which the root of the tree is wanted.

    Raises:
        PartError: the database does not answer.
    """
    auditor = _Auditor(frozenset(sizes))
    try:
        with translated(), psycopg.connect(conninfo, row_factory=dict_row) as connection:
            connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
            connection.set_read_only(True)
            return _audited(connection, auditor)
    except (psycopg.ProgrammingError, psycopg.DataError):
        # The tables are not ours any more: one is gone, is closed to us, or has other columns.
        found = auditor.findings()
        found.add(TABLE, found.size)
        return found


def _audited(connection: psycopg.Connection[DictRow], auditor: "_Auditor") -> Findings:
    with connection.cursor("audit") as cursor:
        cursor.itersize = _ROWS_AT_ONCE
        for row in cursor.execute(_SQL["rows"]):
            auditor.take(row)
    found = auditor.findings()
    if connection.execute(_SQL["clock"]).fetchone() is None:
        found.add(CLOCK, "journal_clock")
    connection.execute(_SQL["scope"], {"scope": ",".join(map(str, auditor.mandates))})
    for row in connection.execute(_SQL["damaged_texts"]):
        found.add(TEXT, row["encode"])
    return found


def _stored(row: DictRow) -> Notification:
    stream, state = row["originator_id"], bytes(row["state"])
    return Notification(stream, row["originator_version"], row["topic"], state, row["place"])


class _Auditor:
    """Takes the rows in the order of their positions."""

    def __init__(self, sizes: frozenset[int]) -> None:
        self._sizes = sizes
        self._found = Findings()
        self._tree = Frontier()
        self._heads: dict[UUID, tuple[int, bytes]] = {}
        self._last = datetime.min.replace(tzinfo=UTC)

    @property
    def mandates(self) -> Collection[UUID]:
        return self._heads.keys()

    def take(self, row: DictRow) -> None:
        place = row["place"]
        if place != self._tree.size + 1 or row["notification_id"] is None or row["hash"] is None:
            self._found.add(MISSING, place)
        if row["notification_id"] is None:
            self._grow(bytes(row["hash"]))
            return
        try:
            found = row_hash(_stored(row))
        except NO_ROW:
            # Whoever may lift the constraints of the table can store what no event is; its place counts all the same.
            self._grow(NO_EVENT)
            self._found.add(CHANGED, place)
            return
        self._grow(found)
        if row["hash"] is not None and found != bytes(row["hash"]):
            self._found.add(CHANGED, place)
        try:
            header = Header.of(bytes(row["state"]))
        except NO_ROW:
            self._found.add(CHANGED, place)
            return
        self._follow(place, header, found)
        told = (row["mandate"], row["number"], row["logged_at"])
        if row["hash"] is not None and told != (header.mandate, header.number, header.logged_at):
            self._found.add(ENTRY, place)

    def findings(self) -> Findings:
        self._found.size = self._tree.size
        self._found.root = self._tree.root()
        if 0 in self._sizes:
            self._found.roots[0] = Frontier().root()
        return self._found

    def _grow(self, leaf: bytes) -> None:
        self._tree.add(leaf_hash(leaf))
        if self._tree.size in self._sizes:
            self._found.roots[self._tree.size] = self._tree.root()

    def _follow(self, place: int, header: Header, found: bytes) -> None:
        number, previous = self._heads.get(header.mandate, (0, NO_EVENT))
        if (header.number, header.previous) != (number + 1, previous):
            self._found.add(CHAIN, place)
        if header.logged_at < self._last:
            self._found.add(TIME, place)
        self._heads[header.mandate] = header.number, found
        self._last = header.logged_at
