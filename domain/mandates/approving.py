"""The second person: agreeing to a proposal or turning it down, decided on the state as it is now.

Administrators and compliance may agree; they are the ones who see what waits. Who proposed may not, nor on whose behalf
that was done, nor anybody who acts on somebody's behalf. Agreeing carries the change out by the change's own events, so
nothing that is approved can be left undone.
"""

from collections.abc import Collection
from uuid import UUID

from domain.erasing.events import ERASURES, HoldLifted
from domain.errors import AccessError, InputError
from domain.mandates import naming
from domain.mandates import proposals as kinds
from domain.mandates.access import OVERSIGHT
from domain.mandates.decisions import Decision
from domain.mandates.events import (
    ChangeApproved,
    ChangeRejected,
    ClearanceChanged,
    LinkDomainReleased,
    MemberAdmitted,
    RuleSet,
    ThresholdSet,
)
from domain.mandates.policies import THRESHOLDS, ModelThreshold
from domain.mandates.proposals import APPROVED, OVERTAKEN, REJECTED, Decided, Proposal
from domain.mandates.state import ADMINISTRATOR, Mandate
from domain.recording import Actor, Event


def people_in(proposal: Proposal) -> tuple[UUID, ...]:
    """Return whom a proposal names: who made it, on whose behalf, and whom it is about."""
    by = proposal.proposed_by
    makers = () if by is None else (by.person,) if by.operator is None else (by.person, by.operator)
    return (*makers, UUID(proposal.subject)) if proposal.about_person else makers


def waiting(mandate: Mandate, change: UUID) -> Proposal | None:
    """Return a proposal that waits, ``None`` for one that has been decided.

    Raises:
        AccessError: there is no such proposal.
    """
    found = next((one for one in mandate.proposals if one.change == change), None)
    if found is None and change not in mandate.decided:
        raise AccessError
    return found


def approve(
    mandate: Mandate,
    change: UUID,
    actor: Actor,
    known: Collection[UUID],
    model: ModelThreshold | None,
    *,
    handed_in_by: UUID | None = None,
) -> Decision:
    """Agree to a proposal as the second person, and carry it out.

    Args:
        mandate: the mandate.
        change: id of the proposal.
        actor: who agrees; whether they oversee the mandate is asked before.
        known: those of ``people_in`` who have not been erased.
        model: the reranker in use with its own threshold; needed where a threshold belongs to a model.
        handed_in_by: who brought the consent of the actor, where they did not come themselves.

    Raises:
        AccessError: there is no such proposal.
        InputError: ``second_speaks_for_another``, ``second_is_first``, ``proposal_rejected``, ``proposal_overtaken``,
            ``proposal_first_gone``, ``proposal_person_gone``, ``proposal_model`` or ``level_unknown``.
    """
    proposal = waiting(mandate, change)
    if proposal is None:
        _must_have_become(mandate.decided[change], APPROVED)
        return ()
    _must_be_second(proposal, actor)
    _must_still_stand(mandate, proposal, known)
    return (ChangeApproved(change, handed_in_by), *_carried_out(mandate, proposal, model))


def reject(mandate: Mandate, change: UUID, because: str | None) -> Decision:
    """Turn a proposal down; who made it may take it back in this way.

    Raises:
        AccessError: there is no such proposal.
        InputError: ``reason``, ``proposal_approved`` or ``proposal_overtaken``.
    """
    rationale = "" if because is None else naming.reason(because)
    if waiting(mandate, change) is None:
        _must_have_become(mandate.decided[change], REJECTED)
        return ()
    return (ChangeRejected(change, rationale),)


def _must_have_become(decided: Decided, wanted: str) -> None:
    change = decided.proposal.change
    if decided.outcome == wanted:
        return
    if decided.outcome == OVERTAKEN:
        raise InputError("proposal_overtaken", change=change)
    if decided.outcome == APPROVED:
        raise InputError("proposal_approved", change=change)
    raise InputError("proposal_rejected", change=change)


def _must_be_second(proposal: Proposal, actor: Actor) -> None:
    if actor.operator is not None:
        raise InputError("second_speaks_for_another")
    first = proposal.proposed_by
    if first is None or actor.person in (first.person, first.operator):
        raise InputError("second_is_first", change=proposal.change)


def _must_still_stand(mandate: Mandate, proposal: Proposal, known: Collection[UUID]) -> None:
    first = proposal.proposed_by
    member = None if first is None or first.person not in known else mandate.members.get(first.person)
    # A proposal counts as one of two agreements, so whoever made it must still be somebody who could.
    may_propose = OVERSIGHT if proposal.kind in {kinds.LIFT_HOLD, *ERASURES} else {ADMINISTRATOR}
    if member is None or member.role not in may_propose:
        raise InputError("proposal_first_gone", change=proposal.change)
    if proposal.about_person and UUID(proposal.subject) not in known:
        raise InputError("proposal_person_gone", change=proposal.change)


def _carried_out(mandate: Mandate, proposal: Proposal, model: ModelThreshold | None) -> tuple[Event, ...]:  # noqa: PLR0911 - a kind an arm
    """Return the events of the change."""
    subject, value = proposal.subject, proposal.value
    match proposal.kind:
        case kinds.ADMISSION:
            return (MemberAdmitted(UUID(subject), naming.level_among(mandate.levels, value)),)
        case kinds.CLEARANCE:
            return (ClearanceChanged(UUID(subject), naming.level_among(mandate.levels, value)),)
        case kinds.LINK_DOMAIN:
            return (LinkDomainReleased(subject),)
        case kinds.RULE:
            return (RuleSet(subject, value, proposal.because),)
        case kinds.LIFT_HOLD:
            return (HoldLifted(UUID(subject)),)
        case kind if kind in ERASURES:
            # Carried out by ``Erasing.execute``, which a crash may interrupt and which then goes on.
            return ()
        case kinds.THRESHOLD:
            if THRESHOLDS[subject].bound and (model is None or model.fingerprint != proposal.fingerprint):
                raise InputError("proposal_model", change=proposal.change)
            return (ThresholdSet(subject, float(value), proposal.fingerprint, proposal.because),)
        case kind:
            raise ValueError(kind)
