"""A server with ``/v1/chat/completions`` in this process, so that its every reply can be chosen."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ChatServer:
    """Serves the model ``tiny``.

    Attributes:
        replies: what it answers to the next questions, one each; then ``usual``.
        asked: path, body and headers of every request, in order.
    """

    def __init__(self) -> None:
        self.models: Any = {"data": [{"id": "tiny", "root": "acme/tiny", "owned_by": "vllm"}]}
        self.usual: Reply = says(structured(("Die Frist der Kündigung beträgt drei Monate.", ["S1"])))
        self.replies: list[Reply] = []
        self.asked: list[tuple[str, Any, dict[str, str]]] = []

    @property
    def bodies(self) -> list[Any]:
        """What was asked of the model."""
        return [body for _, body, _ in self.asked if body]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        self.asked.append((request.path, body, dict(request.headers)))
        if request.path == "/v1/models":
            return web.json_response(self.models)
        return await (self.replies.pop(0) if self.replies else self.usual)(request)


@asynccontextmanager
async def chat_server() -> AsyncIterator[tuple[ChatServer, str]]:
    """Serve on loopback as long as the block runs; yields the server and its address."""
    here = ChatServer()
    app = web.Application(client_max_size=10_000_000)
    app.router.add_route("*", "/{path:.*}", here.answer)
    async with TestServer(app) as running:
        yield here, str(running.make_url(""))


def structured(*sentences: tuple[str, list[str]], nothing_found: bool = False) -> str:
    """Return a reply in the form that is asked for."""
    entries = [{"text": text, "labels": labels} for text, labels in sentences]
    return json.dumps({"sentences": entries, "nothing_found": nothing_found}, ensure_ascii=False)


def says(content: Any, finish: str = "stop", **message: Any) -> Reply:
    """Reply with what a model wrote."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return raw(json.dumps({"object": "chat.completion", "choices": [choice]}))


def raw(content: str, status: int = 200, **headers: str) -> Reply:
    """Reply with a text."""

    async def reply(_: web.Request) -> web.Response:
        return web.Response(text=content, status=status, headers=headers, content_type="application/json")

    return reply
