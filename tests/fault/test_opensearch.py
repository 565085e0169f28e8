"""OpenSearch clusters that lose nodes, lack rights, or are something else altogether."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from domain.asking.ports import Hit
from domain.errors import PartError
from tests.opensearch.nodes import Node, fresh, two_nodes
from tests.servers import REPOSITORY, until
from tests.twins import Entry, InMemoryLexicalIndex, horizon, visible

if TYPE_CHECKING:
    from adapters.search.opensearch_server import Server

pytestmark = pytest.mark.opensearch

A = UUID(int=1)
WORLD = [Entry(n, A, (f"Frist nummer{n} und Vertrag", "Kündigung der Frist")) for n in range(1, 41)]
QUESTION = "Frist Vertrag nummer7 nummer39"
SECRET = "hinter-dem-vorhang"


def put(server: "Server", *entries: Entry) -> None:
    from adapters.search.opensearch_feed import OpenSearchFeed  # noqa: PLC0415 - the library may be missing
    from tests.twins import ANALYZER  # noqa: PLC0415

    OpenSearchFeed(server, ANALYZER).put([entry.words() for entry in entries])


async def search(server: "Server", *entries: Entry, question: str = QUESTION) -> tuple[Hit, ...]:
    from tests.opensearch.reading import Engine  # noqa: PLC0415 - the library may be missing

    async with Engine(server) as engine:
        return await engine.search(question, visible(entries, horizon([A])), 100)


async def expected(*entries: Entry) -> tuple[Hit, ...]:
    twin = InMemoryLexicalIndex()
    twin.put([entry.words() for entry in entries])
    return await twin.search(QUESTION, visible(entries, horizon([A])), 100)


async def named(server: "Server") -> PartError:
    """The error of a search."""
    with pytest.raises(PartError) as caught:
        await search(server, *WORLD)
    return caught.value


@pytest.mark.parametrize("dies", ["second", "first"])
async def test_a_killed_node_costs_nothing(dies: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches go on through the other node, also where the managing one has died; what was written is there.

    Without the node that manages the cluster nothing can be written, and that is said.
    """
    with two_nodes() as nodes:
        first, second = nodes
        dying, staying = (first, second) if dies == "first" else (second, first)
        server = fresh(dying, staying)
        put(server, *WORLD)
        health = server.synchronous().cluster.health(params={"wait_for_status": "green"})
        assert (health["status"], health["number_of_nodes"]) == ("green", 2)
        right = await expected(*WORLD)
        assert await search(server, *WORLD) == right
        dying.kill()
        assert await search(server, *WORLD) == right
        more = [Entry(50, A, ("Frist danach",)), *WORLD]
        if dies == "second":
            put(server, more[0])
            assert await search(server, *more) == await expected(*more)
        else:
            monkeypatch.setattr("adapters.search.opensearch_server._SECONDS", 2)
            with pytest.raises(PartError) as caught:
                put(server, Entry(51, UUID(int=2), ("Frist woanders",)))
            assert caught.value.key.startswith("search_engine")


async def test_a_version_put_again_replaces_itself(opensearch: "Server") -> None:
    """Of a version that has become shorter nothing is left over."""
    put(opensearch, Entry(1, A, ("Frist eins", "Frist zwei", "Frist drei")))
    shorter = Entry(1, A, ("Frist eins",))
    put(opensearch, shorter)

    assert await search(opensearch, shorter) == await expected(shorter)


WRITER = """
import sys
from adapters.search.opensearch_server import Server
from tests.fault.test_opensearch import WORLD, put

server = Server([sys.argv[1]], sys.argv[2])
print("ready", flush=True)
for entry in WORLD:
    put(server, entry)
    print(entry.ordinal, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 4, 9])
def test_a_killed_writer_loses_and_doubles_nothing(opensearch_node: Node, lines: int) -> None:
    """What was acknowledged is there, and replaying everything gives the whole index."""
    server = fresh(opensearch_node)
    command = [sys.executable, "-c", WRITER, opensearch_node.url, server.prefix]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline().strip() for _ in range(lines)]
        writer.kill()
        told += writer.stdout.read().split()
    acknowledged = [entry for entry in WORLD if str(entry.ordinal) in told]
    if acknowledged:
        assert asyncio.run(search(server, *acknowledged)) == asyncio.run(expected(*acknowledged))
    put(server, *WORLD)
    assert asyncio.run(search(server, *WORLD)) == asyncio.run(expected(*WORLD))
    server.synchronous().indices.delete(index=f"{server.prefix}-*")


async def test_a_missing_index_and_a_missing_version_are_named(opensearch_node: Node) -> None:
    """Neither is an empty result."""
    server = fresh(opensearch_node)
    assert (await named(server)).key == "lexical"
    put(server, *WORLD[1:])
    assert (await named(server)).key == "lexical"
    server.synchronous().indices.delete(index=f"{server.prefix}-*")


async def test_too_many_words_are_refused(opensearch: "Server") -> None:
    """More words than a query may have are an error that says so, not a search for some of them."""
    put(opensearch, WORLD[0])
    with pytest.raises(PartError) as caught:
        await search(opensearch, WORLD[0], question=" ".join(f"wort{n}" for n in range(1100)))
    assert caught.value.key == "search_engine_long"


async def test_a_shard_that_fails_to_write_is_an_error(opensearch: "Server") -> None:
    """A document that the engine refuses ends the batch."""
    put(opensearch, WORLD[0])
    opensearch.synchronous().indices.put_settings(
        index=opensearch.index(A), body={"index.blocks.read_only_allow_delete": True}
    )
    with pytest.raises(PartError) as caught:
        put(opensearch, WORLD[1])
    opensearch.synchronous().indices.put_settings(
        index=opensearch.index(A), body={"index.blocks.read_only_allow_delete": None}
    )
    assert caught.value.key == "search_engine_full"


OWNER = """
import time
from tests.opensearch.nodes import single_node

with single_node() as node:
    print(node.process.pid, flush=True)
    time.sleep(60)
"""


def test_a_node_dies_with_its_owner() -> None:
    """Killing the process of the tests leaves no server behind."""
    with subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as owner:
        assert owner.stdout is not None
        node = int(owner.stdout.readline())
        os.kill(owner.pid, signal.SIGKILL)
    assert until(lambda: not _lives(node))


def _lives(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
