"""In-memory twins of the recording ports. They pass the same contract suite as the real ones."""

import asyncio
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from domain.errors import AccessError, ConflictError, InputError, PartError
from domain.recording import Actor, Batch, BlobRef, Event, Recorded, StreamName


def utc_now() -> datetime:
    return datetime.now(UTC)


class InMemoryPeople:
    """Directory of people in a dict."""

    def __init__(self) -> None:
        self._identities: dict[str, UUID] = {}

    async def register(self, identity: str) -> UUID:
        return self._identities.setdefault(unicodedata.normalize("NFC", identity), uuid4())

    async def find(self, identity: str) -> UUID | None:
        return self._identities.get(unicodedata.normalize("NFC", identity))

    async def names(self, people: Sequence[UUID]) -> dict[UUID, str]:
        return {person: identity for identity, person in self._identities.items() if person in people}

    def knows(self, person: UUID) -> bool:
        return person in self._identities.values()

    def shred(self, person: UUID) -> None:
        """Forget a person, as deleting their key does."""
        self._identities = {name: known for name, known in self._identities.items() if known != person}


class InMemoryEventStore:
    """Journal in a list. ``people`` is checked for the subject of personal events when it is given."""

    def __init__(self, clock: Callable[[], datetime] = utc_now, people: InMemoryPeople | None = None) -> None:
        self._clock = clock
        self._people = people
        self._journal: list[Recorded] = []
        self._subjects: dict[int, UUID] = {}
        self._names: dict[StreamName, UUID] = {}
        self._floor = datetime.min.replace(tzinfo=UTC)

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
        if not events:
            return ()
        personal = any(event.PERSONAL for event in events)
        if personal and subject is None:
            raise ValueError("personal events need a subject")
        if self._people is not None and subject is not None and not self._people.knows(subject):
            raise AccessError
        version = sum(entry.stream == stream for entry in self._journal)
        if version != expected or (name is not None and name in self._names):
            raise ConflictError
        if any(entry.stream == stream and entry.mandate != mandate for entry in self._journal):
            raise AccessError
        if name is not None:
            self._names[name] = stream
        now = self._clock()
        drafts = [
            Recorded(event, stream, expected + step, mandate, actor, 0, 0, now) for step, event in enumerate(events, 1)
        ]
        return tuple(self._record(draft, subject) for draft in drafts)

    def _record(self, draft: Recorded, subject: UUID | None) -> Recorded:
        last = self._journal[-1].logged_at if self._journal else self._floor
        recorded = replace(
            draft,
            position=len(self._journal) + 1,
            number=1 + sum(entry.mandate == draft.mandate for entry in self._journal),
            logged_at=max(draft.logged_at, last, self._floor),
        )
        self._journal.append(recorded)
        if draft.event is not None and draft.event.PERSONAL and subject is not None:
            self._subjects[recorded.position] = subject
        return recorded

    async def read(self, stream: UUID, *, up_to: int | None = None) -> tuple[Recorded, ...]:
        return tuple(
            self._seen(entry)
            for entry in self._journal
            if entry.stream == stream and (up_to is None or entry.position <= up_to)
        )

    async def after(self, position: int, limit: int) -> tuple[Recorded, ...]:
        return tuple(self._seen(entry) for entry in self._journal[position : position + limit])

    async def batch(self, position: int, limit: int, kinds: Collection[type[Event]]) -> Batch:
        found = [entry for entry in self._journal[position:] if isinstance(entry.event, tuple(kinds))]
        if len(found) < limit:
            return Batch(tuple(map(self._seen, found)), max(position, len(self._journal)))
        return Batch(tuple(map(self._seen, found[:limit])), found[limit - 1].position)

    def _seen(self, entry: Recorded) -> Recorded:
        subject = self._subjects.get(entry.position)
        if subject is None or self._people is None or self._people.knows(subject):
            return entry
        return replace(entry, event=None, actor=None)

    async def find(self, name: StreamName) -> UUID | None:
        return self._names.get(name)

    async def named(self, kind: str) -> tuple[UUID, ...]:
        return tuple(stream for name, stream in self._names.items() if name.kind == kind and name.mandate is None)

    async def personal(self, person: UUID) -> tuple[UUID, ...]:
        found = [self._seen(entry) for entry in self._journal if self._subjects.get(entry.position) == person]
        return tuple(dict.fromkeys(entry.stream for entry in found if entry.event is not None))

    async def head(self) -> int:
        return len(self._journal)

    async def position_at(self, instant: datetime) -> int:
        if instant > self._clock():
            raise InputError("instant_future", instant=instant.isoformat())
        self._floor = max(self._floor, instant + timedelta(microseconds=1))
        return sum(entry.logged_at <= instant for entry in self._journal)

    def shred_all(
        self, *, mandate: UUID | None = None, stream: UUID | None = None, position: int | None = None
    ) -> None:
        """Make all events of a mandate or of a stream unreadable, or the one at a position."""
        self._journal = [
            replace(entry, event=None, actor=None)
            if mandate == entry.mandate or stream == entry.stream or position == entry.position
            else entry
            for entry in self._journal
        ]

    def shred(self, stream: UUID, version: int) -> None:
        """Make one event unreadable, as deleting its key does."""
        self._journal = [
            replace(entry, event=None, actor=None) if (entry.stream, entry.version) == (stream, version) else entry
            for entry in self._journal
        ]


class YieldingEventStore(InMemoryEventStore):
    """A store during whose reading others get their turn."""

    async def read(self, stream: UUID, *, up_to: int | None = None) -> tuple[Recorded, ...]:
        await asyncio.sleep(0)
        return await super().read(stream, up_to=up_to)


class InMemoryBlobs:
    """Texts in a dict."""

    def __init__(self) -> None:
        self._texts: dict[UUID, dict[str, str | None]] = defaultdict(dict)

    async def put(self, mandate: UUID, text: str) -> BlobRef:
        address = sha256(uuid4().bytes).hexdigest()
        self._texts[mandate][address] = text
        return BlobRef(address, sha256(text.encode()).hexdigest())

    async def get(self, mandate: UUID, ref: BlobRef) -> str:
        if ref.address not in self._texts[mandate]:
            raise PartError("blob_damaged", address=ref.address)
        text = self._texts[mandate][ref.address]
        if text is None:
            raise InputError("blob_erased", address=ref.address)
        if sha256(text.encode()).hexdigest() != ref.sha256:
            raise PartError("blob_damaged", address=ref.address)
        return text

    def shred(self, mandate: UUID, ref: BlobRef) -> None:
        """Make a text unreadable, as deleting its key does."""
        self._texts[mandate][ref.address] = None
