"""Who erases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from domain.erasing.events import Due
from domain.recording import Actor


@dataclass(frozen=True, slots=True)
class Order:
    """An erasure that two people have agreed on.

    Attributes:
        change: id of its proposal.
        mandate: where it was proposed.
        by: who carries it out.
    """

    change: UUID
    mandate: UUID
    by: Actor


class Eraser(Protocol):
    """Deletes keys, and whatever views, indexes and caches hold of what they protected.

    The journal keeps its rows and still verifies. Each method may be called again after it was cut off or has ended,
    and then comes to the same end; it returns only when nothing of ours yields the text any more.

    Every method raises ``PartError`` when a part does not answer.
    """

    async def person(self, person: UUID, order: Order) -> None:
        """Erase a person everywhere: identity, questions, and what was made of these."""
        ...

    async def mandate(self, mandate: UUID, order: Order) -> None:
        """Erase a mandate: documents, questions asked in it, and its own history.

        The key of its own history goes last: as long as that can be read, an erasure that was cut off is found.
        """
        ...

    async def records(self, records: Sequence[Due], order: Order) -> None:
        """Erase single runs, with all their steps, and texts of versions of the order's mandate."""
        ...
