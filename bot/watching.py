"""A folder kept in step: what must be ingested and withdrawn after a look at it.

A file is taken when two looks in a row find it the same, so one that is still being written waits. A file counts as
vanished when two looks in a row miss it. A folder that is missing or suddenly empty (a mount that went away, an export
that has only begun) changes nothing, and neither does a part of it that cannot be read.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from bot.files import find
from domain.errors import InputError

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size in bytes and time of the last change in nanoseconds."""

    size: int
    modified: int


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found, by path below the folder.

    Attributes:
        files: readable files.
        unclear: folders and files that could not be looked at.
    """

    files: Mapping[str, Stamp]
    unclear: frozenset[str] = frozenset()

    def misses(self, path: str) -> bool:
        """Say whether the file is certainly not there."""
        place = PurePosixPath(path)
        return path not in self.files and not any(place.is_relative_to(other) for other in self.unclear)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is remembered of a file.

    Attributes:
        document: key of its document.
        stamp: how it was when it was last taken; ``None`` while it is being taken.
        sha256: hash of its content then, hexadecimal.
        ours: whether the watch brought the document in; only then may it withdraw it.
    """

    document: str
    stamp: Stamp | None
    sha256: str
    ours: bool


@dataclass(frozen=True, slots=True)
class Steps:
    """What a look asks for; ``warning`` is ``missing`` or ``empty`` when the folder is not to be believed."""

    ingest: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    warning: str | None = None


def steps(kept: Mapping[str, Kept], failed: Mapping[str, Stamp], before: Look | None, now: Look | None) -> Steps:
    """Return what must happen after two looks.

    Args:
        kept: what is remembered.
        failed: files that could not be ingested, as they were then.
        before: the look before this one; ``None`` if there was none, or the folder was missing.
        now: this look; ``None`` if the folder is missing.
    """
    if now is None:
        return Steps(warning="missing")
    if kept and not now.files:
        return Steps(warning="empty")
    if before is None:
        return Steps()

    def changed(path: str, stamp: Stamp) -> bool:
        return failed.get(path) != stamp and (path not in kept or kept[path].stamp != stamp)

    ingest = (path for path, stamp in now.files.items() if before.files.get(path) == stamp and changed(path, stamp))
    vanished = (path for path in kept if before.files and before.misses(path) and now.misses(path))
    return Steps(tuple(sorted(ingest)), tuple(sorted(vanished)))


def look(folder: Path, suffixes: frozenset[str]) -> Look | None:
    """Look at a folder; files of other formats and hidden ones are passed over."""
    if not folder.is_dir():
        return None
    try:
        found = find(folder)
    except InputError:
        return Look({})
    files: dict[str, Stamp] = {}
    unclear: set[str] = set()
    for one in found:
        place = one.relative.as_posix()
        if one.skipped:
            continue
        if one.problem is not None:
            if one.problem.key == "file_unreadable":
                unclear.add(place)
        elif one.path.suffix.lower() in suffixes:
            _stamp(one.path, place, files, unclear)
    return Look(files, frozenset(unclear))


def _stamp(path: Path, place: str, files: dict[str, Stamp], unclear: set[str]) -> None:
    try:
        files[place] = stamp_of(path)
    except FileNotFoundError:
        return
    except OSError:
        unclear.add(place)


def stamp_of(path: Path) -> Stamp:
    """Return size and time of change of a file."""
    status = path.stat()
    return Stamp(status.st_size, status.st_mtime_ns)


class Memory:
    """What a watch remembers between two runs, in a file of the data folder."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> dict[str, Kept]:
        """Return what is remembered by path; nothing when there is no memory yet.

        Raises:
            InputError: ``watch_memory`` when the file is not one of ours.
        """
        try:
            content = json.loads(self._file.read_text(encoding="utf-8"))
            if content["format"] != _FORMAT:
                raise InputError("watch_memory", file=self._file)
            return {path: _kept(**entry) for path, entry in content["files"].items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError("watch_memory", file=self._file) from error

    def save(self, kept: Mapping[str, Kept]) -> None:
        """Write durably what is remembered; a crash leaves the old memory or the new one."""
        content = {"format": _FORMAT, "files": {path: asdict(entry) for path, entry in kept.items()}}
        draft = self._file.with_suffix(".new")
        with draft.open("w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._file)


def _kept(document: str, stamp: dict[str, int] | None, sha256: str, *, ours: bool) -> Kept:
    return Kept(document, None if stamp is None else Stamp(**stamp), sha256, ours)
