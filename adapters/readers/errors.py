"""The errors of reading a file, each with the name of the file."""

from typing import Final

from domain.errors import InputError

LARGEST_FILE: Final = 200_000_000
"""Bytes from which on a file is too large; the texts of all German federal acts together are smaller."""


def broken(name: str) -> InputError:
    """The content is not what the ending promises, or damaged."""
    return InputError("file_broken", file=name)


def encrypted(name: str) -> InputError:
    """A password is needed."""
    return InputError("file_encrypted", file=name)


def empty(name: str) -> InputError:
    """There is no text in it."""
    return InputError("file_empty", file=name)


def too_large(name: str) -> InputError:
    """The file, or what it unpacks to, is beyond what is read."""
    return InputError("file_too_large", file=name)


def no_text(name: str) -> InputError:
    """Pages are pictures of text only."""
    return InputError("file_no_text", file=name)


def encoding(name: str) -> InputError:
    """The encoding cannot be told without doubt."""
    return InputError("file_encoding", file=name)
