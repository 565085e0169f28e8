"""Deciding on what waits for a second person: the commands.

Of several people who decide at once, one is recorded; the others decide anew and find it decided. A decision and the
change that it carries out are one append, so there is no moment at which a crash could part them.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from domain.erasing.events import ERASURES, Due
from domain.erasing.holds import listed, must_not_be_held
from domain.errors import AccessError, InputError
from domain.mandates.access import must_oversee
from domain.mandates.approving import approve, people_in, reject, waiting
from domain.mandates.attempts import attempt
from domain.mandates.decisions import Decision
from domain.mandates.handler import Mandates
from domain.mandates.policies import THRESHOLDS, ModelThreshold
from domain.mandates.proposals import THRESHOLD, Decided, Proposal
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore, People


@dataclass(frozen=True, slots=True)
class Verdict:
    """What has become of a proposal.

    Attributes:
        mandate: the mandate afterwards.
        status: ``done``, or ``unchanged`` when it had been decided in this way before.
    """

    mandate: Mandate
    status: str
    decided: Decided


class FourEyes:
    """Approves and rejects.

    Args:
        store: where decisions are recorded.
        people: the directory of people.
        mandates: finds mandates.
        model_of: returns the reranker of a mandate with its threshold; asked only for a threshold that belongs to one.
        still_due: says whether all of these records may still be erased, as their time is over.
    """

    def __init__(
        self,
        store: EventStore,
        people: People,
        mandates: Mandates,
        model_of: Callable[[Mandate], ModelThreshold],
        still_due: Callable[[Mandate, Sequence[Due]], Awaitable[bool]],
    ) -> None:
        self._store = store
        self._people = people
        self._mandates = mandates
        self._model_of = model_of
        self._still_due = still_due

    async def waiting(self, change: UUID, person: UUID) -> tuple[Mandate, Proposal | None]:
        """Return a proposal with its mandate; ``None`` for one that has been decided.

        Raises:
            AccessError: there is no such proposal, or the person does not oversee its mandate.
        """
        mandate = await self._overseen(change, Actor(person))
        return mandate, waiting(mandate, change)

    async def approve(self, change: UUID, actor: Actor, *, handed_in_by: UUID | None = None) -> Verdict:
        """Agree to a proposal as the second person, and carry it out.

        Args:
            change: id of the proposal.
            actor: who agrees.
            handed_in_by: who brought their consent, where they did not come themselves.

        Raises:
            AccessError: there is no such proposal, or the actor does not oversee its mandate.
            InputError: ``proposal_not_due``; or as ``must_not_be_held`` or ``approving.approve``.
        """

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            proposal = waiting(mandate, change)
            people = [] if proposal is None else people_in(proposal)
            if proposal is not None and proposal.kind in ERASURES:
                await must_not_be_held(self._store, self._mandates, mandate, proposal, actor.person)
                await self._must_be_due(mandate, proposal)
            known = await self._people.names(people)
            bound = proposal is not None and proposal.kind == THRESHOLD and THRESHOLDS[proposal.subject].bound
            model = self._model_of(mandate) if bound else None
            return approve(mandate, change, actor, known, model, handed_in_by=handed_in_by), None

        return await self._decided(change, actor, decide)

    async def reject(self, change: UUID, because: str | None, actor: Actor) -> Verdict:
        """Turn a proposal down.

        Raises:
            AccessError: there is no such proposal, or the actor does not oversee its mandate.
            InputError: as ``approving.reject``.
        """

        async def decide(mandate: Mandate) -> tuple[Decision, None]:
            return reject(mandate, change, because), None

        return await self._decided(change, actor, decide)

    async def _must_be_due(self, mandate: Mandate, proposal: Proposal) -> None:
        records = await listed(self._store, proposal.listed)
        if records and not await self._still_due(mandate, records):
            raise InputError("proposal_not_due", change=proposal.change, mandate=mandate.key)

    async def _decided(
        self, change: UUID, actor: Actor, decide: Callable[[Mandate], Awaitable[tuple[Decision, None]]]
    ) -> Verdict:
        found = await attempt(self._store, lambda: self._overseen(change, actor), decide, actor)
        return Verdict(found.mandate, found.status, found.mandate.decided[change])

    async def _overseen(self, change: UUID, actor: Actor) -> Mandate:
        """Return the mandate that has the proposal."""
        for mandate in await self._mandates.of_person(actor.person):
            if change in mandate.decided or change in (one.change for one in mandate.proposals):
                must_oversee(mandate, actor.person)
                return mandate
        raise AccessError
