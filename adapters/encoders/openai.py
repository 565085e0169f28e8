"""Encoder behind a server with ``/v1/embeddings``; vLLM is the documented one.

A server works on the texts of many callers together, so the last bits of a vector may depend on its neighbours: two
encodings of a text agree to about 1e-6 in single precision and to about 1e-2 in bfloat16. Vectors of passages are
encoded once and stored; only that of a question is encoded anew.
"""

from collections.abc import Sequence
from typing import Any, Final

from adapters.models.failing import UnusableModelError
from adapters.models.server import ModelServer, ServedModel
from adapters.models.vectors import unit

LONGEST: Final = 20_000
"""Code points of a text that are sent; vLLM then cuts at the model's own number of tokens, other servers may refuse."""

SHARE: Final = 64
"""Texts in one request."""


class OpenAIEncoder:
    """``DenseEncoder`` over HTTP.

    Args:
        question_prefix, passage_prefix: what the model wants to read before each, such as ``query: ``.
    """

    def __init__(self, served: ServedModel, question_prefix: str = "", passage_prefix: str = "") -> None:
        self._served = served
        self._server = ModelServer(served, "encoder_server")
        self._prefixes = question_prefix, passage_prefix
        self._size: int | None = None
        self.name = served.original

    @property
    def version(self) -> str:
        """The revision that the configuration states."""
        return self._served.revision

    @property
    def fingerprint(self) -> str:
        """Name, revision and a hash over both, the prefixes and how much of a text counts."""
        return self._served.fingerprint("embeddings", *self._prefixes, LONGEST)

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one unit vector for each text of a passage.

        Raises:
            PartError: ``encoder_server``.
        """
        return await self._encode(texts, self._prefixes[1])

    async def question(self, text: str) -> tuple[float, ...]:
        """Return the unit vector of a question.

        Raises:
            PartError: ``encoder_server``.
        """
        return (await self._encode([text], self._prefixes[0]))[0]

    async def _encode(self, texts: Sequence[str], prefix: str) -> list[tuple[float, ...]]:
        if not texts:
            return []
        shares = [[prefix + text[:LONGEST] for text in texts[at : at + SHARE]] for at in range(0, len(texts), SHARE)]
        bodies = [{"input": share, "encoding_format": "float"} for share in shares]
        rows = await self._server.ask(
            "/v1/embeddings", bodies, lambda reply, number: self._vectors(reply, len(shares[number]))
        )
        return [vector for row in rows for vector in row]

    def _vectors(self, reply: Any, count: int) -> list[tuple[float, ...]]:
        """Read a reply: as many vectors as texts, each once, all of one size, of numbers."""
        vectors = [unit(_numbers(entry)) for entry in in_order(reply, "data", count)]
        sizes = {len(vector) for vector in vectors} | ({self._size} if self._size else set())
        if len(sizes) != 1:
            raise UnusableModelError("dimension")
        (self._size,) = sizes
        return vectors


def in_order(reply: Any, name: str, count: int) -> list[dict[str, Any]]:
    """Return the entries of a reply in the order of what was sent.

    Raises:
        UnusableModelError: there are not as many, or one is missing or there twice.
    """
    entries = reply.get(name) if isinstance(reply, dict) else None
    if not isinstance(entries, list) or len(entries) != count:
        raise UnusableModelError("count")
    found = {entry["index"]: entry for entry in entries if isinstance(entry, dict) and type(entry.get("index")) is int}
    if set(found) != set(range(count)):
        raise UnusableModelError("order")
    return [found[number] for number in range(count)]


def _numbers(entry: dict[str, Any]) -> list[float]:
    numbers = entry.get("embedding")
    if not isinstance(numbers, list) or not all(type(one) in {int, float} for one in numbers):
        raise UnusableModelError("vector")
    return [float(one) for one in numbers]
