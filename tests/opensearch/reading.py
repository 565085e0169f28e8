"""OpenSearch as tests use it: reader and writer of the indexes of one prefix."""

from types import TracebackType
from typing import Self

from adapters.search.opensearch import OpenSearchIndex
from adapters.search.opensearch_feed import OpenSearchFeed
from adapters.search.opensearch_server import Server
from tests.twins import ANALYZER


class Engine(OpenSearchIndex):
    """Reader and writer; closes its connections at the end of the block."""

    def __init__(self, server: Server) -> None:
        super().__init__(server, ANALYZER)
        feed = OpenSearchFeed(server, ANALYZER)
        self.put, self.forget = feed.put, feed.forget

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
