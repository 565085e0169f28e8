"""Erasing carried out: what two people have agreed on is ordered, done step by step, and recorded as done.

The order is recorded before anything is deleted, so whoever is killed on the way has left it behind, and the next
command brings it to its end. Every step may be taken again. The events belong to the store itself: a mandate cannot
tell of its own end.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

from domain.asking.quoting import Quotes
from domain.errors import ConflictError
from domain.journal.events import ErasureOrdered, MandateKeyShredded, PersonKeyShredded
from domain.journal.ports import THE_STORE
from domain.recording import ATTEMPTS, Actor, Event, EventStore, StreamName

PERSON: Final = "person"
MANDATE: Final = "mandate"

_STREAM: Final = StreamName("erasures", "erasures")


class Shredder(Protocol):
    """Deletes. Every method may be called again, and raises ``PartError`` when a part does not answer."""

    def alone(self, *, patient: bool) -> AbstractAsyncContextManager[bool]:
        """Keep backups and other erasures off; false when somebody else is at it, and we are not patient."""
        ...

    async def person(self, person: UUID, written: Sequence[tuple[UUID, int]]) -> Sequence[UUID]:
        """Destroy the key of a person, with identity and data keys, and the keys of what was written for them.

        Args:
            person: the pseudonym.
            written: streams and versions of events under other keys that can repeat their words.

        Returns:
            The streams that held events under that key until now.
        """
        ...

    async def mandate(self, mandate: UUID, quoting: Sequence[tuple[UUID, int]]) -> None:
        """Destroy the key of a mandate, with texts, names and data keys, and the keys of events that quote it.

        Args:
            mandate: its id.
            quoting: streams and versions of events of other mandates.
        """
        ...

    async def runs(self, person: UUID) -> None:
        """Delete what views hold of the questions of a person whose key is gone."""
        ...

    async def views(self, mandate: UUID) -> None:
        """Delete what views and indexes hold of a mandate whose key is gone."""
        ...

    async def remains(self, kind: str) -> None:
        """Take deleted rows out of files and logs."""
        ...


@dataclass(frozen=True, slots=True)
class _Ledger:
    """What was ordered, and what of it is done."""

    stream: UUID | None
    version: int
    ordered: dict[UUID, tuple[ErasureOrdered, Actor]]
    done: frozenset[UUID]

    @property
    def open(self) -> list[tuple[ErasureOrdered, Actor]]:
        return [one for change, one in self.ordered.items() if change not in self.done]


class Erasures:
    """Carries erasures out.

    Args:
        store: where orders and their ends are recorded.
        shredder: deletes.
        quotes: finds what other mandates have quoted.
        new_id: makes random ids.
    """

    def __init__(self, store: EventStore, shredder: Shredder, quotes: Quotes, new_id: Callable[[], UUID]) -> None:
        self._store = store
        self._shredder = shredder
        self._quotes = quotes
        self._new_id = new_id

    async def carry_out(self, order: ErasureOrdered, actor: Actor) -> None:
        """Order an erasure, unless that has been done, and bring it to its end.

        Raises:
            PartError: a part did not answer; what is left is done by the next call.
        """
        for _ in range(ATTEMPTS):
            ledger = await self._ledger()
            if order.change in ledger.ordered or await self._record(ledger, order, actor):
                await self.finish(patient=True)
                return
        raise ConflictError

    async def unfinished(self) -> int:
        """Return how many erasures were ordered and have not come to their end."""
        return len((await self._ledger()).open)

    async def of_people(self) -> int:
        """Return how many people have been erased since the beginning."""
        ledger = await self._ledger()
        return sum(order.kind == PERSON and change in ledger.done for change, (order, _) in ledger.ordered.items())

    async def finish(self, *, patient: bool = False) -> int:
        """Bring to its end what was ordered, and return how many erasures that were.

        Args:
            patient: wait for somebody else who is at it, or who makes a backup; otherwise it is left to them.

        Raises:
            PartError: a part did not answer; what is left is done by the next call.
        """
        if not (await self._ledger()).open:
            return 0
        async with self._shredder.alone(patient=patient) as ours:
            found = (await self._ledger()).open if ours else []
            for order, actor in found:
                await self._finish(order, actor)
        return len(found)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Keep backups and other erasures off.

        Raises:
            PartError: they do not come to their end.
        """
        async with self._shredder.alone(patient=True):
            yield

    async def _finish(self, order: ErasureOrdered, actor: Actor) -> None:
        end: Event
        if order.kind == PERSON:
            asked = dict.fromkeys(await self._store.personal(order.subject))
            # Twice: with the key gone nothing more can be recorded for them, but a question may have been asked or
            # answered meanwhile.
            for _ in range(2):
                written = await self._quotes.written_in(list(asked))
                asked |= dict.fromkeys(await self._shredder.person(order.subject, written))
            await self._shredder.runs(order.subject)
            end = PersonKeyShredded(order.change, order.subject)
        else:
            # Twice: a question that was under way may have quoted the mandate meanwhile.
            for _ in range(2):
                await self._shred_mandate(order.subject, actor)
            end = MandateKeyShredded(order.change, order.subject)
        await self._shredder.remains(order.kind)
        for _ in range(ATTEMPTS):
            ledger = await self._ledger()
            if order.change in ledger.done or await self._record(ledger, end, actor):
                return
        raise ConflictError

    async def _shred_mandate(self, mandate: UUID, actor: Actor) -> None:
        quotes = await self._quotes.of(mandate)
        for quote in quotes:
            await self._quotes.mark(quote, actor)
        await self._shredder.mandate(mandate, [place for quote in quotes for place in quote.places])
        await self._shredder.views(mandate)

    async def _ledger(self) -> _Ledger:
        stream = await self._store.find(_STREAM)
        recorded = () if stream is None else await self._store.read(stream)
        ordered: dict[UUID, tuple[ErasureOrdered, Actor]] = {}
        done: set[UUID] = set()
        for one in recorded:
            match one.event:
                case ErasureOrdered(change) as order if one.actor is not None:
                    ordered[change] = order, one.actor
                case PersonKeyShredded(change) | MandateKeyShredded(change):
                    done.add(change)
                case _:
                    pass
        return _Ledger(stream, len(recorded), ordered, frozenset(done))

    async def _record(self, ledger: _Ledger, event: Event, actor: Actor) -> bool:
        """Whether ``event`` was recorded; not when somebody else was faster."""
        name = _STREAM if ledger.stream is None else None
        try:
            await self._store.append(
                THE_STORE, ledger.stream or self._new_id(), ledger.version, [event], actor, name=name
            )
        except ConflictError:
            return False
        return True
