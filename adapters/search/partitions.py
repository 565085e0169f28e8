"""Weighted terms over tantivy, a folder for each mandate; ``coding.py`` says what is indexed and how it is scored.

What one mandate costs does not grow with the others: only the folders in scope are opened. Their statistics are added
up, so scores are those of one index over all of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tantivy import DocAddress, Occur, Query, Searcher

from adapters.search.coding import SEPARATOR, decode, grain, idf, saturation, weight
from adapters.search.folders import SCHEMA, Folders, Held, Opened
from adapters.search.integrity import naming_the_part
from domain.asking.fusion import best_first
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible

Clause = tuple[Occur, Query]


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


class Partitions:
    """Searches the folders of all mandates; any number of processes read while one writes.

    Args:
        part: what failures are called.
    """

    def __init__(self, folder: Path, part: str) -> None:
        self._folders = Folders(folder, part)
        self._part = part

    def count(self) -> int:
        """Return how many documents the folders hold.

        Raises:
            PartError: the part, when nothing is there or a folder is damaged.
        """
        with naming_the_part(self._part):
            return self._folders.count()

    def search(self, wanted: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that hold at least one of the terms, best first, ties by passage.

        ``wanted`` says what each term counts, a positive number.

        Raises:
            PartError: the part, when a folder is missing, damaged, or lacks a visible version.
        """
        with naming_the_part(self._part):
            opened = self._folders.open(visible)
            held = [{term: one.held(term) for term in wanted} for one in opened]
            statistics = Statistics(sum(one.passages for one in opened), sum(one.length for one in opened))
            rarities = _rarities(wanted, held, statistics)
            weighed = _weighing(rarities, statistics)
            hits = [
                hit
                for one, holding in zip(opened, held, strict=True)
                for hit in _best(one, [clause for term in rarities for clause in weighed(term, holding[term])], limit)
            ]
            return tuple(sorted(hits, key=best_first)[:limit])


def _rarities(
    wanted: Mapping[str, float], held: Sequence[Mapping[str, Held]], statistics: Statistics
) -> dict[str, float]:
    """Return the idf of each term that visible passages hold, times what it counts."""
    frequencies = {term: sum(one[term].passages for one in held) for term in wanted}
    return {term: wanted[term] * statistics.idf(found) for term, found in frequencies.items() if found}


def _weighing(rarities: Mapping[str, float], statistics: Statistics) -> Callable[[str, Held], Iterable[Clause]]:
    """Return what makes the clauses of a term, one for each code with what it counts."""
    fine = grain(sorted(rarities.values()))
    # A question has hundreds of codes, and they share a few dozen pairs of frequency and length.
    saturated = cache(lambda ending: saturation(*decode(ending), statistics.average))

    def weighed(term: str, held: Held) -> Iterable[Clause]:
        rarity, opening = rarities[term], f"{term}{SEPARATOR}"
        for ending in held.endings:
            code = Query.term_query(SCHEMA, "term", opening + ending, index_option="basic")
            yield Occur.Should, Query.const_score_query(code, weight(rarity, saturated(ending), fine))

    return weighed


def _best(opened: Opened, clauses: Sequence[Clause], limit: int) -> Sequence[Hit]:
    """Fetch until the last place is decided: among equal scores the engine goes by segments, we by passage."""
    if not clauses:
        return ()
    query = Query.boolean_query(
        [(Occur.Must, Query.boolean_query(clauses)), (Occur.Must, Query.const_score_query(opened.inside, 0.0))]
    )
    fetched = limit
    while True:
        fetched *= 2
        found = opened.searcher.search(query, limit=fetched, count=False).hits
        if len(found) < fetched or found[limit - 1][0] > found[-1][0]:
            return sorted(_hits(opened.searcher, found), key=best_first)[:limit]


def _hits(searcher: Searcher, found: Sequence[tuple[float, DocAddress]]) -> Iterable[Hit]:
    addresses = [address for _, address in found]
    ordinals = searcher.fast_field_values("ordinal", addresses)
    numbers = searcher.fast_field_values("number", addresses)
    for (score, _), ordinal, number in zip(found, ordinals, numbers, strict=True):
        yield Hit(PassageId(int(ordinal or 0), int(number or 0)), score)
