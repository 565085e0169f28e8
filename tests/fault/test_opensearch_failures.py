"""What a search says when a cluster refuses, lies, dawdles, or cannot be trusted."""

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from domain.errors import InputError, PartError
from tests.fault.test_opensearch import WORLD, A, named, put, search
from tests.opensearch.pretender import certificate, pretender

if TYPE_CHECKING:
    from adapters.search.opensearch_server import Server

pytestmark = pytest.mark.opensearch

SECRET = "hinter-dem-vorhang"


async def test_nobody_answers() -> None:
    """An address without a server is named."""
    assert (await named(_at("http://127.0.0.1:9"))).key == "search_engine"


def _at(url: str, **more: object) -> "Server":
    from adapters.search.opensearch_server import Server  # noqa: PLC0415 - the library may be missing

    return Server([url], "fundstelle", **more)  # type: ignore[arg-type]


def _error(kind: str) -> dict[str, object]:
    return {"error": {"type": kind, "reason": f"Frist {SECRET}"}, "status": 0}


def _inside(status: int, kind: str) -> dict[str, object]:
    """A request that was understood, and a search in it that failed."""
    return {"responses": [{**_error(kind), "status": status}]}


@pytest.mark.parametrize(
    ("status", "reply", "key"),
    [
        (401, "Unauthorized", "search_engine_password"),
        (403, _error("security_exception"), "search_engine_rights"),
        (403, _error("cluster_block_exception"), "search_engine_full"),
        (429, _error("cluster_block_exception"), "search_engine_full"),
        (429, _error("circuit_breaking_exception"), "search_engine_busy"),
        (503, _error("search_phase_execution_exception"), "search_engine_red"),
        (500, _error("something_else"), "search_engine_answer"),
        (404, _error("index_not_found_exception"), "lexical"),
        (200, _inside(404, "index_not_found_exception"), "lexical"),
        (200, _inside(429, "circuit_breaking_exception"), "search_engine_busy"),
        (200, _inside(503, "search_phase_execution_exception"), "search_engine_red"),
        (200, _inside(400, "illegal_argument_exception"), "search_engine_answer"),
        (200, {"responses": []}, "search_engine_answer"),
        (200, {"responses": [{"error": "?"}]}, "search_engine_answer"),
        (200, "<html>Willkommen</html>", "search_engine_answer"),
        (200, {"hits": []}, "search_engine_answer"),
        (200, [], "search_engine_answer"),
    ],
)
async def test_what_a_cluster_says_becomes_an_error_to_act_on(
    status: int, reply: object, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Each failure has a name of its own; neither secret nor text gets into errors or logs."""
    caplog.set_level(logging.WARNING)
    with pretender(status, reply) as url:
        server = _at(url, user="u", password=SECRET)
        error = await named(server)
        with pytest.raises(PartError) as caught:
            await asyncio.to_thread(put, server, *WORLD)

    assert error.key == key
    assert caught.value.key.startswith(("search_engine", "lexical"))
    assert SECRET not in f"{error} {server} {caplog.text}"
    assert "Frist" not in f"{error} {caught.value} {caplog.text}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_nobody_is_sent_somewhere_else(status: int) -> None:
    """A cluster that redirects gets an error; neither question nor texts reach the address that it names."""
    asked: list[str] = []
    with (
        pretender(200, {"responses": []}, asked=asked) as elsewhere,
        pretender(status, {}, location=f"{elsewhere}/") as url,
    ):
        assert (await named(_at(url))).values == {"url": url, "status": str(status)}
        with pytest.raises(PartError):
            await asyncio.to_thread(put, _at(url), *WORLD)
    assert asked == []


async def test_a_pipe_is_no_certificate(tmp_path: Path) -> None:
    """Nobody waits for what may never be written into it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as refused:
        await search(_at("https://127.0.0.1:9", ca_file=tmp_path / "pipe"), *WORLD)
    assert refused.value.key == "ca_file"


async def test_only_a_trusted_certificate_gets_the_password(tmp_path: Path) -> None:
    """The authority of the configuration is trusted, and no other."""
    trust = certificate(tmp_path, "127.0.0.1")
    with pretender(401, "Unauthorized", trust) as url:
        assert (await named(_at(url, user="u", password=SECRET))).key == "search_engine_certificate"
        trusting = _at(url, user="u", password=SECRET, ca_file=tmp_path / "certificate.pem")
        assert (await named(trusting)).key == "search_engine_password"
        with pytest.raises(PartError) as caught:
            await asyncio.to_thread(put, _at(url, user="u", password=SECRET), *WORLD)
        assert caught.value.key == "search_engine_certificate"
    for content in (None, "kein Zertifikat"):
        broken = tmp_path / "broken.pem"
        if content:
            broken.write_text(content)
        with pytest.raises(InputError) as refused:
            await search(_at("https://127.0.0.1:9", ca_file=broken), *WORLD)
        assert refused.value.key == "ca_file"


WRITTEN = {"docs": [{}], "errors": False, "_shards": {"failed": 0}}


async def test_a_cluster_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search waits for a node as long as it should, a writer as long as writing may take."""
    monkeypatch.setattr("adapters.search.opensearch_server._SECONDS", 0.5)
    with pretender(200, {}, silent="_msearch") as url:
        assert (await named(_at(url))).key == "search_engine"
    monkeypatch.setattr("adapters.search.opensearch_server._SECONDS", 60)
    monkeypatch.setattr("adapters.search.opensearch_feed._SECONDS", 0.5)
    for silent in ("_bulk", "_refresh"):
        with pretender(200, WRITTEN, silent=silent) as url, pytest.raises(PartError) as caught:
            await asyncio.to_thread(put, _at(url), WORLD[0])
        assert caught.value.key == "search_engine"


async def test_writing_may_take_longer_than_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said to the library reaches the connection, and nothing of it the engine."""
    from urllib3.connectionpool import HTTPConnectionPool  # noqa: PLC0415 - comes with the client of the cluster

    waits: dict[str, float] = {}
    real = HTTPConnectionPool.urlopen

    def watched(self: HTTPConnectionPool, method: str, url: str, *args: Any, **more: Any) -> Any:
        waits[f"{method} {url.rpartition('/')[2]}"] = more.get("timeout") or self.timeout.read_timeout
        return real(self, method, url, *args, **more)

    monkeypatch.setattr(HTTPConnectionPool, "urlopen", watched)
    with pretender(200, WRITTEN) as url:
        server = _at(url)
        await asyncio.to_thread(put, server, WORLD[0])

    assert waits == {f"HEAD {server.index(A)}": 10, "POST _mget?stored_fields=passages": 10} | dict.fromkeys(
        ["POST _bulk", "POST _refresh"], 120
    )
