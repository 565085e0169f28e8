"""Keys are backed up apart from the data, and the newest fit the data of any day."""

import asyncio
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from adapters.postgres.binaries import wheel_binaries
from adapters.postgres.database import open_database
from adapters.postgres.dump import dump, snapshot
from projections.tables import VIEWS
from tests.e2e.program import Program
from tests.servers import reachable_folder, wait_until_stopped


@contextmanager
def restored(folder: Path) -> Iterator[Program]:
    """Another installation, made from a backup."""
    with reachable_folder() as place:
        other = Program(place / "data")
        other.must("restore", folder)
        yield other
        assert wait_until_stopped(other.data)


@pytest.fixture
def grown(program: Program, tmp_path: Path) -> tuple[Program, Path, Path]:
    """Two backups, a document and a change of the master key between them."""
    text = tmp_path / "handbuch.md"
    text.write_text("Die Frist beträgt einen Monat.\n", encoding="utf-8")
    program.must("mandate", "open", "M")
    program.must("ingest", text, "--mandate", "M", "--level", "internal", "--document", "alt")
    older, newer = tmp_path / "older", tmp_path / "newer"
    program.must("backup", older)
    program.must("keys", "rotate")
    text.write_text("Die Frist beträgt zwei Monate.\n", encoding="utf-8")
    program.must("ingest", text, "--mandate", "M", "--level", "internal", "--document", "neu")
    program.must("backup", newer)
    return program, older, newer


def _documents(program: Program) -> list[str]:
    return [one["document"] for one in program.must("known", "--mandate", "M", "--json").json["documents"]]


def test_older_data_opens_with_the_newest_keys(grown: tuple[Program, Path, Path], tmp_path: Path) -> None:
    """Also after a change of the master key; the installation then goes on as if nothing had come after that data."""
    _, older, newer = grown
    shutil.rmtree(older / "keys")
    shutil.copytree(newer / "keys", older / "keys")

    with restored(older) as other:
        assert _documents(other) == ["alt"]
        text = tmp_path / "anders.md"
        text.write_text("Die Frist beträgt drei Monate.\n", encoding="utf-8")
        other.must("ingest", text, "--mandate", "M", "--level", "internal", "--document", "anders")
        assert _documents(other) == ["alt", "anders"]
        assert other.must("journal", "verify", "--json").code == 0


def test_newer_data_is_not_opened_with_older_keys(grown: tuple[Program, Path, Path], tmp_path: Path) -> None:
    """What came after the keys would be lost for good, so nothing is written."""
    _, older, newer = grown
    shutil.rmtree(newer / "keys")
    shutil.copytree(older / "keys", newer / "keys")

    refused = Program(tmp_path / "target")("restore", newer, "--json")

    assert (refused.code, refused.json["error"]["key"]) == (2, "backup_keys_older")
    assert not (tmp_path / "target").exists()


def test_the_data_holds_no_key(grown: tuple[Program, Path, Path]) -> None:
    """Whoever has the data and the master key, but not the wrapped keys, has no row that it opens."""
    program, _, newer = grown
    database = open_database(program.data, None)
    with psycopg.connect(database.admin.conninfo) as connection:
        connection.execute("SET search_path = fundstelle")
        wrapped = [
            bytes(row[0])
            for table in ("keyring", "event_keys", "blob_keys")
            for row in connection.execute(f"SELECT wrapped FROM {table}").fetchall()
        ]
    asyncio.run(database.close())
    data, keys = (_plain(newer / name) for name in ("database.dump", "keys/keys.dump"))
    assert len(wrapped) > 5
    assert all(key.hex() in keys for key in wrapped)
    assert not [key for key in wrapped if key.hex() in data]


def test_a_backup_of_the_form_before_is_restored(grown: tuple[Program, Path, Path], tmp_path: Path) -> None:
    """Wrapped keys among the data and the master key beside it: as an older program has written it."""
    program, _, newer = grown
    folder = tmp_path / "form1"
    (folder / "keys").mkdir(parents=True)
    for name in ("keys", "secrets"):
        shutil.copytree(newer / "keys" / name, folder / "keys" / name)
    database = open_database(program.data, None)
    with snapshot(database.admin) as (name, events):
        dump(database.admin, folder / "database.dump", name, VIEWS)
    asyncio.run(database.close())
    digest = hashlib.sha256((folder / "database.dump").read_bytes()).hexdigest()
    summary = {"format": 1, "events": events, "database": "fundstelle", "sha256": digest}
    (folder / "backup.json").write_text(json.dumps(summary))

    with restored(folder) as other:
        assert _documents(other) == ["alt", "neu"]


def _plain(file: Path) -> str:
    command = [wheel_binaries().folder / "pg_restore", "-f", "-", file]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
