"""Which journal position an instant means, found once and written down.

The store answers the same for ever as well; the record shows so to whoever checks it later. Each instant of a mandate
is a stream of its own, claimed by name, so of two who ask at once one records and the other reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from domain.errors import AccessError, ConflictError
from domain.journal.events import AsOfResolved
from domain.recording import Actor, EventStore, StreamName

AS_OF: Final = "as_of"


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant, and the last journal position logged at or before it."""

    at: datetime
    position: int


async def resolve(store: EventStore, mandate: UUID, at: datetime, actor: Actor, new_id: Callable[[], UUID]) -> Moment:
    """Return what ``at`` means in the journal; the first time in a mandate it is recorded there.

    Args:
        store: the journal.
        mandate: id of the mandate; whether ``actor`` may look at it is asked before.
        at: the instant, in the past.
        actor: who asks.
        new_id: makes random ids.

    Raises:
        InputError: ``instant_future``.
        AccessError: the mandate's key is gone.
    """
    name = StreamName(AS_OF, at.astimezone(UTC).isoformat(), mandate)
    stream = await store.find(name)
    if stream is None:
        found = AsOfResolved(at, await store.position_at(at))
        try:
            await store.append(mandate, new_id(), 0, [found], actor, name=name)
        except ConflictError:
            stream = await store.find(name)
        else:
            return Moment(at, found.position)
    return Moment(at, await _recorded(store, stream))


async def _recorded(store: EventStore, stream: UUID | None) -> int:
    for recorded in () if stream is None else await store.read(stream):
        if isinstance(recorded.event, AsOfResolved):
            return recorded.event.position
    raise AccessError
