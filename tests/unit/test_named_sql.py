"""Named statements and numbered migrations as they are shipped."""

from pathlib import Path

import pytest

from adapters.postgres.migrations import shipped
from adapters.postgres.sql import Statements, statements

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("adapters", "projections")
_FILES = sorted(file for package in _PACKAGES for file in (_ROOT / package).rglob("*.sql"))
_NAMED = [file for file in _FILES if "migrations" not in file.parent.parts]


def test_statements_are_found_by_name() -> None:
    """A block begins after its name and ends before the next; comments inside stay."""
    found = Statements("-- what the file is about\n-- name: one\n-- why\nSELECT 1\n\n-- name: two\nSELECT 2\n", "x.sql")
    assert list(found) == ["one", "two"]
    assert found["one"] == "-- why\nSELECT 1"
    assert found["two"] == "SELECT 2"


def test_an_unknown_name_says_file_and_name() -> None:
    """A slip in a name is found at once."""
    with pytest.raises(KeyError, match=r"x\.sql has no statement named three"):
        Statements("", "x.sql")["three"]


def test_a_name_is_given_once() -> None:
    """Two statements of one name would hide one of them."""
    with pytest.raises(ValueError, match="two statements are named one"):
        Statements("-- name: one\nSELECT 1\n-- name: one\nSELECT 2\n", "x.sql")


@pytest.mark.parametrize("file", _NAMED, ids=lambda file: file.stem)
def test_every_shipped_file_has_named_statements(file: Path) -> None:
    """A file without a name line, or with an empty block, is a mistake."""
    found = statements(".".join(file.parent.relative_to(_ROOT).parts), file.name)
    assert list(found)
    assert all(found[name] for name in found)


def test_migrations_are_numbered_once_and_in_order() -> None:
    """The order in which they apply is the order of their numbers."""
    numbers = [migration.number for migration in shipped()]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))
