"""Checkpoints in a folder: one file each, and never another content under the same name."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from adapters.durable import put_new
from bot.files import read_regular
from domain.errors import InputError
from domain.journal.handler import Signed
from domain.journal.notes import LONGEST_NOTE, BrokenNoteError, Note

_PATTERN: Final = "checkpoint-*.txt"
_FOR_ALL: Final = 0o644


def must_take(folder: Path) -> None:
    """Refuse a folder that nothing can be written into.

    Raises:
        InputError: ``publish_place``.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("publish_place", folder=folder, reason=error.strerror) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError("publish_place", folder=folder, reason=os.strerror(errno.EACCES))


def publish(signed: Signed, folder: Path) -> Path:
    """Write a checkpoint into ``folder``, whole or not at all, and return its file; the same one again changes nothing.

    Raises:
        InputError: ``publish_folder`` when it cannot be written there, ``publish_differs`` when another checkpoint of
            that size lies there.
    """
    file = folder / f"checkpoint-{signed.checkpoint.size:012}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("publish_folder", folder=folder, reason=error.strerror) from error
    try:
        # Somebody who publishes the same one at this moment may be faster.
        with suppress(FileExistsError):
            put_new(file, str(signed.note).encode(), _FOR_ALL)
        there = file.read_bytes()
    except OSError as error:
        raise InputError("publish_folder", folder=folder, reason=error.strerror) from error
    if not _is_copy(there, signed.note):
        raise InputError("publish_differs", file=file)
    return file


def _is_copy(there: bytes, note: Note) -> bool:
    """Say whether a file is a copy of a note; witnesses may have signed one of the two only."""
    try:
        found = Note.of(there.decode())
    except (BrokenNoteError, UnicodeDecodeError):
        return False
    return found.text == note.text and not set(found.signatures).isdisjoint(note.signatures)


def published(folder: Path) -> tuple[Path, ...]:
    """Return the files of checkpoints in ``folder``, smallest first."""
    return tuple(sorted(folder.glob(_PATTERN))) if folder.is_dir() else ()


def read_note(file: Path) -> str:
    """Return the text of a file that shall be a signed note.

    Raises:
        InputError: ``checkpoint_file``.
    """
    try:
        return read_regular(file, LONGEST_NOTE).decode("utf-8")
    except (OSError, UnicodeDecodeError, InputError) as error:
        raise InputError("checkpoint_file", file=file) from error
