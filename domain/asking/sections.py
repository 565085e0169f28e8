"""Port: the numbered sections of versions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from domain.asking.ports import PassageId
from domain.asking.visibility import VisibleVersion
from domain.knowledge.numbered import Numbered


@dataclass(frozen=True, slots=True)
class SectionPassage:
    """A passage of a numbered section; ``paragraphs``: numbers of those that it holds sentences of."""

    section: Numbered
    passage: PassageId
    paragraphs: tuple[str, ...]


class Sections(Protocol):
    """Which versions have which sections."""

    async def find(
        self, wanted: Collection[Numbered], versions: Collection[VisibleVersion], scope: Sequence[UUID]
    ) -> tuple[SectionPassage, ...]:
        """Return the passages of the sections ``wanted`` in ``versions``, by version and place.

        Args:
            wanted: the sections asked for.
            versions: where to look, each inside the horizon of the question.
            scope: ids of the mandates in scope.
        """
        ...

    async def numbered(self, versions: Collection[VisibleVersion], scope: Sequence[UUID]) -> frozenset[int]:
        """Return the ordinals of those of ``versions`` that have numbered sections at all."""
        ...
