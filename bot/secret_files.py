"""Secrets in files: read by us alone, or not at all."""

from pathlib import Path
from typing import Final

from bot.files import read_regular
from domain.errors import InputError

_LONGEST: Final = 10_000
_OTHERS: Final = 0o077


def read_secret(file: Path) -> str:
    """Return the secret in a file, without the line break at its end.

    Raises:
        InputError: ``password_file`` when it cannot be read or is empty, ``secret_open`` when others can read it.
    """
    try:
        secret = read_regular(file, _LONGEST).decode("utf-8").strip()
        mode = file.stat().st_mode
    except (OSError, UnicodeDecodeError, InputError) as error:
        raise InputError("password_file", file=file) from error
    if mode & _OTHERS:
        raise InputError("secret_open", file=file)
    if not secret:
        raise InputError("password_file", file=file)
    return secret
