"""BM25 over tantivy; ``coding.py`` says what is indexed and how passages are scored."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from tantivy import DocAddress, Index, Occur, Query, Schema, SchemaBuilder, Searcher

from adapters.search.analyzer import GermanAnalyzer
from adapters.search.coding import SEPARATOR, decode, grain, idf, weight
from adapters.search.integrity import is_intact, naming_the_part
from domain.asking.fusion import best_first
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError


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


def schema() -> Schema:
    """Return the fields: one document for each passage and one with the sums for each version."""
    builder = SchemaBuilder()
    builder.add_text_field("term", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("mandate", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("ordinal", indexed=True, fast=True)
    builder.add_unsigned_field("number", fast=True)
    builder.add_unsigned_field("version", indexed=True, fast=True)
    builder.add_unsigned_field("passages", fast=True)
    builder.add_unsigned_field("length", fast=True)
    return builder.build()


class TantivyIndex:
    """``LexicalIndex`` in a folder; any number of processes read while one writes."""

    def __init__(self, folder: Path, analyzer: GermanAnalyzer) -> None:
        self._folder = folder
        self._analyzer = analyzer
        self._schema = schema()
        self._opening = Lock()
        self._index: Index | None = None

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that share at least one term with ``text``, best first, ties by passage.

        Raises:
            PartError: ``lexical`` when the index is missing, damaged, or lacks a visible version.
        """
        terms = sorted(self._analyzer.question(text))
        if not terms or not visible.versions or limit < 1:
            return ()
        return await asyncio.to_thread(self._search, terms, visible, limit)

    async def count(self) -> int:
        """Return how many documents the index holds.

        Raises:
            PartError: ``lexical`` when the index is missing or damaged.
        """
        return await asyncio.to_thread(self._count)

    def _count(self) -> int:
        with naming_the_part():
            return int(self._searcher().num_docs)

    def _search(self, terms: Sequence[str], visible: Visible, limit: int) -> tuple[Hit, ...]:
        with naming_the_part():
            searcher = self._searcher()
            statistics = self._statistics(searcher, visible)
            inside = self._filter(visible)
            clauses = self._clauses(searcher, terms, statistics, inside)
            return self._best(searcher, clauses, inside, limit) if clauses else ()

    def _searcher(self) -> Searcher:
        """Return the newest state; files are checked when the folder is first opened."""
        with self._opening:
            index, self._index = self._index or self._opened(), None
            index.reload()
            searcher = index.searcher()
            self._index = index
            return searcher

    def _opened(self) -> Index:
        if not is_intact(self._folder):
            raise PartError("lexical")
        index = Index.open(str(self._folder))
        index.config_reader(reload_policy="manual")
        return index

    def _statistics(self, searcher: Searcher, visible: Visible) -> Statistics:
        versions = Query.term_set_query(self._schema, "version", list(visible.versions))
        sums = {name: {"sum": {"field": name}} for name in ("passages", "length")}
        found = searcher.aggregate(versions, {**sums, "versions": {"value_count": {"field": "version"}}})
        if int(found["versions"]["value"]) != len(visible.versions):
            raise PartError("lexical")
        return Statistics(int(found["passages"]["value"]), int(found["length"]["value"]))

    def _filter(self, visible: Visible) -> Query:
        mandates = sorted({str(version.mandate) for version in visible.versions.values()})
        return Query.boolean_query(
            [
                (Occur.Must, Query.term_set_query(self._schema, "ordinal", sorted(visible.versions))),
                (Occur.Must, Query.term_set_query(self._schema, "mandate", mandates)),
            ]
        )

    def _clauses(
        self, searcher: Searcher, terms: Sequence[str], statistics: Statistics, inside: Query
    ) -> list[tuple[Occur, Query]]:
        codes = {term: searcher.terms_with_prefix("term", f"{term}{SEPARATOR}", filter_query=inside) for term in terms}
        rarities = {term: statistics.idf(sum(count for _, count in found)) for term, found in codes.items() if found}
        fine = grain(sorted(rarities.values()))
        clauses = []
        for term, rarity in rarities.items():
            for code, _ in codes[term]:
                query = Query.term_query(self._schema, "term", code, index_option="basic")
                score = weight(rarity, *decode(code), statistics.average, fine)
                clauses.append((Occur.Should, Query.const_score_query(query, score)))
        return clauses

    def _best(
        self, searcher: Searcher, clauses: Sequence[tuple[Occur, Query]], inside: Query, limit: int
    ) -> tuple[Hit, ...]:
        """Fetch until the last place is decided: among equal scores the engine goes by segments, we by passage."""
        query = Query.boolean_query(
            [(Occur.Must, Query.boolean_query(clauses)), (Occur.Must, Query.const_score_query(inside, 0.0))]
        )
        fetched = limit
        while True:
            fetched *= 2
            found = searcher.search(query, limit=fetched, count=False).hits
            if len(found) < fetched or found[limit - 1][0] > found[-1][0]:
                return tuple(sorted(_hits(searcher, found), key=best_first)[:limit])


def _hits(searcher: Searcher, found: Sequence[tuple[float, DocAddress]]) -> Iterable[Hit]:
    addresses = [address for _, address in found]
    ordinals = searcher.fast_field_values("ordinal", addresses)
    numbers = searcher.fast_field_values("number", addresses)
    for (score, _), ordinal, number in zip(found, ordinals, numbers, strict=True):
        yield Hit(PassageId(int(ordinal or 0), int(number or 0)), score)
