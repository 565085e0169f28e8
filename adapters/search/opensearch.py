"""BM25 over OpenSearch under the statistics of the visible passages, one index for each mandate.

Decision 0003 says why the engine's own statistics must not count; decision 0009 how that is done here. A passage is a
document with its terms, each as often as it occurs; a version is one with the sums over its passages. A question takes
two requests: the first counts what is visible, the second scores each term by a script with those counts.
"""

import asyncio
import struct
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from opensearchpy import AsyncOpenSearch

from adapters.search.analyzer import GermanAnalyzer
from adapters.search.coding import K1, B, grain
from adapters.search.opensearch_server import Server
from adapters.search.partitions import Statistics
from domain.asking.ports import Hit, PassageId
from domain.asking.visibility import Visible
from domain.errors import PartError

MOST_TERMS: Final = 1_000
"""Clauses that a query may have by the engine's default (``indices.query.bool.max_clause_count``), less the filter."""

_STRICT: Final = {"allow_partial_search_results": False}
"""A shard that does not answer is an error, not a shorter list."""


class OpenSearchIndex:
    """``LexicalIndex`` in an OpenSearch cluster; ``OpenSearchFeed`` fills it."""

    def __init__(self, server: Server, analyzer: GermanAnalyzer) -> None:
        self._server = server
        self._analyzer = analyzer
        self._made: AsyncOpenSearch | None = None

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that share at least one term with ``text``, best first, ties by passage.

        Raises:
            PartError: ``lexical`` when an index is missing or lacks a visible version, else one that begins with
                ``search_engine`` and says what the cluster lacks.
        """
        terms = sorted(await asyncio.to_thread(self._analyzer.question, text))
        if not terms or not visible.versions or limit < 1:
            return ()
        if len(terms) > MOST_TERMS:
            raise PartError("search_engine_long", count=len(terms), limit=MOST_TERMS)
        mandates = sorted({version.mandate for version in visible.versions.values()})
        indexes = [self._server.index(mandate) for mandate in mandates]
        inside = {"terms": {"ordinal": sorted(visible.versions)}}
        with self._server.named():
            statistics, frequencies = await self._count(indexes, inside, terms, len(visible.versions))
            clauses = _clauses(statistics, frequencies)
            return await self._best(indexes, inside, clauses, limit) if clauses else ()

    async def count(self) -> int:
        """Return how many documents the indexes hold.

        Raises:
            PartError: as ``search``.
        """
        with self._server.named():
            found = await self._client.count(index=self._server.indexes)
            return int(found["count"])

    async def describe(self) -> Mapping[str, str | int]:
        """Return version, number of nodes and health of the cluster.

        Raises:
            PartError: as ``search``; ``search_engine_red`` as well when an index of ours is not whole.
        """
        with self._server.named():
            version = (await self._client.info())["version"]["number"]
            health = await self._client.cluster.health(index=self._server.indexes)
            status, nodes = str(health["status"]), int(health["number_of_nodes"])
        if status == "red":
            raise self._server.refusal(503, status)
        return {"engine": f"OpenSearch {version}", "nodes": nodes, "health": status}

    async def close(self) -> None:
        """Close the connections, also those to nodes that did not answer."""
        client, self._made = self._made, None
        if client is not None:
            pool = client.transport.connection_pool
            for connection in {*pool.connections, *getattr(pool, "orig_connections", ())}:
                await connection.close()

    @property
    def _client(self) -> AsyncOpenSearch:
        """The client; it belongs to the event loop that first asks for it."""
        if self._made is None:
            self._made = self._server.asynchronous()
        return self._made

    async def _count(
        self, indexes: Sequence[str], inside: Mapping[str, Any], terms: Sequence[str], versions: int
    ) -> tuple[Statistics, dict[str, int]]:
        """Return the statistics of the visible passages, and how many of them hold each term that any holds."""
        body = {
            "size": 0,
            "query": {"bool": {"filter": [inside]}},
            "aggs": {
                "versions": {"value_count": {"field": "passages"}},
                **{name: {"sum": {"field": name}} for name in ("passages", "length")},
                **{f"term{n}": {"filter": {"term": {"terms": term}}} for n, term in enumerate(terms)},
            },
        }
        found = (await self._ask(indexes, body))["aggregations"]
        if int(found["versions"]["value"]) != versions:
            raise PartError("lexical")
        counts = {term: int(found[f"term{n}"]["doc_count"]) for n, term in enumerate(terms)}
        statistics = Statistics(int(found["passages"]["value"]), int(found["length"]["value"]))
        return statistics, {term: count for term, count in counts.items() if count}

    async def _best(
        self, indexes: Sequence[str], inside: Mapping[str, Any], clauses: Sequence[Mapping[str, Any]], limit: int
    ) -> tuple[Hit, ...]:
        body = {
            "size": limit,
            "_source": False,
            "track_total_hits": False,
            "sort": [{"_score": "desc"}, {"ordinal": "asc"}, {"number": "asc"}],
            "query": {"bool": {"filter": [inside], "should": clauses, "minimum_should_match": 1}},
        }
        found = await self._ask(indexes, body)
        return tuple(_hit(*one["sort"]) for one in found["hits"]["hits"])

    async def _ask(self, indexes: Sequence[str], body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run one search over all ``indexes``; a request for several names them in its body, where any number fits.

        An address ends at 4,096 bytes, which is some sixty names.
        """
        (found,) = (await self._client.msearch(body=[{"index": list(indexes), **_STRICT}, body]))["responses"]
        if "error" in found:
            raise self._server.refusal(found["status"], found["error"]["type"])
        answer: Mapping[str, Any] = found
        return answer


def _clauses(statistics: Statistics, frequencies: Mapping[str, int]) -> list[dict[str, Any]]:
    rarities = {term: statistics.idf(frequency) for term, frequency in frequencies.items()}
    shared = {"k1": K1, "b": B, "rest": 1 - B, "most": K1 + 1, "grain": grain(sorted(rarities.values()))}
    return [
        {
            "script_score": {
                "query": {"term": {"terms": term}},
                "script": {
                    "lang": "painless",
                    "source": _weight(),
                    "params": {**shared, "average": statistics.average, "idf": rarity},
                },
            }
        }
        for term, rarity in rarities.items()
    ]


def _hit(score: float, ordinal: int, number: int) -> Hit:
    """Return a hit; the engine writes a 32-bit float with as few digits as tell it from its neighbours."""
    (exact,) = struct.unpack("f", struct.pack("f", score))
    return Hit(PassageId(ordinal, number), exact)


@cache
def _weight() -> str:
    return files("adapters.search").joinpath("opensearch_weight.painless").read_text(encoding="utf-8")
