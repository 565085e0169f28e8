"""The whole program with its words in an OpenSearch cluster."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.program import Program
from tests.opensearch.nodes import Node, fresh

pytestmark = pytest.mark.opensearch

TEXTS = {
    "kuendigung": "# Kündigung\n\nDie Kündigungsfrist beträgt drei Monate.\n\nSie ist schriftlich zu erklären.\n",
    "beitrag": "# Beitrag\n\nDer Beitrag ist nach § 33 VVG im Voraus zu zahlen.\n\nDie Frist ist kurz.\n",
}
QUESTIONS = ["Wann ist der Beitrag nach § 33 VVG zu zahlen?", "Frist für die Kündigung"]


@pytest.fixture
def folder(program: Program, tmp_path: Path) -> Path:
    """Two documents, taken in with the embedded index."""
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    program.must("mandate", "open", "Recht")
    program.must("ingest", *tmp_path.iterdir(), "--mandate", "Recht", "--level", "internal")
    return tmp_path


def said(program: Program, command: str) -> list[Any]:
    """What the program answers, without what names the run and says how long it took."""
    found = [program.must(command, question, "--mandate", "Recht", "--json").json for question in QUESTIONS]
    return [{key: value for key, value in one.items() if key not in {"run", "timings_ms", "position"}} for one in found]


def test_both_engines_say_the_same(program: Program, folder: Path, opensearch_node: Node) -> None:
    """After a switch the index is missing and said so; once it is rebuilt, every list and answer is what it was."""
    lists, answers = said(program, "search"), said(program, "ask")
    assert all(one["lists"]["bm25"] for one in lists)
    server = fresh(opensearch_node)
    (program.data / "config.toml").write_text(
        f"[search]\nlexical = 'opensearch'\nurl = '{opensearch_node.url}'\nprefix = '{server.prefix}'\n"
    )
    missing = program("search", QUESTIONS[0], "--mandate", "Recht", "--json")
    assert (missing.code, missing.json["error"]["key"]) == (3, "lexical")

    program.must("rebuild", "lexical")
    assert said(program, "search") == lists
    assert said(program, "ask") == answers
    (folder / "mahnung.md").write_text("# Mahnung\n\nDie Mahngebühr beträgt fünf Euro.\n", encoding="utf-8")
    program.must("ingest", folder / "mahnung.md", "--mandate", "Recht", "--level", "internal")
    found = program.must("search", "Mahngebühr", "--mandate", "Recht", "--json").json["lists"]["bm25"]
    assert [one["document"] for one in found] == ["mahnung"]
    checks = {check["name"]: check for check in program.must("doctor", "--json").json["checks"]}
    assert checks["lexical"]["facts"]["engine"].startswith("OpenSearch 2.")
    assert checks["lexical"]["facts"]["health"] == "green"
    server.synchronous().indices.delete(index=f"{server.prefix}-*")


@pytest.mark.usefixtures("folder")
def test_a_cluster_that_is_away_is_named(program: Program) -> None:
    """Nothing is answered without the words, and the message says which part it is."""
    (program.data / "config.toml").write_text("[search]\nlexical = 'opensearch'\nurl = 'http://127.0.0.1:9'\n")
    gone = program("search", QUESTIONS[0], "--mandate", "Recht", "--json")
    assert (gone.code, gone.json["error"]["key"]) == (3, "search_engine")
    doctor = program("doctor", "--json")
    checks = {check["name"]: check for check in doctor.json["checks"]}
    assert (doctor.code, checks["lexical"]["error"]["key"]) == (1, "search_engine")
