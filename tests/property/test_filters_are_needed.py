"""Each filter is taken out in turn: the proof that nothing hidden leaves any index must fail."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from tantivy import Query, Searcher

from adapters.postgres import roles
from adapters.postgres.database import Database
from adapters.postgres.sql import Statements
from adapters.search import folders, partitions, pgvector
from adapters.search import passages as passage_texts
from adapters.search.folders import Folders, Opened
from adapters.search.scoped import VECTORS
from domain.errors import PartError
from projections import knowledge
from tests.property.hidden import SHARED, Asked, Indexes, nothing_hidden
from tests.stories import LOWERED, RAISED, asked, steps

WORLDS = 50
"""Worlds in which the proof looks for what a missing filter lets through."""


@pytest.fixture
def indexes(database: Database, tmp_path: Path) -> Indexes:
    return Indexes(database, tmp_path / "index")


async def _suite(indexes: Indexes) -> None:
    """Run the property over the same worlds each time, and raise what it finds."""
    loop = asyncio.get_running_loop()

    @settings(
        max_examples=WORLDS,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @example(plan=RAISED[0], questions=RAISED[1])
    @example(plan=LOWERED[0], questions=LOWERED[1])
    @example(plan=SHARED[0], questions=SHARED[1])
    @given(plan=steps, questions=asked)
    def run(plan: list[tuple[UUID, str, object]], questions: list[Asked]) -> None:
        asyncio.run_coroutine_threadsafe(nothing_hidden(indexes, plan, questions), loop).result()

    await asyncio.to_thread(run)


def _without(sql: Statements, name: str, clause: str, instead: str = "true") -> Callable[[pytest.MonkeyPatch], None]:
    def take_out(patch: pytest.MonkeyPatch) -> None:
        assert clause in sql[name]
        patch.setitem(sql._blocks, name, sql[name].replace(clause, instead))

    return take_out


def _anything_goes(patch: pytest.MonkeyPatch) -> None:
    for module in (passage_texts, pgvector):
        patch.setattr(module, "must_be_visible", lambda *_: None)


def _words_found(patch: pytest.MonkeyPatch) -> None:
    filtered = partitions._best
    patch.setattr(partitions, "_best", lambda opened, *rest: filtered(replace(opened, inside=Query.all_query()), *rest))


def _words_counted(patch: pytest.MonkeyPatch) -> None:
    """Count over everything what holds a term; what is found stays filtered."""
    filtered, inside = Folders._seen, folders._inside

    def seen(self: Folders, searcher: Searcher, ordinals: Sequence[int]) -> Opened:
        patch.setattr(folders, "_inside", lambda *_: Query.all_query())
        everything = filtered(self, searcher, ordinals)
        patch.setattr(folders, "_inside", inside)
        return replace(filtered(self, searcher, ordinals), held=everything.held)

    patch.setattr(Folders, "_seen", seen)


def _words_summed(patch: pytest.MonkeyPatch) -> None:
    """Let the sums be those of whole folders."""
    filtered = Folders._sums

    def sums(self: Folders, searcher: Searcher, _: Sequence[int]) -> tuple[int, int]:
        return filtered(self, searcher, folders._versions(searcher, 0, 10**9))

    patch.setattr(Folders, "_sums", sums)


_LEVEL_THEN, _LEVEL_NOW = "slices.level = ANY (%(levels)s)", "versions.level = ANY (%(levels)s)"
_ORDINALS, _ENCODER, _MANDATES = "ordinal = ANY (%(ordinals)s)", "encoder = %(encoder)s", "mandate = ANY (%(mandates)s)"
FILTERS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "level then": _without(knowledge.SQL, "visible", _LEVEL_THEN),
    "level now": _without(knowledge.SQL, "visible", _LEVEL_NOW),
    "recorded from": _without(knowledge.SQL, "visible", "slices.recorded_from <= %(position)s"),
    "recorded to": _without(knowledge.SQL, "visible", "slices.recorded_to > %(position)s"),
    "valid": _without(knowledge.SQL, "visible", "slices.valid @> %(valid_on)s::date"),
    "documents": _without(knowledge.SQL, "visible", "documents.key = ANY (%(documents)s)"),
    "exact ordinals": _without(VECTORS, "nearest", _ORDINALS),
    "exact encoder": _without(VECTORS, "nearest", _ENCODER),
    "graph ordinals": _without(VECTORS, "nearest_by_graph", _ORDINALS),
    "graph encoder": _without(VECTORS, "nearest_by_graph", _ENCODER),
    "graph mandate": _without(VECTORS, "nearest_by_graph", "mandate = %(mandate)s"),
    "sizes ordinals": _without(VECTORS, "sizes", _ORDINALS),
    "sizes encoder": _without(VECTORS, "sizes", _ENCODER),
    "sparse ordinals": _without(VECTORS, "heaviest", _ORDINALS),
    "sparse encoder": _without(VECTORS, "heaviest", _ENCODER),
    "weighed ordinals": _without(VECTORS, "weighed", _ORDINALS),
    "weighed encoder": _without(VECTORS, "weighed", _ENCODER),
    "vectors encoder": _without(VECTORS, "vectors", _ENCODER),
    "words found": _words_found,
    "words counted": _words_counted,
    "words summed": _words_summed,
    "texts and vectors": _anything_goes,
}
SCOPES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "scope": _without(knowledge.SQL, "visible", "slices.mandate = ANY (%(scope)s)"),
    "exact mandates": _without(VECTORS, "nearest", _MANDATES),
    "sizes mandates": _without(VECTORS, "sizes", _MANDATES),
    "sparse mandates": _without(VECTORS, "heaviest", _MANDATES),
    "weighed mandates": _without(VECTORS, "weighed", _MANDATES),
}
FOUND = (AssertionError, KeyError, PartError, pytest.fail.Exception)


@pytest.mark.parametrize("name", FILTERS)
async def test_the_suite_fails_without_a_filter(indexes: Indexes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever filter is taken out, a world is found in which something leaks, or the index refuses to answer."""
    FILTERS[name](monkeypatch)
    with pytest.raises(FOUND):
        await _suite(indexes)


@pytest.mark.parametrize("name", SCOPES)
async def test_the_suite_fails_without_a_scope(indexes: Indexes, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the filter of mandates in one place, and without row-level security behind it, something leaks."""
    _disable_row_level_security(indexes.database)
    SCOPES[name](monkeypatch)
    with pytest.raises(FOUND):
        await _suite(indexes)


async def test_row_level_security_alone_keeps_mandates_apart(indexes: Indexes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any filter of mandates nothing leaks, since the rows are closed."""
    for take_out in SCOPES.values():
        take_out(monkeypatch)
    await _suite(indexes)


async def test_the_filters_alone_keep_mandates_apart(indexes: Indexes) -> None:
    """Without row-level security nothing leaks either: the two stand behind one another."""
    _disable_row_level_security(indexes.database)
    await _suite(indexes)


def _disable_row_level_security(database: Database) -> None:
    with roles.connect(database.admin) as connection:
        tables = "SELECT relname FROM pg_class WHERE relrowsecurity AND relnamespace = 'fundstelle'::regnamespace"
        for (table,) in connection.execute(tables).fetchall():
            connection.execute(f'ALTER TABLE fundstelle."{table}" DISABLE ROW LEVEL SECURITY')
