"""Walking a folder and reading a file, with everything a file system can hold."""

import os
from pathlib import Path, PurePosixPath

import pytest

from bot.files import find, read
from bot.ingesting import items_of_paths
from domain.errors import InputError
from domain.knowledge.documents import Statement

STATED = Statement("internal")


def problems(folder: Path) -> dict[str, str | None]:
    return {str(one.relative): "skipped" if one.skipped else one.problem and one.problem.key for one in find(folder)}


def keys(items: list) -> dict[str, str | None]:
    return {item.path.name: item.problem and item.problem.key for item in items}


def test_a_folder_is_read_recursively_in_a_fixed_order(tmp_path: Path):
    """Files of all depths come sorted by their path below the folder."""
    for name in ("b.md", "a/z.md", "a/b/c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")

    assert [str(one.relative) for one in find(tmp_path)] == ["a/b/c.md", "a/z.md", "b.md"]


def test_nothing_is_left_out_silently(tmp_path: Path):
    """Hidden files, links to folders and links out of the folder stand in the list with their reason."""
    folder = tmp_path / "wiki"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text("x")
    for name in (".entwurf.md", "~$vertrag.docx", "Thumbs.db", "desktop.ini"):
        (folder / name).write_text("x")
    (folder / "a.md").write_text("x")
    (folder / "same.md").symlink_to(folder / "a.md")
    (folder / "loop").symlink_to(folder)
    (tmp_path / "secret.md").write_text("x")
    (folder / "out.md").symlink_to(tmp_path / "secret.md")
    (folder / "gone.md").symlink_to(folder / "nothing.md")

    assert problems(folder) == {
        ".git": "skipped",
        ".entwurf.md": "skipped",
        "~$vertrag.docx": "skipped",
        "Thumbs.db": "skipped",
        "desktop.ini": "skipped",
        "a.md": None,
        "same.md": None,
        "loop": "file_link",
        "out.md": "file_link",
        "gone.md": None,
    }


def test_an_empty_folder_is_an_error(tmp_path: Path):
    """A folder without a file is most likely not the one that was meant."""
    with pytest.raises(InputError) as caught:
        find(tmp_path)
    assert caught.value.key == "folder_empty"


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path):
    """Only regular files are read; a pipe does not hang the command."""
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(InputError) as caught:
        read(tmp_path / "pipe.md")
    assert caught.value.key == "file_kind"


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path):
    """200 MB, here without a byte on the disk, are an error and not a full memory."""
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    with pytest.raises(InputError) as caught:
        read(tmp_path / "big.txt")
    assert caught.value.key == "file_too_large"


@pytest.mark.parametrize(("name", "error"), [("gone.md", "file_missing"), (".", "file_kind")])
def test_what_is_no_file_is_named_so(tmp_path: Path, name: str, error: str):
    """A missing file and a folder in its place are different errors."""
    with pytest.raises(InputError) as caught:
        read(tmp_path / name)
    assert caught.value.key == error


def test_files_that_would_become_one_document_by_accident_are_refused_together(tmp_path: Path):
    """a.md and a.pdf make the same key, so neither is taken; the rest goes on."""
    for name in ("a.md", "a.pdf", "b.md"):
        (tmp_path / name).write_text("x")

    assert keys(items_of_paths([tmp_path], None, STATED)) == {
        "a.md": "document_clash",
        "a.pdf": "document_clash",
        "b.md": None,
    }


def test_a_file_named_twice_is_taken_once(tmp_path: Path):
    """Naming a folder and a file in it is no clash."""
    (tmp_path / "a.md").write_text("x")
    items = items_of_paths([tmp_path, tmp_path / "a.md"], None, STATED)
    assert [(item.document, item.problem) for item in items] == [("a", None)]


def test_one_key_for_several_files_is_an_error(tmp_path: Path):
    """--document names one document, not many."""
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("x")
    with pytest.raises(InputError) as caught:
        items_of_paths([tmp_path], "handbuch", STATED)
    assert caught.value.key == "document_many"


def test_a_name_that_is_no_text_is_an_error_for_its_file_alone(tmp_path: Path):
    """Bytes that are not UTF-8 in a file name stop that file and no other."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text("x")
    (tmp_path / "a.md").write_text("x")
    found = {item.document: item.problem and item.problem.key for item in items_of_paths([tmp_path], None, STATED)}
    assert found == {None: "document_key_character", "a": None}


def test_the_key_is_the_path_below_the_folder_without_the_ending(tmp_path: Path):
    """Only the last ending goes; an @ is made safe."""
    for name in ("schaden/frist.2024.md", "post@kunde.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = {item.document for item in items_of_paths([tmp_path], None, STATED)}
    assert found == {"schaden/frist.2024", "post%40kunde"}
    assert find(tmp_path / "post@kunde.txt")[0].relative == PurePosixPath("post@kunde.txt")
