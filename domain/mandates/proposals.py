"""Changes that wait for a second person, and what has become of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from domain.mandates.events import ChangeApproved, ChangeProposed, ChangeRejected, RuleProposed, ThresholdProposed
from domain.recording import Actor, Recorded

ADMISSION: Final = "admission"
CLEARANCE: Final = "clearance"
LINK_DOMAIN: Final = "link_domain"
THRESHOLD: Final = "threshold"
RULE: Final = "rule"

APPROVED: Final = "approved"
REJECTED: Final = "rejected"
OVERTAKEN: Final = "overtaken"

Proposed: TypeAlias = ChangeProposed | ThresholdProposed | RuleProposed


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for a second person.

    Attributes:
        kind: ``admission``, ``clearance``, ``link_domain``, ``threshold`` or ``rule``.
        subject: pseudonym of the person, the domain, or the name of the threshold or rule.
        value: the level, the number or the value asked for; empty for a domain.
        fingerprint: model that a threshold belongs to.
        because: why, where a reason is asked for.
    """

    change: UUID
    kind: str
    subject: str
    value: str
    proposed_by: Actor | None
    proposed_at: datetime
    fingerprint: str = ""
    because: str = ""

    @property
    def about_person(self) -> bool:
        """Whether ``subject`` is the pseudonym of a person."""
        return self.kind in {ADMISSION, CLEARANCE}


@dataclass(frozen=True, slots=True)
class Decided:
    """A proposal that no longer waits.

    Attributes:
        outcome: ``approved``, ``rejected``, or ``overtaken`` by another change of the same.
        by: whose event it was.
        because: why it was rejected, if that was said.
    """

    proposal: Proposal
    outcome: str
    by: Actor | None
    at: datetime
    because: str = ""


def proposal_of(event: Proposed, recorded: Recorded) -> Proposal:
    """Return the proposal that an event makes."""
    match event:
        case ChangeProposed(change, kind, subject, value, because):
            fingerprint = ""
        case RuleProposed(change, subject, value, because):
            kind, fingerprint = RULE, ""
        case ThresholdProposed(change, subject, number, fingerprint, because):
            kind, value = THRESHOLD, repr(number)
    return Proposal(change, kind, subject, value, recorded.actor, recorded.logged_at, fingerprint, because)


def same(waiting: Proposal, event: Proposed) -> bool:
    """Say whether an event proposes what waits already; the reason makes no other proposal of it."""
    match event:
        case ChangeProposed(_, kind, subject, value):
            asked = (kind, subject, value, "")
        case RuleProposed(_, name, value):
            asked = (RULE, name, value, "")
        case ThresholdProposed(_, name, number, fingerprint):
            asked = (THRESHOLD, name, repr(number), fingerprint)
    return (waiting.kind, waiting.subject, waiting.value, waiting.fingerprint) == asked


def decided_by(recorded: Recorded, before: Sequence[Proposal], after: Sequence[Proposal]) -> dict[UUID, Decided]:
    """Return what an event has made of the proposals that waited before it and do so no longer."""
    if before is after:
        return {}
    left = {one.change for one in after}
    outcome, because = OVERTAKEN, ""
    match recorded.event:
        case ChangeApproved():
            outcome = APPROVED
        case ChangeRejected(_, rationale):
            outcome, because = REJECTED, rationale
        case _:
            pass
    gone = [one for one in before if one.change not in left]
    return {one.change: Decided(one, outcome, recorded.actor, recorded.logged_at, because) for one in gone}
