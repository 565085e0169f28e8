"""Requests to a homeserver: one at a time, with patience that has a bound, and typed errors.

Access tokens and texts never reach a log or an error; the values of an error name the server's own code alone.
"""

import asyncio
import json
import logging
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final
from urllib.parse import quote

import aiohttp
from yarl import URL

from bot.chat.ports import DeclinedError
from bot.matrix.shapes import shallow
from domain.errors import AccessError, InputError, PartError

_log = logging.getLogger(__name__)

PATIENCE: Final = 30.0
"""Seconds that a request may take with everything: attempts, back-off, and what a busy server asks us to wait."""

_FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 4.0
LARGEST: Final = 128 * 1024 * 1024
"""Bytes of an answer at most: the state of a room with a hundred thousand members is half of that."""

_PIECE: Final = 65_536
_MOST_DIGITS: Final = 30
_CODE: Final = re.compile(r"[A-Z][A-Z0-9_.]{0,59}", re.ASCII | re.IGNORECASE)
"""Only words of this form reach a log: whatever else a server says may be anything."""

_TOO_LARGE: Final = 413
"""Whoever says so, the server or a proxy before it, will say so again."""

_TOKEN_CODES: Final = frozenset({"M_UNKNOWN_TOKEN", "M_MISSING_TOKEN"})

V3: Final = "/_matrix/client/v3"
V1: Final = "/_matrix/client/v1"

Json = dict[str, Any]


_MAY_PASS: Final = frozenset({401, 403, 408})
"""Of what a server declines, what an administrator there, another login or more haste may change."""


class RefusedError(DeclinedError):
    """The homeserver understands a request and declines it.

    Attributes:
        code: why, in the server's word, such as ``M_NOT_FOUND``.
        status: of HTTP.
        answer: everything that it says, such as how to prove who we are.
    """

    def __init__(self, code: str, status: int, answer: Json) -> None:
        super().__init__("matrix_refused", code=code)
        self.code = code
        self.status = status
        self.answer = answer
        self.is_final = status not in _MAY_PASS


class _TroubledError(Exception):
    """An attempt has failed in a way that may pass; ``pause``: seconds that the server asks for."""

    def __init__(self, reason: str, pause: float | None = None, *, is_busy: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.pause = pause
        self.is_busy = is_busy


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request, as ``Api.call`` takes it."""

    method: str
    address: URL
    body: Mapping[str, Any] | None = None
    patience: float = PATIENCE
    is_repeatable: bool = True
    is_open: bool = False


def path(*parts: str, base: str = V3) -> str:
    """Return the path of an endpoint; every part is quoted, whatever stands in it."""
    return base + "".join("/" + quote(part, safe="") for part in parts)


class Api:
    """A homeserver's interface for clients.

    Args:
        homeserver: its address, ``https://matrix.example.org``.
        session: open connections; whoever made it closes it.
        context: who may vouch for the server; ``None`` leaves it to the system.
    """

    def __init__(self, homeserver: str, session: aiohttp.ClientSession, context: ssl.SSLContext | None = None) -> None:
        self._homeserver = homeserver.rstrip("/")
        self._session = session
        self._context = context
        self._renewing = asyncio.Lock()
        self.token: str | None = None
        self.renew: Callable[[], Awaitable[None]] | None = None

    async def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
        is_repeatable: bool = True,
        is_open: bool = False,
    ) -> Json:
        """Ask for something and return the answer.

        Args:
            method: of HTTP.
            path: quoted, as ``path`` makes it.
            body: sent as JSON.
            query: parameters of the address.
            patience: seconds after which we give up.
            is_repeatable: may be sent again when it is unknown whether the server has got it.
            is_open: needs no login.

        Raises:
            AccessError: the server says that we may not.
            InputError: ``matrix_too_large``.
            RefusedError: the server says anything else against it.
            PartError: ``matrix_unreachable``, ``matrix_busy``, ``matrix_login``.
        """
        asked = _Asked(method, self._address(path, query), body, patience, is_repeatable, is_open)
        answer = await self._ask(asked)
        return answer if isinstance(answer, dict) else {}

    async def listed(self, path: str) -> list[Any]:
        """Return the answer of an endpoint that gives a list; raises what ``call`` does."""
        answer = await self._ask(_Asked("GET", self._address(path, None)))
        return answer if isinstance(answer, list) else []

    async def _ask(self, asked: _Asked) -> Any:
        used = self.token
        try:
            return await self._patiently(asked)
        except RefusedError as error:
            if asked.is_open or self.renew is None or error.code not in _TOKEN_CODES:
                raise _meant(error) from None
        await self._renew(used)
        try:
            return await self._patiently(asked)
        except RefusedError as error:
            raise _meant(error) from None

    def _address(self, path: str, query: Mapping[str, str] | None) -> URL:
        address = URL(self._homeserver + path, encoded=True)
        return address.update_query(query) if query else address

    async def _renew(self, used: str | None) -> None:
        async with self._renewing:
            if self.renew is not None and self.token == used:
                _log.warning("the homeserver no longer knows our session; logging in again")
                await self.renew()

    async def _patiently(self, asked: _Asked) -> Any:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + asked.patience
        pause = _FIRST_PAUSE
        while True:
            try:
                return await self._once(asked, deadline - loop.time())
            except _TroubledError as trouble:
                # A server that wants no pause at all, or less than none, would be asked without end.
                wait = max(trouble.pause, _FIRST_PAUSE) if trouble.pause else pause
                may_repeat = asked.is_repeatable or trouble.is_busy
                if not may_repeat or loop.time() + wait >= deadline:
                    key = "matrix_busy" if trouble.is_busy else "matrix_unreachable"
                    raise PartError(key, reason=trouble.reason) from None
            await asyncio.sleep(wait)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _once(self, asked: _Asked, seconds: float) -> Any:
        headers = {} if asked.is_open or self.token is None else {"Authorization": f"Bearer {self.token}"}
        try:
            async with self._session.request(
                asked.method,
                asked.address,
                json=asked.body,
                headers=headers,
                ssl=self._context or True,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=max(seconds, 0.1)),
            ) as response:
                return _read(response.status, await _json(response))
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _TroubledError(type(error).__name__) from None


async def _json(response: aiohttp.ClientResponse) -> Any:
    body = bytearray()
    async for piece in response.content.iter_chunked(_PIECE):
        body += piece
        if len(body) > LARGEST:
            raise _TroubledError("HTTP_TOO_LARGE")
    try:
        return json.loads(shallow(bytes(body)), parse_int=_whole)
    except (ValueError, RecursionError):
        return None


def _whole(digits: str) -> int:
    """Return a number; one with more digits than any of the server's counts as nothing."""
    return int(digits) if len(digits) < _MOST_DIGITS else 0


def _read(status: int, answer: Any) -> Any:
    """Return what the server has said, if it is what was asked for."""
    if status == 200 and isinstance(answer, dict | list):
        return answer
    said: Json = answer if isinstance(answer, dict) else {}
    named = said.get("errcode")
    code = named if isinstance(named, str) and _CODE.fullmatch(named) else f"HTTP_{status}"
    if status == 429:
        raise _TroubledError(code, _pause(said.get("retry_after_ms")), is_busy=True)
    if (_is_own_word(said) and 400 <= status < 500) or status == _TOO_LARGE:
        raise RefusedError(code, status, said)
    raise _TroubledError(code)


def _is_own_word(said: Json) -> bool:
    """Say whether a homeserver declines something itself; what stands in between does so without a code of Matrix."""
    return "errcode" in said or "flows" in said


def _pause(milliseconds: object) -> float | None:
    """Return in seconds how long a busy server wants to be left alone, ``None`` when it does not say."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float) or not isfinite(milliseconds):
        return None
    return max(float(milliseconds), 0.0) / 1000


def _meant(error: RefusedError) -> Exception:
    """Return what a refusal means to somebody who knows nothing of Matrix."""
    if error.code in {"M_FORBIDDEN", "M_GUEST_ACCESS_FORBIDDEN"}:
        return AccessError()
    if error.code in _TOKEN_CODES:
        return PartError("matrix_login", reason=error.code)
    if error.code == "M_TOO_LARGE" or error.status == _TOO_LARGE:
        return InputError("matrix_too_large")
    return error
