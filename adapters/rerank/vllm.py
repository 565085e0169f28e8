"""Reranker behind vLLM's ``/rerank``.

A server works on the pairs of many callers together, so the last digits of a score may depend on its neighbours.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from adapters.encoders.openai import in_order
from adapters.models.failing import UnusableModelError
from adapters.models.server import ModelServer, ServedModel
from adapters.rerank.known import BGE, BGE_THRESHOLD
from domain.asking.ports import PassageText

LONGEST: Final = 20_000
"""Code points of a text that are sent; the server then cuts a pair at the model's own number of tokens."""


class VllmReranker:
    """``Reranker`` over HTTP; vLLM applies the sigmoid, once."""

    def __init__(self, served: ServedModel) -> None:
        self._served = served
        self._server = ModelServer(served, "reranker_server")
        self.name = served.original

    @property
    def version(self) -> str:
        """The revision that the configuration states."""
        return self._served.revision

    @property
    def fingerprint(self) -> str:
        """Name, revision and a hash over both and how much of a text counts."""
        return self._served.fingerprint("rerank", LONGEST)

    @property
    def threshold(self) -> float | None:
        """0.35 where the server was started with ``bge-reranker-v2-m3``, else ``None``."""
        return BGE_THRESHOLD if PurePosixPath(self.name).name == BGE else None

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        """Return for each passage how well it answers the question, in [0, 1].

        Raises:
            PartError: ``reranker_server``.
        """
        if not passages:
            return []
        body = {"query": question[:LONGEST], "documents": [one.search_text[:LONGEST] for one in passages]}
        (scores,) = await self._server.ask("/rerank", [body], lambda reply, _: _scores(reply, len(passages)))
        return list(scores)


def _scores(reply: Any, count: int) -> list[float]:
    return [_score(entry.get("relevance_score")) for entry in in_order(reply, "results", count)]


def _score(number: object) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
        raise UnusableModelError("score")
    return float(number)
