"""Deciding and recording: read the mandate, decide, append; again if somebody was faster."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import reduce
from typing import Final, get_args
from uuid import UUID

from domain.errors import ConflictError
from domain.mandates.decisions import Decision
from domain.mandates.proposals import Proposed
from domain.mandates.state import Mandate, apply
from domain.recording import ATTEMPTS, Actor, EventStore, Recorded, StreamName

DONE: Final = "done"
UNCHANGED: Final = "unchanged"
PENDING: Final = "pending"

_PROPOSED: Final = get_args(Proposed)


@dataclass(frozen=True, slots=True)
class Change:
    """What a command has come to.

    Attributes:
        mandate: the mandate afterwards.
        status: ``done``, ``unchanged`` (it was so already) or ``pending`` (a second person has to agree).
        proposal: id of the proposal, when pending.
    """

    mandate: Mandate
    status: str
    proposal: UUID | None = None


async def attempt(
    store: EventStore,
    load: Callable[[], Awaitable[Mandate]],
    decide: Callable[[Mandate], Awaitable[tuple[Decision, StreamName | None]]],
    actor: Actor,
) -> Change:
    """Record what ``decide`` makes of the mandate that ``load`` reads; of several at once, each decides anew.

    Raises:
        ConflictError: somebody else was faster every time.
    """
    for _ in range(ATTEMPTS):
        mandate = await load()
        events, name = await decide(mandate)
        waiting = next((event.change for event in events if isinstance(event, _PROPOSED)), None)
        if waiting is not None and waiting in (one.change for one in mandate.proposals):
            return Change(mandate, PENDING, waiting)
        if not events:
            return Change(mandate, UNCHANGED)
        try:
            recorded = await store.append(mandate.id, mandate.id, mandate.version, events, actor, name=name)
        except ConflictError:
            continue
        return Change(reduce(_after, recorded, mandate), DONE if waiting is None else PENDING, waiting)
    raise ConflictError


def _after(mandate: Mandate, recorded: Recorded) -> Mandate:
    return apply(mandate, recorded) or mandate
