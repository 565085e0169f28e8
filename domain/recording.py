"""What an event is once it is recorded, and the port that records it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Protocol
from uuid import UUID

ATTEMPTS: Final = 20
"""How often a command decides anew because somebody else has recorded on the same stream first."""

NOWHERE: Final = UUID(int=(1 << 128) - 1)
"""Id of no stream: what has no id at all is looked for under this one, so that it costs what anything else costs."""


class Event:
    """Base of all events: frozen, slotted dataclasses named in the past tense.

    ``PERSONAL`` marks events whose payload is wrapped by a person's key instead of the mandate's, so that
    erasing the person erases them (question text).
    """

    __slots__ = ()
    PERSONAL: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Actor:
    """Who caused an event. Ids are pseudonyms of the directory of people, never names.

    ``operator`` is set when the owner of the data folder acted on the person's behalf.
    """

    person: UUID
    operator: UUID | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with its place in the store.

    Attributes:
        event: the decrypted event, or ``None`` when its key has been shredded.
        stream: random id of the stream.
        version: place in the stream, from 1.
        mandate: random id of the mandate it belongs to.
        position: place in the journal, from 1, growing in the order of commits.
        number: the mandate's own running number, from 1.
        logged_at: when it was recorded (UTC); never decreases with ``position``.
    """

    event: Event | None
    stream: UUID
    version: int
    mandate: UUID
    actor: Actor | None
    position: int
    number: int
    logged_at: datetime


@dataclass(frozen=True, slots=True)
class Batch:
    """Some events of the journal.

    Attributes:
        events: those of the kinds asked for, in order; shredded ones among them.
        reached: position up to which none of these kinds is left out.
    """

    events: tuple[Recorded, ...]
    reached: int


@dataclass(frozen=True, slots=True)
class StreamName:
    """A name that must be unique, claimed together with a stream's first event.

    ``mandate`` is ``None`` for names that are unique over the whole store (mandate keys).
    """

    kind: str
    name: str
    mandate: UUID | None = None


class EventStore(Protocol):
    """Append-only store of events.

    Every method raises ``PartError("database")`` when the database does not answer.
    """

    async def append(
        self,
        mandate: UUID,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        actor: Actor,
        *,
        name: StreamName | None = None,
        subject: UUID | None = None,
    ) -> tuple[Recorded, ...]:
        """Append ``events`` after version ``expected`` of ``stream`` (0: new stream), all or nothing.

        ``name`` is claimed in the same transaction; ``subject`` is the person whom the events are about: their key
        wraps personal ones, and without it nothing is recorded about them.

        Raises:
            ConflictError: the stream has moved on, or the name is taken.
            AccessError: the keys of the subject or of the mandate have been shredded.
        """
        ...

    async def read(self, stream: UUID, *, up_to: int | None = None) -> tuple[Recorded, ...]:
        """Return the stream's events in order, those with ``position <= up_to`` only when it is given."""
        ...

    async def after(self, position: int, limit: int) -> tuple[Recorded, ...]:
        """Return up to ``limit`` events behind ``position`` of the journal, in order, none skipped.

        Fewer may come when they are large; none come only at the end.
        """
        ...

    async def batch(self, position: int, limit: int, kinds: Collection[type[Event]]) -> Batch:
        """Return up to ``limit`` events of these kinds behind ``position``; the others are passed over unopened.

        An event of a kind that nobody here knows is never passed over.

        Raises:
            PartError: ``event_unknown``: a newer program has recorded it.
        """
        ...

    async def find(self, name: StreamName) -> UUID | None:
        """Return the stream that claimed ``name``."""
        ...

    async def named(self, kind: str) -> tuple[UUID, ...]:
        """Return the streams that claimed a name of this kind over the whole store, in no particular order."""
        ...

    async def personal(self, person: UUID) -> tuple[UUID, ...]:
        """Return the streams that hold events under a person's key, in no order; none once it is shredded."""
        ...

    async def head(self) -> int:
        """Return the last position, 0 when nothing is recorded."""
        ...

    async def position_at(self, instant: datetime) -> int:
        """Return the last position logged at or before ``instant``.

        Waits for appends in flight, and whatever is appended later is logged later, so the answer never changes.

        Raises:
            InputError: ``instant_future`` when ``instant`` has not come yet.
        """
        ...


class People(Protocol):
    """The directory of people: platform identities to pseudonyms, erasable."""

    async def register(self, identity: str) -> UUID:
        """Return the pseudonym of ``identity``, made on first sight."""
        ...

    async def find(self, identity: str) -> UUID | None:
        """Return the pseudonym of ``identity`` if it has one."""
        ...

    async def names(self, people: Sequence[UUID]) -> dict[UUID, str]:
        """Return the identities that are still known."""
        ...


@dataclass(frozen=True, slots=True)
class BlobRef:
    """Where a text lies.

    Attributes:
        address: SHA-256 of the stored ciphertext, hexadecimal.
        sha256: SHA-256 of the UTF-8 plaintext, hexadecimal.
    """

    address: str
    sha256: str


class BlobStore(Protocol):
    """Immutable encrypted texts, addressed by their ciphertext."""

    async def put(self, mandate: UUID, text: str) -> BlobRef:
        """Store ``text`` durably and return where it lies."""
        ...

    async def get(self, mandate: UUID, ref: BlobRef) -> str:
        """Return the text.

        Raises:
            InputError: ``blob_erased`` when its key has been shredded.
            PartError: ``blob_damaged`` when it does not match its address or hash.
        """
        ...
