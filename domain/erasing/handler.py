"""Carrying out what two people have agreed on to erase.

``erase person``, ``erase mandate`` and the retention of a mandate propose; ``policy approve`` is the second person's.
Then ``execute`` runs: it records that it begins, looks once more for holds, lets the ``Eraser`` work, and records the
end.
"""

from uuid import UUID

from domain.erasing.events import ERASE_MANDATE, ERASE_PERSON, ErasureBegun, ErasureDone
from domain.erasing.holds import listed, must_not_be_held
from domain.erasing.ports import Eraser, Order
from domain.errors import AccessError
from domain.mandates.access import must_oversee
from domain.mandates.attempts import attempt
from domain.mandates.decisions import Decision
from domain.mandates.handler import Mandates
from domain.mandates.proposals import Proposal
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore


class Erasing:
    """Carries erasures out.

    Args:
        store: where beginnings and ends are recorded.
        mandates: finds mandates.
        eraser: deletes keys and what views hold.
    """

    def __init__(self, store: EventStore, mandates: Mandates, eraser: Eraser) -> None:
        self._store = store
        self._mandates = mandates
        self._eraser = eraser

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
        await must_not_be_held(
            self._store, self._mandates, await self._overseen(found.id, actor), proposal, actor.person
        )
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
            await must_not_be_held(self._store, self._mandates, mandate, proposal, order.by.person)
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
