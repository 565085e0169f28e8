"""Erases by order of the store: what two people have agreed on is written into the store's own history first.

That history outlives whom and what is erased, and says who has proposed it, who agreed, and why.
"""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from domain.asking.quoting import Quotes
from domain.erasing.events import ERASE_RECORDS, RUN, VERSION, Due
from domain.erasing.holds import listed, quoted_to_kept
from domain.erasing.ports import Order
from domain.journal.erasures import MANDATE, PERSON, Erasures
from domain.journal.events import ErasureOrdered
from domain.knowledge.events import VersionCorrected, VersionIngested
from domain.mandates.handler import Mandates
from domain.mandates.proposals import APPROVED
from domain.recording import Actor, EventStore, Recorded

Place = tuple[UUID, int]


class RecordShredder(Protocol):
    """Deletes single records; every method may be called again."""

    async def records(self, mandate: UUID, events: Sequence[Place], texts: Sequence[str]) -> None:
        """Destroy the keys of events (streams and versions), and of texts (addresses) of a mandate."""
        ...

    async def record_views(self, mandate: UUID, runs: Sequence[UUID], ordinals: Sequence[int]) -> None:
        """Delete what views, indexes and files hold of runs and versions."""
        ...


class OrderingEraser:
    """Implements ``Eraser``.

    Args:
        erasures: carries out what was ordered, also after an interruption.
        mandates: knows what was proposed.
        store: where records lie.
        quotes: finds what answers have quoted of versions.
        shredder: deletes single ones.
    """

    def __init__(
        self, erasures: Erasures, mandates: Mandates, store: EventStore, quotes: Quotes, shredder: RecordShredder
    ) -> None:
        self._erasures = erasures
        self._mandates = mandates
        self._store = store
        self._quotes = quotes
        self._shredder = shredder

    async def person(self, person: UUID, order: Order) -> None:
        """See ``Eraser``."""
        await self._erasures.carry_out(await self._ordered(PERSON, person, order), order.by)

    async def mandate(self, mandate: UUID, order: Order) -> None:
        """See ``Eraser``."""
        await self._erasures.carry_out(await self._ordered(MANDATE, mandate, order), order.by)

    async def records(self, records: Sequence[Due], order: Order) -> None:
        """See ``Eraser``."""
        events: list[Place] = []
        texts: list[str] = []
        for due in records:
            for one in _of(due, await self._store.read(due.stream)):
                events.append((one.stream, one.version))
                texts += [one.event.blob.address] if isinstance(one.event, VersionIngested) else []
        runs = [due.stream for due in records if due.kind == RUN]
        ordinals = [due.ordinal for due in records if due.kind != RUN]
        async with self._erasures.alone():
            # Twice: a question that was under way may have quoted a version meanwhile.
            for sought in (await self._with_earlier(order.mandate, ordinals), ordinals) if ordinals else (ordinals,):
                quoting = await self._quoting(sought, runs, order.by)
                await self._shredder.records(order.mandate, [*events, *quoting], texts)
            await self._shredder.record_views(order.mandate, runs, ordinals)

    async def _with_earlier(self, of: UUID, ordinals: Sequence[int]) -> list[int]:
        """Return versions with those of the same mandate that have gone before, but for what a hold keeps by now.

        An answer may have quoted one of these after it was looked for last, or before quotes went along at all.
        """
        mandate = await self._mandates.by_id(of)
        if mandate is None:
            return list(ordinals)
        under_way = {one.change for one in mandate.erasing}
        agreed = [one.proposal for one in mandate.decided.values() if one.outcome == APPROVED]
        done = [one for one in agreed if one.kind == ERASE_RECORDS and one.change not in under_way]
        gone = [due for one in done for due in await listed(self._store, one.listed) if due.kind == VERSION]
        kept = {ordinal for _, ordinal in await quoted_to_kept(self._store, mandate, gone)}
        return [*ordinals, *(due.ordinal for due in gone if due.ordinal not in kept)]

    async def _quoting(self, ordinals: Sequence[int], but: Sequence[UUID], actor: Actor) -> list[Place]:
        """Let the runs that repeat words of versions say so, and return the events that hold these."""
        found = await self._quotes.of_versions(ordinals) if ordinals else ()
        quotes = [quote for quote in found if quote.run not in but]
        for quote in quotes:
            await self._quotes.mark(quote, actor)
        return [place for quote in quotes for place in quote.places]

    async def _ordered(self, kind: str, subject: UUID, order: Order) -> ErasureOrdered:
        """Return the order, with what can still be read about its proposal."""
        mandate = await self._mandates.by_id(order.mandate)
        waiting = () if mandate is None else mandate.erasing
        proposal = next((one for one in waiting if one.change == order.change), None)
        by = None if proposal is None else proposal.proposed_by
        return ErasureOrdered(
            order.change,
            kind,
            subject,
            None if by is None else by.person,
            None if by is None else by.operator,
            "" if proposal is None else proposal.because,
        )


def _of(due: Due, recorded: Sequence[Recorded]) -> list[Recorded]:
    """Return the events of a run, or those of a document that tell of one version."""
    if due.kind == RUN:
        return list(recorded)
    ingested = [one for one in recorded if one.position == due.ordinal]
    numbers = {one.event.version for one in ingested if isinstance(one.event, VersionIngested)}
    # What was put right about it repeats its title.
    return ingested + [
        one for one in recorded if isinstance(one.event, VersionCorrected) and one.event.version in numbers
    ]
