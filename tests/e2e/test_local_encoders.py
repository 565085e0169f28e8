"""Both encoders replaced by local models: SPLADE for parts of words, and dense vectors of another size."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program
from tests.models import tiny

pytestmark = pytest.mark.models

QUESTION = "Wie lang ist die Frist zur Kündigung?"
TEXTS = (
    "Die Frist zur Kündigung beträgt für Mitarbeiter drei Monate.",
    "Mitarbeiter haben einen Anspruch auf drei Tage Urlaub im Jahr.",
    "Der Hagel hat das Dach der Scheune beschädigt.",
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A mandate with a library, ingested under the embedded models; the local ones lie in a configuration beside."""
    folder = tmp_path_factory.mktemp("models")
    for number, text in enumerate(TEXTS):
        (folder / f"text{number}.md").write_text(text)
    dense, sparse = tiny.bi_encoder(folder / "dense"), tiny.splade(folder / "sparse")
    section = "[models.{}]\nkind = 'sentence-transformers'\npath = '{}'\n"
    with installed() as program:
        program.must("mandate", "open", "Normen", "--library")
        program.must("mandate", "open", "Haus")
        program.must("mandate", "subscribe", "Haus", "Normen")
        program.must("ingest", folder / "text0.md", "--mandate", "Haus", "--level", "public")
        program.must("ingest", folder / "text1.md", "--mandate", "Normen", "--level", "public")
        (program.data / "config.toml").write_text(section.format("dense", dense) + section.format("sparse", sparse))
        yield program


def lists(program: Program, *more: str | Path) -> Any:
    return program.must(*more, "search", QUESTION, "--mandate", "Haus", "--json").json["lists"]


def swap(program: Program, role: str) -> Any:
    return program.must("model", "swap", role, "--mandate", "Haus", "--because", "Probe", "--json").json


def test_from_a_swap_on_they_search_and_last(house: Program, tmp_path: Path) -> None:
    """What comes in later has its place, and a restored backup builds the same lists anew.

    Swapped back, the embedded model searches as before, and what the other had made can be given up.
    """
    facts = {check["name"]: check["facts"] for check in house.must("doctor", "--json").json["checks"]}
    embedded = lists(house)
    swapped = {role: swap(house, role)["fingerprint"] for role in ("dense", "sparse")}
    (tmp_path / "text2.md").write_text(TEXTS[2])
    house.must("ingest", tmp_path / "text2.md", "--mandate", "Haus", "--level", "public")

    learned = lists(house)
    listed = house.must("model", "list", "Haus", "--json").json
    house.must("backup", tmp_path / "backup")
    other, config = Program(tmp_path / "other" / "data"), house.data / "config.toml"
    (tmp_path / "other").mkdir()
    other.must("--config", config, "restore", tmp_path / "backup")

    assert swapped == {"dense": facts["encoder"]["fingerprint"], "sparse": facts["sparse_encoder"]["fingerprint"]}
    assert swapped["sparse"].startswith("splade/")
    assert {one["role"]: one["fingerprint"] for one in listed["roles"]}.items() >= swapped.items()
    kept = {(one["role"], one["fingerprint"]): one["versions"] for one in listed["vectors"]}
    assert kept["dense", swapped["dense"]] == kept["sparse", swapped["sparse"]] == 2
    assert [len(learned[name]) for name in ("dense", "sparse")] == [3, 3]
    for name in ("dense", "sparse"):
        of_before = [one for one in learned[name] if one["anchor"] in {hit["anchor"] for hit in embedded[name]}]
        assert [one["score"] for one in of_before] != [one["score"] for one in embedded[name]]
    assert lists(other, "--config", config) == learned

    (tmp_path / "dense.toml").write_text(config.read_text().split("[models.sparse]")[0])
    house.must(
        "--config", tmp_path / "dense.toml", "model", "swap", "sparse", "--mandate", "Haus", "--because", "Probe"
    )
    house.must("model", "retire", swapped["sparse"], "--mandate", "Haus", "--because", "Platz")
    left = house.must("model", "list", "Haus", "--json").json
    back = lists(house)
    assert swapped["sparse"] not in {one["fingerprint"] for one in (*left["roles"], *left["vectors"])}
    assert back["dense"] == learned["dense"]
    assert {one["anchor"] for one in embedded["sparse"]} <= {one["anchor"] for one in back["sparse"]}
