"""Whether the files of the index of words are what the engine wrote, and what its failures are called.

The engine closes each file with a footer: JSON with a CRC-32 of what stands before it, then the length of that JSON
and a magic number, four bytes each, little-endian. Its Python package offers no check, so it is made here.
"""

import json
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from domain.errors import PartError

_MAGIC: Final = 1337
_TAIL: Final = struct.Struct("<II")
_PARTS: Final = ("term", "idx", "pos", "fieldnorm", "fast", "store")


@contextmanager
def naming_the_part(part: str) -> Iterator[None]:
    """Turn failures of the engine into ``PartError(part)``, panics over damaged files among them."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise PartError(part) from error
    except BaseException as error:
        # The engine's panics stand outside of Exception and their class cannot be imported.
        if type(error).__name__ == "PanicException":
            raise PartError(part) from error
        raise


def state_of(folder: Path) -> bytes:
    """Return what names the segments of the newest state, empty where nothing can be read."""
    try:
        return (folder / "meta.json").read_bytes()
    except OSError:
        return b""


def is_intact(folder: Path) -> bool:
    """Whether every file that belongs to the index is there and undamaged; reads all of them.

    A writer may merge and remove files meanwhile: then the files of the new state are looked at.
    """
    state = state_of(folder)
    while not _holds(folder, state):
        before, state = state, state_of(folder)
        if state == before:
            return False
    return True


def _holds(folder: Path, state: bytes) -> bool:
    try:
        segments = json.loads(state)["segments"]
        return all(_is_whole(folder / name) for segment in segments for name in _names(segment))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False


def _names(segment: dict[str, Any]) -> list[str]:
    stem = segment["segment_id"].replace("-", "")
    names = [f"{stem}.{part}" for part in _PARTS]
    return [*names, f"{stem}.{segment['deletes']['opstamp']}.del"] if segment["deletes"] else names


def _is_whole(file: Path) -> bool:
    content = file.read_bytes()
    if len(content) < _TAIL.size:
        return False
    length, magic = _TAIL.unpack(content[-_TAIL.size :])
    end = len(content) - _TAIL.size - length
    if magic != _MAGIC or end < 0:
        return False
    return bool(json.loads(content[end : -_TAIL.size])["crc"] == zlib.crc32(memoryview(content)[:end]))
