"""Fills the indexes of words in OpenSearch."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final
from uuid import UUID

from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from adapters.search.analyzer import GermanAnalyzer, length
from adapters.search.coding import MOST_FREQUENT, SEPARATOR, length_code
from adapters.search.feed import VersionWords
from adapters.search.opensearch_server import Server
from domain.errors import PartError

REQUEST_BYTES: Final = 5_000_000
"""About how much a request carries; the engine takes up to 100 MB by default."""

_SECONDS: Final = 120
"""How long a request may take that writes."""

Operation = tuple[Mapping[str, Any], ...]
"""Lines of a bulk request: what to do, and the document if there is one."""


class OpenSearchFeed:
    """Puts versions into the indexes of their mandates.

    Documents have fixed names and a version replaces itself, so a batch that comes twice changes nothing. When ``put``
    returns, what it wrote is on disk and can be found in every copy.
    """

    def __init__(self, server: Server, analyzer: GermanAnalyzer) -> None:
        self._server = server
        self._analyzer = analyzer

    def put(self, versions: Sequence[VersionWords]) -> None:
        """Write ``versions`` durably.

        Raises:
            PartError: begins with ``search_engine``; what has been written so far may stand, and is replaced when the
                batch comes again.
        """
        by_mandate: dict[UUID, list[VersionWords]] = defaultdict(list)
        for version in versions:
            by_mandate[version.mandate].append(version)
        with self._server.named():
            for mandate, of_mandate in by_mandate.items():
                self._put(self._server.index(mandate), of_mandate)

    def forget(self, mandate: UUID) -> None:
        """Delete the indexes of a mandate, those made under older rules as well.

        Raises:
            PartError: begins with ``search_engine``.
        """
        with self._server.named():
            # Named one by one: a cluster may refuse to delete by a pattern.
            for name in self._client.indices.get(index=self._server.of_mandate(mandate), params=_patient()):
                self._client.indices.delete(index=name, params=_patient())

    def mend(self) -> None:
        """Drop indexes that have lost a shard, so that a rebuild starts from nothing.

        Raises:
            PartError: begins with ``search_engine``.
        """
        with self._server.named():
            health = self._client.cluster.health(index=self._server.indexes, params={"level": "indices"})
            for name, index in health["indices"].items():
                if index["status"] == "red":
                    self._client.indices.delete(index=name)

    @cached_property
    def _client(self) -> OpenSearch:
        return self._server.synchronous()

    def _put(self, index: str, versions: Sequence[VersionWords]) -> None:
        self._create(index)
        before = self._passages(index, versions)
        for request in _requests(self._operations(versions, before)):
            answer = self._client.bulk(body=request, index=index, params=_patient())
            if answer["errors"]:
                raise self._refused(answer["items"])
        shards = self._client.indices.refresh(index=index, params=_patient())["_shards"]
        if shards["failed"]:
            raise self._server.refusal(503, "refresh")

    def _create(self, index: str) -> None:
        if not self._client.indices.exists(index=index):
            try:
                self._client.indices.create(index=index, body=_layout(), params=_patient())
            except RequestError as error:
                # Another process was quicker.
                if error.error != "resource_already_exists_exception":
                    raise

    def _passages(self, index: str, versions: Sequence[VersionWords]) -> list[int]:
        """Return how many passages of each version the index holds."""
        names = [_sums(version) for version in versions]
        found = self._client.mget(body={"ids": names}, index=index, params={"stored_fields": "passages"})
        return [one["fields"]["passages"][0] if one.get("found") else 0 for one in found["docs"]]

    def _operations(self, versions: Sequence[VersionWords], before: Sequence[int]) -> Iterator[Operation]:
        """Yield the sums of a version last: they say that it is there, and how many passages to remove."""
        for version, old in zip(versions, before, strict=True):
            total = 0
            for number, text in enumerate(version.passages):
                terms = self._analyzer.passage(text)
                words = length(terms)
                total += words
                yield {"index": {"_id": _passage(version, number)}}, _document(version, number, terms, words)
            for number in range(len(version.passages), old):
                yield ({"delete": {"_id": _passage(version, number)}},)
            sums = {"ordinal": version.ordinal, "passages": len(version.passages), "length": total}
            yield {"index": {"_id": _sums(version)}}, sums

    def _refused(self, items: Sequence[Mapping[str, Any]]) -> PartError:
        results = (result for item in items for result in item.values())
        first = next(result for result in results if "error" in result)
        return self._server.refusal(first["status"], first["error"]["type"])


def _patient() -> dict[str, Any]:
    """Return what lets the client wait; the library takes these entries out of what it sends."""
    return {"request_timeout": _SECONDS}


def _requests(operations: Iterator[Operation]) -> Iterator[str]:
    lines: list[str] = []
    size = 0
    for operation in operations:
        written = [json.dumps(line, ensure_ascii=False) for line in operation]
        lines += written
        size += sum(map(len, written))
        if size > REQUEST_BYTES:
            yield "\n".join(lines) + "\n"
            lines, size = [], 0
    if lines:
        yield "\n".join(lines) + "\n"


def _document(version: VersionWords, number: int, terms: Mapping[str, int], words: int) -> dict[str, Any]:
    repeated = (term for term, count in terms.items() for _ in range(min(count, MOST_FREQUENT)))
    return {
        "ordinal": version.ordinal,
        "number": number,
        "size": length_code(words),
        "terms": SEPARATOR.join(repeated),
    }


def _passage(version: VersionWords, number: int) -> str:
    return f"{version.ordinal}-{number}"


def _sums(version: VersionWords) -> str:
    return f"{version.ordinal}"


@cache
def _layout() -> dict[str, Any]:
    layout: dict[str, Any] = json.loads(
        files("adapters.search").joinpath("opensearch.json").read_text(encoding="utf-8")
    )
    return layout
