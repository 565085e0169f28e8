"""The journal from the command line: signed, published, checked, confirmed by others."""

import asyncio
from pathlib import Path
from typing import Any, LiteralString

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.postgres import roles
from adapters.postgres.database import open_database
from domain.journal.checkpoints import cosigned_text
from domain.journal.notes import Kind, Note, Signature, VerifierKey
from tests.e2e.program import Program


def _happen(program: Program, key: str) -> None:
    program.must("mandate", "open", key)


def test_a_fresh_journal_is_signed_and_intact(program: Program, tmp_path: Path) -> None:
    """The checkpoint is text that others can read; kept elsewhere it protects what it covers, and the rest is told."""
    _happen(program, "A")
    kept = tmp_path / "kept"
    signed = program.must("journal", "checkpoint", "--out", kept, "--json").json
    assert kept.read_text(encoding="utf-8") == signed["note"]
    assert signed["note"].startswith(f"{signed['origin']}\n{signed['size']}\n")
    _happen(program, "B")
    alone = program.must("journal", "verify", "--json").json
    assert (alone["ok"], alone["external"], alone["unprotected"]) == (True, None, alone["events"])
    found = program.must("journal", "verify", "--checkpoint", kept, "--json").json
    assert (found["external"], found["unprotected"]) == (signed["size"], found["events"] - signed["size"])
    assert "unversehrt" in program.must("journal", "verify", "--checkpoint", kept).out


def test_another_checkpoint_is_told_apart(program: Program, tmp_path: Path) -> None:
    """By a key that is not trusted, or of a longer journal: exit 1, and the kind is named."""
    _happen(program, "A")
    kept = tmp_path / "kept"
    signed = program.must("journal", "checkpoint", "--out", kept, "--json").json
    stranger = tmp_path / "key"
    stranger.write_text(f"# theirs\n{VerifierKey(signed['origin'], bytes(32))}\n", encoding="utf-8")
    outcome = program("journal", "verify", "--checkpoint", kept, "--key", stranger, "--json")
    assert (outcome.code, outcome.json["counts"]) == (1, {"forged": 2})
    alone = program("journal", "verify", "--key", stranger, "--json")
    assert (alone.code, alone.json["problems"]) == (1, [{"kind": "forged", "place": "journal"}])
    ours = tmp_path / "ours"
    ours.write_text(signed["key"], encoding="utf-8")
    assert program.must("journal", "verify", "--checkpoint", kept, "--key", ours, "--json").json["ok"]
    note = tmp_path / "changed"
    note.write_text(signed["note"].replace(f"\n{signed['size']}\n", f"\n{signed['size'] + 1}\n", 1), encoding="utf-8")
    assert program("journal", "verify", "--checkpoint", note, "--json").json["counts"] == {"forged": 1}
    outcome = program("journal", "verify", "--checkpoint", note)
    assert outcome.code == 1
    assert "nicht unversehrt" in outcome.err + outcome.out


def test_checkpoints_go_to_the_folder_of_the_configuration(program: Program, tmp_path: Path) -> None:
    """Each in a file of its own; a check reads them all, and what was put there instead is found."""
    folder = tmp_path / "published"
    (program.data / "config.toml").write_text(
        f'[journal]\norigin = "kanzlei.example/fundstelle"\nfolder = "{folder}"\n', encoding="utf-8"
    )
    _happen(program, "A")
    first = program.must("journal", "checkpoint", "--json").json
    assert first["origin"] == "kanzlei.example/fundstelle"
    _happen(program, "B")
    second = program.must("journal", "checkpoint", "--json").json
    assert [file.name for file in sorted(folder.iterdir())] == [
        f"checkpoint-{one['size']:012}.txt" for one in (first, second)
    ]
    found = program.must("journal", "verify", "--json").json
    assert (found["checkpoints"], found["external"]) == ({"own": 2, "external": 2}, second["size"])
    file = Path(second["files"][0])
    file.write_text(first["note"], encoding="utf-8")
    outcome = program("journal", "checkpoint")
    assert outcome.code == 2
    assert str(file) in outcome.err
    file.write_text("nothing", encoding="utf-8")
    assert program("journal", "verify", "--json").json["counts"] == {"forged": 1}
    folder.rename(tmp_path / "away")
    assert "eingehängt" in program.must("journal", "checkpoint").err
    assert "eingehängt" not in program.must("journal", "checkpoint").err


def test_another_name_later_is_refused(program: Program) -> None:
    """Checkpoints held elsewhere bear the first one."""
    found = program.must("journal", "checkpoint", "--json").json["origin"]
    (program.data / "config.toml").write_text('[journal]\norigin = "another.example/log"\n', encoding="utf-8")
    outcome = program("journal", "checkpoint")
    assert outcome.code == 2
    assert found in outcome.err


def test_the_key_changes_and_old_checkpoints_still_count(program: Program, tmp_path: Path) -> None:
    """What the old key has signed is trusted as before; the change itself bears both signatures."""
    _happen(program, "A")
    kept = tmp_path / "kept"
    old = program.must("journal", "checkpoint", "--out", kept, "--json").json
    changed = program.must("journal", "rotate-key", "--json").json
    assert changed["key"] != old["key"]
    assert changed["note"].count("— ") == 2
    _happen(program, "B")
    new = program.must("journal", "checkpoint", "--json").json
    assert new["key"] == changed["key"]
    found = program.must("journal", "verify", "--checkpoint", kept, "--json").json
    assert (found["ok"], found["external"], found["checkpoints"]["own"]) == (True, old["size"], 3)


def test_doctor_tells_up_to_where_the_journal_is_signed(program: Program) -> None:
    """Nothing before the first checkpoint, then its size and the public key; a lost key is not made anew."""

    def told() -> dict[str, Any]:
        return next(one for one in program("doctor", "--json").json["checks"] if one["name"] == "journal")

    assert told()["facts"] == {"signed": None}
    assert not (program.data / "keys" / "journal.key").exists()
    signed = program.must("journal", "checkpoint", "--json").json
    assert told()["facts"] == {"signed": signed["size"], "key": signed["key"]}
    (program.data / "keys" / "journal.key").unlink()
    assert told()["error"]["key"] == "journal_key"
    assert not (program.data / "keys" / "journal.key").exists()


def _change(program: Program, statement: LiteralString) -> None:
    database = open_database(program.data, None)
    with roles.connect(database.admin) as connection:
        assert connection.execute(statement).rowcount
    asyncio.run(database.close())


def _refused(program: Program, *command: str) -> str:
    outcome = program(*command, "--json")
    assert outcome.code == 3
    return str(outcome.json["error"]["key"])


def test_a_row_that_is_no_longer_readable_is_told(program: Program) -> None:
    """Time without end: exit 3 with what to do, not a fault of the program; a check finds it as any damage."""
    _happen(program, "A")
    _change(program, "UPDATE fundstelle.journal_clock SET floor = 'infinity'")
    assert _refused(program, "mandate", "open", "B") == "journal_unreadable"
    assert _refused(program, "journal", "checkpoint") == "journal_unreadable"
    found = program("journal", "verify", "--json")
    assert (found.code, found.json["counts"]) == (1, {"clock": 1})
    assert "journal_clock" in program("journal", "verify").out


def test_a_journal_that_would_begin_anew_is_not_signed(program: Program, tmp_path: Path) -> None:
    """Its name was taken away, or a folder holds checkpoints of a journal that was there before it."""
    published = tmp_path / "published"
    published.mkdir()
    (published / "checkpoint-000000000009.txt").write_text("of another one", encoding="utf-8")
    (program.data / "config.toml").write_text(f'[journal]\nfolder = "{published}"\n', encoding="utf-8")
    for command in ("checkpoint", "rotate-key"):
        assert _refused(program, "journal", command) == "journal_published"
    (program.data / "config.toml").unlink()
    program.must("journal", "checkpoint")
    _change(program, "DELETE FROM fundstelle.stream_names")
    for command in ("checkpoint", "rotate-key"):
        assert _refused(program, "journal", command) == "journal_damaged"
    found = program("journal", "verify", "--json")
    assert (found.code, found.json["counts"]) == (1, {"record": 1})


def test_a_witness_confirms(program: Program, tmp_path: Path) -> None:
    """Its signature is taken in, counts as a checkpoint from elsewhere, and nobody else's does."""
    secret = Ed25519PrivateKey.generate()
    witness = VerifierKey("witness.example/w", secret.public_key().public_bytes_raw(), Kind.COSIGNATURE)
    (program.data / "config.toml").write_text(f'[journal]\nwitnesses = ["{witness}"]\nquorum = 1\n', encoding="utf-8")
    _happen(program, "A")
    signed = program.must("journal", "checkpoint", "--json").json
    note = Note.of(signed["note"])
    content = (1_800_000_000).to_bytes(8) + secret.sign(cosigned_text(note.text, 1_800_000_000))
    cosigned = tmp_path / "cosigned"
    cosigned.write_text(
        str(Note(note.text, (*note.signatures, Signature(witness.name, witness.id, content)))), encoding="utf-8"
    )
    accepted = program.must("journal", "accept", cosigned, "--json").json
    assert accepted == {
        "size": signed["size"],
        "witnesses": [{"name": "witness.example/w", "at": "2027-01-15T08:00:00+00:00"}],
    }
    assert program.must("journal", "verify", "--json").json["confirmed"] == signed["size"]
    cosigned.write_text(signed["note"], encoding="utf-8")
    assert program("journal", "accept", cosigned).code == 2


def test_a_configuration_of_witnesses_that_cannot_be_is_refused(program: Program) -> None:
    """A quorum that nobody can reach, the key of a log, a text that is no key."""
    witness = VerifierKey("w", bytes(32), Kind.COSIGNATURE)
    for section in (
        f'witnesses = ["{witness}"]\nquorum = 2',
        f'witnesses = ["{witness}"]',
        "quorum = 1",
        f'witnesses = ["{VerifierKey("w", bytes(32))}"]\nquorum = 1',
        'witnesses = ["w"]\nquorum = 1',
        f'witnesses = ["{witness}", "{witness}"]\nquorum = 1',
        f'witnesses = ["{witness}", "{VerifierKey("v", bytes(32), Kind.COSIGNATURE)}"]\nquorum = 2',
        'origin = "with blank"',
        "folder = 1",
    ):
        (program.data / "config.toml").write_text(f"[journal]\n{section}\n", encoding="utf-8")
        outcome = program("journal", "verify")
        assert outcome.code == 2, section
        assert "journal." in outcome.err


def test_files_that_cannot_be_are_refused(program: Program, tmp_path: Path) -> None:
    """A missing checkpoint, a file of keys without a key, an output that exists: nothing is overwritten."""
    there = tmp_path / "there"
    there.write_text("kept", encoding="utf-8")
    assert program("journal", "verify", "--checkpoint", tmp_path / "missing").code == 2
    assert program("journal", "verify", "--key", there).code == 2
    assert program("journal", "accept", there).code == 2
    key = program.must("journal", "checkpoint", "--json").json["key"]
    for command in ("checkpoint", "rotate-key"):
        assert program("journal", command, "--out", there).code == 2
        program.data.joinpath("config.toml").write_text(f'[journal]\nfolder = "{there}"\n', encoding="utf-8")
        refused = program("journal", command, "--json")
        assert (refused.code, refused.json["error"]["key"]) == (2, "publish_place")
        program.data.joinpath("config.toml").unlink()
    assert there.read_text(encoding="utf-8") == "kept"
    told = program.must("journal", "verify", "--json").json
    assert (program.must("journal", "checkpoint", "--json").json["key"], told["checkpoints"]["own"]) == (key, 1)
