"""What an instance tells: health, readiness and numbers over HTTP, lines in the log, and never a word or a name."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import aiohttp
import pytest

from bot.serve_config import ServeChoice
from bot.serving import endpoints
from bot.serving.endpoints import told_at
from bot.serving.health import Health
from bot.serving.leased import Leased
from bot.serving.logs import JsonLines, Words, facts, short
from bot.serving.metrics import UNFORESEEN, Metrics
from domain.errors import AccessError, InputError, PartError
from tests.unit.serving.conftest import Lease


@pytest.fixture
def health() -> Health:
    async def database() -> bool:
        return True

    return Health(database, lambda: True)


async def _get(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.status, await response.text()


async def test_it_is_alive_before_it_is_ready(health: Health) -> None:
    """Ready is whoever has database, lease and a platform that has told something a moment ago, and is not ending."""
    async with told_at(ServeChoice(port=0), health, Metrics()) as url:
        assert (await _get(f"{url}/healthz"))[0] == 200
        status, text = await _get(f"{url}/readyz")
        assert (status, json.loads(text)) == (
            503,
            {"ready": False, "database": True, "platform": False, "lease": True, "running": True},
        )
        health.heard()
        assert (await _get(f"{url}/readyz"))[0] == 200
        health.is_stopping = True
        assert (await _get(f"{url}/readyz"))[0] == 503
        assert (await _get(f"{url}/other"))[0] == 404


async def test_nobody_keeps_others_from_asking(health: Health, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens connection after connection and says nothing gets no more than a few, and those for a while."""
    monkeypatch.setattr(endpoints, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(endpoints, "CONNECTION_SECONDS", 0.5)
    async with told_at(ServeChoice(port=0), health, Metrics()) as url:
        port = int(url.rpartition(":")[2])
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for _, writer in held:
            writer.write(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert await asyncio.wait_for(reader.read(), 60) == b""
        for one in held:
            assert await asyncio.wait_for(one[0].read(), 60) == b""
        assert (await _get(f"{url}/healthz"))[0] == 200
        for _, one_writer in [*held, (reader, writer)]:
            one_writer.close()


async def test_numbers_are_told_as_prometheus_reads_them(health: Health) -> None:
    """Outcomes, steps, errors, and what is read at the moment of asking."""
    metrics = Metrics()
    metrics.ended("answered", {"encode": 20.0, "search": 30.0})
    metrics.ended("refused", {})
    metrics.failed("encoder")
    metrics.failed(UNFORESEEN)
    metrics.gauge("lease", "Whether.", lambda: 1.0)
    async with told_at(ServeChoice(port=0), health, metrics) as url:
        _, text = await _get(f"{url}/metrics")
    lines = text.splitlines()
    assert 'fundstelle_questions_total{outcome="answered"} 1.0' in lines
    assert 'fundstelle_questions_total{outcome="refused"} 1.0' in lines
    assert 'fundstelle_step_seconds_bucket{le="0.025",step="encode"} 1.0' in lines
    assert 'fundstelle_step_seconds_sum{step="whole"} 0.05' in lines
    assert 'fundstelle_errors_total{part="encoder"} 1.0' in lines
    assert 'fundstelle_errors_total{part="unforeseen"} 1.0' in lines
    assert "fundstelle_lease 1.0" in lines


async def test_an_address_that_is_taken_is_named(health: Health) -> None:
    """It is an error of the configuration, told at the start."""
    async with told_at(ServeChoice(port=0), health, Metrics()) as url:
        port = int(url.rpartition(":")[2])
        with pytest.raises(InputError, match="serve_listen"):
            async with told_at(ServeChoice(port=port), health, Metrics()):
                pytest.fail("nobody else can listen there")


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    found = logging.getLogger("bot.serving.test")
    found.setLevel(logging.INFO)
    yield found
    found.handlers.clear()


def _told(logger: logging.Logger, formatter: logging.Formatter) -> io.StringIO:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    logger.addHandler(handler)
    return stream


def test_a_line_is_one_document(logger: logging.Logger) -> None:
    """With its facts; of an error kind and place, never its values."""
    stream = _told(logger, JsonLines())
    logger.info("a question has ended", extra=facts(run=short("0123456789abcdef"), seconds=1.5))
    try:
        int("Anna fragt nach Kündigung")
    except ValueError:
        logger.exception("unforeseen\nby anybody")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert {key: first[key] for key in ("level", "part", "what", "run", "seconds")} == {
        "level": "info",
        "part": "bot.serving.test",
        "what": "a question has ended",
        "run": "012345678",
        "seconds": 1.5,
    }
    assert second["error"].startswith("ValueError at ")
    assert "Anna" not in stream.getvalue()


def test_a_person_reads_words(logger: logging.Logger) -> None:
    """The same facts behind the words."""
    stream = _told(logger, Words())
    logger.info("stopped", extra=facts(left=2))
    logger.info("begun")
    assert [line.partition(" ")[2] for line in stream.getvalue().splitlines()] == ["stopped (left 2)", "begun"]


async def test_nothing_is_said_without_the_lease() -> None:
    """Sending, editing, taking back, opening, joining and leaving ask first; looking does not."""

    class Mute:
        account = "@bot:example.org"

        def __init__(self) -> None:
            self.done: list[str] = []

        def __getattr__(self, name: str):
            async def do(*_: object, **__: object) -> None:
                self.done.append(name)

            return do

    lease, mute, failed = Lease(), Mute(), list[str]()
    platform = Leased(mute, lease, failed.append)
    said = (
        lambda: platform.send("!r", None, transaction="t"),
        lambda: platform.edit("!r", "$e", None, transaction="t"),
        lambda: platform.redact("!r", "$e", transaction="t"),
        lambda: platform.direct_room("@anna:example.org"),
        lambda: platform.join("!r"),
        lambda: platform.leave("!r"),
    )
    for say in said:
        with pytest.raises(PartError, match="lease_lost"):
            await say()
    assert mute.done == []
    await asyncio.gather(platform.room("!r"), platform.message("!r", "$e"), platform.typing("!r", is_typing=True))
    await asyncio.gather(platform.sent("!r", "$t", None), platform.shown("!r", "$t"))
    lease.is_held = True
    for say in said:
        await say()
    looked, done = mute.done[:5], mute.done[5:]
    assert looked == ["room", "message", "typing", "sent", "shown"]
    assert done == ["send", "edit", "redact", "direct_room", "join", "leave"]
    assert platform.account == "@bot:example.org"
    assert failed == []


async def test_errors_of_the_platform_are_counted() -> None:
    """Whoever bears them; that something is not open to us is none."""

    class Down:
        account = "@bot:example.org"

        async def room(self, room: str) -> None:
            raise PartError("matrix_unreachable") if room == "!r" else AccessError

    failed: list[str] = []
    platform = Leased(Down(), Lease(), failed.append)
    with pytest.raises(PartError):
        await platform.room("!r")
    with pytest.raises(AccessError):
        await platform.room("!other")
    assert failed == ["matrix_unreachable"]
