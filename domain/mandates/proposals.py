"""Changes that wait for a second person, and what has become of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from domain.erasing.events import ERASE_PERSON, ERASE_RECORDS, ERASURES, ErasureProposed
from domain.mandates.events import ChangeApproved, ChangeProposed, ChangeRejected, RuleProposed, ThresholdProposed
from domain.recording import Actor, Recorded

ADMISSION: Final = "admission"
CLEARANCE: Final = "clearance"
LINK_DOMAIN: Final = "link_domain"
THRESHOLD: Final = "threshold"
RULE: Final = "rule"
LIFT_HOLD: Final = "lift_hold"

APPROVED: Final = "approved"
REJECTED: Final = "rejected"
OVERTAKEN: Final = "overtaken"

ABOUT_PEOPLE: Final = frozenset({ADMISSION, CLEARANCE, ERASE_PERSON})
"""Kinds whose subject is the pseudonym of a person."""

KINDS: Final = (ADMISSION, CLEARANCE, LINK_DOMAIN, THRESHOLD, RULE, LIFT_HOLD, *sorted(ERASURES))
"""All kinds of changes that take two people."""

Proposed: TypeAlias = ChangeProposed | ThresholdProposed | RuleProposed | ErasureProposed


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for a second person.

    Attributes:
        kind: ``admission``, ``clearance``, ``link_domain``, ``threshold``, ``rule``, ``lift_hold``, or one of
            ``ERASURES``.
        subject: pseudonym of the person, the domain, id of the hold, or the name of the threshold or rule; empty for
            a mandate or records.
        value: the level, the number or the value asked for; for records how many; else empty.
        fingerprint: model that a threshold belongs to.
        because: why, where a reason is asked for.
        listed: stream that lists the records to erase.
    """

    change: UUID
    kind: str
    subject: str
    value: str
    proposed_by: Actor | None
    proposed_at: datetime
    fingerprint: str = ""
    because: str = ""
    listed: UUID | None = None

    @property
    def about_person(self) -> bool:
        """Whether ``subject`` is the pseudonym of a person."""
        return self.kind in ABOUT_PEOPLE


@dataclass(frozen=True, slots=True)
class Decided:
    """A proposal that no longer waits.

    Attributes:
        outcome: ``approved``, ``rejected``, or ``overtaken`` by another change of the same.
        by: whose event it was.
        because: why it was rejected, if that was said.
        handed_in_by: who brought the consent, where the second person did not come themselves.
    """

    proposal: Proposal
    outcome: str
    by: Actor | None
    at: datetime
    because: str = ""
    handed_in_by: UUID | None = None


def proposal_of(event: Proposed, recorded: Recorded) -> Proposal:
    """Return the proposal that an event makes."""
    kind, subject, value, fingerprint = _asked(event)
    listed = event.listed if isinstance(event, ErasureProposed) else None
    by, at = recorded.actor, recorded.logged_at
    return Proposal(event.change, kind, subject, value, by, at, fingerprint, event.rationale, listed)


def same(waiting: Proposal, event: Proposed) -> bool:
    """Say whether an event proposes what waits already; the reason makes no other proposal of it, other records do."""
    asked = _asked(event)
    return asked[0] != ERASE_RECORDS and (waiting.kind, waiting.subject, waiting.value, waiting.fingerprint) == asked


def _asked(event: Proposed) -> tuple[str, str, str, str]:
    """Return kind, subject, value and fingerprint."""
    match event:
        case ChangeProposed(_, kind, subject, value):
            return kind, subject, value, ""
        case RuleProposed(_, name, value):
            return RULE, name, value, ""
        case ThresholdProposed(_, name, number, fingerprint):
            return THRESHOLD, name, repr(number), fingerprint
        case ErasureProposed(_, kind, person, _, count):
            return kind, "" if person is None else str(person), str(count) if count else "", ""


def decided_by(recorded: Recorded, before: Sequence[Proposal], after: Sequence[Proposal]) -> dict[UUID, Decided]:
    """Return what an event has made of the proposals that waited before it and do so no longer."""
    if before is after:
        return {}
    left = {one.change for one in after}
    outcome, because, handed_in_by = OVERTAKEN, "", None
    match recorded.event:
        case ChangeApproved() as approved:
            outcome, handed_in_by = APPROVED, approved.handed_in_by
        case ChangeRejected(_, rationale):
            outcome, because = REJECTED, rationale
        case _:
            pass
    gone = [one for one in before if one.change not in left]
    by, at = recorded.actor, recorded.logged_at
    return {one.change: Decided(one, outcome, by, at, because, handed_in_by) for one in gone}
