"""Setting up, looking after, backing up and restoring."""

import asyncio
import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from psycopg import sql

from adapters.postgres import roles
from adapters.postgres.binaries import wheel_binaries
from adapters.postgres.database import open_database
from adapters.postgres.endpoint import Role
from bot import backup
from bot.config import Settings
from bot.matrix.cross_signing_keys import KeyFile
from bot.wiring import open_app
from domain.errors import PartError
from domain.mandates.policies import ModelThreshold
from tests.e2e.program import Program
from tests.servers import wait_until_stopped


def test_init_can_be_repeated(shared_program: Program) -> None:
    """A second init finds everything in place and changes nothing."""
    before = shared_program.must("doctor", "--json").json
    again = shared_program.must("init", "--json").json
    assert again == {"data": str(shared_program.data), "status": "unchanged"}
    assert shared_program.must("doctor", "--json").json["checks"][5:] == before["checks"][5:]
    assert shared_program.must("migrate", "--json").json == {"applied": 0}


def test_doctor_looks_at_every_part(shared_program: Program) -> None:
    """Each part says what it is; all is well."""
    document = shared_program.must("doctor", "--json").json
    assert document["ok"]
    facts = {check["name"]: check["facts"] for check in document["checks"]}
    assert facts["database"]["kind"] == "embedded"
    assert facts["database"]["pgvector"]
    assert facts["encoder"]["fingerprint"]
    assert facts["encoder"]["fingerprint"] in facts["reranker"]["fingerprint"]
    assert facts["disk"]["free_bytes"] > 0
    told = shared_program.must("doctor").out
    assert "Alles in Ordnung" in told
    assert re.search(r"frei: \d+(,\d)? [GT]B", told)
    assert "free_bytes" not in told
    assert facts["encoder"]["fingerprint"] not in told
    assert " -1" not in told


def test_doctor_finds_a_damaged_index(program: Program, tmp_path: Path) -> None:
    """Before a question meets it; what doctor tells to do sets it right."""
    file = tmp_path / "handbuch.md"
    file.write_text("Die Frist beträgt einen Monat.\n", encoding="utf-8")
    program.must("mandate", "open", "M")
    program.must("ingest", file, "--mandate", "M", "--level", "internal")
    for view in ("lexical", "subwords"):
        terms = next((program.data / "index" / view).rglob("*.term"))
        terms.write_bytes(b"x" + terms.read_bytes()[1:])

    broken = [one for one in program("doctor", "--json").json["checks"] if not one["ok"]]

    assert [one["name"] for one in broken] == ["lexical", "subwords"]
    for one in broken:
        assert f"fundstelle rebuild {one['name']}" in one["error"]["message"]
        program.must("rebuild", one["name"])
    assert program.must("doctor", "--json").json["ok"]


def test_doctor_finds_what_an_index_lacks(program: Program, tmp_path: Path) -> None:
    """A mandate whose folder is gone is no empty index; the folder of another mandate does not hide that."""
    for mandate in ("M", "N"):
        file = tmp_path / f"{mandate}.md"
        file.write_text(f"Die Frist von {mandate} beträgt einen Monat.\n", encoding="utf-8")
        program.must("mandate", "open", mandate)
        program.must("ingest", file, "--mandate", mandate, "--level", "internal")
    assert program.must("doctor", "--json").json["ok"]
    for view in ("lexical", "subwords"):
        shutil.rmtree(next((program.data / "index" / view).rglob("meta.json")).parent)

    broken = [one for one in program("doctor", "--json").json["checks"] if not one["ok"]]

    assert [one["name"] for one in broken] == ["lexical", "subwords"]
    for one in broken:
        program.must("rebuild", one["name"])
    assert program.must("doctor", "--json").json["ok"]


async def test_doctor_finds_a_lapsed_calibration(program: Program) -> None:
    """A threshold for a model no longer in use lets nothing pass: counted, without naming the mandate."""
    program.must("mandate", "open", "Kalibriert")
    async with open_app(Settings(program.data, "de")) as app:
        other = ModelThreshold("reranker of last year", 0.1)
        await app.mandates.set_threshold("Kalibriert", "relevance", "0.5", "geprüft", await app.actor(), model=other)
    outcome = program("doctor", "--json")
    (lapsed,) = [check for check in outcome.json["checks"] if not check["ok"]]
    assert (outcome.code, lapsed["name"], lapsed["error"]["key"]) == (1, "calibrations", "calibration_lapsed")
    assert "Kalibriert" not in outcome.out


def test_doctor_fails_when_a_check_fails(program: Program) -> None:
    """Keys that others can read are found: exit 1, and the sentence says what to do."""
    keys = program.data / "keys"
    keys.chmod(0o755)
    outcome = program("doctor", "--json")
    assert outcome.code == 1
    (broken,) = [check for check in outcome.json["checks"] if not check["ok"]]
    assert broken["name"] == "folder"
    assert "chmod 700" in broken["error"]["message"]
    keys.chmod(0o700)


@pytest.mark.parametrize("privilege", ["BYPASSRLS", "SUPERUSER"])
def test_a_reader_that_could_get_round_the_filters_gets_no_answer(program: Program, privilege: str) -> None:
    """A question under a role that row-level security does not hold against is refused; without the right it works."""
    program.must("mandate", "open", "M")
    server = open_database(program.data, None)
    try:
        with roles.connect(server.admin) as connection:
            reader = sql.Identifier(server.role_name(Role.READER))
            connection.execute(sql.SQL("ALTER ROLE {} " + privilege).format(reader))
            refused = program("ask", "Welche Frist gilt?", "--mandate", "M", "--json")
            connection.execute(sql.SQL("ALTER ROLE {} NO" + privilege).format(reader))
    finally:
        asyncio.run(server.close())
    assert (refused.code, refused.json["error"]["key"]) == (3, "database_role")
    assert program.must("ask", "Welche Frist gilt?", "--mandate", "M", "--json").json["outcome"] == "refused"


def test_a_lost_key_is_not_replaced(program: Program) -> None:
    """Without its key the store stays shut, and init makes no new one over what the old one has locked."""
    program.must("mandate", "open", "M")
    key = program.data / "keys" / "master.key"
    kept = key.rename(program.data.parent / "kept.key")
    for command in (["mandate", "list"], ["init"]):
        outcome = program(*command, "--json")
        assert outcome.code == 3
        assert outcome.json["error"]["key"] == "master_key"
    assert not key.exists()
    kept.rename(key)
    assert len(program.must("mandate", "list", "--json").json["mandates"]) == 1


def test_a_backup_brings_everything_back(program: Program) -> None:
    """Database and keys go apart into a new folder and make the same installation again, and nothing is overwritten."""
    program.must("mandate", "open", "Recht", "--name", "Prüfung")
    program.must("mandate", "admit", "Recht", "anna", "--clearance", "internal")
    shown = program.must("mandate", "show", "Recht", "--json").json
    signing = KeyFile(program.data / "keys", "@fundstelle:kanzlei.example")
    signing.make()
    folder = program.data.parent / "backup"

    made = program.must("backup", folder, "--json").json
    assert made["events"] == shown["position"]
    assert not {path.stat().st_mode & 0o077 for path in folder.rglob("*")} - {0}
    assert b"anna" not in (folder / "database.dump").read_bytes()
    again = program("backup", folder, "--json")
    assert (again.code, again.json["error"]["key"]) == (2, "backup_exists")
    onto = program("restore", folder, "--json")
    assert (onto.code, onto.json["error"]["key"]) == (2, "backup_target")

    other = Program(program.data.parent / "other")
    assert other.must("restore", folder, "--json").json["events"] == made["events"]
    assert other.must("mandate", "show", "Recht", "--json").json == shown
    assert other.must("doctor", "--json").json["ok"]
    assert (other.data / "keys" / signing.path.name).read_bytes() == signing.path.read_bytes()
    assert wait_until_stopped(other.data)


async def test_a_backup_that_fails_leaves_no_keys_behind(
    shared_program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data is written and the keys are copied when the disk turns out to be full: the folder is empty again."""

    def full(file: Path, _made: object) -> None:
        assert {entry.name for entry in file.parent.iterdir()} == {"keys", "secrets", "keys.dump"}
        raise PartError("disk_full")

    monkeypatch.setattr(backup, "_summarise", full)
    folder = tmp_path / "backup"
    with pytest.raises(PartError, match="disk_full"):
        await backup.back_up(Settings(shared_program.data, "de"), folder)
    assert list(folder.iterdir()) == []
    shared_program.must("backup", folder)


def test_a_backup_without_its_keys_tells_nothing(program: Program, tmp_path: Path) -> None:
    """No word of a document, a question or a person stands in the clear in it; restored, all is answered as before."""
    marks = ("Zitronenfalter", "Windmühle", "Abschnittsmarke", "Kurbelwelle", "Fragezeichenwort", "person-anna")
    key, title, section, word, asked, person = marks
    file = tmp_path / "akte.md"
    file.write_text(f"# Akte\n\n## {section}\n\nDie Frist der {word} beträgt drei Monate zum Jahresende.\n")
    program.must("mandate", "open", "M")
    program.must("mandate", "admit", "M", person, "--clearance", "internal")
    program.must("mandate", "admit", "M", "ben", "--clearance", "internal")
    described = ("--document", key, "--title", title, "--url", f"https://akten.example/{key}")
    program.must("ingest", file, "--mandate", "M", "--level", "internal", *described)
    run = program.must("ask", f"Welche Frist hat die {word}, {asked}?", "--mandate", "M", "--json").json["run"]
    looks = [
        ("known", "--mandate", "M", "--as", "ben"),
        ("search", f"Frist der {word}", "--mandate", "M"),
        ("run", "list", "--mandate", "M"),
        ("run", "show", run),
        ("mandate", "show", "M"),
    ]
    before = [_told(program, look) for look in looks]
    folder = tmp_path / "backup"
    program.must("backup", folder)

    plain = subprocess.run(
        [wheel_binaries().folder / "pg_restore", "-f", "-", folder / "database.dump"], check=True, capture_output=True
    ).stdout
    assert b"COPY fundstelle.stored_events" in plain
    for mark in marks:
        # Binary columns are written in hexadecimal.
        for form in (mark.encode(), mark.encode().hex().encode()):
            assert form not in plain, mark
            assert not [file for file in folder.rglob("*") if file.is_file() and form in file.read_bytes()], mark

    other = Program(program.data.parent / "other")
    other.must("restore", folder)
    assert [_told(other, look) for look in looks] == before
    assert wait_until_stopped(other.data)


def _told(program: Program, look: tuple[str, ...]) -> dict[str, Any]:
    """What a command says, apart from when it was asked and how long it took."""
    told: dict[str, Any] = program.must(*look, "--json").json
    return {name: value for name, value in told.items() if name not in {"at", "position", "timings_ms"}}


@pytest.mark.parametrize("damage", ["cut", "summary", "missing", "empty"])
def test_a_damaged_backup_is_refused(shared_program: Program, tmp_path: Path, damage: str) -> None:
    """What is not whole is refused before anything is made of it."""
    folder, target = tmp_path / "backup", tmp_path / "target"
    shared_program.must("backup", folder)
    dump, summary = folder / "database.dump", folder / "backup.json"
    match damage:
        case "cut":
            dump.write_bytes(dump.read_bytes()[:-100])
        case "summary":
            summary.write_text(json.dumps({"events": 1}))
        case "missing":
            dump.unlink()
        case _:
            shutil.rmtree(folder)
    outcome = Program(target)("restore", folder, "--json")
    assert outcome.code == 2
    assert outcome.json["error"]["key"] in {"backup_damaged", "backup_missing"}
    assert not target.exists()


def test_a_key_that_others_can_read_is_refused(shared_program: Program) -> None:
    """The sentence says which command closes it, and then all goes on."""
    key = shared_program.data / "keys" / "master.key"
    key.chmod(0o644)
    try:
        for command in (["mandate", "list"], ["init"], ["ask", "Frist?", "--mandate", "M"]):
            outcome = shared_program(*command, "--json")
            assert (outcome.code, outcome.json["error"]["key"]) == (2, "master_key_open")
            assert f"chmod 600 {key}" in outcome.err
    finally:
        key.chmod(0o600)
    shared_program.must("mandate", "list")


def test_a_folder_with_other_things_is_no_data_folder(tmp_path: Path) -> None:
    """It may be open to others and has to stay so: nothing of ours is put into it, and it keeps its mode."""
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")
    tmp_path.chmod(0o755)
    outcome = Program(tmp_path)("init", "--json")
    assert (outcome.code, outcome.json["error"]["key"]) == (2, "folder_foreign")
    assert [entry.name for entry in tmp_path.iterdir()] == ["letter.txt"]
    assert tmp_path.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("keys", ["elsewhere", "foreign"])
def test_a_backup_without_its_keys_is_refused_before_anything_is_written(
    shared_program: Program, tmp_path: Path, data_folder: Path, keys: str
) -> None:
    """The sentence names the place of the keys, nothing is left behind, and with the keys the same command works."""
    folder, safe, target = tmp_path / "backup", tmp_path / "safe", Program(data_folder)
    shared_program.must("backup", folder)
    (folder / "keys").rename(safe)
    if keys == "foreign":
        shutil.copytree(safe, folder / "keys")
        (folder / "keys" / "keys" / "master.key").write_bytes(base64.b64encode(bytes(32)))
    outcome = target("restore", folder, "--json")
    assert (outcome.code, outcome.json["error"]["key"]) == (2, "backup_keys")
    assert str(folder / "keys") in outcome.err
    assert not target.data.exists()
    shutil.rmtree(folder / "keys", ignore_errors=True)
    safe.rename(folder / "keys")
    target.must("restore", folder)


def test_a_restore_that_fails_leaves_nothing_behind(shared_program: Program, tmp_path: Path) -> None:
    """Events are missing in the end: the data folder is as it was, and the same command fails in the same way."""
    folder, target = tmp_path / "backup", Program(tmp_path / "target")
    shared_program.must("backup", folder)
    for file in (folder / "backup.json", folder / "keys" / "keys.json"):
        summary = json.loads(file.read_bytes())
        file.write_text(json.dumps({**summary, "events": summary["events"] + 1}))
    for _ in range(2):
        outcome = target("restore", folder, "--json")
        assert (outcome.code, outcome.json["error"]["key"]) == (3, "backup_incomplete")
        assert not target.data.exists()
    target.data.mkdir()
    assert target("restore", folder).code == 3
    assert not any(target.data.iterdir())


def test_a_backup_goes_where_its_configuration_says(shared_program: Program, tmp_path: Path) -> None:
    """Not silently into the embedded database, while every later command would look into the one that is named."""
    folder, target = tmp_path / "backup", Program(tmp_path / "target")
    shared_program.must("backup", folder)
    config = folder / "keys" / "config.toml"
    config.write_text("[postgres]\nurl = 'postgresql://x@db.example/fundstelle'\n", encoding="utf-8")
    outcome = target("restore", folder, "--json")
    assert (outcome.code, outcome.json["error"]["key"]) == (2, "backup_config")
    assert str(config) in outcome.err
    assert not target.data.exists()


async def test_a_restore_that_was_killed_is_not_set_up_as_it_is(
    shared_program: Program, data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the rest missing it would look as if all had been erased; so neither init nor anything else takes it."""
    folder, target = tmp_path / "backup", Program(data_folder)
    shared_program.must("backup", folder)

    def killed(*_: object) -> None:
        for command in (["init"], ["mandate", "list"], ["migrate"], ["doctor"]):
            refused = target(*command, "--json")
            assert refused.code in {1, 2}
            assert "fundstelle restore" in refused.err + refused.out, command
        raise PartError("database")

    monkeypatch.setattr(backup, "restore_keys", killed)
    with pytest.raises(PartError, match="database"):
        await backup.put_back(Settings(target.data, "de"), folder)
    assert not target.data.exists()


def test_a_restored_journal_is_verified(program: Program) -> None:
    """One that is not intact is put back, as it may be the only copy, but it is said and the exit code says so."""
    program.must("mandate", "open", "M")
    database = open_database(program.data, None)
    with roles.connect(database.admin) as connection:
        connection.execute("UPDATE fundstelle.stored_events SET state = state || '\\x00'")
    asyncio.run(database.close())
    folder, other = program.data.parent / "backup", Program(program.data.parent / "other")
    program.must("backup", folder)

    outcome = other("restore", folder, "--json")
    assert (outcome.code, outcome.json["events"]) == (1, 1)
    assert outcome.json["problems"] > 0
    verified = other("journal", "verify", "--json")
    assert (verified.code, sum(verified.json["counts"].values())) == (1, outcome.json["problems"])
    assert wait_until_stopped(other.data)


def test_views_are_rebuilt(shared_program: Program) -> None:
    """A view is built anew from the events; one that does not exist is named with those that do."""
    shared_program.must("mandate", "open", "Views")
    document = shared_program.must("rebuild", "knowledge", "--json").json
    assert document["position"] == shared_program.must("mandate", "show", "Views", "--json").json["position"]
    outcome = shared_program("rebuild", "frobnicate")
    assert outcome.code == 2
    assert "knowledge" in outcome.err
