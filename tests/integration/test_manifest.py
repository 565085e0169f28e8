"""Manifests: every line is checked before anything is ingested."""

import json
from datetime import date
from pathlib import Path

import pytest

from bot.ingesting import items_of_manifest
from bot.manifest import read_manifest
from domain.errors import InputError


def write(folder: Path, *lines: object) -> Path:
    file = folder / "manifest.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    file.write_text("\n".join(texts), encoding="utf-8")
    return file


def test_a_line_says_what_it_says_and_null_is_not_said(tmp_path: Path):
    """All keys are read; null, a missing key and an empty line state nothing."""
    entry = {
        "path": "texte/a.md",
        "document": "AGG",
        "title": "Gleichbehandlung",
        "url": None,
        "level": "public",
        "valid_from": "2021-04-30",
        "valid_to": "2024-09-04",
        "valid_from_kind": "observed",
    }
    lines = read_manifest(write(tmp_path, entry, "", {"path": "b/c.txt"}), "internal")

    assert [line.number for line in lines] == [1, 3]
    assert (lines[0].document, lines[0].named, lines[0].stated.level) == ("AGG", True, "public")
    assert (lines[0].stated.valid_from, lines[0].stated.url) == (date(2021, 4, 30), None)
    assert (lines[1].document, lines[1].named, lines[1].stated.level) == ("b/c", False, "internal")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "manifest_json"),
        ("[]", "manifest_json"),
        ("[" * 100_000, "manifest_json"),
        ('{"path": "a.md", "path": "b.md"}', "manifest_twice"),
        ({"path": "a.md", "levle": "public"}, "manifest_unknown"),
        ({"document": "A"}, "manifest_missing"),
        ({"path": None}, "manifest_missing"),
        ({"path": 7}, "manifest_type"),
        ({"path": "."}, "manifest_document"),
        ({"path": ""}, "manifest_type"),
        ({"path": "a.md", "title": ["x"]}, "manifest_type"),
        ('{"path": "a.md", "title": "\\ud800"}', "manifest_type"),
        ({"path": "/etc/hostname"}, "manifest_outside"),
        ({"path": "../a.md"}, "manifest_outside"),
        ({"path": "x/../../a.md"}, "manifest_outside"),
        ({"path": "a\0.md"}, "manifest_outside"),
        ({"path": "a.md", "document": "a@b"}, "manifest_document"),
        ({"path": "a.md", "valid_from": "31.01.2026"}, "manifest_day"),
        ({"path": "a.md", "valid_from": "2026-02-30"}, "manifest_day"),
        ({"path": "a.md", "valid_from": "2026-02-03", "valid_to": "2026-02-03"}, "manifest_validity"),
        ({"path": "a.md", "valid_from_kind": "guessed"}, "manifest_kind"),
        ({"path": "a.md", "valid_from_kind": "legal"}, "manifest_kind_alone"),
        (
            {"path": "a.md", "valid_from_kind": "legal", "valid_from": None, "valid_to": "2026-01-01"},
            "manifest_kind_alone",
        ),
        ({"path": "a.md", "url": "file:///etc/passwd"}, "manifest_url"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: object, error: str):
    """The error tells the line and what is wrong with it."""
    file = write(tmp_path, {"path": "good.md"}, line)
    with pytest.raises(InputError) as caught:
        read_manifest(file, "internal")
    assert caught.value.key == error
    assert caught.value.values["line"] == "2"


def test_a_line_without_a_level_is_an_error(tmp_path: Path):
    """Nothing gets a level by accident."""
    with pytest.raises(InputError) as caught:
        read_manifest(write(tmp_path, {"path": "a.md"}), None)
    assert (caught.value.key, caught.value.values["name"]) == ("manifest_missing", "level")


@pytest.mark.parametrize(
    ("content", "error"), [(b"", "manifest_empty"), (b" \n\n", "manifest_empty"), (b"\xff\xfe{", "manifest_encoding")]
)
def test_a_manifest_without_lines_or_in_another_encoding_is_an_error(tmp_path: Path, content: bytes, error: str):
    """An empty manifest is not an ingest of nothing."""
    (tmp_path / "m.jsonl").write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_manifest(tmp_path / "m.jsonl", "internal")
    assert caught.value.key == error


def test_a_link_does_not_lead_out_of_the_folder(tmp_path: Path):
    """A corpus that was handed over cannot pull in a file from elsewhere."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (tmp_path / "secret.md").write_text("x")
    (folder / "a.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(InputError) as caught:
        read_manifest(write(folder, {"path": "a.md"}), "internal")
    assert caught.value.key == "manifest_outside"


def test_lines_of_one_named_document_are_versions_and_no_clash(tmp_path: Path):
    """Only keys that were made from paths can clash."""
    lines = [{"path": "a.1.md", "document": "A"}, {"path": "a.2.md", "document": "A"}, {"path": "x/b.md"}]
    items = items_of_manifest(read_manifest(write(tmp_path, *lines, {"path": "x/b.txt"}), "internal"))
    assert [item.problem and item.problem.key for item in items] == [None, None, "document_clash", "document_clash"]
