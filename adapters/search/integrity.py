"""Whether the files of the index of words are what the engine wrote.

The engine closes each file with a footer: JSON with a CRC-32 of what stands before it, then the length of that JSON
and a magic number, four bytes each, little-endian. Its Python package offers no check, so it is made here.
"""

import json
import struct
import zlib
from pathlib import Path
from typing import Any, Final

_MAGIC: Final = 1337
_TAIL: Final = struct.Struct("<II")
_PARTS: Final = ("term", "idx", "pos", "fieldnorm", "fast", "store")


def is_intact(folder: Path) -> bool:
    """Whether every file that belongs to the index is there and undamaged; reads all of them."""
    try:
        segments = json.loads((folder / "meta.json").read_bytes())["segments"]
        return all(_is_whole(folder / name) for segment in segments for name in _names(segment))
    except (OSError, ValueError, LookupError, TypeError):
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
