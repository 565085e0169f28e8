"""Between domain events and the rows of the library: its ``Mapper`` by interface, with a cipher that knows context.

The library's own mapper has one key for everything, no associated data, and module paths for topics.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from adapters.eventstore import codec
from adapters.eventstore.form import associated, seal_of
from adapters.eventstore.rows import stream_of
from adapters.eventstore.seal import seal, unseal
from adapters.eventstore.topics import Topics
from domain.recording import Actor, Event


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that is about to be recorded."""

    event: Event
    actor: Actor
    mandate: UUID
    stream: UUID
    version: int
    data_key: bytes = field(repr=False)


class Mapper:
    """Seals and opens events."""

    def __init__(self, topics: Topics) -> None:
        self._topics = topics

    def names(self, classes: Iterable[type[Event]] | None = None) -> list[str]:
        """Return the names under which events of ``classes`` are stored, those of all without."""
        return self._topics.names(self._topics.classes() if classes is None else classes)

    def to_stored_event(self, draft: Draft) -> StoredEvent:
        """Seal an event. ``state`` is the seal alone: the recorder puts the header before it, under the lock."""
        topic = self._topics.topic(type(draft.event))
        bound = associated(draft.mandate, draft.stream, draft.version, topic)
        sealed = seal(draft.data_key, codec.encode(draft.event, draft.actor), bound)
        return StoredEvent(draft.stream, draft.version, topic, sealed)

    def to_domain_event(self, stored: StoredEvent, mandate: UUID, data_key: bytes) -> tuple[Event, Actor]:
        """Open the seal of a whole row and bring the event to its current shape.

        Raises:
            BrokenSealError: the row is not what was recorded.
            UnknownShapeError: the event is of a kind, a version or a shape that this program does not know.
        """
        bound = associated(mandate, stream_of(stored), stored.originator_version, stored.topic)
        document = codec.parse(unseal(data_key, seal_of(stored.state), bound))
        cls, event = self._topics.current(stored.topic, document["event"])
        return codec.build(event, cls), codec.build_actor(document["actor"])
