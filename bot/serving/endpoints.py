"""Where an instance tells how it is: ``/healthz``, ``/readyz`` and ``/metrics``, by default to this machine alone.

There is no login, so whoever reaches it may ask; what they can hold of ours is bounded.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web

from bot.serve_config import ServeChoice
from bot.serving.health import Health
from bot.serving.metrics import Metrics
from domain.errors import InputError

_METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_STOP_SECONDS: Final = 1.0

MOST_CONNECTIONS: Final = 32
"""Connections at once; monitoring needs two or three."""

CONNECTION_SECONDS: Final = 10.0
"""How long a connection may live, whatever it does: so nobody keeps one by sending a header letter by letter."""

_LONGEST_LINE: Final = 4_096
"""Bytes of a line of a request."""


@asynccontextmanager
async def told_at(choice: ServeChoice, health: Health, metrics: Metrics) -> AsyncIterator[str]:
    """Answer requests as long as the block runs; the value is the address.

    Raises:
        InputError: ``serve_listen`` when nobody can listen there.
    """

    async def told(request: web.BaseRequest) -> web.Response:
        if request.method not in {"GET", "HEAD"}:
            return web.Response(status=405)
        match request.path:
            case "/healthz":
                return web.json_response({"alive": True})
            case "/readyz":
                found = await health.look()
                is_ready = all(found.values())
                return web.json_response({"ready": is_ready, **found}, status=200 if is_ready else 503)
            case "/metrics":
                return web.Response(body=metrics.text(), headers={"Content-Type": _METRICS_TYPE})
            case _:
                return web.Response(status=404)

    async def tell(request: web.BaseRequest) -> web.Response:
        response = await told(request)
        # One connection a request: none is ended just when the next one comes on it.
        response.force_close()
        return response

    server = _Bounded(tell, access_log=None, max_line_size=_LONGEST_LINE, max_field_size=_LONGEST_LINE)
    runner = web.ServerRunner(server, shutdown_timeout=_STOP_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, choice.host, choice.port).start()
        except OSError as error:
            listen = f"{choice.host}:{choice.port}"
            raise InputError("serve_listen", listen=listen, reason=error.strerror or type(error).__name__) from error
        host, port = runner.addresses[0][:2]
        yield f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    finally:
        await runner.cleanup()


class _Bounded(web.Server):
    """Takes so many connections, and each for so long."""

    def __call__(self) -> Any:
        """Return what speaks on a new connection."""
        if len(self.connections) >= MOST_CONNECTIONS:
            return _Declined()
        connection = super().__call__()
        asyncio.get_running_loop().call_later(CONNECTION_SECONDS, connection.force_close)
        return connection


class _Declined(asyncio.Protocol):
    """Ends a connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take in nothing."""
        transport.close()
