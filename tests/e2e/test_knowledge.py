"""Bringing documents in, as a person and a script do."""

import json

import pytest

from tests.e2e.corner import NEW, OLD, Corner
from tests.e2e.program import Program


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
