"""Files that are there, whole, after a power cut."""

import os
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
