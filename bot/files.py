"""Files that a person names: a folder is walked, a file is read with care.

Nothing is skipped silently: what will not be read stands in the list with its reason.
"""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from adapters.readers.errors import LARGEST_FILE
from domain.errors import InputError

_CLUTTER_STARTS: Final = (".", "~$")
_CLUTTER: Final = frozenset({"thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read, or why it will not be read.

    Attributes:
        path: where it lies.
        relative: its place below the folder that was named; its name alone if it was named itself.
        skipped: whether nobody means it: hidden, a lock of an office program, what file managers leave behind.
    """

    path: Path
    relative: PurePosixPath
    problem: InputError | None = None
    skipped: bool = False


def find(path: Path) -> list[Found]:
    """Return the files behind a path: itself, or everything below a folder, sorted.

    Links to folders are not followed, so a loop of links ends; hidden files and the like are marked as skipped.

    Raises:
        InputError: ``folder_empty``.
    """
    if not path.is_dir():
        return [Found(path, PurePosixPath(path.name))]
    found = sorted(_below(path, path), key=lambda one: one.relative)
    if all(one.skipped for one in found):
        raise InputError("folder_empty", folder=shown(path))
    return found


def must_be_new(file: Path) -> None:
    """Refuse a place for a new file where something lies already, before anything is read or recorded.

    Raises:
        InputError: ``file_exists``, or ``system`` when its folder is not there.
    """
    if file.exists() or file.is_symlink():
        raise InputError("file_exists", file=file)
    if not file.parent.is_dir():
        raise InputError("system", reason=os.strerror(errno.ENOENT), file=file.parent)


def read(path: Path, limit: int = LARGEST_FILE) -> bytes:
    """Return the content of a file.

    Raises:
        InputError: ``file_missing``, ``file_kind`` (folder, pipe, device), ``file_too_large``, ``file_unreadable``.
    """
    try:
        content = read_regular(path, limit)
    except FileNotFoundError as error:
        raise InputError("file_missing", file=shown(path)) from error
    except OSError as error:
        raise InputError("file_unreadable", file=shown(path), reason=error.strerror or "") from error
    if len(content) >= limit:
        raise InputError("file_too_large", file=shown(path))
    return content


def read_regular(path: Path, limit: int) -> bytes:
    """Return at most ``limit`` bytes of a file.

    Raises:
        InputError: ``file_kind``: a folder, a pipe, a device.
        OSError: it cannot be read.
    """
    # Asked before opening: opening a pipe would wait for a writer that may never come.
    if not stat.S_ISREG(path.stat().st_mode):
        raise InputError("file_kind", file=shown(path))
    with path.open("rb") as file:
        return file.read(limit)


def shown(path: Path | PurePosixPath) -> str:
    """Return a path as text that can be printed, whatever bytes its name holds."""
    return os.fsencode(path).decode("utf-8", errors="replace")


def _below(root: Path, folder: Path) -> Iterator[Found]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                yield from _entry(root, entry)
    except OSError as error:
        relative = PurePosixPath(folder.relative_to(root).as_posix())
        reason = error.strerror or ""
        yield Found(folder, relative, InputError("file_unreadable", file=shown(folder), reason=reason))


def _entry(root: Path, entry: os.DirEntry[str]) -> Iterator[Found]:
    path = Path(entry.path)
    relative = PurePosixPath(path.relative_to(root).as_posix())
    if entry.name.startswith(_CLUTTER_STARTS) or entry.name.casefold() in _CLUTTER:
        yield Found(path, relative, skipped=True)
    elif entry.is_dir(follow_symlinks=False):
        yield from _below(root, path)
    elif entry.is_symlink() and (entry.is_dir() or not _inside(root, path)):
        yield Found(path, relative, InputError("file_link", file=shown(path)))
    else:
        yield Found(path, relative)


def _inside(root: Path, path: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return False
