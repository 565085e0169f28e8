"""What a watch remembers, and what it sees of a folder."""

import os
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from bot.cli.watch import Watcher
from bot.output import Output
from bot.text import texts
from bot.watching import Kept, Look, Memory, Stamp, look
from domain.errors import InputError, PartError
from domain.recording import Actor

SUFFIXES = frozenset({".md"})


def test_what_is_saved_is_loaded(tmp_path: Path):
    """The memory survives the process, taken files and files that are being taken alike."""
    memory = Memory(tmp_path / "watch.json")
    kept = {"a.md": Kept("a", Stamp(3, 10**18), "hash", ours=True), "b.md": Kept("b", None, "", ours=False)}
    memory.save(kept)
    assert Memory(tmp_path / "watch.json").load() == kept


def test_no_memory_is_an_empty_one(tmp_path: Path):
    """The first run starts with nothing, so nothing can be withdrawn."""
    assert Memory(tmp_path / "watch.json").load() == {}


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 2, "files": {}}', '{"format": 1, "files": {"a": {}}}'])
def test_a_damaged_memory_is_an_error_and_not_an_empty_one(tmp_path: Path, content: str):
    """Guessing what was ours could withdraw what was not."""
    (tmp_path / "watch.json").write_text(content)
    with pytest.raises(InputError) as caught:
        Memory(tmp_path / "watch.json").load()
    assert caught.value.key == "watch_memory"


def test_a_look_sees_readable_formats_only(tmp_path: Path):
    """Pictures, hidden files and links out of the folder are passed over; a missing folder is no look at all."""
    folder = tmp_path / "wiki"
    folder.mkdir()
    for name in ("a.md", "b.png", ".c.md"):
        (folder / name).write_text("x")
    (tmp_path / "d.md").write_text("x")
    (folder / "d.md").symlink_to(tmp_path / "d.md")

    seen = look(folder, SUFFIXES)

    assert seen is not None
    assert set(seen.files) == {"a.md"}
    assert look(tmp_path / "nowhere", SUFFIXES) is None
    (tmp_path / "empty").mkdir()
    assert look(tmp_path / "empty", SUFFIXES) == Look({})


def test_a_folder_that_cannot_be_read_is_unclear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its files are not taken for vanished."""
    (tmp_path / "x").mkdir()
    (tmp_path / "a.md").write_text("x")
    scandir = os.scandir

    def failing(folder: Path):
        if Path(folder).name == "x":
            raise OSError(5, "Input/output error")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", failing)
    seen = look(tmp_path, SUFFIXES)

    assert seen is not None
    assert seen.unclear == {"x"}
    assert not seen.misses("x/b.md")


@pytest.mark.parametrize("language", ["de", "en"])
async def test_a_part_that_does_not_answer_is_told_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
):
    """A running watch says what happened as any command would, and goes on."""
    (tmp_path / "a.md").write_text("Eins.", encoding="utf-8")
    looks = 0

    async def answers(*_: object) -> bool:
        nonlocal looks
        looks += 1
        if looks == 2:
            watcher._stop.set()
        raise PartError("disk_full")

    async def head() -> int:
        return 0

    knowledge = SimpleNamespace(suffixes=SUFFIXES, answers=answers)
    app: Any = SimpleNamespace(knowledge=knowledge, store=SimpleNamespace(head=head))
    mandate: Any = SimpleNamespace(id=uuid4())
    out = Output(as_json=False, texts=texts(language))
    arguments = Namespace(folder=tmp_path, interval=0.01, level="internal", out=out)
    watcher = Watcher(app, mandate, Actor(uuid4()), Memory(tmp_path / "watch.json"), arguments)
    await watcher.on()

    told = capsys.readouterr().err
    assert told.count(texts(language)("errors.disk_full")) == 2
    assert "disk_full" not in told
