"""Ports of the knowledge package."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol
from uuid import UUID

from domain.knowledge.text import Extract
from domain.recording import Actor


class Readers(Protocol):
    """Turns the bytes of a file into stored text."""

    def suffixes(self) -> frozenset[str]:
        """Return the file endings that can be read, lower case with dot."""
        ...

    def read(self, name: PurePath, content: bytes) -> Extract:
        """Read a file.

        Raises:
            InputError: ``file_format`` (ending not known), ``file_empty``, ``file_encrypted``, ``file_broken``,
                ``file_encoding``; each with ``file``.
        """
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """What a mandate lays down for its documents: its levels, lowest first, and the zone of its days."""

    levels: tuple[str, ...]
    time_zone: str


class Administration(Protocol):
    """Says who may change the documents of a mandate."""

    async def terms(self, mandate: UUID, actor: Actor) -> Terms:
        """Return the terms of a mandate to one of its administrators.

        Raises:
            AccessError: there is no such mandate, or the actor does not administer it.
        """
        ...
