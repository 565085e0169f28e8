"""A document whose level is raised is closed at once, for looks at the past as well, whatever command comes first."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from tests.e2e.conftest import installed
from tests.e2e.program import Program

TEXT = "Die Kündigungsfrist beträgt drei Monate zum Monatsende."
QUESTION = "Wie lang ist die Kündigungsfrist?"


class Place(NamedTuple):
    """The installation, an instant at which the text was public, and Ben's run of that time."""

    program: Program
    before: str
    run: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("texts")
    with installed() as program:
        program.must("mandate", "open", "M")
        program.must("mandate", "admit", "M", "ben", "--clearance", "public")
        for key in ("known", "search", "run", "ask"):
            (folder / f"{key}.txt").write_text(TEXT, encoding="utf-8")
        program.must("ingest", folder, "--mandate", "M", "--level", "public")
        run = program.must("ask", QUESTION, "--mandate", "M", "--as", "ben", "--json").json
        assert run["outcome"] == "answered"
        yield Place(program, datetime.now(UTC).isoformat(), run["run"])


def test_the_first_look_after_it_sees_nothing(place: Place) -> None:
    """Each look is the first command after a document's level was raised, and never shows that document."""
    looks = {
        "known": ("known", "--mandate", "M", "--at", place.before),
        "search": ("search", QUESTION, "--mandate", "M", "--at", place.before),
        "run": ("run", "show", place.run),
        "ask": ("ask", QUESTION, "--mandate", "M", "--at", place.before),
    }
    for closed, (key, look) in enumerate(looks.items(), 1):
        place.program.must("level", "assign", key, "secret", "--mandate", "M")
        shown = place.program(*look, "--as", "ben", "--json")

        named = [other for other in looks if f'"document": "{other}"' in shown.out]
        assert key not in named, shown
        if key in {"known", "search"}:
            assert named == [other for other in looks if other in list(looks)[closed:]]

    assert "Monatsende" not in json.dumps(place.program("ask", QUESTION, "--mandate", "M", "--as", "ben").out)
