"""Whose keys in Matrix count, shown and confirmed on the command line."""

from pathlib import Path

import pytest

from bot.matrix.pins import Pins
from tests.e2e.program import Program
from tests.unit.matrix.people import ANNA, Someone


@pytest.fixture
def changed(program: Program) -> tuple[Program, str, str]:
    """An installation to which the homeserver has named two keys of Anna, one after the other."""
    pins, before, after = Pins(program.data / "keys"), Someone(ANNA).master, Someone(ANNA).master
    pins.note({ANNA: before})
    pins.note({ANNA: after})
    return program, before, after


def test_a_changed_key_is_shown_and_counts_once_it_is_confirmed(changed: tuple[Program, str, str]) -> None:
    """The list names both keys and the way on; confirming one lets it count, and once more says that it did before."""
    program, before, after = changed
    people = [{"person": ANNA, "key": before, "other": after}]
    assert program.must("matrix", "trust", "--json").json == {"people": people}
    shown = program.must("matrix", "trust").out
    assert all(part in shown for part in (ANNA, before, after, "fundstelle matrix trust PERSON SCHLÜSSEL"))
    for status in ("done", "unchanged"):
        confirmed = program.must("matrix", "trust", ANNA, after, "--json").json
        assert confirmed == {"person": ANNA, "key": after, "status": status}
    assert program.must("matrix", "trust").out == "Niemandes Schlüssel hat sich geändert (bekannt: 1).\n"


@pytest.mark.parametrize("arguments", [(ANNA,), (ANNA, "anderer"), ("@niemand:kanzlei.example", "anderer")])
def test_only_a_key_that_the_server_names_is_confirmed(
    changed: tuple[Program, str, str], arguments: tuple[str, ...]
) -> None:
    """A key that was mistyped or left out, and a person whom nobody knows, are refused; nothing changes."""
    program, before, _ = changed
    refused = program("matrix", "trust", *arguments, "--json")
    assert (refused.code, refused.json["error"]["key"]) == (2, "matrix_trust_key")
    assert Pins(program.data / "keys").all()[ANNA].key == before


def test_somebody_who_is_erased_is_taken_out_of_the_files(changed: tuple[Program, str, str]) -> None:
    """Once, by whoever owns them."""
    program, _, _ = changed
    for status in ("done", "unchanged"):
        assert program.must("matrix", "forget", ANNA, "--json").json == {"person": ANNA, "status": status}
    assert Pins(program.data / "keys").all() == {}
    assert "stand nicht in den Dateien" in program.must("matrix", "forget", ANNA).out


def test_before_the_first_start_there_is_nothing_to_compare(program: Program, tmp_path: Path) -> None:
    """Without an account, and with one that was never logged in to, it is said what to do."""
    assert program("matrix", "devices", "--json").json["error"]["key"] == "no_platform"
    config = tmp_path / "config.toml"
    account = {"homeserver": "http://127.0.0.1:9", "user": "@bot:kanzlei.example", "password_file": "/p"}
    lines = [f'{name} = "{value}"' for name, value in account.items()]
    config.write_text("\n".join(("[matrix]", *lines, 'servers = ["kanzlei.example"]')), encoding="utf-8")
    refused = program("matrix", "devices", ANNA, "--json", "--config", config)
    assert (refused.code, refused.json["error"]["key"]) == (2, "matrix_no_session")
