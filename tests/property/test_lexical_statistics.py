"""Nothing outside the horizon is found, and nothing outside it moves a score."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.search.feed import LexicalFeed
from adapters.search.tantivy import TantivyIndex
from domain.errors import PartError
from tests.examples import examples
from tests.twins import ANALYZER, Entry, InMemoryLexicalIndex, horizon, visible
from tests.worlds import LEVELS, MANDATES, entries, questions

scopes = st.lists(st.sampled_from(MANDATES), min_size=1, unique=True)
FORMS = {"ranges": (1e9, 300.0), "one by one": (1e-9, 1e9), "a set": (1e-9, -1e9)}
"""What makes the filter take each of its forms."""

reach = st.lists(st.sampled_from(LEVELS), min_size=1, unique=True)


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    entries(),
    questions,
    scopes,
    reach,
    st.integers(0, 45),
    st.integers(1, 6),
    st.sampled_from([3, 8]),
    st.sampled_from(list(FORMS)),
)
def test_scores_are_those_of_the_visible_passages_alone(  # noqa: PLR0917
    world: list[Entry],
    question: str,
    scope: list[UUID],
    levels: list[str],
    position: int,
    limit: int,
    batch: int,
    form: str,
) -> None:
    """An index with documents elsewhere, above the level and later gives, bit for bit, what the visible ones give.

    The naive twin holds the visible versions only; the real index holds all, in segments of any cut.
    """
    seen = visible(world, horizon(scope, levels, position))
    alone = InMemoryLexicalIndex()
    alone.put([entry.words() for entry in world if entry.ordinal in seen.versions])
    with tempfile.TemporaryDirectory() as folder:
        feed = LexicalFeed(Path(folder), ANALYZER)
        for batch_of in _batches(world, batch):
            feed.put([entry.words() for entry in batch_of])
        index = TantivyIndex(Path(folder), ANALYZER)
        scanned, automaton = FORMS[form]
        with patch.multiple("adapters.search.folders", SCANNED=scanned, AUTOMATON=automaton):
            hits = asyncio.run(index.search(question, seen, limit))

    assert hits == asyncio.run(alone.search(question, seen, limit))
    assert all(hit.passage.ordinal in seen.versions for hit in hits)


@pytest.mark.opensearch
@settings(max_examples=examples(120), deadline=None, suppress_health_check=list(HealthCheck))
@given(entries(), questions, scopes, reach, st.integers(0, 45), st.integers(1, 6), st.sampled_from([3, 8]))
async def test_scores_of_opensearch_are_those_of_the_visible_passages_alone(  # noqa: PLR0917
    opensearch: object,
    world: list[Entry],
    question: str,
    scope: list[UUID],
    levels: list[str],
    position: int,
    limit: int,
    batch: int,
) -> None:
    """The same for the cluster; the worlds of all examples lie in the same indexes, one behind the other."""
    from tests.opensearch.reading import Engine  # noqa: PLC0415 - the library may be missing

    base = uuid4().int >> 80
    world = [replace(entry, ordinal=base + entry.ordinal) for entry in world]
    seen = visible(world, horizon(scope, levels, base + position))
    alone = InMemoryLexicalIndex()
    alone.put([entry.words() for entry in world if entry.ordinal in seen.versions])
    async with Engine(opensearch) as engine:
        for batch_of in _batches(world, batch):
            engine.put([entry.words() for entry in batch_of])
        hits = await engine.search(question, seen, limit)

    assert hits == await alone.search(question, seen, limit)


@pytest.mark.opensearch
@pytest.mark.parametrize("step", ["_count", "_best"])
async def test_opensearch_needs_its_filter_twice(
    opensearch: object, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the filter is taken out of one of the two requests, what is hidden leaks or the search fails."""
    from tests.opensearch.reading import Engine  # noqa: PLC0415 - the library may be missing

    world = [Entry(1, MANDATES[0], ("Frist und Vertrag",)), Entry(2, MANDATES[0], ("Frist, Fristen",), "secret")]
    seen, alone = visible(world, horizon(MANDATES[:1])), InMemoryLexicalIndex()
    alone.put([world[0].words()])
    filtered = getattr(Engine, step)
    async with Engine(opensearch) as engine:
        engine.put([entry.words() for entry in world])
        assert await engine.search("Frist", seen, 5) == await alone.search("Frist", seen, 5)
        open_to_all = {"match_all": {}}
        monkeypatch.setattr(Engine, step, lambda self, indexes, _, *rest: filtered(self, indexes, open_to_all, *rest))
        if step == "_count":
            with pytest.raises(PartError):
                await engine.search("Frist", seen, 5)
        else:
            assert await engine.search("Frist", seen, 5) != await alone.search("Frist", seen, 5)


def _batches(world: Sequence[Entry], size: int) -> list[Sequence[Entry]]:
    """Cut into batches, newest first: the order of feeding must not matter."""
    backwards = list(reversed(world))
    return [backwards[start : start + size] for start in range(0, len(backwards), size)] or [[]]
