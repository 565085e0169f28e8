"""Ports of the knowledge package."""

from pathlib import PurePath
from typing import Protocol

from domain.knowledge.text import Extract


class Readers(Protocol):
    """Turns the bytes of a file into stored text."""

    def suffixes(self) -> frozenset[str]:
        """Return the file endings that can be read, lower case with dot."""
        ...

    def read(self, name: PurePath, content: bytes) -> Extract:
        """Read a file.

        Raises:
            InputError: ``file_format`` (ending not known), ``file_differs`` (content of another format),
                ``file_empty``, ``file_encrypted``, ``file_broken``, ``file_encoding``, ``file_too_large``,
                ``file_no_text`` (pages are pictures); each with ``file``.
        """
        ...
