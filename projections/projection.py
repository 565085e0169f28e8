"""What a projection is: something that can be built again from the events at any time."""

from collections.abc import Collection, Sequence
from typing import Protocol

from psycopg import AsyncConnection

from domain.recording import Event, Recorded


class Projection(Protocol):
    """A view over the journal, kept by the runner.

    Attributes:
        name: names the projection in the table of positions and in ``rebuild``.
        version: 1, 2, 3 ..., raised when the same events shall give another view; the runner then builds it anew.

    Both methods run inside the transaction that also moves the position, under the role ``projector``. A projection
    that writes elsewhere (an index in files) must bear to see a batch twice: the transaction may fail after it.
    """

    name: str
    version: int

    @property
    def takes(self) -> Collection[type[Event]]:
        """Return the kinds of events that it is made of; all others are passed over, and not even decrypted."""
        ...

    async def clear(self, connection: AsyncConnection) -> None:
        """Empty the view (``DELETE``, never ``TRUNCATE``: readers keep the old rows until the commit)."""
        ...

    async def apply(self, connection: AsyncConnection, events: Sequence[Recorded]) -> None:
        """Take in ``events`` of the kinds it takes, in order; shredded ones are passed over."""
        ...
