"""Whatever happens in whatever order, what is known, found and answered at any instant is what a naive reading says.

Each seed is a history of its own in mandates of its own; ten of them share a journal, so they must not disturb each
other either.
"""

import os
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.postgres.database import Database
from domain.asking.visibility import Horizon, Visible
from projections.known import PostgresKnowledge
from tests.simulation.history import play, starting_clock
from tests.simulation.system import System

HISTORIES = int(os.environ.get("FUNDSTELLE_HISTORIES", "200"))
AT_ONCE = 10
"""Histories that share a journal."""


@pytest.fixture
async def system(database: Database, tmp_path: Path) -> AsyncIterator[System]:
    system = await System(database, tmp_path, starting_clock()).open()
    yield system
    await system.close()


@pytest.mark.parametrize("first", range(0, HISTORIES, AT_ONCE))
async def test_histories_agree_with_the_model(system: System, first: int) -> None:
    """Ingests in any order, corrections, withdrawals, levels, clearances, crashes, held commits, clocks that jump."""
    await _play_all(system, range(first, min(first + AT_ONCE, HISTORIES)))


async def _play_all(system: System, seeds: range) -> None:
    for seed in seeds:
        await play(system, seed)


WRONG: dict[str, Callable[[Horizon], Horizon]] = {
    "recorded time": lambda horizon: replace(horizon, position=2**62),
    "validity": lambda horizon: replace(horizon, valid_on=horizon.valid_on.replace(day=1)),
    "levels": lambda horizon: replace(horizon, levels=("public", "internal", "confidential", "secret")),
    "libraries": lambda horizon: replace(horizon, scope=horizon.scope[:1]),
}


@pytest.mark.parametrize("forgotten", WRONG)
async def test_a_view_that_forgets_something_is_found(
    system: System, forgotten: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The histories tell more than nothing: without one of its filters the view does not get through ten of them."""
    honest = PostgresKnowledge.visible

    async def visible(view: PostgresKnowledge, horizon: Horizon) -> Visible:
        return await honest(view, WRONG[forgotten](horizon))

    monkeypatch.setattr(PostgresKnowledge, "visible", visible)
    with pytest.raises(AssertionError, match="seed"):
        await _play_all(system, range(AT_ONCE))
