"""What our device keeps in its folder (``DATA/matrix``), readable to us alone."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adapters.durable import write_over
from bot.matrix.shapes import table
from domain.errors import PartError


def private_folder(folder: Path) -> Path:
    """Make the folder if it is not there, close it to others, and return it.

    Raises:
        PartError: ``matrix_disk``.
    """
    with _kept_in(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
    return folder


def store_file(folder: Path, account: str, device: str) -> Path:
    """Return where the keys of a device lie; its name is the server's choice, so it names no file itself."""
    return folder / f"{hashlib.sha256(f'{account} {device}'.encode()).hexdigest()[:16]}.db"


def make_private(file: Path) -> None:
    """Make a file that nobody else can read, before a library makes one that others can."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))


def pickle_key(folder: Path) -> str:
    """Return the secret under which the store keeps its keys; it is made when there is none."""
    file = folder / "pickle.key"
    if not file.exists():
        _replace(file, secrets.token_hex(32).encode())
    return file.read_text("ascii").strip()


def read_json(file: Path) -> dict[str, Any]:
    """Return what a file of ours holds, nothing when it is missing or broken.

    Raises:
        PartError: ``matrix_disk``; a disk that is away for a moment must not cost us our device.
    """
    with _kept_in(file.parent):
        try:
            return table(json.loads(file.read_bytes()))
        except (FileNotFoundError, ValueError, RecursionError):
            return {}


def write_json(file: Path, value: Mapping[str, Any]) -> None:
    """Write a file anew: after a crash it holds the old or the new value, whole.

    Raises:
        PartError: ``matrix_disk``.
    """
    _replace(file, json.dumps(value).encode())


def _replace(file: Path, content: bytes) -> None:
    with _kept_in(file.parent):
        write_over(file, content)


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """A disk that is full, or away, is a part that does not answer: it may pass."""
    try:
        yield
    except OSError as error:
        raise PartError("matrix_disk", folder=folder, reason=error.strerror or type(error).__name__) from error
