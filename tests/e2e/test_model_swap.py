"""One encoder takes the place of another: beside the live index, at once, and without touching the past."""

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from projections.backfill import BATCH_VERSIONS
from tests.e2e.conftest import installed
from tests.e2e.embedding_server import Served, embedding_server
from tests.e2e.program import Program

FILES = 40
"""More than a batch of a backfill."""

QUESTION = "Wie lang ist die Frist für Fall 7?"
SWAP = ("model", "swap", "dense", "--mandate", "Haus", "--because", "Probe", "--json")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Program]:
    """A mandate that reads a library, both ingested under the embedded models, and another model configured since."""
    for number in range(FILES):
        (tmp_path / f"fall{number}.md").write_text(f"Für Fall {number} beträgt die Frist {number} Tage.\n")
    (tmp_path / "norm.txt").write_text("Jede Frist beginnt am folgenden Tag.\n")
    with installed() as program, embedding_server() as url:
        program.must("mandate", "open", "Normen", "--library")
        program.must("mandate", "open", "Haus")
        program.must("mandate", "subscribe", "Haus", "Normen")
        program.must("ingest", tmp_path / "norm.txt", "--mandate", "Normen", "--level", "public")
        files = sorted(tmp_path.glob("*.md"))
        program.must("ingest", *files, "--mandate", "Haus", "--level", "public")
        (program.data / "config.toml").write_text(
            f"[models.dense]\nkind = 'openai'\nurl = '{url}'\nmodel = 'tiny'\nrevision = '1'\n"
        )
        yield program


def found(program: Program, *more: str) -> Any:
    return program.must("search", QUESTION, "--mandate", "Haus", "--json", *more).json["lists"]


def listed(program: Program) -> Any:
    document = program.must("model", "list", "Haus", "--json").json
    return {one["role"]: one for one in document["roles"]}, {one["fingerprint"]: one for one in document["vectors"]}


def test_a_killed_swap_changes_nothing_and_goes_on(house: Program, tmp_path: Path) -> None:
    """Searches before, during and after the death are the same; only the batch that died is encoded again.

    A version that comes in while the swap runs has the vectors of both encoders.
    """
    before = found(house)
    roles, _ = listed(house)
    Served.hold_after(FILES - 3)
    with subprocess.Popen(house.command(*SWAP), stdout=subprocess.DEVNULL, env=house.environment()) as swapping:
        assert Served.waiting.wait(60)
        during = found(house)
        swapping.kill()
    Served.release()
    assert during == before
    assert found(house) == before
    assert listed(house)[0]["dense"]["fingerprint"] == roles["dense"]["fingerprint"]
    (tmp_path / "fall99.md").write_text("Für Fall 99 beträgt die Frist 99 Tage.\n")
    house.must("ingest", tmp_path / "fall99.md", "--mandate", "Haus", "--level", "public")

    swapped = house.must(*SWAP).json

    after = found(house)
    roles, kept = listed(house)
    passages = [one for one in Served.texts if "Fall" in one and "Wie lang" not in one]
    assert swapped["status"] == "done"
    assert len(set(passages)) == FILES + 1
    assert len(passages) - len(set(passages)) <= FILES - BATCH_VERSIONS
    assert swapped["fingerprint"] == roles["dense"]["fingerprint"] == roles["dense"]["configured"]
    assert [one["versions"] for one in kept.values()] == [FILES + 1, FILES + 1]
    assert after["dense"] != before["dense"]
    assert any("norm" in one["document"] for one in found(house, "--scope", "Normen")["dense"])
    assert house.must(*SWAP).json["status"] == "unchanged"


def test_the_past_keeps_its_encoder_until_that_is_retired(house: Program) -> None:
    """As of before the swap everything is as it was; afterwards the substitute is named, in a replay as well."""
    run = house.must("ask", QUESTION, "--mandate", "Haus", "--json").json["run"]
    instant = datetime.now(UTC).isoformat()
    before = found(house, "--at", instant)
    old = listed(house)[0]["dense"]["fingerprint"]
    refused = house("model", "retire", old, "--mandate", "Haus", "--because", "Platz", "--json")
    house.must(*SWAP)
    still = house("model", "retire", old, "--mandate", "Normen", "--because", "Platz", "--json")

    assert found(house, "--at", instant) == before
    assert (refused.code, refused.json["error"]["key"]) == (2, "model_is_bound")
    assert (still.code, still.json["error"]["key"]) == (2, "model_is_bound")

    then = house.must("ask", QUESTION, "--mandate", "Haus", "--at", instant, "--json").json
    assert then["substituted_models"] == []
    assert house.must("run", "replay", run, "--json").json["outcome"] == "equal"
    assert (
        house.must("model", "retire", old, "--mandate", "Haus", "--because", "Platz", "--json").json["status"] == "done"
    )
    new = listed(house)[0]["dense"]["fingerprint"]
    later = house.must("ask", QUESTION, "--mandate", "Haus", "--at", instant, "--json").json
    assert later["substituted_models"] == [{"role": "dense", "bound": old, "used": new}]
    assert old in later["note"]
    assert new in later["note"]
    assert list(listed(house)[1]) == [new]
    replayed = house.must("run", "replay", run, "--json").json
    reasons = {one["reason"] for one in replayed["values"] if one["outcome"] != "equal"}
    assert (replayed["outcome"], reasons) == ("not_reproducible", {f"dense: {old} → {new}"})


def test_a_bound_model_that_is_not_configured_is_named(house: Program) -> None:
    """No other model steps in for a question of today; swapping back is one command."""
    house.must(*SWAP)
    (house.data / "config.toml").unlink()

    asked = house("ask", QUESTION, "--mandate", "Haus", "--json")
    roles, _ = listed(house)
    assert (asked.code, asked.json["error"]["key"]) == (3, "model_missing")
    assert not roles["dense"]["available"]
    assert house.must(*SWAP).json["status"] == "done"
    assert house.must("ask", QUESTION, "--mandate", "Haus", "--json").json["outcome"] == "answered"


def test_what_opens_with_a_model_configured_is_bound_to_it(house: Program, tmp_path: Path) -> None:
    """Its first documents and questions use that model and no other."""
    house.must("mandate", "open", "Neu")
    house.must("ingest", tmp_path / "norm.txt", "--mandate", "Neu", "--level", "public")
    hits = house.must("search", "Frist", "--mandate", "Neu", "--json").json["lists"]["dense"]
    roles = house.must("model", "list", "Neu", "--json").json["roles"]

    assert len(hits) == 1
    assert roles[0]["fingerprint"] == roles[0]["configured"]
    assert roles[0]["fingerprint"].startswith("tiny/1/")


def test_a_library_is_encoded_before_it_is_read(house: Program) -> None:
    """It came in when nobody knew of the model that the reader is bound to; no question meets the gap."""
    house.must("mandate", "open", "Neu")
    house.must("mandate", "subscribe", "Neu", "Normen")

    hits = house.must("search", "Frist", "--mandate", "Neu", "--json").json["lists"]["dense"]
    assert [one["document"] for one in hits] == ["norm"]


@pytest.mark.parametrize("mandate", ["Haus", "Nirgends"])
@pytest.mark.parametrize(
    "command", [("model", "list"), ("model", "swap", "dense"), ("model", "retire", "alt")], ids=lambda one: one[1]
)
def test_models_are_the_business_of_administrators(
    shared_program: Program, mandate: str, command: tuple[str, ...]
) -> None:
    """A foreign mandate looks like none."""
    rest = (mandate,) if command[1] == "list" else ("--mandate", mandate, "--because", "x")
    shared_program("mandate", "open", "Haus")
    outcome = shared_program("--actor", "fremd", *command, *rest, "--json")

    assert (outcome.code, outcome.json["error"]["key"]) == (2, "access")
