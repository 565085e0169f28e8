"""A source opened to what stands around it in the stored version."""

from dataclasses import dataclass

from domain.asking.values import Source
from domain.knowledge.recorded import ingested
from domain.knowledge.surroundings import surroundings
from domain.recording import BlobStore, EventStore


@dataclass(frozen=True, slots=True)
class OpenCard:
    """A source with the stored words before and behind its quote."""

    source: Source
    before: str
    after: str


class Cards:
    """Opens the sources of an answer; whoever was shown the answer may see around its quotes."""

    def __init__(self, store: EventStore, blobs: BlobStore) -> None:
        self._store = store
        self._blobs = blobs

    async def open(self, source: Source, context: int) -> OpenCard:
        """Return ``source`` with ``context`` sentences on either side.

        Raises:
            InputError: ``blob_erased`` when the version has been erased.
        """
        shown = source.shown
        event = await ingested(self._store, shown.ordinal)
        around = surroundings(event, shown.span, context)
        text = await self._blobs.get(shown.mandate, event.blob)
        return OpenCard(source, around.before.of(text), around.after.of(text))
