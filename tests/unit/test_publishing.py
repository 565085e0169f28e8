"""Checkpoints in a folder: whole or not at all, and never another one under the same name."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from adapters import durable
from bot.publishing import publish, published
from domain.errors import InputError
from domain.journal.checkpoints import Checkpoint
from domain.journal.handler import Signed
from domain.journal.notes import Note, Signature

CHECKPOINT = Checkpoint("example.org/log", 7, bytes(32))
SIGNED = Signed(CHECKPOINT, Note(str(CHECKPOINT), (Signature("example.org/log", b"1234", bytes(64)),)))


def test_the_same_checkpoint_again_changes_nothing(tmp_path: Path) -> None:
    """Everybody may read it, and nothing else is left in the folder; a witness may have signed it since."""
    folder = tmp_path / "share"
    file = publish(SIGNED, folder)
    kept = file.read_text(encoding="utf-8") + "— witness.example/w AAAAAAAAAAAAAAAA\n"
    assert file.stat().st_mode & 0o777 == 0o644
    file.write_text(kept, encoding="utf-8")

    assert publish(SIGNED, folder) == file
    assert file.read_text(encoding="utf-8") == kept
    assert [*folder.iterdir()] == [file]


def test_a_copy_that_was_cut_off_is_none(tmp_path: Path) -> None:
    """Without its signature it proves nothing, though its text is the right one."""
    file = publish(SIGNED, tmp_path)
    file.write_text(f"{CHECKPOINT}\n— example.org/log AAAA", encoding="utf-8")

    with pytest.raises(InputError, match="publish_differs"):
        publish(SIGNED, tmp_path)


def test_a_share_that_fails_meanwhile_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the folder finds no half checkpoint, and the same command publishes it later."""

    def broken(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(durable.os, "fsync", broken)
    with pytest.raises(InputError, match="publish_folder"):
        publish(SIGNED, tmp_path)
    assert [*tmp_path.iterdir()] == []

    monkeypatch.undo()
    assert published(tmp_path) == () != (publish(SIGNED, tmp_path),)


def test_two_who_publish_at_once_publish_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who comes second finds what the first has put there."""
    write_new = durable.write_new

    def overtaken(*arguments: Any) -> None:
        monkeypatch.undo()
        publish(SIGNED, tmp_path)
        write_new(*arguments)

    monkeypatch.setattr(durable, "write_new", overtaken)
    file = publish(SIGNED, tmp_path)

    assert (published(tmp_path), file.read_text(encoding="utf-8")) == ((file,), str(SIGNED.note))


def test_a_share_without_links_takes_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is renamed into its place, and still nothing is overwritten."""

    def unable(_file: Path, _other: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(Path, "hardlink_to", unable)
    file = publish(SIGNED, tmp_path)
    assert (published(tmp_path), file.read_text(encoding="utf-8")) == ((file,), str(SIGNED.note))
    file.write_text("another", encoding="utf-8")
    with pytest.raises(InputError, match="publish_differs"):
        publish(SIGNED, tmp_path)
    assert file.read_text(encoding="utf-8") == "another"
