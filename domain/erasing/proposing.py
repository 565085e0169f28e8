"""The commands that propose erasures; they wait for a second person like any other change that takes two."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from domain.erasing.events import ERASE_MANDATE, ERASE_PERSON, ERASE_RECORDS, Due, DueListed, ErasureProposed
from domain.erasing.holds import concerned, listed, must_be_free, must_leave_administrators, readers
from domain.errors import AccessError, InputError
from domain.mandates import naming
from domain.mandates.access import must_oversee, oversees
from domain.mandates.attempts import Change, attempt
from domain.mandates.decisions import Decision, propose
from domain.mandates.handler import Mandates
from domain.mandates.state import Mandate
from domain.recording import NOWHERE, Actor, EventStore, People


class Proposing:
    """Proposes erasures; administrators and compliance may.

    Args:
        store: where proposals are recorded.
        people: the directory of people.
        mandates: finds mandates.
        new_id: makes random ids.
    """

    def __init__(self, store: EventStore, people: People, mandates: Mandates, new_id: Callable[[], UUID]) -> None:
        self._store = store
        self._people = people
        self._mandates = mandates
        self._new_id = new_id

    async def propose_person(self, identity: str, because: str, actor: Actor) -> Change:
        """Propose to erase a person everywhere; it waits in the first mandate, by key, of those they belong to.

        Raises:
            AccessError: nobody of this name is, or was, in a mandate that the actor oversees.
            InputError: ``reason``, ``erasure_held``, ``erasure_approved``, ``last_administrator``, or
                ``erasure_closed`` when the reason is not open to the actor.
        """
        person = await self._people.find(identity)
        # Somebody never seen is looked for as long as somebody who belongs elsewhere.
        theirs = await self._mandates.ever_of(person or NOWHERE)
        overseen = [one for one in theirs if oversees(one, actor.person)]
        if person is None or not overseen:
            raise AccessError
        event = ErasureProposed(self._new_id(), ERASE_PERSON, person, None, 0, naming.reason(because))

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            # First what the actor may know and do something about.
            theirs = await self._mandates.ever_of(person)
            must_leave_administrators(person, theirs, actor.person)
            must_be_free(event.kind, mandate, theirs, {person}, actor.person)
            if not all(oversees(one, actor.person) for one in theirs):
                raise InputError("erasure_closed")
            return propose(mandate, event), None

        return await attempt(self._store, lambda: self._overseen(overseen[0].id, actor), decide, actor)

    async def propose_mandate(self, key: str, because: str, actor: Actor) -> Change:
        """Propose to erase a mandate.

        Raises:
            AccessError: there is none, or the actor does not oversee it.
            InputError: ``reason``, ``erasure_held``, ``erasure_closed`` or ``erasure_approved``.
        """
        found = await self._mandates.find(key)
        must_oversee(found, actor.person)
        event = ErasureProposed(self._new_id(), ERASE_MANDATE, None, None, 0, naming.reason(because))

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            must_be_free(event.kind, mandate, await self._mandates.readers_of(mandate.id), (), actor.person)
            return propose(mandate, event), None

        return await attempt(self._store, lambda: self._overseen(found.id, actor), decide, actor)

    async def propose_records(self, mandate: UUID, records: Sequence[Due], because: str, actor: Actor) -> Change:
        """Propose to erase single runs and versions; nothing happens when one of them is proposed already.

        Raises:
            AccessError: there is no such mandate, or the actor does not oversee it.
            InputError: ``reason``, ``erasure_held``, or ``erasure_closed`` when the hold is not open to the actor.
        """
        await self._overseen(mandate, actor)
        rationale, stream = naming.reason(because), self._new_id()
        await self._store.append(mandate, stream, 0, [DueListed(tuple(records))], actor)
        event = ErasureProposed(self._new_id(), ERASE_RECORDS, None, stream, len(records), rationale)

        async def decide(found: Mandate) -> tuple[Decision, None]:
            people = await concerned(self._store, found, records)
            must_be_free(event.kind, found, await readers(self._mandates, found, records), people, actor.person)
            waiting = await self.proposed(found)
            return () if any(due.place in waiting for due in records) else propose(found, event), None

        return await attempt(self._store, lambda: self._overseen(mandate, actor), decide, actor)

    async def proposed(self, mandate: Mandate) -> Mapping[tuple[UUID, int], UUID]:
        """Return the proposals of all records that wait to be agreed on or erased, by stream and ordinal."""
        waiting = [one for one in (*mandate.proposals, *mandate.erasing) if one.listed is not None]
        return {due.place: one.change for one in waiting for due in await listed(self._store, one.listed)}

    async def _overseen(self, mandate: UUID, actor: Actor) -> Mandate:
        found = await self._mandates.by_id(mandate)
        must_oversee(found, actor.person)
        if found is None:
            raise AccessError
        return found
