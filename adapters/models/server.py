"""A model behind a server that speaks the interface of OpenAI, such as vLLM.

Only the configured host is called: no proxy of the environment, no redirection, no cookies. What was sent and what came
back stays out of errors and logs.

Before each request the server is asked which model it serves. A server may be restarted with another model under the
same address, and vectors of two models must never meet in one index. What the server cannot say is which weights a
name stands for, since a repository may be changed under its name; so the configuration states a revision, and whoever
changes the weights changes it.
"""

import asyncio
import hashlib
import json
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import aiohttp

from adapters.models.failing import UnusableModelError, failing
from adapters.regular import regular
from domain.errors import PartError

TRIES: Final = 4
"""Requests until a server that is busy or starting counts as one that does not answer."""

LONGEST_PAUSE: Final = 10.0
"""Seconds between two tries, whatever the server asks for."""

LARGEST_REPLY: Final = 64_000_000
"""Bytes. 64 vectors of 4,096 numbers are 6 MB."""

LARGEST_KEY: Final = 10_000

Result = TypeVar("Result")

LARGEST_ERROR: Final = 10_000
"""Bytes of the text of an error that are looked at; it may quote what was sent, and none of it is kept."""

_FIRST_PAUSE: Final = 0.5
_BUSY: Final = frozenset({429, 502, 503})
_FAULTY: Final = frozenset({500, 504})
"""A fault of the server may pass; one that the request causes does not, so it is asked once more and no longer."""

_REFUSING: Final = frozenset({400, 415, 422, 500, 501})
"""What servers answer to a parameter that they do not know."""

_TOO_LONG: Final = re.compile(
    rb"context[ _](?:length|window|size)|max_model_len|maximum (?:model )?(?:context|length)|too many tokens"
    rb"|(?:prompt|input) (?:is )?too long|exceeds? the (?:available )?context",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model and where it is served.

    Attributes:
        url: address of the server, with or without ``/v1``.
        model: the name that the server serves it under.
        revision: which weights they are, in the words of whoever runs the server.
        base: what the server was started with, where that is another name than ``model``.
        key_file: file with the key that the server wants, if it wants one.
        timeout: seconds for all tries of one request.
        ca_file: certificate of the authority that signed that of the server; ``None`` for those of the system.
    """

    url: str
    model: str
    revision: str
    base: str | None = None
    key_file: Path | None = None
    timeout: float = 30.0
    ca_file: Path | None = None

    @property
    def original(self) -> str:
        """The name of the model itself, whatever the server calls it."""
        return self.base or self.model

    def fingerprint(self, *rules: object) -> str:
        """Return name, revision and a hash over both and over ``rules``, all else that the result depends on."""
        told = json.dumps([self.original, self.revision, *rules])
        return f"{self.original}/{self.revision}/{hashlib.sha256(told.encode()).hexdigest()[:16]}"


class RefusedError(UnusableModelError):
    """The server answered with an error; ``is_too_long``: since the model cannot read that much."""

    def __init__(self, status: int, *, is_too_long: bool) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.is_too_long = is_too_long


class ModelServer:
    """Asks the server of one model.

    Args:
        key: of the ``PartError`` of everything that goes wrong, with ``model`` (host and model) and ``kind``.
        pause: waits between two tries.
    """

    def __init__(
        self, served: ServedModel, key: str, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._served = served
        self._key = key
        self._pause = pause
        self._root = served.url.rstrip("/").removesuffix("/v1")
        self._shown = f"{urlsplit(served.url).hostname}: {served.model}"

    async def ask(self, path: str, bodies: list[dict[str, Any]], read: Callable[[Any, int], Any]) -> list[Any]:
        """Send each body to ``path`` and return what ``read`` makes of each reply and of the body's number.

        ``truncate_prompt_tokens`` is added where the server is vLLM, which refuses longer texts otherwise.

        Raises:
            PartError: the server does not answer in time, serves another model, or its reply cannot be used.
        """
        with failing(self._key, self._shown):
            async with self._session() as session:
                is_vllm = await self._must_serve(session)
                more = {"truncate_prompt_tokens": -1} if is_vllm else {}
                found = []
                for number, body in enumerate(bodies):
                    reply = await self._call(session, "POST", path, {"model": self._served.model, **body, **more})
                    found.append(read(reply, number))
                return found

    async def ask_either(self, path: str, bodies: Sequence[dict[str, Any]], read: Callable[[Any], Result]) -> Result:
        """Send the first body that the server takes to ``path``, and return what ``read`` makes of its reply.

        Nothing is cut: half a prompt is another one.

        Raises:
            PartError: as ``ask``; the key ends in ``_context`` when the model cannot read as much as was sent.
        """
        with failing(self._key, self._shown):
            async with self._session() as session:
                await self._must_serve(session)
                for body in bodies[:-1]:
                    try:
                        return read(await self._send(session, path, body))
                    except RefusedError as refused:
                        if refused.status not in _REFUSING:
                            raise
                return read(await self._send(session, path, bodies[-1]))

    async def _send(self, session: aiohttp.ClientSession, path: str, body: Mapping[str, Any]) -> Any:
        try:
            return await self._call(session, "POST", path, {"model": self._served.model, **body})
        except RefusedError as refused:
            if refused.is_too_long:
                raise PartError(f"{self._key}_context", model=self._shown) from refused
            raise

    def _session(self) -> aiohttp.ClientSession:
        headers = {"Authorization": f"Bearer {self._secret()}"} if self._served.key_file else {}
        never = aiohttp.ClientTimeout(total=None)
        return aiohttp.ClientSession(
            headers=headers,
            connector=aiohttp.TCPConnector(ssl=self._trust()),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=never,
            trust_env=False,
        )

    def _trust(self) -> ssl.SSLContext | bool:
        """Return whose certificates are believed; ``True`` for the authorities of the system."""
        if self._served.ca_file is None:
            return True
        try:
            return ssl.create_default_context(cafile=regular(self._served.ca_file))
        except OSError as error:
            raise UnusableModelError("ca_file") from error

    def _secret(self) -> str:
        """Read the key anew each time, so that it can be changed while the program runs."""
        assert self._served.key_file is not None  # noqa: S101 - asked only with one
        try:
            with regular(self._served.key_file).open("rb") as file:
                key = file.read(LARGEST_KEY).decode("ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableModelError("key_file") from error
        if not key or not key.isprintable():
            raise UnusableModelError("key_file")
        return key

    async def _must_serve(self, session: aiohttp.ClientSession) -> bool:
        """Return whether the server is vLLM."""
        reply = await self._call(session, "GET", "/v1/models", None)
        entries = reply.get("data") if isinstance(reply, dict) else None
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and entry.get("id") == self._served.model:
                if entry.get("root") not in {None, self._served.original}:
                    raise UnusableModelError("base")
                return bool(entry.get("owned_by") == "vllm")
        raise UnusableModelError("model")

    async def _call(
        self, session: aiohttp.ClientSession, method: str, path: str, body: Mapping[str, Any] | None
    ) -> Any:
        async with asyncio.timeout(self._served.timeout):
            for count in range(TRIES):
                async with session.request(method, self._root + path, json=body, allow_redirects=False) as reply:
                    if reply.status == HTTPStatus.OK:
                        return json.loads(await _bounded(reply))
                    status, wish = reply.status, reply.headers.get("Retry-After", "")
                    is_too_long = status in _REFUSING and await _says_too_long(reply)
                tries = TRIES if status in _BUSY else 2 if status in _FAULTY and not is_too_long else 1
                if count + 1 >= tries:
                    break
                await self._pause(_wait(wish, count))
            raise RefusedError(status, is_too_long=is_too_long)


def _wait(wish: str, count: int) -> float:
    """Return the seconds until the next try; a date in place of seconds is not read."""
    seconds = float(wish) if wish.isascii() and wish.isdecimal() else _FIRST_PAUSE * 2.0**count
    return min(seconds, LONGEST_PAUSE)


async def _says_too_long(reply: aiohttp.ClientResponse) -> bool:
    return bool(_TOO_LONG.search(await reply.content.read(LARGEST_ERROR)))


async def _bounded(reply: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for block in reply.content.iter_any():
        content += block
        if len(content) > LARGEST_REPLY:
            raise UnusableModelError("size")
    return bytes(content)
