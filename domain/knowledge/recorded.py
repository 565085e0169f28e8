"""A version as it was recorded."""

from domain.errors import InputError
from domain.knowledge.events import VersionIngested
from domain.recording import EventStore


async def ingested(store: EventStore, ordinal: int) -> VersionIngested:
    """Return the version recorded at position ``ordinal``.

    Raises:
        InputError: ``blob_erased`` when it has been erased.
    """
    recorded = await store.after(ordinal - 1, 1)
    event = recorded[0].event if recorded else None
    if not isinstance(event, VersionIngested):
        raise InputError("blob_erased")
    return event
