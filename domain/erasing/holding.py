"""The commands of legal holds: one person places a hold at once, lifting it takes two."""

from collections.abc import Callable
from uuid import UUID

from domain.erasing.events import HoldPlaced
from domain.errors import InputError
from domain.mandates import naming
from domain.mandates.access import must_oversee
from domain.mandates.attempts import Change, attempt
from domain.mandates.decisions import Decision, propose
from domain.mandates.events import ChangeProposed
from domain.mandates.handler import Mandates
from domain.mandates.proposals import LIFT_HOLD
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore, People


def place(mandate: Mandate, person: UUID | None, because: str, hold: UUID) -> Decision:
    """Keep all of a mandate, or what one person has left in it.

    Raises:
        InputError: ``reason``, or ``hold_person`` for somebody who never was a member.
    """
    rationale = naming.reason(because)
    if person is not None and person not in mandate.people:
        raise InputError("hold_person", mandate=mandate.key)
    if any(one.person == person for one in mandate.holds):
        return ()
    return (HoldPlaced(hold, person, rationale),)


def propose_lifting(mandate: Mandate, hold: UUID, because: str, change: UUID) -> Decision:
    """Propose to lift a hold.

    Raises:
        InputError: ``reason`` or ``hold_unknown``.
    """
    rationale = naming.reason(because)
    if hold not in {one.hold for one in mandate.holds}:
        raise InputError("hold_unknown", hold=hold, mandate=mandate.key)
    return propose(mandate, ChangeProposed(change, LIFT_HOLD, str(hold), "", rationale))


class Holds:
    """Places holds and proposes to lift them; administrators and compliance may.

    Args:
        store: where events are recorded.
        people: the directory of people.
        mandates: finds mandates.
        new_id: makes random ids.
    """

    def __init__(self, store: EventStore, people: People, mandates: Mandates, new_id: Callable[[], UUID]) -> None:
        self._store = store
        self._people = people
        self._mandates = mandates
        self._new_id = new_id

    async def place(self, key: str, identity: str | None, because: str, actor: Actor) -> Change:
        """Keep all of a mandate, or what one person has left in it.

        Raises:
            AccessError: there is no such mandate, or the actor does not oversee it.
            InputError: as ``place``.
        """
        person, hold = None, self._new_id()
        if identity is not None:
            # Somebody never seen is refused as somebody who never was a member is.
            person = await self._people.find(identity) or self._new_id()
        return await self._change(key, actor, lambda mandate: place(mandate, person, because, hold))

    async def propose_lifting(self, key: str, hold: UUID, because: str, actor: Actor) -> Change:
        """Propose to lift a hold.

        Raises:
            AccessError: there is no such mandate, or the actor does not oversee it.
            InputError: as ``propose_lifting``.
        """
        change = self._new_id()
        return await self._change(key, actor, lambda mandate: propose_lifting(mandate, hold, because, change))

    async def _change(self, key: str, actor: Actor, decide: Callable[[Mandate], Decision]) -> Change:
        async def load() -> Mandate:
            mandate = await self._mandates.find(key)
            must_oversee(mandate, actor.person)
            return mandate

        async def decided(mandate: Mandate) -> tuple[Decision, None]:
            return decide(mandate), None

        return await attempt(self._store, load, decided, actor)
