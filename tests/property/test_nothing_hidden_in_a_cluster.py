"""Nothing outside a horizon leaves the indexes of a cluster, moves a score or a place; each filter there is needed."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings

from adapters.search.feed import VersionWords
from domain.errors import PartError
from tests.examples import examples
from tests.memory import InMemoryBlobs
from tests.opensearch.nodes import Node, fresh
from tests.property.hidden import SHADOW, SHARED, Asked
from tests.stories import LOWERED, RAISED, asked, steps, told
from tests.twins import Entry, InMemoryLexicalIndex, visible

if TYPE_CHECKING:
    from adapters.search.opensearch_server import Server

pytestmark = pytest.mark.opensearch

WORLDS = 20
"""Worlds in which the proof looks for what a missing filter lets through."""

Plan = list[tuple[UUID, str, object]]


@dataclass
class Cluster:
    """Indexes that hold the versions of one world and nothing else."""

    server: "Server"
    held: Sequence[VersionWords] = ()

    def hold(self, put: Callable[[Sequence[VersionWords]], None], versions: Sequence[VersionWords]) -> None:
        gone = [
            {"delete": {"_index": self.server.index(one.mandate), "_id": name}}
            for one in self.held
            for name in (f"{one.ordinal}", *(f"{one.ordinal}-{number}" for number in range(len(one.passages))))
        ]
        if gone:
            self.server.synchronous().bulk(body=gone, params={"refresh": "true"})
        put(versions)
        self.held = versions


@pytest.fixture(scope="module")
def cluster(opensearch_node: Node) -> Iterator[Cluster]:
    server = fresh(opensearch_node)
    yield Cluster(server)
    server.synchronous().indices.delete(index=f"{server.prefix}-*")


async def nothing_hidden(cluster: Cluster, plan: Plan, questions: list[Asked]) -> None:
    """The claim of this module over one world; a mandate that nobody may see holds the same versions."""
    from tests.opensearch.reading import Engine  # noqa: PLC0415 - the library may be missing

    story = await told(plan, InMemoryBlobs())
    mandates = {one.position: one.mandate for one in story.events}
    words = [VersionWords(mandates[ordinal], ordinal, texts) for ordinal, texts in story.texts.items()]
    shadows = [VersionWords(SHADOW, one.ordinal, one.passages) for one in words]
    async with Engine(cluster.server) as engine:
        await asyncio.to_thread(cluster.hold, engine.put, [*words, *shadows])
        for horizon, question, limit in questions:
            alone = story.visible(horizon)
            entries = [Entry(one, mandates[one], texts, horizon.levels[0]) for one, texts in alone.items()]
            seen = visible(entries, horizon)
            assert seen.versions.keys() == alone.keys()
            twin = InMemoryLexicalIndex()
            twin.put([entry.words() for entry in entries])
            assert await engine.search(question, seen, limit) == await twin.search(question, seen, limit)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@example(plan=RAISED[0], questions=RAISED[1])
@example(plan=LOWERED[0], questions=LOWERED[1])
@example(plan=SHARED[0], questions=SHARED[1])
@given(plan=steps, questions=asked)
async def test_nothing_hidden_leaves_a_cluster(cluster: Cluster, plan: Plan, questions: list[Asked]) -> None:
    """Six questions in every world."""
    await nothing_hidden(cluster, plan, questions)


async def _suite(cluster: Cluster) -> None:
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
    @example(plan=SHARED[0], questions=SHARED[1])
    @given(plan=steps, questions=asked)
    def run(plan: Plan, questions: list[Asked]) -> None:
        asyncio.run_coroutine_threadsafe(nothing_hidden(cluster, plan, questions), loop).result()

    await asyncio.to_thread(run)


def _in_all_mandates(server: "Server", body: Mapping[str, Any]) -> tuple[list[str], Mapping[str, Any]]:
    return [server.indexes], body


def _unfiltered(*, counting: bool) -> Callable[["Server", Mapping[str, Any]], tuple[None, Mapping[str, Any]]]:
    """Take the filter out of the request that counts, or out of the one that finds."""

    def change(_: "Server", body: Mapping[str, Any]) -> tuple[None, Mapping[str, Any]]:
        if counting != ("aggs" in body):
            return None, body
        query = {"bool": {**body["query"]["bool"], "filter": [{"match_all": {}}]}}
        return None, {**body, "query": query}

    return change


CHANGES: dict[str, Any] = {
    "mandates": _in_all_mandates,
    "counted": _unfiltered(counting=True),
    "found": _unfiltered(counting=False),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_the_proof_fails_without_a_filter(cluster: Cluster, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever filter is taken out, a world is found in which something leaks, or the index refuses to answer."""
    from adapters.search.opensearch import OpenSearchIndex  # noqa: PLC0415 - the library may be missing

    ask = OpenSearchIndex._ask

    async def changed(self: Any, indexes: Sequence[str], body: Mapping[str, Any]) -> Mapping[str, Any]:
        others, instead = CHANGES[name](cluster.server, body)
        return await ask(self, others or indexes, instead)

    monkeypatch.setattr(OpenSearchIndex, "_ask", changed)
    with pytest.raises((AssertionError, PartError)):
        await _suite(cluster)
