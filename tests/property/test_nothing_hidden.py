"""Nothing outside a horizon leaves any index, and nothing outside it moves a score or a place."""

from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import HealthCheck, example, given, settings

from adapters.postgres.database import Database
from tests.examples import examples
from tests.property.hidden import SHARED, Asked, Indexes, nothing_hidden
from tests.stories import LOWERED, RAISED, asked, steps


@pytest.fixture
def indexes(database: Database, tmp_path: Path) -> Indexes:
    return Indexes(database, tmp_path / "index")


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@example(plan=RAISED[0], questions=RAISED[1])
@example(plan=LOWERED[0], questions=LOWERED[1])
@example(plan=SHARED[0], questions=SHARED[1])
@given(plan=steps, questions=asked)
async def test_nothing_hidden_leaves_any_index(
    indexes: Indexes, plan: list[tuple[UUID, str, object]], questions: list[Asked]
) -> None:
    """Six questions to each of five searches, and the texts and vectors behind hits, in every world."""
    await nothing_hidden(indexes, plan, questions)
