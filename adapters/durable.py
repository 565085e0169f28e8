"""Files that are there, whole, after a power cut."""

import os
import secrets
from contextlib import suppress
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


def put_new(file: Path, content: bytes, mode: int = 0o600) -> None:
    """Put a new file in its place, whole or not at all.

    Raises:
        FileExistsError: something lies there already.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        write_new(draft, content)
        draft.chmod(mode)
        _place(draft, file)
    finally:
        with suppress(OSError):
            draft.unlink()
    # A share may not be able to.
    with suppress(OSError):
        sync_folder(file.parent)


def _place(draft: Path, file: Path) -> None:
    """Give the draft its name, by a link, which overwrites nothing; where there are no links, by renaming it."""
    try:
        file.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(file):
            raise FileExistsError(file) from None
        draft.rename(file)


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
