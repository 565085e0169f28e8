"""A projection is handed the kinds of events that it names, and no others; so it must name each that it knows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import projections
from adapters.eventstore.topics import TOPICS

FOLDER = Path(projections.__path__[0])
KINDS = {kind.__name__ for kind in TOPICS.classes()}


def _projections() -> Iterator[tuple[str, ast.ClassDef]]:
    for file in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and any(_is_takes(one) for one in node.body):
                yield f"{file.stem}.{node.name}", node


def _is_takes(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id == "takes" for one in node.targets)


def _events(nodes: Iterator[ast.stmt]) -> set[str]:
    names = {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}
    return names & KINDS


FOUND = dict(_projections())


def test_all_projections_are_looked_at() -> None:
    """As many as there are views built from events."""
    assert len(FOUND) >= 7


@pytest.mark.parametrize("name", FOUND)
def test_a_projection_takes_every_kind_of_event_that_it_knows(name: str) -> None:
    """One that it handles and does not name would never reach it, and its view would be wrong in silence."""
    body = FOUND[name].body
    handled = _events(one for one in body if not _is_takes(one))
    assert handled <= _events(one for one in body if _is_takes(one))
