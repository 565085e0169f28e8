"""Watching a folder, and being interrupted."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.corner import NEW, OLD, Corner
from tests.e2e.program import Program


def watch_once(corner: Corner):
    return corner.run("watch", corner.folder, "--level", "internal", "--once", "--interval", "0.1")


def test_a_watched_folder_is_kept_in_step(corner: Corner):
    """Added, changed and vanished files; a second run has nothing to do."""
    corner.file("a.md", OLD)
    corner.file("b.md", OLD)
    assert {line["document"]: line["status"] for line in watch_once(corner).lines} == {"a": "ingested", "b": "ingested"}
    assert watch_once(corner).out == ""

    corner.file("a.md", NEW)
    (corner.folder / "b.md").unlink()
    corner.file("c.md", NEW)
    assert {line["document"]: line["status"] for line in watch_once(corner).lines} == {
        "a": "ingested",
        "b": "withdrawn",
        "c": "ingested",
    }
    assert corner.known() == {"a": 2, "c": 1}


def test_a_watch_withdraws_nothing_when_its_folder_goes_away(corner: Corner):
    """Neither a missing nor an empty folder is believed; one that is back goes on where it was."""
    corner.file("a.md", OLD)
    watch_once(corner)
    (corner.folder / "a.md").rename(corner.folder.parent / "a.md")
    outcome = watch_once(corner)
    assert "plötzlich leer" in outcome.err
    assert corner.known() == {"a": 1}

    (corner.folder.parent / "a.md").rename(corner.folder / "a.md")
    assert watch_once(corner).out == ""


def test_a_watch_never_withdraws_what_it_did_not_bring_in(corner: Corner):
    """A document that answered before the watch saw its file stays when the file goes."""
    corner.ingest(corner.file("a.md", OLD))
    corner.file("b.md", OLD)
    watch_once(corner)
    (corner.folder / "a.md").unlink()
    watch_once(corner)
    assert corner.known() == {"a": 1, "b": 1}


@pytest.fixture
def watching(corner: Corner) -> Iterator[subprocess.Popen[str]]:
    command = corner.program.command(
        "watch", corner.folder, "--mandate", corner.mandate, "--level", "internal", "--interval", "0.2", "--json"
    )
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=corner.program.environment()
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_running_watch_takes_finished_files_and_ends_cleanly(corner: Corner, watching: subprocess.Popen[str]):
    """A file that grows is taken when it stands still; SIGTERM ends the watch with exit code 0."""
    with (corner.folder / "wächst.md").open("w", encoding="utf-8") as file:
        for _ in range(12):
            file.write(OLD + " ")
            file.flush()
            os.fsync(file.fileno())
            time.sleep(0.05)
    assert watching.stdout is not None
    line = json.loads(watching.stdout.readline())
    watching.send_signal(signal.SIGTERM)
    out, err = watching.communicate(timeout=30)

    assert (line["document"], line["version"], line["sentences"]) == ("wächst", 1, 12)
    assert (watching.returncode, out) == (0, ""), err


def test_a_folder_is_watched_once_at_a_time(corner: Corner, watching: subprocess.Popen[str]):
    """Two watches on one folder would take each other's files for vanished."""
    assert watching.stderr is not None
    assert "beobachtet" in watching.stderr.readline()
    outcome = watch_once(corner)
    assert (outcome.code, outcome.json["error"]["key"]) == (2, "watch_running")


def interrupted(corner: Corner, wait_for: str, *arguments: str | Path) -> tuple[int, str, str]:
    """Run a command on a folder of many files and press Ctrl-C behind the line that holds ``wait_for``."""
    for number in range(200):
        corner.file(f"viele/{number:03}.md", f"{OLD} Nummer {number}.")
    command = corner.program.command(*arguments, "--mandate", corner.mandate, "--level", "internal", "--json")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=Program.environment()
    ) as process:
        assert process.stdout is not None
        while wait_for not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_an_interrupted_ingest_says_how_to_go_on(corner: Corner):
    """One line tells how far it came; the same command takes the rest."""
    code, _, err = interrupted(corner, "viele/002.md", "ingest", corner.folder / "viele")
    assert code == 130
    (line,) = err.splitlines()
    assert "von 200 Dateien" in line
    assert "derselbe Befehl macht weiter" in line


def test_a_watch_that_is_interrupted_in_the_middle_says_so(corner: Corner):
    """Ctrl-C between two files is no clean end: exit code 130, and one line says that files are left."""
    code, _, err = interrupted(corner, "viele/002.md", "watch", corner.folder / "viele", "--interval", "0.1")
    assert code == 130
    assert "bevor der Ordner ganz abgeglichen war" in err


def test_a_watch_on_a_broken_file_ends_alike_every_time(corner: Corner):
    """With something new beside it and without, as an error of one file of the folder; locks are no files."""
    corner.file("a.md", OLD)
    corner.file("~$a.docx", "x")
    corner.file("broken.pdf", "x")
    first, second = watch_once(corner), watch_once(corner)
    assert (first.code, second.code) == (1, 1)
    assert [line["document"] for line in second.lines] == ["broken"]
