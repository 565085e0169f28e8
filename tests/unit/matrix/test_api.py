"""Requests to a homeserver that misbehaves in every way a homeserver does."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.matrix.api import Api, RefusedError, path
from domain.errors import AccessError, InputError, PartError

Reply = tuple[int, Any]


class Server:
    """Gives the replies that it was told, one after another; the last one for ever."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.seen: list[web.Request] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.seen.append(request)
        status, body = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if status == 0:
            assert request.transport is not None
            request.transport.close()
        if isinstance(body, str):
            return web.Response(status=status or 200, text=body, headers={"Location": "/elsewhere"})
        return web.json_response(body, status=status or 200)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
async def api(server: Server) -> AsyncIterator[Api]:
    app = web.Application()
    app.router.add_route("*", "/{any:.*}", server.handle)
    async with TestServer(app) as running, aiohttp.ClientSession() as session:
        found = Api(f"http://127.0.0.1:{running.port}/", session)
        found.token = "token-1"
        yield found


def _error(status: int, code: str, **more: Any) -> Reply:
    return status, {"errcode": code, "error": "kein Wort davon in ein Protokoll", **more}


async def test_an_answer_is_returned_and_the_token_goes_with_the_question(server: Server, api: Api) -> None:
    """In a header, never in the address; each part of a path stays one part."""
    server.replies = [(200, {"ok": 1})]
    assert await api.call("GET", path("rooms", "!a/b?c:x", "state")) == {"ok": 1}
    (request,) = server.seen
    assert request.headers["Authorization"] == "Bearer token-1"
    assert request.raw_path == "/_matrix/client/v3/rooms/%21a%2Fb%3Fc%3Ax/state"


async def test_an_open_endpoint_gets_no_token(server: Server, api: Api) -> None:
    """It has no need of it."""
    server.replies = [(200, {})]
    await api.call("POST", path("login"), {}, is_open=True)
    assert "Authorization" not in server.seen[0].headers


@pytest.mark.parametrize("reply", [(502, "<html>"), (0, ""), (200, "not json"), (302, ""), (503, {}), (404, "<html>")])
async def test_what_may_pass_is_tried_again(server: Server, api: Api, reply: Reply) -> None:
    """A proxy in between, a broken connection, a restart; a redirect is not followed, since it would get the token."""
    server.replies = [reply, (200, {"ok": 1})]
    assert await api.call("GET", path("sync")) == {"ok": 1}
    assert [request.path for request in server.seen] == ["/_matrix/client/v3/sync"] * 2


@pytest.mark.parametrize(
    "reply", [(404, {"message": "no route matched"}), (400, []), (401, {"error": "no"}), (403, {})]
)
async def test_what_stands_before_the_server_does_not_speak_for_it(server: Server, api: Api, reply: Reply) -> None:
    """A proxy may find nothing while the server starts: what is declined without a code of Matrix may pass."""
    server.replies = [reply, (200, {"ok": 1})]
    assert await api.call("GET", path("sync")) == {"ok": 1}


async def test_what_may_have_happened_is_not_tried_again(server: Server, api: Api) -> None:
    """Else there would be two rooms."""
    server.replies = [(502, "")]
    with pytest.raises(PartError, match="matrix_unreachable"):
        await api.call("POST", path("createRoom"), {}, is_repeatable=False)
    assert len(server.seen) == 1


async def test_a_busy_server_is_left_alone_as_long_as_it_says(server: Server, api: Api) -> None:
    """And asked again, since it has done nothing yet."""
    server.replies = [_error(429, "M_LIMIT_EXCEEDED", retry_after_ms=20), (200, {"ok": 1})]
    assert await api.call("POST", path("createRoom"), {}, is_repeatable=False) == {"ok": 1}


async def test_a_server_that_is_busy_for_too_long_is_given_up_at_once(server: Server, api: Api) -> None:
    """Nobody waits for an hour to hear that it was in vain."""
    server.replies = [_error(429, "M_LIMIT_EXCEEDED", retry_after_ms=3_600_000)]
    with pytest.raises(PartError, match="matrix_busy"):
        await api.call("GET", path("sync"))
    assert len(server.seen) == 1


@pytest.mark.parametrize("asked", [None, True, "bald", -5, {}])
async def test_a_busy_server_may_say_nonsense(server: Server, api: Api, asked: object) -> None:
    """Then our own patience counts."""
    server.replies = [_error(429, "M_LIMIT_EXCEEDED", retry_after_ms=asked), (200, {"ok": 1})]
    assert await api.call("GET", path("sync")) == {"ok": 1}


@pytest.mark.parametrize("asked", [0, -5, 0.001])
async def test_a_busy_server_that_wants_no_pause_gets_one(server: Server, api: Api, asked: object) -> None:
    """Else it would be asked thousands of times until our patience ends."""
    server.replies = [_error(429, "M_LIMIT_EXCEEDED", retry_after_ms=asked)]
    with pytest.raises(PartError, match="matrix_busy"):
        await api.call("GET", path("sync"), patience=0.6)
    assert len(server.seen) <= 3


async def test_patience_has_a_bound(server: Server, api: Api) -> None:
    """A server that is away for longer is told of."""
    server.replies = [(502, "")]
    with pytest.raises(PartError, match="matrix_unreachable"):
        await api.call("GET", path("sync"), patience=0.6)
    assert 2 <= len(server.seen) <= 3


@pytest.mark.parametrize(
    ("reply", "kind", "key"),
    [
        (_error(403, "M_FORBIDDEN"), AccessError, "access"),
        (_error(413, "M_TOO_LARGE"), InputError, "matrix_too_large"),
        (_error(404, "M_NOT_FOUND"), RefusedError, "matrix_refused"),
        (_error(401, "M_UNKNOWN_TOKEN"), PartError, "matrix_login"),
        ((413, "<html>"), InputError, "matrix_too_large"),
    ],
)
async def test_a_refusal_has_a_meaning(
    server: Server, api: Api, reply: Reply, kind: type[InputError], key: str
) -> None:
    """And no word of the server's text, which may hold anything."""
    server.replies = [reply]
    with pytest.raises(kind) as caught:
        await api.call("GET", path("sync"))
    assert caught.value.key == key
    assert "Wort" not in str(caught.value)


async def test_a_session_that_has_ended_is_renewed_once_for_all(server: Server, api: Api) -> None:
    """Then the question is asked again."""
    server.replies = [_error(401, "M_UNKNOWN_TOKEN"), (200, {"ok": 1})]
    api.renew = _renewing(api)
    assert await api.call("GET", path("sync")) == {"ok": 1}
    assert [request.headers["Authorization"] for request in server.seen] == ["Bearer token-1", "Bearer token-2"]


async def test_a_server_that_never_knows_us_again_is_not_asked_for_ever(server: Server, api: Api) -> None:
    """It is told of clearly."""
    server.replies = [_error(401, "M_UNKNOWN_TOKEN")]
    api.renew = _renewing(api)
    with pytest.raises(PartError, match="matrix_login"):
        await api.call("GET", path("sync"))
    assert len(server.seen) == 2


def _renewing(api: Api) -> Callable[[], Any]:
    async def renew() -> None:
        api.token = "token-2"

    return renew


@pytest.mark.parametrize("opening", ["[", '{"a":'])
async def test_what_lies_too_deep_is_left_out(server: Server, api: Api, opening: str) -> None:
    """An event of a stranger must not make the whole answer unreadable, which would come again and again."""
    closing = {"[": "]"}.get(opening, "}")
    deep = opening * 30_000 + '"]"' + closing * 30_000
    server.replies = [(200, f'{{"x": "[{{", "deep": {deep}, "next_batch": "s2"}}')]
    found = await api.call("GET", path("sync"))
    assert (found["x"], found["next_batch"]) == ("[{", "s2")


async def test_a_number_of_any_length_is_read(server: Server, api: Api) -> None:
    """Likewise; what counts is the rest."""
    server.replies = [(200, f'{{"ts": {"9" * 20_000}, "next_batch": "s2"}}')]
    assert (await api.call("GET", path("sync")))["next_batch"] == "s2"


async def test_an_answer_without_end_is_given_up(server: Server, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not kept in memory, and counts as a server that does not answer."""
    monkeypatch.setattr("bot.matrix.api.LARGEST", 100_000)
    server.replies = [(200, {"a": "x" * 200_000}), (200, {"a": 1})]
    assert await api.call("GET", path("sync")) == {"a": 1}


@pytest.mark.parametrize("code", ['M_ODD\n{"level": "error"}', "\u001b[2J", "Anna hat gefragt", {"a": "b"}, "X" * 99])
async def test_a_code_that_is_no_word_is_not_repeated(server: Server, api: Api, code: Any) -> None:
    """It would stand in logs and before people, and a server can write anything there."""
    server.replies = [_error(400, code)]
    with pytest.raises(RefusedError) as told:
        await api.call("GET", path("sync"))
    assert told.value.code == "HTTP_400"


@pytest.mark.parametrize(("status", "is_final"), [(400, True), (404, True), (401, False), (403, False), (408, False)])
async def test_a_refusal_says_whether_it_will_hardly_change(
    server: Server, api: Api, status: int, *, is_final: bool
) -> None:
    """What another login, an administrator or more haste may change is not final."""
    server.replies = [_error(status, "M_SOMETHING")]
    with pytest.raises(RefusedError) as refused:
        await api.call("GET", "/x")
    assert refused.value.is_final is is_final
