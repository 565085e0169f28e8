"""A mandate erased by the whole program while a cluster holds the words: nothing is left in the node's own folder."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.postgres.layout import find_home
from tests.detector import Detector
from tests.e2e.program import Program
from tests.e2e.test_two_people import NOBODY
from tests.opensearch.nodes import Node, fresh
from tests.servers import reachable_folder, until

pytestmark = [pytest.mark.opensearch, pytest.mark.root]

WORD = "qxvorblazint"
OURS = "# Kündigung\n\nDie Kündigungsfrist für ein Qxvorblazint beträgt drei Monate.\n"
THEIRS = "# Archiv\n\nDas Ybrimstolk ist werktags von acht bis zwölf Uhr geöffnet.\n"
AWAY = "http://127.0.0.1:9"


def configured(program: Program, url: str, prefix: str) -> None:
    (program.data / "config.toml").write_text(
        f"[search]\nlexical = 'opensearch'\nurl = '{url}'\nprefix = '{prefix}'\n", encoding="utf-8"
    )


@pytest.fixture
def prefix(opensearch_node: Node) -> Iterator[str]:
    """What the names of the test's own indexes begin with."""
    server = fresh(opensearch_node)
    yield server.prefix
    server.synchronous().indices.delete(index=f"{server.prefix}-*")


@pytest.fixture
def run(program: Program, opensearch_node: Node, prefix: str, tmp_path: Path) -> str:
    """A library with the word, and a run of a mandate that reads it whose answer quotes the word."""
    configured(program, opensearch_node.url, prefix)
    program.must("mandate", "open", "L", "--library")
    program.must("mandate", "open", "N")
    program.must("mandate", "subscribe", "N", "L")
    program.must("mandate", "admit", "L", "nobody", "--clearance", "internal")
    program.must("mandate", "role", "L", "nobody", "compliance")
    for mandate, text in (("L", OURS), ("N", THEIRS)):
        file = tmp_path / f"{mandate}.md"
        file.write_text(text, encoding="utf-8")
        program.must("ingest", file, "--mandate", mandate, "--level", "internal")
    answer = program.must("ask", "Welche Kündigungsfrist gilt?", "--mandate", "N", "--json").json
    assert WORD in answer["text"].lower()
    found: str = answer["run"]
    return found


def agreed(program: Program, change: str, folder: Path) -> tuple[int, str | None]:
    """Hand in the consent of a second person, whose file it is, and return what came of it."""
    file = folder / "consent"
    program.must("policy", "consent", change, "erase_mandate", "", "--out", file)
    os.chown(file, NOBODY.pw_uid, NOBODY.pw_gid)
    outcome = program("policy", "approve", change, "--consent", file, "--json")
    return outcome.code, outcome.json.get("error", {}).get("key")


def test_an_erased_mandate_is_in_no_segment(program: Program, run: str, prefix: str, opensearch_node: Node) -> None:
    """Found before in the folder of the node, nowhere after; with the cluster away, the next command ends it."""
    found, node = Detector(WORD), opensearch_node.folder.parent
    ours = {program.data, find_home(program.data).folder}
    assert found.files([node])
    change = program.must("erase", "mandate", "L", "--because", "Vertrag beendet", "--json").json["change"]

    with reachable_folder() as folder:
        configured(program, AWAY, prefix)
        assert agreed(program, change, folder) == (3, "search_engine")
        assert found.files([node])
        configured(program, opensearch_node.url, prefix)
        program.must("known", "--mandate", "N")

    # A node deletes files once nobody reads them any more.
    assert until(lambda: not found.files([node]))
    assert found.files(ours) | found.indexes(ours) == set()
    assert Detector("ybrimstolk").files([node])
    shown = program.must("run", "show", run, "--json")
    assert (shown.json["erased"], WORD in shown.out.lower()) == (True, False)
    assert "(gelöscht)" in program.must("run", "show", run).out
    program.must("journal", "verify")
    program.must("rebuild", "lexical")
    lists = program.must("search", "Qxvorblazint Ybrimstolk", "--mandate", "N", "--json").json["lists"]
    assert [one["document"] for one in lists["bm25"]] == ["N"]
    assert found.files([node]) == set()
