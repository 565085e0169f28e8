"""A checker of checkpoints and proofs that shares no code with ours: the module sumdb of the Go project."""

import base64
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CHECKER = Path(os.environ.get("FUNDSTELLE_TRANSPARENCY", Path(__file__).parent / "bin" / "transparency"))
"""Made by ``go build`` in this folder (``make parts``)."""


@dataclass(frozen=True)
class Record:
    """An event, by its place from 0 and its hash, and the path that shows it in the tree."""

    index: int
    entry: bytes
    path: Sequence[bytes]


@dataclass(frozen=True)
class Older:
    """An earlier checkpoint, and the path from it to the one checked."""

    note: str
    path: Sequence[bytes]


def holds(key: str, note: str, records: Sequence[Record], older: Sequence[Older]) -> bool:
    """Whether the other implementation finds everything right."""
    document = {
        "key": key,
        "note": note,
        "records": [{"index": one.index, "entry": _text(one.entry), "path": _texts(one.path)} for one in records],
        "older": [{"note": one.note, "path": _texts(one.path)} for one in older],
    }
    done = subprocess.run([CHECKER], check=False, input=json.dumps(document).encode(), capture_output=True, timeout=60)
    assert done.returncode in {0, 1}, done.stderr
    return done.returncode == 0


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _texts(values: Sequence[bytes]) -> list[str]:
    return [_text(value) for value in values]
