"""The table of words, over every index of words."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest
import pytest_asyncio

from tests.analyzer_cases import ABOVE, MEETS, MISSES
from tests.contract.test_lexical_index import INDEXES, Feedable, opened
from tests.twins import Entry, horizon, visible

pytestmark = pytest.mark.asyncio(loop_scope="module")

A = UUID(int=1)


@pytest_asyncio.fixture(scope="module", params=INDEXES, loop_scope="module")
async def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Feedable]:
    """An index with a version for each case."""
    folder: Path = tmp_path_factory.mktemp("cases")
    async with opened(request.param, request, folder) as index:
        index.put([entry.words() for entry in (*ONES, *PAIRS)])
        yield index


ONES = [Entry(number, A, (passage,)) for number, (_, _, passage) in enumerate((*MEETS, *MISSES), 1)]
PAIRS = [Entry(number, A, (less, more)) for number, (_, _, more, less) in enumerate(ABOVE, 1001)]


@pytest.mark.parametrize("place", range(len(MEETS)), ids=lambda place: " · ".join(MEETS[place][:2]))
async def test_a_question_meets_its_passage(table: Feedable, place: int) -> None:
    """What the table says is found, is found."""
    seen = visible([ONES[place]], horizon([A]))

    assert await table.search(MEETS[place][1], seen, 5)


@pytest.mark.parametrize("place", range(len(MISSES)), ids=lambda place: " · ".join(MISSES[place][:2]))
async def test_a_question_misses_another_passage(table: Feedable, place: int) -> None:
    """What the table says has nothing in common, is not found."""
    seen = visible([ONES[len(MEETS) + place]], horizon([A]))

    assert await table.search(MISSES[place][1], seen, 5) == ()


@pytest.mark.parametrize("place", range(len(ABOVE)), ids=lambda place: " · ".join(ABOVE[place][:2]))
async def test_the_better_passage_comes_first(table: Feedable, place: int) -> None:
    """Of two passages the one that the table names stands above, though the other one has the lower number."""
    hits = await table.search(ABOVE[place][1], visible([PAIRS[place]], horizon([A])), 5)

    assert hits[0].passage.number == 1


async def test_the_table_is_large_enough() -> None:
    """Every kind that a search of German law stumbles over is there."""
    assert len(MEETS) + len(MISSES) + len(ABOVE) >= 80
