"""Stands between our account and a real homeserver, sees all that passes, and does mischief with it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import aiohttp
from aiohttp import web
from yarl import URL

from tests.matrix.nursery import GATE
from tests.matrix.person import PATIENCE

_CLIENT = "/_matrix/client/"


class CutError(Exception):
    """The connection ends without an answer."""


@dataclass(frozen=True)
class Call:
    """A request of ours: ``GET``, and the path behind the version of the interface, unquoted."""

    method: str
    path: str
    query: dict[str, str]

    @property
    def is_sync(self) -> bool:
        return self.path == "sync"

    @property
    def is_send(self) -> bool:
        """Whether something is said in a room, typing aside."""
        return self.method == "PUT" and self.path.startswith("rooms/") and "/send/" in self.path


Before = Callable[[Call], Awaitable[web.Response | None]]
"""Sees a request before the homeserver does; may answer in its place, or cut."""

After = Callable[[Call, Any], Awaitable[Any]]
"""Sees what the homeserver has answered; returns what we are told."""


@dataclass
class Gate:
    """Instances stop here before they verify an answer, once it is closed."""

    is_open: asyncio.Event = field(default_factory=asyncio.Event)
    _stopped: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def stop(self) -> None:
        self._stopped.release()
        await self.is_open.wait()

    async def reached(self, times: int = 1) -> None:
        """Wait until so many answers are stopped here."""
        async with asyncio.timeout(PATIENCE):
            for _ in range(times):
                await self._stopped.acquire()


class Meddler:
    """Passes everything on, unless it is told otherwise.

    Attributes:
        url: where our accounts find the homeserver.
        statuses: what the homeserver has answered with.
    """

    def __init__(self, homeserver: str) -> None:
        self._homeserver = homeserver
        self._before: list[Before] = []
        self._after: list[After] = []
        self._gate: Gate | None = None
        self.url = ""
        self.statuses: set[int] = set()

    @asynccontextmanager
    async def before(self, rule: Before) -> AsyncIterator[None]:
        """Ask ``rule`` about each request as long as the block runs."""
        self._before.append(rule)
        try:
            yield
        finally:
            self._before.remove(rule)

    @asynccontextmanager
    async def after(self, rule: After) -> AsyncIterator[None]:
        """Let ``rule`` see each answer as long as the block runs."""
        self._after.append(rule)
        try:
            yield
        finally:
            self._after.remove(rule)

    @asynccontextmanager
    async def gate(self) -> AsyncIterator[Gate]:
        """Close the gate; at the end of the block it opens, whatever happened."""
        gate = self._gate = Gate()
        try:
            yield gate
        finally:
            self._gate = None
            gate.is_open.set()

    @asynccontextmanager
    async def standing(self) -> AsyncIterator["Meddler"]:
        """Be there as long as the block runs."""
        # Whoever is killed leaves a connection that nobody reads; it must not keep others waiting.
        timeout, connector = aiohttp.ClientTimeout(90), aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(timeout=timeout, connector=connector) as self._session:
            app = web.Application(client_max_size=10_000_000)
            app.router.add_get(GATE, self._wait)
            app.router.add_route("*", "/{path:.*}", self._pass)
            runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            self.url = f"http://{host}:{port}"
            try:
                yield self
            finally:
                await runner.cleanup()

    async def _wait(self, _request: web.Request) -> web.Response:
        gate = self._gate
        if gate is not None:
            await gate.stop()
        return web.Response()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        call = Call(
            request.method, unquote(request.raw_path.partition("?")[0])[len(_CLIENT) + 3 :], dict(request.query)
        )
        try:
            for before in tuple(self._before):
                reply = await before(call)
                if reply is not None:
                    return reply
            status, answer = await self._ask(request)
            self.statuses.add(status)
            for after in tuple(self._after):
                answer = await after(call, answer)
        except (CutError, aiohttp.ClientError):
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        return web.json_response(answer, status=status)

    async def _ask(self, request: web.Request) -> tuple[int, Any]:
        headers = {name: request.headers[name] for name in ("Authorization", "Content-Type") if name in request.headers}
        address = URL(self._homeserver + request.raw_path, encoded=True)
        body = await request.read()
        async with self._session.request(request.method, address, data=body or None, headers=headers) as response:
            return response.status, json.loads(await response.read())


def refusal(status: int, code: str, **more: Any) -> web.Response:
    """Return what a homeserver says that does not do what it is asked."""
    return web.json_response({"errcode": code, "error": code, **more}, status=status)
