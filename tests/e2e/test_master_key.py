"""The master key of an installation is changed, also when the program dies on the way."""

import asyncio
import base64
from pathlib import Path

import pytest

from adapters.eventstore.keys import VARIABLE
from adapters.eventstore.master_files import load_master_key, make_master_key, next_file
from adapters.eventstore.rotation import rotate
from adapters.postgres.database import open_database
from adapters.postgres.endpoint import Role
from tests.e2e.program import Program

NOTHING: dict[str, str] = {}


@pytest.fixture
def asked(program: Program, tmp_path: Path) -> Program:
    """An installation with a document and a question."""
    file = tmp_path / "handbuch.md"
    file.write_text("Die Frist beträgt einen Monat.\n", encoding="utf-8")
    program.must("mandate", "open", "M")
    program.must("ingest", file, "--mandate", "M", "--level", "internal", "--document", "handbuch")
    program.must("ask", "Welche Frist gilt?", "--mandate", "M")
    return program


def _works(program: Program) -> None:
    known = program.must("known", "--mandate", "M", "--json").json["documents"]
    assert [one["document"] for one in known] == ["handbuch"]
    assert program.must("run", "list", "--mandate", "M", "--json").json["runs"][0]["question"] == "Welche Frist gilt?"
    program.must("mandate", "admit", "M", "ben", "--clearance", "internal")
    assert program.must("journal", "verify", "--json").code == 0


def test_another_key_takes_over(asked: Program) -> None:
    """The file holds another key, closed to others, nothing else lies beside it, and all is as before."""
    file = asked.data / "keys" / "master.key"
    before = file.read_bytes()

    rotated = asked.must("keys", "rotate", "--json").json

    assert rotated["keys"] >= 2
    assert file.read_bytes() != before
    assert file.stat().st_mode & 0o777 == 0o600
    assert not next_file(file).exists()
    assert load_master_key(file, NOTHING).fingerprint() == rotated["fingerprint"]
    _works(asked)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_death_on_the_way_leaves_a_store_that_opens(asked: Program, *, wrapped: bool) -> None:
    """Before the keys are wrapped anew the old key counts, afterwards the new one, put in place by the next command."""
    file = asked.data / "keys" / "master.key"
    old = load_master_key(file, NOTHING)
    new = make_master_key(next_file(file), NOTHING)
    if wrapped:
        database = open_database(asked.data, None)
        rotate(database.endpoint(Role.OWNER), old, new)
        asyncio.run(database.close())

    _works(asked)

    assert next_file(file).exists() is not wrapped
    assert load_master_key(file, NOTHING).fingerprint() == (new if wrapped else old).fingerprint()
    asked.must("keys", "rotate")
    assert not next_file(file).exists()
    _works_again(asked)


def _works_again(program: Program) -> None:
    assert len(program.must("known", "--mandate", "M", "--json").json["documents"]) == 1


def test_what_lies_in_the_place_of_the_next_key_is_looked_at(program: Program) -> None:
    """What is no key, or one that others can read, takes over from nothing and hinders no other command."""
    file = program.data / "keys" / "master.key"
    before, coming = file.read_bytes(), next_file(file)
    coming.write_text("kein Schlüssel", encoding="utf-8")
    program.must("mandate", "list")
    refused = program("keys", "rotate", "--json")
    assert (refused.code, refused.json["error"]["key"]) == (2, "master_key_next_file")
    coming.unlink()
    make_master_key(coming, NOTHING)
    coming.chmod(0o644)
    refused = program("keys", "rotate", "--json")
    assert (refused.code, refused.json["error"]["key"]) == (2, "master_key_open")
    assert str(coming) in refused.json["error"]["message"]
    assert file.read_bytes() == before


def test_a_key_in_the_environment_is_changed_there(asked: Program) -> None:
    """Without the next key the command says what is missing; with both the store is under the next one.

    The same key again, or one that has taken over already, rotates nothing and says so.
    """
    file = asked.data / "keys" / "master.key"
    keys = {VARIABLE: file.read_text().strip()}
    file.unlink()
    refused = asked("keys", "rotate", "--json", environment=keys)
    assert (refused.code, refused.json["error"]["key"]) == (2, "master_key_next")
    same = asked("keys", "rotate", "--json", environment={**keys, "FUNDSTELLE_NEXT_MASTER_KEY": keys[VARIABLE]})
    assert (same.code, same.json["error"]["key"]) == (2, "master_key_same")
    following = base64.b64encode(bytes(range(32))).decode()
    both = {**keys, "FUNDSTELLE_NEXT_MASTER_KEY": following}

    first, again = [asked.must("keys", "rotate", "--json", environment=both).json for _ in range(2)]

    assert (first["status"], again["status"], again["keys"]) == ("done", "unchanged", 0)
    assert first["keys"] >= 2
    assert "Nichts wurde gewechselt" in asked.must("keys", "rotate", environment=both).out
    assert asked("mandate", "list", environment=keys).code == 3
    asked.must("mandate", "list", environment={**keys, "FUNDSTELLE_NEXT_MASTER_KEY": following})
    asked.must("mandate", "list", environment={"FUNDSTELLE_MASTER_KEY": following})
    assert not file.exists()
