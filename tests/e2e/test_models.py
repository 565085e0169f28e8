"""Models that the configuration names, from doctor to an answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program
from tests.models import tiny

TEXT = "# Personal\n\nDie Frist zur Kündigung beträgt für Mitarbeiter drei Monate.\n"
NOWHERE = "url = 'http://127.0.0.1:1'\nmodel = 'm'\nrevision = '1'\n"
QUESTION = "Wie lang ist die Frist zur Kündigung?"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A mandate with one document, ingested under the embedded models."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "personal.md").write_text(TEXT)
    with installed() as program:
        program.must("mandate", "open", "Haus")
        program.must("ingest", folder / "personal.md", "--mandate", "Haus", "--level", "public")
        yield program


def configure(program: Program, content: str) -> None:
    (program.data / "config.toml").write_text(content)


@pytest.mark.models
def test_a_reranker_of_ones_own_scores_the_passages(installation: Program, tmp_path: Path) -> None:
    """Doctor shows it; no threshold is known for it, so the gate refuses until two people agree."""
    path = tiny.cross_encoder(tmp_path)
    configure(installation, f"[models.reranker]\nkind = 'sentence-transformers'\npath = '{path}'\n")

    facts = {check["name"]: check["facts"] for check in installation.must("doctor", "--json").json["checks"]}
    before = installation.must("ask", QUESTION, "--mandate", "Haus", "--json").json
    swapped = installation.must("model", "swap", "reranker", "--mandate", "Haus", "--because", "Probe", "--json").json
    refused = installation.must("ask", QUESTION, "--mandate", "Haus", "--json").json
    installation.must("policy", "set", "Haus", "relevance", "0.6", "--because", "Probe")
    pending = installation.must("policy", "pending", "Haus", "--json").json["pending"]

    assert facts["reranker"]["fingerprint"].startswith("cross/")
    assert facts["reranker"]["threshold"] is None
    assert before["outcome"] == "answered"
    assert (swapped["fingerprint"], swapped["status"]) == (facts["reranker"]["fingerprint"], "done")
    assert (refused["outcome"], refused["refusal"]["step"]) == ("refused", "relevance")
    assert 0 < refused["refusal"]["value"] < 1
    assert len(pending) == 1


@pytest.mark.parametrize(
    ("entries", "check", "key"),
    [
        ("[models.dense]\nkind = 'sentence-transformers'\npath = '/no/such/model'\n", "encoder", "encoder_model"),
        (f"[models.dense]\nkind = 'openai'\n{NOWHERE}", "encoder", "encoder_server"),
        (f"[models.reranker]\nkind = 'vllm'\n{NOWHERE}", "reranker", "reranker_server"),
    ],
)
def test_a_model_that_does_not_answer_is_named(installation: Program, entries: str, check: str, key: str) -> None:
    """Doctor says which and what to look at; nothing is swapped for it, and questions keep the models bound so far."""
    configure(installation, entries)
    role = "dense" if check == "encoder" else "reranker"

    found = installation("doctor", "--json")
    swapped = installation("model", "swap", role, "--mandate", "Haus", "--because", "Probe", "--json")

    checks = {one["name"]: one for one in found.json["checks"]}
    assert found.code == 1
    assert checks[check]["error"]["key"] == key
    assert swapped.code == 3
    assert swapped.json["error"]["key"] == key
