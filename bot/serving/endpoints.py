"""Where an instance tells how it is: ``/healthz``, ``/readyz`` and ``/metrics``, by default to this machine alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from bot.serve_config import ServeChoice
from bot.serving.health import Health
from bot.serving.metrics import Metrics
from domain.errors import InputError

_METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_STOP_SECONDS: Final = 1.0


@asynccontextmanager
async def told_at(choice: ServeChoice, health: Health, metrics: Metrics) -> AsyncIterator[str]:
    """Answer requests as long as the block runs; the value is the address.

    Raises:
        InputError: ``serve_listen`` when nobody can listen there.
    """

    async def alive(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def ready(_request: web.Request) -> web.Response:
        found = await health.look()
        is_ready = all(found.values())
        return web.json_response({"ready": is_ready, **found}, status=200 if is_ready else 503)

    async def numbers(_request: web.Request) -> web.Response:
        return web.Response(body=metrics.text(), headers={"Content-Type": _METRICS_TYPE})

    app = web.Application()
    app.add_routes([web.get("/healthz", alive), web.get("/readyz", ready), web.get("/metrics", numbers)])
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_STOP_SECONDS)
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
