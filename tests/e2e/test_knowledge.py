"""The commands on documents, as a person and a script use them."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.e2e.program import Program

numbers = count(1)
OLD, NEW = "Die Frist beträgt zwei Monate.", "Die Frist beträgt drei Monate."


class Corner:
    """A mandate of the test's own, and a folder."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.mandate = f"wissen-{next(numbers)}"
        program.must("mandate", "open", self.mandate)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, *arguments: str | Path):
        return self.program(*arguments, "--mandate", self.mandate, "--json")

    def ingest(self, *arguments: str | Path):
        return self.run("ingest", *arguments, "--level", "internal")

    def known(self, *arguments: str) -> dict[str, int]:
        found = self.run("known", *arguments).json["documents"]
        return {entry["document"]: entry["version"] for entry in found}


@pytest.fixture
def corner(shared_program: Program, tmp_path: Path) -> Corner:
    return Corner(shared_program, tmp_path)


def until(holds: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.1)


def test_a_file_comes_in_and_is_known(corner: Corner):
    """One JSON line says what became of it, and the list of what is known names it with the same hash."""
    line = corner.ingest(corner.file("frist.md", OLD)).json

    assert line == {
        "path": str(corner.folder / "frist.md"),
        "document": "frist",
        "version": 1,
        "status": "ingested",
        "sha256": line["sha256"],
        "characters": len(OLD),
        "sentences": 1,
        "passages": 1,
        "note": None,
        "error": None,
    }
    known = corner.run("known").json
    (entry,) = known["documents"]
    assert entry["sha256"] == line["sha256"]
    assert (entry["version"], entry["valid_from"], entry["recorded_to"]) == (1, None, None)
    assert entry["recorded_from"] <= known["at"]
    assert entry["recorded_position"] <= known["position"]


def test_the_same_file_again_is_unchanged_and_another_text_is_a_new_version(corner: Corner):
    """Nothing is recorded twice; the new version takes over today."""
    file = corner.file("frist.md", OLD)
    corner.ingest(file)
    assert corner.ingest(file).json["status"] == "unchanged"
    file.write_text(NEW, encoding="utf-8")
    assert corner.ingest(file).json["version"] == 2
    assert corner.known() == {"frist": 2}
    assert corner.known("--valid-on", "2020-01-01") == {"frist": 1}


def test_what_was_known_stays_known_to_the_byte(corner: Corner):
    """The same question about an earlier instant has the same answer before and after further changes."""
    corner.ingest(corner.file("frist.md", OLD))
    at = corner.run("known").json["at"]
    before = corner.run("known", "--at", at)
    corner.ingest(corner.file("frist.md", NEW))
    corner.run("withdraw", "frist", "--because", "überholt")

    assert corner.run("known", "--at", at).out == before.out
    assert corner.known("--at", at) == {"frist": 1}
    assert corner.known() == {}


def test_one_broken_file_of_a_folder_stops_no_other(corner: Corner):
    """Exit code 1, a line for each file, and the readable ones are known."""
    corner.file("a.md", OLD)
    corner.file("b/c.txt", NEW)
    corner.file("bild.png", "kein Text")
    outcome = corner.ingest(corner.folder)

    assert outcome.code == 1
    assert {line["document"]: line["status"] for line in outcome.lines} == {
        "a": "ingested",
        "b/c": "ingested",
        "bild": "failed",
    }
    assert corner.known() == {"a": 1, "b/c": 1}


def test_a_manifest_brings_a_history_in_whatever_order(corner: Corner):
    """Dated versions stand where they belong; the manifest may come in again."""
    corner.file("neu.md", NEW)
    corner.file("alt.md", OLD)
    lines = [
        {"path": "neu.md", "document": "frist", "valid_from": "2024-01-01", "valid_from_kind": "legal"},
        {"path": "alt.md", "document": "frist", "valid_from": "2021-01-01", "title": "Fristen"},
    ]
    manifest = corner.file("manifest.jsonl", "\n".join(map(json.dumps, lines)))

    assert [line["version"] for line in corner.ingest("--manifest", manifest).lines] == [1, 2]
    assert [corner.known("--valid-on", day) for day in ("2020-12-31", "2021-01-01", "2023-12-31", "2024-01-01")] == [
        {},
        {"frist": 2},
        {"frist": 2},
        {"frist": 1},
    ]
    assert {line["status"] for line in corner.ingest("--manifest", manifest).lines} == {"unchanged"}


def test_an_anchor_is_shown_inside_its_surroundings(corner: Corner):
    """Before, text and after are cut out of the stored text around the span."""
    text = "# Fristen\n\nEins gilt. Zwei gilt. Drei gilt. Vier gilt. Fünf gilt.\n"
    corner.ingest(corner.file("frist.md", text), "--title", "Handbuch")
    start = text.index("Drei")
    anchor = f"frist@1:{start}-{start + len('Drei gilt.')}"

    place = corner.run("show", anchor, "--context", "1").json

    assert (place["before"], place["text"], place["after"]) == ("Zwei gilt. ", "Drei gilt.", " Vier gilt.")
    assert (place["anchor"], place["title"], place["section"]) == (anchor, "Handbuch", "Fristen")
    shown = corner.program.must("show", anchor, "--mandate", corner.mandate).out
    assert "▶ Drei gilt. ◀" in shown
    assert "Eins gilt. Zwei gilt." in shown


def test_an_item_is_shown_in_its_own_place(corner: Corner):
    """Short items share a passage; an anchor names the one it points at, and each of those that it spans."""
    text = "# Löschung\n\nGelöscht werden:\n\n1. Anträge,\n\n2. Policen,\n\n3. Schäden.\n"
    corner.ingest(corner.file("fristen.md", text))
    second, third = text.index("2. Policen"), text.index("3. Schäden")

    assert corner.run("show", f"fristen@1:{third}-{third + 10}").json["place"] == "Nr. 3"
    assert corner.run("show", f"fristen@1:{second}-{third + 10}").json["place"] == "Nr. 2, Nr. 3"


def test_an_older_version_can_still_be_shown(corner: Corner):
    """An anchor into a version that answers no longer stays an anchor."""
    corner.ingest(corner.file("frist.md", OLD))
    corner.ingest(corner.file("frist.md", NEW))
    assert corner.run("show", "frist@1:0-9").json["text"] == OLD[:9]


def test_what_is_shown_says_from_when_to_when_it_is_in_force(corner: Corner):
    """Coming, current, taken over and withdrawn are four things, and none is taken for another."""

    def shown(version: int) -> str:
        return corner.program.must("show", f"frist@{version}:0-9", "--mandate", corner.mandate).out

    corner.ingest(corner.file("frist.md", OLD), "--valid-from", "2020-01-01")
    corner.ingest(corner.file("frist.md", NEW), "--valid-from", "2022-01-01")
    corner.ingest(corner.file("frist.md", f"{NEW} Immer."), "--valid-from", "2024-01-01")
    corner.ingest(corner.file("frist.md", f"{OLD} Immer."), "--valid-from", "2100-01-01")

    assert "in Kraft vom 01.01.2020 bis 31.12.2021" in shown(1)
    assert "in Kraft vom 01.01.2022 bis 31.12.2023" in shown(2)
    assert "in Kraft vom 01.01.2024 bis 31.12.2099" in shown(3)
    assert "in Kraft ab 01.01.2100" in shown(4)
    corner.run("withdraw", "frist", "--because", "überholt")
    assert "heute nicht in Kraft" in shown(3)
    assert "seit" not in shown(3)


def test_a_member_sees_up_to_the_own_clearance(corner: Corner):
    """Above it a document is not there: in the list, by anchor, and for the past as well."""
    corner.program.must("mandate", "admit", corner.mandate, "ben", "--clearance", "internal")
    corner.ingest(corner.file("offen.md", OLD))
    corner.ingest(corner.file("geheim.md", NEW))
    at = corner.run("known").json["at"]
    corner.run("level", "assign", "geheim", "secret")

    assert corner.known("--as", "ben") == {"offen": 1}
    assert corner.known("--as", "ben", "--at", at) == {"offen": 1}
    assert corner.known("--at", at) == {"offen": 1, "geheim": 1}
    hidden = corner.run("show", "geheim@1:0-5", "--as", "ben")
    absent = corner.run("show", "nirgends@1:0-5", "--as", "ben")
    assert (hidden.code, hidden.out) == (absent.code, absent.out)
    assert hidden.code == 2


def test_a_foreign_document_is_a_document_that_does_not_exist(corner: Corner, shared_program: Program):
    """Every command gives the same reply to what is elsewhere and to what is nowhere."""
    corner.ingest(corner.file("frist.md", OLD))
    other = Corner(shared_program, corner.folder)
    for command in (("show", "{}@1:0-5"), ("withdraw", "{}", "--because", "x"), ("level", "assign", "{}", "secret")):
        foreign, absent = (other.run(*(part.format(key) for part in command)) for key in ("frist", "nirgends"))
        assert (foreign.code, foreign.out) == (absent.code, absent.out) == (2, foreign.out)
    nowhere = shared_program("show", "frist@1:0-5", "--mandate", "nirgends", "--json")
    assert (nowhere.code, nowhere.out) == (2, other.run("show", "frist@1:0-5").out)


def test_a_subscribed_library_is_known_too(corner: Corner, shared_program: Program, tmp_path: Path):
    """Its documents are listed with its own key, behind the own ones."""
    library = Corner(shared_program, tmp_path / "bibliothek")
    library.mandate = f"bibliothek-{next(numbers)}"
    shared_program.must("mandate", "open", library.mandate, "--library")
    library.ingest(library.file("norm.md", OLD))
    corner.ingest(corner.file("zusatz.md", NEW))
    corner.program.must("mandate", "subscribe", corner.mandate, library.mandate)

    found = corner.run("known").json["documents"]

    assert [(entry["document"], entry["mandate"]) for entry in found] == [
        ("zusatz", corner.mandate),
        ("norm", library.mandate),
    ]


def test_a_person_reads_what_happened(corner: Corner):
    """Without --json there are sentences, and a table of what is known."""
    run = corner.program.must
    file = corner.file("frist.md", OLD)
    dated = ("--valid-from", "2020-01-01", "--valid-to", "2099-01-01")
    told = run("ingest", file, "--mandate", corner.mandate, "--level", "public", *dated).out
    assert "aufgenommen (1 Satz, 1 Passage)" in told
    listed = run("known", "--mandate", corner.mandate).out
    assert "gültig bis" in listed
    assert "01.01.2020  31.12.2098" in listed
    assert "secret" in run("level", "assign", "frist", "secret", "--mandate", corner.mandate).out
    assert "zurückgezogen" in run("withdraw", "frist", "--mandate", corner.mandate, "--because", "überholt").out
    assert "Es ist nichts bekannt" in run("known", "--mandate", corner.mandate).out


def test_a_correction_is_called_one(corner: Corner):
    """The same text with another title is no new version: JSON says that it was recorded, a person reads what."""
    run, file, other = corner.program.must, corner.file("frist.md", OLD), corner.file("rest.md", NEW)
    place = ("--mandate", corner.mandate, "--level", "internal")
    corner.ingest(file)

    line = corner.ingest(file, "--title", "Fristen").json
    told = run("ingest", file, *place, "--title", "Kündigungsfristen").out
    several = run("ingest", file, other, *place, "--valid-from", "2020-01-01").out

    assert (line["status"], line["version"]) == ("ingested", 1)
    assert "frist, Fassung 1: derselbe Text, Angaben berichtigt" in told
    assert "aufgenommen" not in told
    assert "1 aufgenommen, 1 berichtigt, 0 unverändert, 0 fehlgeschlagen" in several


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


@pytest.mark.parametrize(
    ("language", "again", "stays", "raised"),
    [
        ("de", "war zurückgezogen und antwortet wieder", "Die Stufe bleibt „confidential“", "Nur die Stufe wurde"),
        ("en", "had been withdrawn and answers again", "The level stays “confidential”", "Only the level was raised"),
    ],
)
def test_what_an_ingest_does_unasked_is_said(corner: Corner, language: str, again: str, stays: str, raised: str):
    """A withdrawn document that answers again, a level that stays and one that alone was raised: in words and JSON."""
    file = corner.file("frist.md", OLD)
    program = Program(corner.program.data, language)
    corner.ingest(file)

    def ingest(level: str, *more: str) -> str:
        outcome = program.must("ingest", file, "--mandate", corner.mandate, "--level", level, *more)
        return outcome.json["note"] or "" if more else outcome.out

    assert raised in ingest("confidential")
    assert stays in ingest("internal")
    assert stays in ingest("internal", "--json")
    corner.run("withdraw", "frist", "--because", "überholt")
    assert again in ingest("confidential", "--json")
    corner.run("withdraw", "frist", "--because", "überholt")
    told = ingest("internal")
    assert again in told
    assert "fundstelle level assign frist" in told


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


@pytest.mark.parametrize(
    ("language", "counted", "missing"),
    [("de", "1 aufgenommen", "weder als Datei noch als Ordner"), ("en", "1 ingested", "neither as a file")],
)
def test_what_nobody_means_is_skipped_in_a_folder(corner: Corner, language: str, counted: str, missing: str):
    """Locks and hidden files are counted; named themselves they fail, on standard error and under one name."""
    program = Program(corner.program.data, language)
    lock = corner.file("wiki/~$frist.docx", "x")
    for name in (".DS_Store", "Thumbs.db", "desktop.ini"):
        corner.file(f"wiki/{name}", "x")
    corner.file("wiki/frist.md", OLD)

    told = program.must("ingest", corner.folder / "wiki", "--mandate", corner.mandate, "--level", "internal")
    assert counted in told.out
    assert ", 4 " in told.out
    assert program("ingest", lock, "--mandate", corner.mandate, "--level", "internal").code == 2
    typo = program("ingest", corner.folder / "wki", "--mandate", corner.mandate, "--level", "internal")
    assert (typo.code, typo.out) == (2, "")
    assert missing in typo.err
    assert typo.err.count("wki") == 1


def test_a_watch_on_a_broken_file_ends_alike_every_time(corner: Corner):
    """With something new beside it and without, as an error of one file of the folder; locks are no files."""
    corner.file("a.md", OLD)
    corner.file("~$a.docx", "x")
    corner.file("broken.pdf", "x")
    first, second = watch_once(corner), watch_once(corner)
    assert (first.code, second.code) == (1, 1)
    assert [line["document"] for line in second.lines] == ["broken"]
