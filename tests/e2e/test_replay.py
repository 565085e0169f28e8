"""``run replay``: what differs, what cannot be computed here and why, and that the recorded run stays as it is."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest

from adapters.postgres import roles
from adapters.postgres.database import open_database
from tests.e2e.conftest import installed
from tests.e2e.program import Outcome, Program
from tests.e2e.records import rows

TEXT = """# Handbuch

## Fristen

Die Frist der Kündigung beträgt drei Monate zum Monatsende. Die Kündigung ist schriftlich zu erklären.

## Urlaub

Der Urlaub beträgt 28 Tage im Jahr. Den Urlaub genehmigt die Leitung.
"""
QUESTION = "Welche Frist gilt für die Kündigung?"
NOWHERE = "url = 'http://127.0.0.1:1'\nmodel = 'anders'\nrevision = '7'\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    file = tmp_path_factory.mktemp("texts") / "handbuch.md"
    file.write_text(TEXT, encoding="utf-8")
    with installed() as program:
        program.must("mandate", "open", "M")
        program.must("ingest", file, "--mandate", "M", "--level", "internal")
        yield program


@pytest.fixture(scope="module")
def run(place: Program) -> str:
    answer = place.must("ask", QUESTION, "--mandate", "M", "--json").json
    assert answer["outcome"] == "answered"
    return str(answer["run"])


def stored(place: Program, run: str) -> list[tuple[Any, ...]]:
    """Return what is stored of a run."""
    database = open_database(place.data, None)
    try:
        return rows(database, UUID(run))
    finally:
        asyncio.run(database.close())


def replayed(place: Program, run: str) -> Outcome:
    """Replay a run whose record stays the same to the last byte, whatever comes of it."""
    before, shown = stored(place, run), place.must("run", "show", run, "--json").json

    outcome = place("run", "replay", run, "--json")

    assert stored(place, run) == before
    assert place.must("run", "show", run, "--json").json == shown
    return outcome


@contextmanager
def configured(place: Program, entries: str) -> Iterator[None]:
    file = place.data / "config.toml"
    file.write_text(entries, encoding="utf-8")
    try:
        yield
    finally:
        file.unlink()


_BEND = """
UPDATE fundstelle.passage_vectors SET embedding = (
    SELECT array_agg(CASE at WHEN 1 THEN one + 0.1 ELSE one END ORDER BY at)
    FROM unnest(embedding::real[]) WITH ORDINALITY AS parts (one, at)
)::real[]::halfvec
"""


@contextmanager
def bent_vectors(place: Program) -> Iterator[None]:
    """Let every vector of a passage point a little elsewhere, as a damaged table might."""
    database = open_database(place.data, None)
    try:
        with roles.connect(database.admin) as connection:
            assert connection.execute(_BEND).rowcount > 0
        yield
    finally:
        asyncio.run(database.close())
        place.must("rebuild", "passages")


def of(document: Any, step: str) -> list[Any]:
    return [one for one in document["values"] if one["step"] == step]


def test_a_run_comes_out_as_it_is_recorded(place: Program, run: str) -> None:
    """Every value of every step, exit 0; the replay has an id of its own."""
    outcome = replayed(place, run)

    assert (outcome.code, outcome.json["outcome"], outcome.json["run"]) == (0, "equal", run)
    assert outcome.json["replay"] != run
    steps = {one["step"] for one in outcome.json["values"]}
    assert steps == {"rules", "encode", "search", "rerank", "select", "formulate", "anchors", "verify", "validity"}
    assert {(one["outcome"], one["difference"], one["reason"]) for one in outcome.json["values"]} <= {
        ("equal", 0.0, None),
        ("equal", None, None),
    }


def test_a_refusal_can_be_replayed_as_well(place: Program) -> None:
    """It comes to the same value below the same threshold."""
    answer = place.must("ask", "Wer gewann 1990 die Fußball-Weltmeisterschaft?", "--mandate", "M", "--json").json
    outcome = replayed(place, answer["run"])

    assert (answer["outcome"], outcome.code, outcome.json["outcome"]) == ("refused", 0, "equal")
    assert any(one["value"] == "AnswerRefused.value" for one in outcome.json["values"])


@pytest.mark.parametrize(
    ("entries", "step", "names"),
    [
        (f"[models.formulator]\nkind = 'openai'\n{NOWHERE}", "formulate", ("formulator: extractive/", "→ anders")),
        (f"[models.judge]\nkind = 'openai'\n{NOWHERE}", "verify", ("judge: deterministic/", "→ anders")),
    ],
)
def test_another_model_makes_a_step_not_reproducible_here(
    place: Program, run: str, entries: str, step: str, names: tuple[str, ...]
) -> None:
    """Its values are not compared, both models are named, and the other steps come out equal; exit 0."""
    with configured(place, entries):
        outcome = replayed(place, run)
        told = place("run", "replay", run)

    assert (outcome.code, outcome.json["outcome"]) == (0, "not_reproducible")
    here = of(outcome.json, step)
    assert {(one["outcome"], one["difference"]) for one in here} == {("not_reproducible", None)}
    assert all(name in one["reason"] for one in here for name in names)
    assert {one["outcome"] for one in outcome.json["values"] if one["step"] != step} == {"equal"}
    assert "hier nicht nachvollziehbar: " in told.out
    assert all(name in told.out for name in names)


def test_a_difference_is_named_with_its_size_and_ends_with_one(place: Program, run: str) -> None:
    """What is searched was changed behind the journal's back; built anew from it, all comes out equal."""
    with bent_vectors(place):
        outcome = replayed(place, run)
        told = place("run", "replay", run)

    assert (outcome.code, outcome.json["outcome"], told.code) == (1, "differs", 1)
    found = {one["value"]: one for one in outcome.json["values"] if one["outcome"] == "differs"}
    assert found["CandidatesRetrieved.lists"]["difference"] > 0
    assert {one["outcome"] for one in of(outcome.json, "encode")} == {"equal"}
    assert "CandidatesRetrieved.lists" in told.out
    assert replayed(place, run).json["outcome"] == "equal"


def test_a_run_of_somebody_else_looks_like_none(place: Program, run: str) -> None:
    """Not open, and not there: the same words."""
    place.must("mandate", "admit", "M", "ben", "--clearance", "internal")
    place.must("mandate", "admit", "M", "eva", "--clearance", "internal")

    foreign = place("run", "replay", run, "--as", "ben", "--json")
    unknown = place("run", "replay", str(UUID(int=7)), "--as", "ben", "--json")

    assert (foreign.code, foreign.json) == (unknown.code, unknown.json)
    assert foreign.code == 2
