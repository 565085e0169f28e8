"""The rules before the gate read the history of documents and their sections: nothing hidden is told by either.

What the naive model calls visible on some day is what they may read, and nothing else. The last tests take each filter
out in turn: the suite must fail.
"""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.search import sections as stored
from adapters.search.sections import StoredSections
from domain.asking.ports import PassageId
from domain.asking.visibility import Horizon
from domain.knowledge.events import VersionIngested
from domain.knowledge.numbered import Numbered
from domain.recording import Recorded
from projections import knowledge
from projections.knowledge import KnowledgeProjection
from projections.known import PostgresKnowledge
from projections.sections import SectionProjection
from tests.examples import examples
from tests.memory import InMemoryBlobs
from tests.stories import LOWERED, RAISED, Story, asked, steps, told
from tests.twins import DAY

WORLDS = 100
DAYS = [DAY + timedelta(days=shift) for shift in (-1000, *range(-3, 5), 1000)]
WANTED = [Numbered("§", str(number)) for number in range(1, 5)]
Plan = list[tuple[UUID, str, object]]
Asked = tuple[Horizon, str, int]


def numbered(recorded: Recorded) -> Recorded:
    """Give each passage of a version a section of its own: § 1, § 2 ..."""
    event = recorded.event
    if not isinstance(event, VersionIngested):
        return recorded
    passages = tuple(replace(one, section=(f"§ {number}",)) for number, one in enumerate(event.passages, 1))
    return replace(recorded, event=replace(event, passages=passages))


def naively(story: Story, horizon: Horizon) -> dict[int, tuple[str, ...]]:
    """Return the texts of all versions that are visible on any day."""
    found: dict[int, tuple[str, ...]] = {}
    for day in DAYS:
        found |= story.visible(replace(horizon, valid_on=day))
    return found


async def nothing_hidden(database: Database, plan: Plan, questions: list[Asked]) -> None:
    """The claim of this module over one world and some horizons."""
    story = await told(plan, InMemoryBlobs())
    async with database.connection(Role.PROJECTOR) as connection:
        for projection in (KnowledgeProjection(), SectionProjection()):
            await projection.clear(connection)
            await projection.apply(connection, [numbered(one) for one in story.events])
    known, sections = PostgresKnowledge(database), StoredSections(database)
    for horizon, _, _ in questions:
        history, alone = await known.history(horizon), naively(story, horizon)
        assert {one.ordinal for one in history} == alone.keys()
        found = await sections.find(WANTED, history, horizon.scope)
        assert [one.passage for one in found] == [
            PassageId(ordinal, number) for ordinal in sorted(alone) for number in range(min(4, len(alone[ordinal])))
        ]
        has_sections = {ordinal for ordinal, texts in alone.items() if texts}
        assert await sections.numbered(history, horizon.scope) == has_sections


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@example(plan=RAISED[0], questions=RAISED[1])
@example(plan=LOWERED[0], questions=LOWERED[1])
@given(plan=steps, questions=asked)
async def test_rules_read_what_may_be_seen(database: Database, plan: Plan, questions: list[Asked]) -> None:
    """Whatever happened to documents and their levels, and whoever asks about whatever time."""
    await nothing_hidden(database, plan, questions)


async def _suite(database: Database) -> None:
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
    @given(plan=steps, questions=asked)
    def run(plan: Plan, questions: list[Asked]) -> None:
        asyncio.run_coroutine_threadsafe(nothing_hidden(database, plan, questions), loop).result()

    await asyncio.to_thread(run)


FILTERS = {
    "level then": (knowledge.SQL, "history", "slices.level = ANY (%(levels)s)"),
    "level now": (knowledge.SQL, "history", "versions.level = ANY (%(levels)s)"),
    "recorded from": (knowledge.SQL, "history", "slices.recorded_from <= %(position)s"),
    "recorded to": (knowledge.SQL, "history", "slices.recorded_to > %(position)s"),
    "documents": (knowledge.SQL, "history", "documents.key = ANY (%(documents)s)"),
    "sections": (stored._SQL, "sections", "ordinal = ANY (%(ordinals)s)"),
    "numbered versions": (stored._SQL, "numbered_versions", "ordinal = ANY (%(ordinals)s)"),
}


@pytest.mark.parametrize("name", FILTERS)
async def test_the_suite_fails_without_a_filter(database: Database, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever filter is taken out, a world is found in which something leaks."""
    sql, statement, clause = FILTERS[name]
    assert clause in sql[statement]
    monkeypatch.setitem(sql._blocks, statement, sql[statement].replace(clause, "true"))

    with pytest.raises((AssertionError, KeyError)):
        await _suite(database)
