"""A model server that misbehaves: a real one in this process, so that its every reply can be chosen."""

import asyncio
import json
import math
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.encoders.openai import SHARE, OpenAIEncoder
from adapters.models import server
from adapters.models.server import LONGEST_PAUSE, TRIES, ModelServer, ServedModel
from adapters.rerank.vllm import VllmReranker
from bot.models import SAMPLE
from domain.errors import PartError
from tests.opensearch.pretender import certificate

PRIVATE = "Wem gehört das geheime Grundstück?"
Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Serves the model ``tiny``; what it answers to a body can be set, and what it was asked is kept."""

    def __init__(self) -> None:
        self.models: Any = {"data": [{"id": "tiny", "root": "acme/tiny", "owned_by": "vllm"}]}
        self.replies: list[Reply] = []
        self.asked: list[tuple[str, Any, dict[str, str]]] = []

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        self.asked.append((request.path, body, dict(request.headers)))
        if request.path == "/v1/models":
            return web.json_response(self.models)
        if self.replies:
            return await self.replies.pop(0)(request)
        if request.path == "/rerank":
            return rerank([0.5] * len(body["documents"]))
        return vectors([[float(len(text)), 1.0] for text in body["input"]])


def vectors(rows: list[Any]) -> web.Response:
    return web.json_response({"data": [{"index": at, "embedding": row} for at, row in enumerate(rows)]})


def rerank(scores: list[Any]) -> web.Response:
    return web.json_response({"results": [{"index": at, "relevance_score": one} for at, one in enumerate(scores)]})


def text(content: str, status: int = 200, **headers: str) -> Reply:
    async def reply(_: web.Request) -> web.Response:
        return web.Response(text=content, status=status, headers=headers, content_type="application/json")

    return reply


def data(*entries: Any) -> Reply:
    return text(json.dumps({"data": list(entries)}))


@pytest.fixture
async def server_here() -> AsyncIterator[tuple[Server, str]]:
    here = Server()
    app = web.Application(client_max_size=10_000_000)
    app.router.add_route("*", "/{path:.*}", here.answer)
    async with TestServer(app) as running:
        yield here, str(running.make_url(""))


def served(url: str, **more: Any) -> ServedModel:
    return ServedModel(url, "tiny", "7", **{"base": "acme/tiny", "timeout": 5, **more})


async def failure(work: Awaitable[object]) -> PartError:
    with pytest.raises(PartError) as caught:
        await work
    assert PRIVATE not in f"{caught.value!r} {caught.value}"
    return caught.value


async def test_only_a_trusted_certificate_gets_the_question(tmp_path: Path) -> None:
    """The authority of the configuration is trusted, and no other; a file that is no certificate is named."""
    here, app = Server(), web.Application()
    app.router.add_route("*", "/{path:.*}", here.answer)
    running = TestServer(app, scheme="https")
    await running.start_server(ssl=certificate(tmp_path, "127.0.0.1"))
    async with running:
        url = str(running.make_url(""))
        trusted = tmp_path / "certificate.pem"
        unknown = await failure(OpenAIEncoder(served(url)).question(PRIVATE))
        broken = await failure(OpenAIEncoder(served(url, ca_file=tmp_path / "none.pem")).question(PRIVATE))

        assert here.asked == []
        assert unknown.values["kind"] == "ClientConnectorCertificateError"
        assert broken.values["kind"] == "ca_file"
        assert await OpenAIEncoder(served(url, ca_file=trusted)).encode(["a"])


async def test_vectors_come_in_the_order_of_the_texts(server_here: tuple[Server, str]) -> None:
    """Also when the server answers in another order, and they are brought to length 1."""
    here, url = server_here
    here.replies = [data({"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3, 4]})]

    assert await OpenAIEncoder(served(url)).encode(["a", "b"]) == [(0.6, 0.8), (0.0, 1.0)]


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
async def test_the_address_may_end_in_v1(server_here: tuple[Server, str], suffix: str) -> None:
    """Some servers print it with, some without."""
    here, url = server_here
    await OpenAIEncoder(served(url + suffix)).encode(["a"])

    assert [path for path, _, _ in here.asked] == ["/v1/models", "/v1/embeddings"]


async def test_many_texts_are_asked_in_shares(server_here: tuple[Server, str]) -> None:
    """So that no request grows without bound; the vectors come back as one list."""
    here, url = server_here
    found = await OpenAIEncoder(served(url)).encode(["x" * number for number in range(2 * SHARE + 1)])

    assert [len(body["input"]) for path, body, _ in here.asked if path != "/v1/models"] == [SHARE, SHARE, 1]
    assert found == [(number / math.hypot(number, 1), 1 / math.hypot(number, 1)) for number in range(2 * SHARE + 1)]


async def test_question_and_passage_have_their_prefixes(server_here: tuple[Server, str]) -> None:
    """Models that read them otherwise are told which is which."""
    here, url = server_here
    encoder = OpenAIEncoder(served(url), "query: ", "passage: ")
    await encoder.question("a")
    await encoder.encode(["b"])

    assert [body["input"] for _, body, _ in here.asked if body] == [["query: a"], ["passage: b"]]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (data({"index": 0, "embedding": [1]}), "count"),
        (data({"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}), "order"),
        (data({"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}), "order"),
        (data({"index": 0, "embedding": [1]}, {"index": True, "embedding": [1]}), "order"),
        (data({"index": 0, "embedding": [1]}, "x"), "order"),
        (data({"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1]}), "dimension"),
        (data({"index": 0, "embedding": [1]}, {"index": 1, "embedding": [0]}), "vector"),
        (data({"index": 0, "embedding": [1]}, {"index": 1, "embedding": []}), "vector"),
        (data({"index": 0, "embedding": [1]}, {"index": 1, "embedding": ["1"]}), "vector"),
        (data({"index": 0, "embedding": [1]}, {"index": 1, "embedding": "AACAPw=="}), "vector"),
        (data({"index": 0, "embedding": [1]}, {"index": 1}), "vector"),
        (text('{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}'), "vector"),
        (text('{"data": [{"index": 0, "embedding": [1e999]}, {"index": 1, "embedding": [1]}]}'), "vector"),
        (text("[]"), "count"),
        (text("<html>"), "JSONDecodeError"),
        (text(PRIVATE, 400), "HTTP 400"),
        (text("", 401), "HTTP 401"),
        (text("", 307, Location="http://192.0.2.1/v1/embeddings"), "HTTP 307"),
    ],
)
async def test_a_reply_that_cannot_be_used_is_refused(server_here: tuple[Server, str], reply: Reply, kind: str) -> None:
    """No vector is better than a wrong one; the error says what was wrong, and nothing of the text."""
    here, url = server_here
    here.replies = [reply]

    error = await failure(OpenAIEncoder(served(url)).encode([PRIVATE, PRIVATE]))

    assert (error.key, error.values["kind"]) == ("encoder_server", kind)
    assert len(here.asked) == 2


async def test_another_dimension_than_before_is_refused(server_here: tuple[Server, str]) -> None:
    """Then another model answers under the same name."""
    here, url = server_here
    encoder = OpenAIEncoder(served(url))
    await encoder.encode(["a"])
    here.replies = [data({"index": 0, "embedding": [1, 0, 0]})]

    assert (await failure(encoder.question("a"))).values["kind"] == "dimension"


@pytest.mark.parametrize(
    ("models", "kind"),
    [
        ({"data": [{"id": "other", "root": "acme/tiny"}]}, "model"),
        ({"data": [{"id": "tiny", "root": "acme/other"}]}, "base"),
        ({"data": []}, "model"),
        ({"data": "tiny"}, "model"),
        ([], "model"),
    ],
)
async def test_a_server_with_another_model_is_not_asked(
    server_here: tuple[Server, str], models: Any, kind: str
) -> None:
    """Vectors of two models never meet, also when a server was restarted with another one meanwhile."""
    here, url = server_here
    encoder = OpenAIEncoder(served(url))
    await encoder.encode(["a"])
    here.asked.clear()
    here.models = models

    assert (await failure(encoder.encode([PRIVATE]))).values["kind"] == kind
    assert [path for path, _, _ in here.asked] == ["/v1/models"]


@pytest.mark.parametrize("status", [429, 502, 503])
async def test_a_busy_server_is_asked_again(server_here: tuple[Server, str], status: int) -> None:
    """A bounded number of times, with the pauses that it wishes for, up to a bound."""
    here, url = server_here
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    wishes = [{"Retry-After": "2"}, {"Retry-After": "86400"}, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}]
    here.replies = [text("", status, **wish) for wish in wishes]
    (reply,) = await ModelServer(served(url), "encoder_server", pause).ask("/v1/embeddings", [{"input": ["a"]}], kept)
    assert reply["data"][0]["embedding"] == [1.0, 1.0]
    assert pauses == [2, LONGEST_PAUSE, 2]

    here.replies = [text("", status) for _ in range(TRIES)]
    asking = ModelServer(served(url), "encoder_server", pause).ask("/v1/embeddings", [{"input": ["a"]}], kept)
    assert (await failure(asking)).values["kind"] == f"HTTP {status}"
    assert not here.replies


def kept(reply: Any, _: int) -> Any:
    return reply


async def test_a_server_that_is_silent_or_not_there_is_said_so(server_here: tuple[Server, str]) -> None:
    """Nobody waits for ever."""
    here, url = server_here

    async def silent(_: web.Request) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    here.replies = [silent]
    assert (await failure(OpenAIEncoder(served(url, timeout=0.2)).encode([PRIVATE]))).values["kind"] == "TimeoutError"
    gone = await failure(OpenAIEncoder(served("http://127.0.0.1:1")).encode([PRIVATE]))
    assert gone.values["kind"] == "ClientConnectorError"


async def test_a_reply_without_end_is_cut_off(server_here: tuple[Server, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot take all memory."""
    here, url = server_here
    monkeypatch.setattr(server, "LARGEST_REPLY", 1_000)
    here.replies = [text(" " * 2_000)]

    assert (await failure(OpenAIEncoder(served(url)).encode(["a"]))).values["kind"] == "size"


async def test_no_other_host_is_called(server_here: tuple[Server, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a proxy of the environment, nor where a reply points to, nor anything that its cookies ask for."""
    here, url = server_here
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    called: list[tuple[str, int]] = []
    connect = asyncio.get_running_loop().sock_connect

    async def recorded(sock: Any, address: Any) -> None:
        called.append(address[:2])
        await connect(sock, address)

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", recorded)
    here.replies = [text("", 302, Location="http://127.0.0.2:9/", **{"Set-Cookie": "a=b"})]
    await failure(OpenAIEncoder(served(url)).encode(["a"]))
    await OpenAIEncoder(served(url)).encode(["a"])

    assert {f"http://{host}:{port}" for host, port in called} == {url}
    assert not any("Cookie" in headers for _, _, headers in here.asked)


async def test_the_key_comes_from_its_file(server_here: tuple[Server, str], tmp_path: Path) -> None:
    """It is read anew for each request; without a usable key nothing is sent."""
    here, url = server_here
    file = tmp_path / "key"
    encoder = OpenAIEncoder(served(url, key_file=file))
    assert (await failure(encoder.encode(["a"]))).values["kind"] == "key_file"
    file.write_text("ä\nb")
    assert (await failure(encoder.encode(["a"]))).values["kind"] == "key_file"
    file.write_text("  \n")
    assert (await failure(encoder.encode(["a"]))).values["kind"] == "key_file"
    assert here.asked == []

    file.write_text("schlüssel"[:3] + "\n")
    await encoder.encode(["a"])
    assert {headers["Authorization"] for _, _, headers in here.asked} == {"Bearer sch"}


@pytest.mark.parametrize("entry", ["key_file", "ca_file"])
async def test_a_pipe_is_no_file(server_here: tuple[Server, str], tmp_path: Path, entry: str) -> None:
    """Nobody waits for a key or a certificate that may never be written into it."""
    here, url = server_here
    os.mkfifo(tmp_path / "pipe")
    encoder = OpenAIEncoder(served(url, **{entry: tmp_path / "pipe"}))
    assert (await failure(encoder.encode(["a"]))).values["kind"] == entry
    assert here.asked == []


async def test_texts_are_cut_by_the_server_only_where_it_is_vllm(server_here: tuple[Server, str]) -> None:
    """It refuses long texts unless it is told to cut them; other servers refuse to be told."""
    here, url = server_here
    await OpenAIEncoder(served(url)).encode(["a"])
    here.models["data"][0] = {"id": "tiny", "owned_by": "acme"}
    await OpenAIEncoder(served(url)).encode(["a"])

    assert [body.get("truncate_prompt_tokens") for _, body, _ in here.asked if body] == [-1, None]


@pytest.mark.parametrize(
    ("scores", "kind"),
    [([1.5], "score"), ([-0.1], "score"), ([None], "score"), ([True], "score"), (["0.5"], "score"), ([], "count")],
)
async def test_a_score_outside_of_zero_to_one_is_refused(
    server_here: tuple[Server, str], scores: list[Any], kind: str
) -> None:
    """A threshold means nothing to it."""
    here, url = server_here

    async def reply(_: web.Request) -> web.Response:
        return rerank(scores)

    here.replies = [reply]
    error = await failure(VllmReranker(served(url)).scores(PRIVATE, [SAMPLE]))

    assert (error.key, error.values["kind"]) == ("reranker_server", kind)


async def test_the_reranker_reads_the_search_text(server_here: tuple[Server, str]) -> None:
    """Question first, and of each passage what the searches see."""
    here, url = server_here
    assert await VllmReranker(served(url)).scores("Wo?", [SAMPLE, SAMPLE]) == [0.5, 0.5]

    (_, body, _) = here.asked[-1]
    assert (body["query"], body["documents"]) == ("Wo?", [SAMPLE.search_text] * 2)


def test_a_served_model_is_told_apart_by_what_is_configured() -> None:
    """The fingerprint changes with model, revision and prefixes, not with address, key and the server's name for it."""
    one = OpenAIEncoder(served("http://a"))
    assert one.fingerprint.startswith("acme/tiny/7/")
    assert one.fingerprint == OpenAIEncoder(ServedModel("http://b", "alias", "7", base="acme/tiny")).fingerprint
    others = [
        OpenAIEncoder(ServedModel("http://a", "tiny", "8", base="acme/tiny")),
        OpenAIEncoder(ServedModel("http://a", "tiny", "7", base="acme/small")),
        OpenAIEncoder(served("http://a"), "query: "),
        OpenAIEncoder(served("http://a"), "", "query: "),
    ]
    assert len({encoder.fingerprint for encoder in [one, *others]}) == 5


def test_only_the_documented_reranker_has_a_threshold() -> None:
    """0.35 belongs to bge-reranker-v2-m3 and to nothing else."""
    known = ServedModel("http://a", "rerank", "7", base="BAAI/bge-reranker-v2-m3")

    assert VllmReranker(known).threshold == 0.35
    assert VllmReranker(served("http://a")).threshold is None
    assert VllmReranker(ServedModel("http://a", "m", "7", base="acme/bge-reranker-v2-m3-tuned")).threshold is None
