"""Files that are there, whole, after a power cut."""

import os
import secrets
from pathlib import Path


def write_new(file: Path, content: bytes) -> None:
    """Write a new file that only its owner can read, and return when it is on the disk.

    Raises:
        FileExistsError: the file exists.
    """
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Return when what was made, renamed or taken away in a folder is on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_over(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, new or in the place of an old one, whole or not at all."""
    made = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        write_new(made, content)
        made.replace(file)
        sync_folder(file.parent)
    finally:
        made.unlink(missing_ok=True)
