"""The commands of erasing: propose, and carry out what two people have agreed on.

``erase person``, ``erase mandate`` and the retention of a mandate propose; ``policy approve`` is the second person's.
Then ``execute`` runs: it records that it begins, looks once more for holds, lets the ``Eraser`` work, and records the
end.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

from domain.erasing.events import (
    ERASE_MANDATE,
    ERASE_PERSON,
    ERASE_RECORDS,
    Due,
    DueListed,
    ErasureBegun,
    ErasureDone,
    ErasureProposed,
)
from domain.erasing.holds import listed, must_be_free, must_not_be_held
from domain.erasing.ports import Eraser, Order
from domain.errors import AccessError, InputError
from domain.mandates import naming
from domain.mandates.access import must_oversee, oversees
from domain.mandates.attempts import Change, attempt
from domain.mandates.decisions import Decision, propose
from domain.mandates.handler import Mandates
from domain.mandates.proposals import Proposal
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore, People


class Erasing:
    """Proposes erasures and carries them out.

    Args:
        store: where proposals are recorded.
        people: the directory of people.
        mandates: finds mandates.
        eraser: deletes keys and what views hold.
        new_id: makes random ids.
    """

    def __init__(
        self, store: EventStore, people: People, mandates: Mandates, eraser: Eraser, new_id: Callable[[], UUID]
    ) -> None:
        self._store = store
        self._people = people
        self._mandates = mandates
        self._eraser = eraser
        self._new_id = new_id

    async def propose_person(self, identity: str, because: str, actor: Actor) -> Change:
        """Propose to erase a person everywhere; it waits in the first mandate, by key, of those they belong to.

        Raises:
            AccessError: nobody of this name is, or was, in a mandate that the actor oversees.
            InputError: ``reason``, ``erasure_held``, ``erasure_approved``, or ``erasure_elsewhere`` when the person
                belongs to a mandate as well that the actor does not oversee.
        """
        person = await self._people.find(identity)
        theirs = () if person is None else await self._mandates.ever_of(person)
        overseen = [one for one in theirs if oversees(one, actor.person)]
        if person is None or not overseen:
            raise AccessError
        if len(overseen) < len(theirs):
            raise InputError("erasure_elsewhere")
        event = ErasureProposed(self._new_id(), ERASE_PERSON, person, None, 0, naming.reason(because))

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            must_be_free(event.kind, mandate, await self._mandates.ever_of(person), {person})
            return propose(mandate, event), None

        return await attempt(self._store, lambda: self._overseen(overseen[0].id, actor), decide, actor)

    async def propose_mandate(self, key: str, because: str, actor: Actor) -> Change:
        """Propose to erase a mandate.

        Raises:
            AccessError: there is none, or the actor does not oversee it.
            InputError: ``reason``, ``erasure_held`` or ``erasure_approved``.
        """
        found = await self._mandates.find(key)
        must_oversee(found, actor.person)
        event = ErasureProposed(self._new_id(), ERASE_MANDATE, None, None, 0, naming.reason(because))

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            must_be_free(event.kind, mandate, (), ())
            return propose(mandate, event), None

        return await attempt(self._store, lambda: self._overseen(found.id, actor), decide, actor)

    async def propose_records(self, mandate: UUID, records: Sequence[Due], because: str, actor: Actor) -> Change:
        """Propose to erase single runs and versions; the caller leaves out what is proposed already.

        Raises:
            AccessError: there is no such mandate, or the actor does not oversee it.
            InputError: ``reason`` or ``erasure_held``.
        """
        await self._overseen(mandate, actor)
        rationale, stream = naming.reason(because), self._new_id()
        people = {due.person for due in records if due.person is not None}
        await self._store.append(mandate, stream, 0, [DueListed(tuple(records))], actor)
        event = ErasureProposed(self._new_id(), ERASE_RECORDS, None, stream, len(records), rationale)

        async def decide(found: Mandate) -> tuple[Decision, None]:
            must_be_free(event.kind, found, (), people)
            return propose(found, event), None

        return await attempt(self._store, lambda: self._overseen(mandate, actor), decide, actor)

    async def proposed(self, mandate: Mandate) -> frozenset[tuple[UUID, int]]:
        """Return stream and ordinal of all records that wait to be agreed on or erased."""
        streams = [one.listed for one in (*mandate.proposals, *mandate.erasing)]
        found = [due for stream in streams for due in await listed(self._store, stream)]
        return frozenset((due.stream, due.ordinal) for due in found)

    async def execute(self, change: UUID, actor: Actor) -> bool:
        """Carry out an erasure that two people have agreed on; false when there is nothing left to do.

        Raises:
            InputError: ``erasure_held``: a hold has been placed since; the erasure stays approved.
            PartError: a part did not answer; the same call goes on where it stopped.
        """
        found = next((one for one in await self._mandates.of_person(actor.person) if _of(one, change)), None)
        if found is None:
            return False
        must_oversee(found, actor.person)
        order = Order(change, found.id, actor)
        if (proposal := await self._begin(order)) is None:
            return False
        # Once more, now that the beginning has its place in the journal: every hold before it is seen.
        await must_not_be_held(self._store, self._mandates, await self._overseen(found.id, actor), proposal)
        match proposal.kind:
            case kind if kind == ERASE_PERSON:
                await self._eraser.person(UUID(proposal.subject), order)
            case kind if kind == ERASE_MANDATE:
                await self._eraser.mandate(found.id, order)
                return True
            case _:
                await self._eraser.records(await listed(self._store, proposal.listed), order)
        await self._end(order)
        return True

    async def _begin(self, order: Order) -> Proposal | None:
        """Record that the erasure begins, and return it."""

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            proposal = _of(mandate, order.change)
            if proposal is None:
                return (), None
            await must_not_be_held(self._store, self._mandates, mandate, proposal)
            return (ErasureBegun(order.change),), None

        begun = await attempt(self._store, lambda: self._overseen(order.mandate, order.by), decide, order.by)
        return _of(begun.mandate, order.change)

    async def _end(self, order: Order) -> None:
        async def load() -> Mandate:
            # Not asked again whether the actor may: they may just have erased themselves.
            mandate = await self._mandates.by_id(order.mandate)
            if mandate is None:
                raise AccessError
            return mandate

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            return (() if _of(mandate, order.change) is None else (ErasureDone(order.change),)), None

        await attempt(self._store, load, decide, order.by)

    async def _overseen(self, mandate: UUID, actor: Actor) -> Mandate:
        found = await self._mandates.by_id(mandate)
        must_oversee(found, actor.person)
        if found is None:
            raise AccessError
        return found


def _of(mandate: Mandate, change: UUID) -> Proposal | None:
    return next((one for one in mandate.erasing if one.change == change), None)
