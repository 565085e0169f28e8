"""Weighted terms over tantivy, a folder for each mandate; ``coding.py`` says what is indexed and how it is scored.

What one mandate costs does not grow with the others: only the folders in scope are opened. Their statistics are added
up, so scores are those of one index over all of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from uuid import UUID

from tantivy import DocAddress, FieldType, Index, Occur, Query, Schema, SchemaBuilder, Searcher

from adapters.search.coding import SEPARATOR, decode, grain, idf, saturation, weight
from adapters.search.integrity import is_intact, naming_the_part
from domain.asking.fusion import best_first
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError

FEW_RUNS = 40
"""Up to so many ranges, the engine filters faster by them than by a set, whose automaton it builds for each term."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Number of visible passages and the sum of their lengths in terms."""

    passages: int
    length: int

    @property
    def average(self) -> float:
        """Average length."""
        return self.length / self.passages

    def idf(self, frequency: int) -> float:
        """Return the idf of a term that ``frequency`` of the passages hold."""
        return idf(self.passages, frequency)


@dataclass(frozen=True, slots=True)
class Opened:
    """The newest state of a mandate's folder, with the visible versions and the filter that lets only them through."""

    searcher: Searcher
    versions: tuple[int, ...]
    inside: Query


def schema() -> Schema:
    """Return the fields: one document for each passage and one with the sums for each version."""
    builder = SchemaBuilder()
    builder.add_text_field("term", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("ordinal", indexed=True, fast=True)
    builder.add_unsigned_field("number", fast=True)
    builder.add_unsigned_field("version", indexed=True, fast=True)
    builder.add_unsigned_field("passages", fast=True)
    builder.add_unsigned_field("length", fast=True)
    return builder.build()


class Partitions:
    """The folders of all mandates; any number of processes read while one writes.

    Args:
        part: what failures are called.
    """

    def __init__(self, folder: Path, part: str) -> None:
        self._folder = folder
        self._part = part
        self._schema = schema()
        self._opening = Lock()
        self._indexes: dict[UUID, Index] = {}

    def count(self) -> int:
        """Return how many documents the folders hold.

        Raises:
            PartError: the part, when nothing is there or a folder is damaged.
        """
        with naming_the_part(self._part):
            mandates = [UUID(folder.name) for folder in self._folder.iterdir() if folder.is_dir()]
            return sum(int(self._searcher(mandate).num_docs) for mandate in mandates)

    def search(self, wanted: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that hold at least one of the terms, best first, ties by passage.

        ``wanted`` says what each term counts, a positive number.

        Raises:
            PartError: the part, when a folder is missing, damaged, or lacks a visible version.
        """
        with naming_the_part(self._part):
            opened = self._open(visible)
            statistics = self._statistics(opened)
            codes = [_codes(one, sorted(wanted)) for one in opened]
            weights = _weights(wanted, codes, statistics)
            hits = [
                hit
                for one, held in zip(opened, codes, strict=True)
                for hit in self._best(one, [code for found in held.values() for code in found], weights, limit)
            ]
            return tuple(sorted(hits, key=best_first)[:limit])

    def _open(self, visible: Visible) -> list[Opened]:
        by_mandate: dict[UUID, list[int]] = {}
        for ordinal, version in sorted(visible.versions.items()):
            by_mandate.setdefault(version.mandate, []).append(ordinal)
        opened = []
        for mandate, ordinals in sorted(by_mandate.items()):
            searcher = self._searcher(mandate)
            opened.append(Opened(searcher, tuple(ordinals), self._inside(searcher, ordinals)))
        return opened

    def _inside(self, searcher: Searcher, ordinals: Sequence[int]) -> Query:
        """Return the filter: ranges that hold visible versions and no other version of the folder, if these are few."""
        runs = _runs(self._held(searcher, ordinals[0], ordinals[-1]), frozenset(ordinals))
        if len(runs) > FEW_RUNS:
            return Query.term_set_query(self._schema, "ordinal", list(ordinals))
        ranges = [Query.range_query(self._schema, "ordinal", FieldType.Unsigned, *run) for run in runs]
        return Query.boolean_query([(Occur.Should, one) for one in ranges])

    def _held(self, searcher: Searcher, first: int, last: int) -> list[int]:
        """Return the versions of the folder between two, in order."""
        between = Query.range_query(self._schema, "version", FieldType.Unsigned, first, last)
        found = searcher.search(between, limit=max(1, int(searcher.num_docs)), count=False).hits
        held = searcher.fast_field_values("version", [address for _, address in found])
        return sorted(int(one) for one in held if one is not None)

    def _searcher(self, mandate: UUID) -> Searcher:
        """Return the newest state; files are checked when the folder is first opened."""
        with self._opening:
            index = self._indexes.pop(mandate, None) or self._opened(self._folder / str(mandate))
            index.reload()
            searcher = index.searcher()
            self._indexes[mandate] = index
            return searcher

    def _opened(self, folder: Path) -> Index:
        if not is_intact(folder):
            raise PartError(self._part)
        index = Index.open(str(folder))
        index.config_reader(reload_policy="manual")
        return index

    def _statistics(self, opened: Sequence[Opened]) -> Statistics:
        passages = length = 0
        sums = {name: {"sum": {"field": name}} for name in ("passages", "length")}
        for one in opened:
            versions = Query.term_set_query(self._schema, "version", list(one.versions))
            found = one.searcher.aggregate(versions, {**sums, "versions": {"value_count": {"field": "version"}}})
            if int(found["versions"]["value"]) != len(one.versions):
                raise PartError(self._part)
            passages += int(found["passages"]["value"])
            length += int(found["length"]["value"])
        return Statistics(passages, length)

    def _best(self, opened: Opened, codes: Sequence[str], weights: Mapping[str, float], limit: int) -> Sequence[Hit]:
        """Fetch until the last place is decided: among equal scores the engine goes by segments, we by passage."""
        if not codes:
            return ()
        clauses = [
            (
                Occur.Should,
                Query.const_score_query(
                    Query.term_query(self._schema, "term", code, index_option="basic"), weights[code]
                ),
            )
            for code in codes
        ]
        query = Query.boolean_query(
            [(Occur.Must, Query.boolean_query(clauses)), (Occur.Must, Query.const_score_query(opened.inside, 0.0))]
        )
        fetched = limit
        while True:
            fetched *= 2
            found = opened.searcher.search(query, limit=fetched, count=False).hits
            if len(found) < fetched or found[limit - 1][0] > found[-1][0]:
                return sorted(_hits(opened.searcher, found), key=best_first)[:limit]


def _runs(held: Sequence[int], wanted: frozenset[int]) -> list[tuple[int, int]]:
    """Return first and last of each stretch of ``held`` that is wanted as a whole."""
    stretches = ([*one] for is_wanted, one in groupby(held, wanted.__contains__) if is_wanted)
    return [(stretch[0], stretch[-1]) for stretch in stretches]


def _codes(opened: Opened, terms: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the codes of each term, with how many visible passages hold them."""
    found = {
        term: dict(opened.searcher.terms_with_prefix("term", f"{term}{SEPARATOR}", filter_query=opened.inside))
        for term in terms
    }
    return {term: codes for term, codes in found.items() if codes}


def _weights(
    wanted: Mapping[str, float], codes: Sequence[Mapping[str, Mapping[str, int]]], statistics: Statistics
) -> dict[str, float]:
    """Return what each code counts."""
    held: dict[str, Counter[str]] = {}
    for one in codes:
        for term, found in one.items():
            held.setdefault(term, Counter()).update(found)
    rarities = {term: wanted[term] * statistics.idf(found.total()) for term, found in sorted(held.items())}
    fine = grain(sorted(rarities.values()))
    # A question has hundreds of codes, and they share a few dozen pairs of frequency and length.
    saturated = cache(lambda coded: saturation(*decode(coded), statistics.average))
    return {
        code: weight(rarities[term], saturated(code[len(term) :]), fine)
        for term, found in held.items()
        for code in found
    }


def _hits(searcher: Searcher, found: Sequence[tuple[float, DocAddress]]) -> Iterable[Hit]:
    addresses = [address for _, address in found]
    ordinals = searcher.fast_field_values("ordinal", addresses)
    numbers = searcher.fast_field_values("number", addresses)
    for (score, _), ordinal, number in zip(found, ordinals, numbers, strict=True):
        yield Hit(PassageId(int(ordinal or 0), int(number or 0)), score)
