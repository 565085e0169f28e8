"""The folders that hold weighted terms, one for each mandate, and what a question sees of each.

What the visible passages hold of a term is counted once and kept with the state of the folder that was counted and the
visible versions: after the next commit, or for anybody who sees other versions, it is counted anew.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Final
from uuid import UUID

from tantivy import FieldType, Index, Occur, Query, Schema, SchemaBuilder, Searcher

from adapters.search.coding import SEPARATOR
from adapters.search.integrity import is_intact, state_of
from domain.asking.visibility import Visible
from domain.errors import PartError

SCANNED: Final = 150.0
"""Documents of a folder that the engine scans for a range while it looks up one version."""

AUTOMATON: Final = 300.0
"""Versions that it looks up while it builds the automaton of a set."""

IN_A_SET: Final = 5.0
"""Versions of a set that cost as much as one that is looked up by itself."""

MOST_OPENED: Final = 32
"""Choices of visible versions that a process remembers."""

MOST_TERMS: Final = 4_000
"""Terms that it remembers of each; a term takes about 300 bytes."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the visible passages hold of a term.

    Attributes:
        passages: how many of them hold it.
        endings: ends of its codes, in order.
    """

    passages: int
    endings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """The newest state of a mandate's folder, with the filter that lets only the visible versions through.

    Attributes:
        passages: number of visible passages; ``length``: the sum of their lengths.
        held: counts what the visible passages hold of a term.
    """

    searcher: Searcher
    inside: Query
    passages: int
    length: int
    held: Callable[[str], Held]


class Folders:
    """The folders of all mandates.

    Args:
        part: what failures are called.
    """

    def __init__(self, folder: Path, part: str) -> None:
        self._folder = folder
        self._part = part
        self._opening = Lock()
        self._newest: dict[UUID, _Newest] = {}
        self._opened: OrderedDict[tuple[UUID, tuple[int, ...]], Opened] = OrderedDict()

    def count(self) -> int:
        """Return how many documents the folders hold."""
        mandates = [UUID(folder.name) for folder in self._folder.iterdir() if folder.is_dir()]
        with self._opening:
            return sum(int(self._searcher(mandate).num_docs) for mandate in mandates)

    def open(self, visible: Visible) -> list[Opened]:
        """Return the folders in scope.

        Raises:
            PartError: the part, when a folder is damaged or lacks a visible version.
        """
        by_mandate: dict[UUID, list[int]] = {}
        for ordinal, version in sorted(visible.versions.items()):
            by_mandate.setdefault(version.mandate, []).append(ordinal)
        with self._opening:
            self._let_go()
            return [self._open(mandate, tuple(ordinals)) for mandate, ordinals in sorted(by_mandate.items())]

    def _let_go(self) -> None:
        """Close the folders of mandates that have been erased: open files would keep their words on the disk."""
        for mandate in [one for one in self._newest if not (self._folder / str(one)).exists()]:
            del self._newest[mandate]
            for key in [key for key in self._opened if key[0] == mandate]:
                del self._opened[key]

    def _open(self, mandate: UUID, ordinals: tuple[int, ...]) -> Opened:
        searcher = self._searcher(mandate)
        opened = self._opened.pop((mandate, ordinals), None) or self._seen(searcher, ordinals)
        self._opened[mandate, ordinals] = opened
        if len(self._opened) > MOST_OPENED:
            self._opened.popitem(last=False)
        return opened

    def _searcher(self, mandate: UUID) -> Searcher:
        """Return the newest state; files are checked when the folder is first opened, or again after a failure."""
        newest = self._newest.pop(mandate, None) or _Newest(self._folder / str(mandate), self._part)
        if newest.renewed():
            for key in [key for key in self._opened if key[0] == mandate]:
                del self._opened[key]
        self._newest[mandate] = newest
        return newest.searcher

    def _seen(self, searcher: Searcher, ordinals: Sequence[int]) -> Opened:
        passages, length = self._sums(searcher, ordinals)
        inside = _inside(searcher, ordinals)

        @lru_cache(MOST_TERMS)
        def held(term: str) -> Held:
            opening = f"{term}{SEPARATOR}"
            found = searcher.terms_with_prefix("term", opening, filter_query=inside)
            return Held(sum(count for _, count in found), tuple(code[len(opening) :] for code, _ in found))

        return Opened(searcher, inside, passages, length, held)

    def _sums(self, searcher: Searcher, ordinals: Sequence[int]) -> tuple[int, int]:
        versions = Query.term_set_query(SCHEMA, "version", list(ordinals))
        sums = {name: {"sum": {"field": name}} for name in ("passages", "length")}
        found = searcher.aggregate(versions, {**sums, "versions": {"value_count": {"field": "version"}}})
        if int(found["versions"]["value"]) != len(ordinals):
            raise PartError(self._part)
        return int(found["passages"]["value"]), int(found["length"]["value"])


class _Newest:
    """A folder's newest state, read when the file that names its segments has changed."""

    def __init__(self, folder: Path, part: str) -> None:
        if not is_intact(folder):
            raise PartError(part)
        self._folder = folder
        self._state = b""
        self._index = Index.open(str(folder))
        self._index.config_reader(reload_policy="manual")
        self.searcher = self._index.searcher()

    def renewed(self) -> bool:
        """Read the newest state; say whether it is another one."""
        # Looked at before the engine does: what is written in between is then read once more, never missed.
        state = state_of(self._folder)
        if state and state == self._state:
            return False
        self._index.reload()
        self.searcher = self._index.searcher()
        self._state = state
        return True


def _schema() -> Schema:
    """Return the fields: one document for each passage and one with the sums for each version."""
    builder = SchemaBuilder()
    builder.add_text_field("term", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("ordinal", indexed=True, fast=True)
    builder.add_unsigned_field("number", fast=True)
    builder.add_unsigned_field("version", indexed=True, fast=True)
    builder.add_unsigned_field("passages", fast=True)
    builder.add_unsigned_field("length", fast=True)
    return builder.build()


SCHEMA: Final = _schema()


def _inside(searcher: Searcher, ordinals: Sequence[int]) -> Query:
    """Return the filter in the form that costs least; the engine works it out anew for each code that it counts.

    Ranges hold visible versions and no other version of the folder. A range is found by a scan of all documents.
    """
    runs = _runs(_versions(searcher, ordinals[0], ordinals[-1]), frozenset(ordinals))
    by_ranges = len(runs) * int(searcher.num_docs) / SCANNED
    if by_ranges <= min(len(ordinals), AUTOMATON + len(ordinals) / IN_A_SET):
        return _any(Query.range_query(SCHEMA, "ordinal", FieldType.Unsigned, *run) for run in runs)
    if len(ordinals) <= AUTOMATON + len(ordinals) / IN_A_SET:
        return _any(Query.term_query(SCHEMA, "ordinal", ordinal) for ordinal in ordinals)
    return Query.term_set_query(SCHEMA, "ordinal", list(ordinals))


def _any(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, one) for one in queries])


def _versions(searcher: Searcher, first: int, last: int) -> list[int]:
    """Return the versions of the folder between two, in order."""
    between = Query.range_query(SCHEMA, "version", FieldType.Unsigned, first, last)
    found = searcher.search(between, limit=max(1, int(searcher.num_docs)), count=False).hits
    held = searcher.fast_field_values("version", [address for _, address in found])
    return sorted(int(one) for one in held if one is not None)


def _runs(held: Sequence[int], wanted: frozenset[int]) -> list[tuple[int, int]]:
    """Return first and last of each stretch of ``held`` that is wanted as a whole."""
    stretches = ([*one] for is_wanted, one in groupby(held, wanted.__contains__) if is_wanted)
    return [(stretch[0], stretch[-1]) for stretch in stretches]
