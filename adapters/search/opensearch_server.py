"""How to reach an OpenSearch cluster, and what its failures are called."""

import logging
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import aiohttp
from opensearchpy import AIOHttpConnection, AsyncOpenSearch, OpenSearch
from opensearchpy.exceptions import (
    AuthenticationException,
    ConnectionError,  # noqa: A004 - the name is that of the library
    SerializationError,
    SSLError,
    TransportError,
)

from adapters.regular import regular
from adapters.search.analyzer import RULES
from domain.errors import InputError, PartError

LAYOUT: Final = 1
"""Raised with every change of ``opensearch.json``: the indexes are then built anew, under names of their own."""

_SECONDS: Final = 10
"""How long a node may take to answer before the next one is asked."""

_STATUS_BUSY: Final = 429
_STATUS_FORBIDDEN: Final = 403
_STATUS_MISSING: Final = 404
_STATUS_RED: Final = 503

# Every failure is named here for people; the library's own log would repeat it with addresses and bodies.
logging.getLogger("opensearch").setLevel(logging.CRITICAL)


class _RedirectedError(Exception):
    """The answer points somewhere else."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


async def _refuse_redirect(
    _session: aiohttp.ClientSession, _context: object, redirect: aiohttp.TraceRequestRedirectParams
) -> None:
    raise _RedirectedError(redirect.response.status)


class _Straight(AIOHttpConnection):  # type: ignore[misc]  # the library has no types
    """Goes to the configured node alone; the library would carry the words of a question wherever it is sent."""

    async def _create_aiohttp_session(self) -> None:
        await super()._create_aiohttp_session()
        trace = aiohttp.TraceConfig()
        trace.on_request_redirect.append(_refuse_redirect)
        trace.freeze()
        self.session.trace_configs.append(trace)


@dataclass(frozen=True, slots=True)
class Server:
    """A cluster that holds our indexes.

    Attributes:
        urls: addresses of its nodes, ``https://search.example:9200``; the next one is asked when one does not answer.
        prefix: begins the names of our indexes; no other installation may use it on the same cluster.
        user, password: ``None`` for a cluster without users.
        ca_file: certificate of the authority that signed those of the nodes; ``None`` for those of the system.
    """

    urls: Sequence[str]
    prefix: str = "fundstelle"
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca_file: Path | None = None

    def asynchronous(self) -> AsyncOpenSearch:
        """Return a client for the running event loop, which must be closed.

        Raises:
            InputError: ``ca_file`` when it cannot be read or is no certificate.
        """
        return AsyncOpenSearch(**self._options(), connection_class=_Straight)

    def synchronous(self) -> OpenSearch:
        """Return a client for threads.

        Raises:
            InputError: as ``asynchronous``.
        """
        return OpenSearch(**self._options())

    def index(self, mandate: UUID) -> str:
        """Return the name of the index of a mandate."""
        return f"{self._stem}-{mandate}"

    def of_mandate(self, mandate: UUID) -> str:
        """Return the pattern that the names of all indexes of a mandate match, whatever rules they were made under."""
        return f"{self.prefix}-lexical-*-{mandate}"

    @property
    def indexes(self) -> str:
        """The pattern that the names of all our indexes match."""
        return f"{self._stem}-*"

    @property
    def _stem(self) -> str:
        return f"{self.prefix}-lexical-{RULES}.{LAYOUT}"

    @contextmanager
    def named(self) -> Iterator[None]:
        """Turn failures of the cluster into errors that a person can act on.

        Raises:
            PartError: ``lexical`` when an index is missing, else one that begins with ``search_engine``.
        """
        try:
            yield
        except (TransportError, SerializationError) as error:
            raise self.failure(error) from error
        except (KeyError, TypeError, ValueError) as error:
            raise PartError("search_engine_answer", url=self._shown, status="200") from error

    def failure(self, error: Exception) -> PartError:
        """Return the error to raise instead of ``error``."""
        match error:
            case AuthenticationException():
                return PartError("search_engine_password", url=self._shown)
            case ConnectionError() if isinstance(error, SSLError) or isinstance(error.info, ssl.SSLError):
                return PartError("search_engine_certificate", url=self._shown)
            case ConnectionError() if isinstance(error.info, _RedirectedError):
                return self.refusal(error.info.status, "")
            case ConnectionError():
                return PartError("search_engine", url=self._shown)
            case TransportError():
                return self.refusal(error.status_code, error.error)
            case _:
                return PartError("search_engine_answer", url=self._shown, status="200")

    def refusal(self, status: int | str, kind: str) -> PartError:
        """Return the error for an answer with ``status``; ``kind`` is what the engine calls it."""
        if status == _STATUS_MISSING:
            return PartError("lexical")
        if kind == "cluster_block_exception" and status in {_STATUS_FORBIDDEN, _STATUS_BUSY}:
            return PartError("search_engine_full", url=self._shown)
        if status == _STATUS_FORBIDDEN:
            return PartError("search_engine_rights", url=self._shown, indexes=self.indexes)
        if status == _STATUS_BUSY:
            return PartError("search_engine_busy", url=self._shown)
        if status == _STATUS_RED:
            return PartError("search_engine_red", url=self._shown)
        return PartError("search_engine_answer", url=self._shown, status=status)

    @property
    def _shown(self) -> str:
        return ", ".join(self.urls)

    def _options(self) -> dict[str, Any]:
        secure = any(url.startswith("https:") for url in self.urls)
        return {
            "hosts": list(self.urls),
            "http_auth": None if self.user is None else (self.user, self.password or ""),
            "ssl_context": self._trust() if secure else None,
            "timeout": _SECONDS,
            "max_retries": len(self.urls),
            "retry_on_timeout": len(self.urls) > 1,
        }

    def _trust(self) -> ssl.SSLContext:
        try:
            return ssl.create_default_context(cafile=None if self.ca_file is None else regular(self.ca_file))
        except OSError as error:
            raise InputError("ca_file", file=self.ca_file) from error
