"""Bad input to the commands on documents, one row a kind: exit code and a sentence that says what to do.

``{files}`` is a folder with the files below. In the mandate W the document ``frist`` is known in one version; ben is
a member up to ``internal``, and ``geheim`` lies above that.
"""

import json
import re
import shlex
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

from bot.text import texts
from tests.contract.reader_files import lines, pdf
from tests.e2e.program import Program

FOREIGN = "Das gibt es hier nicht"
INGEST = "ingest --mandate W --level internal"
MANIFEST = "ingest --mandate W --manifest {files}"


class Bad(NamedTuple):
    """A command line that must fail with exit code 2, and part of the German text."""

    line: str
    says: str


REFUSED = (
    # The options of ingest
    Bad("ingest --mandate W --level internal", "Nennen Sie Dateien"),
    Bad("ingest {files}/good.md --mandate W", "--level"),
    Bad("ingest {files}/led --mandate W", "led/tief/manifest.jsonl"),
    Bad("ingest {files}/good.md --level internal", "--mandate"),
    Bad("ingest {files}/good.md --mandate nirgends --level internal", FOREIGN),
    Bad("ingest {files}/good.md --mandate W --level internal --actor ben", FOREIGN),
    Bad("ingest {files}/good.md --mandate W --level streng", "public, internal, confidential, secret"),
    Bad(f"{INGEST} {{files}}/good.md --valid-from 01.02.2026", "2026-01-31"),
    Bad(f"{INGEST} {{files}}/good.md --valid-from 2026-02-30", "kein Tag"),
    Bad(f"{INGEST} {{files}}/good.md --valid-to 0001-01-01", "keinen Tag"),
    Bad(f"{INGEST} {{files}}/good.md --valid-from-kind vielleicht", "legal"),
    Bad(f"{INGEST} {{files}}/good.md --title ' '", "--title"),
    Bad(f"{INGEST} {{files}}/good.md --url javascript:alert(1)", "https://"),
    Bad(f"{INGEST} {{files}}/good.md --valid-from-kind legal", "--valid-from"),
    Bad(f"{INGEST} {{files}}/good.md --document a@b", "U+0040"),
    Bad(f"{INGEST} {{files}}/good.md --document ''", "--document"),
    Bad(f"{INGEST} {{files}}/two --document eins", "in einem Manifest"),
    Bad(f"{INGEST} {{files}}/nothing", "nichts, was aufgenommen werden kann"),
    # The manifest
    Bad(f"{MANIFEST}/nowhere.jsonl", "Prüfen Sie den Pfad"),
    Bad(f"{MANIFEST}/two", "keine gewöhnliche Datei"),
    Bad(f"{MANIFEST}/empty.jsonl --level internal", "keine Zeile"),
    Bad(f"{MANIFEST}/broken.jsonl --level internal", "Zeile 2"),
    Bad(f"{MANIFEST}/unknown.jsonl --level internal", "levle"),
    Bad(f"{MANIFEST}/pathless.jsonl --level internal", "path"),
    Bad(f"{MANIFEST}/good.jsonl", "--level"),
    Bad(f"{MANIFEST}/day.jsonl --level internal", "kein Tag"),
    Bad(f"{MANIFEST}/kind.jsonl --level internal", "valid_from"),
    Bad(f"{MANIFEST}/outside.jsonl --level internal", "in seinem Ordner"),
    Bad(f"{MANIFEST}/level.jsonl", "public, internal, confidential, secret"),
    Bad(f"{MANIFEST}/good.jsonl --level internal --title T", "--manifest lässt sich nicht"),
    Bad(f"{MANIFEST}/good.jsonl --level internal {{files}}/good.md", "--manifest lässt sich nicht"),
    # What is known
    Bad("known --mandate nirgends", FOREIGN),
    Bad("known --mandate W --as fremde", FOREIGN),
    Bad("known --mandate W --at gestern", "2026-01-31"),
    Bad("known --mandate W --at 2999-01-01", "Zukunft"),
    Bad("known --mandate W --valid-on heute", "2026-01-31"),
    Bad("run list --mandate W --from 2026-01-02 --to 2026-01-01", "Vertauschen"),
    Bad("diff --mandate W --from 2020-01-01", "--to"),
    Bad("diff --mandate W --to 2020-01-01", "--from"),
    Bad("diff --mandate nirgends --from 2020-01-02 --to 2020-01-01", FOREIGN),
    Bad("diff --mandate W --as fremde --from gestern --to 2999-01-01", FOREIGN),
    Bad("diff --mandate W --from 2020-01-02 --to 2020-01-01", "Vertauschen"),
    Bad("diff --mandate W --from 2020-01-01T00:00:01Z --to 2020-01-01T01:00+01:00", "Vertauschen"),
    Bad("diff --mandate W --from gestern --to heute", "2026-01-31"),
    Bad("diff --mandate W --from 2020-02-30 --to 2020-03-01", "kein Tag"),
    Bad("diff --mandate W --from 2020-01-01 --to 2999-01-01", "Zukunft"),
    Bad("diff --mandate W --from 2999-01-01 --to 2020-01-01", "Zukunft"),
    Bad("diff --mandate W --from 2020-01-01 --to 2020-01-02 --valid-on heute", "2026-01-31"),
    # Anchors
    Bad("show frist --mandate W", "DOKUMENT@FASSUNG"),
    Bad("show frist@0:1-2 --mandate W", "DOKUMENT@FASSUNG"),
    Bad("show frist@1:2 --mandate W", "DOKUMENT@FASSUNG"),
    Bad("show frist@1:5-5 --mandate W", "kein Zeichen"),
    Bad("show frist@1:0-999 --mandate W", "Zeichen"),
    Bad("show frist@2:0-1 --mandate W", FOREIGN),
    Bad("show nirgends@1:0-1 --mandate W", FOREIGN),
    Bad("show geheim@1:0-1 --mandate W --as ben", FOREIGN),
    Bad("show geheim@1:0-999 --mandate W --as ben", FOREIGN),
    Bad("show frist@1:0-1 --mandate V", FOREIGN),
    Bad("show frist@1:0-1 --mandate W --context -1", "0 bis"),
    # Changes
    Bad("withdraw nirgends --mandate W --because x", FOREIGN),
    Bad("withdraw frist --mandate W --because ' '", "--because"),
    Bad("withdraw frist --mandate W --because x --actor ben", FOREIGN),
    Bad("level assign frist streng --mandate W", "public, internal, confidential, secret"),
    Bad("level assign nirgends secret --mandate W", FOREIGN),
    Bad("level assign frist secret --mandate W --actor ben", FOREIGN),
    # Watching
    Bad("watch {files}/nowhere --mandate W --level internal --once", "vorhandenen Ordner"),
    Bad("watch {files}/good.md --mandate W --level internal --once", "ist eine Datei, kein Ordner"),
    Bad("watch {files}/two --mandate W --level streng --once", "public, internal, confidential, secret"),
    Bad("watch {files}/two --mandate W --level internal --once --interval 0", "Sekunden"),
    Bad("watch {files}/two --mandate W --level internal --once --interval nan", "Sekunden"),
    Bad("watch {files}/two --mandate W --level internal --once --actor ben", FOREIGN),
)

UNREADABLE = {
    "gone.md": "Prüfen Sie den Pfad",
    "picture.png": "Dateien dieser Art",
    "good.jsonl": "--manifest",
    "pathless.jsonl": "Dateien dieser Art",
    "old.doc": "Dateien dieser Art",
    "empty.txt": "keinen Text",
    "blank.pdf": "keinen Text",
    "large.txt": "200 MB",
    "broken.pdf": "beschädigt",
    "damaged.docx": "beschädigt",
    "locked.pdf": "verschlüsselt",
    "sealed.docx": "verschlüsselt",
    "other.xlsx": "passt nicht zur Endung",
    "binary.md": "",
    "@@@.png": "Dateien dieser Art",
}
"""Files that cannot be ingested, with part of what their line says."""


def archive() -> bytes:
    content = BytesIO()
    with ZipFile(content, "w") as file:
        file.writestr("readme", "kein Dokument")
    return content.getvalue()


FILES = {
    "good.md": b"Die Frist endet.",
    "two/a.md": b"Eins.",
    "two/b.md": b"Zwei.",
    "led/tief/manifest.jsonl": b'{"path": "a.md", "level": "public"}\n',
    "good.jsonl": b'{"path": "good.md"}',
    "empty.jsonl": b"\n",
    "broken.jsonl": b'{"path": "good.md"}\n{"path": ',
    "unknown.jsonl": b'{"path": "good.md", "levle": "public"}',
    "pathless.jsonl": b'{"document": "a"}',
    "day.jsonl": b'{"path": "good.md", "valid_from": "2026-13-01"}',
    "kind.jsonl": b'{"path": "good.md", "valid_from_kind": "legal"}',
    "outside.jsonl": b'{"path": "../../etc/hostname"}',
    "level.jsonl": b'{"path": "good.md", "level": "streng"}',
    "picture.png": b"\x89PNG\r\n\x1a\n",
    "old.doc": b"\xd0\xcf\x11\xe0",
    "empty.txt": b"",
    "blank.pdf": b"",
    "broken.pdf": b"%PDF-1.7\nkaputt",
    "locked.pdf": pdf([lines("Geheim")], password="geheim"),
    "sealed.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
    "damaged.docx": b"PK\x03\x04kaputt",
    "other.xlsx": archive(),
    "binary.md": bytes(range(256)) * 20,
    "@@@.png": b"\x89PNG",
}


@dataclass(frozen=True)
class World:
    program: Program
    files: Path

    def run(self, line: str):
        return self.program(*(part.format(files=self.files) for part in shlex.split(line)), "--json")


@pytest.fixture(scope="module")
def world(shared_program: Program, tmp_path_factory: pytest.TempPathFactory) -> World:
    files = tmp_path_factory.mktemp("files")
    for name, content in FILES.items():
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_bytes(content)
    (files / "nothing").mkdir()
    with (files / "large.txt").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    run = shared_program.must
    for key in ("W", "V"):
        run("mandate", "open", key)
    run("mandate", "admit", "W", "ben", "--clearance", "internal")
    for key, level in (("frist", "internal"), ("geheim", "secret")):
        run("ingest", files / "good.md", "--mandate", "W", "--document", key, "--level", level)
    return World(shared_program, files)


@pytest.mark.parametrize("bad", REFUSED, ids=[bad.line for bad in REFUSED])
def test_bad_input_is_told_what_to_do(world: World, bad: Bad) -> None:
    """Exit code 2, one JSON document with the error, words in both languages, no traceback."""
    outcome = world.run(bad.line)

    assert outcome.code == 2, outcome
    assert "Traceback" not in outcome.out + outcome.err
    error = outcome.json["error"]
    assert bad.says in error["message"]
    assert not re.search(r"[{}]", error["message"]), "a placeholder was left open"
    assert texts("en")._entries[f"errors.{error['key']}"] != texts("de")._entries[f"errors.{error['key']}"]


def test_files_that_cannot_be_read_have_a_line_each_and_stop_no_other(world: World) -> None:
    """All in one call with a good file: exit code 1, and what is wrong stands at each."""
    names = [*UNREADABLE, "good.md"]
    outcome = world.program(
        "ingest", *(world.files / name for name in names), "--mandate", "W", "--level", "internal", "--json"
    )

    assert outcome.code == 1, outcome
    assert "Traceback" not in outcome.out + outcome.err
    lines = {Path(line["path"]).name: line for line in outcome.lines}
    assert lines["good.md"]["status"] == "ingested"
    for name, says in UNREADABLE.items():
        assert (lines[name]["status"], lines[name]["version"]) == ("failed", None)
        assert says in lines[name]["error"]


def test_a_single_file_that_cannot_be_read_is_exit_code_2(world: World) -> None:
    """Nothing went well, so the input is wrong; the line is there all the same."""
    outcome = world.run(f"{INGEST} {{files}}/broken.pdf")
    assert (outcome.code, outcome.json["status"]) == (2, "failed")


def test_a_wrong_validity_is_an_error_of_its_file(world: World) -> None:
    """The end before the beginning."""
    outcome = world.run(f"{INGEST} {{files}}/good.md --valid-from 2026-02-02 --valid-to 2026-02-01")
    assert outcome.code == 2
    assert "enthält keinen Tag" in json.loads(outcome.out)["error"]["message"]


def test_bad_input_changes_no_document(world: World) -> None:
    """After all of it, what was known is known and nothing else."""
    known = world.program.must("known", "--mandate", "W", "--json").json["documents"]
    assert {entry["document"]: (entry["version"], entry["level"]) for entry in known} == {
        "frist": (1, "internal"),
        "geheim": (1, "secret"),
        "good": (1, "internal"),
    }
