"""What may happen to a mandate: one pure function a command, from the state to new events.

No events means that everything is already so. Whether the actor may do it at all is asked before (``access.py``).
Changes that need four eyes become a proposal.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from domain.errors import InputError
from domain.mandates import naming
from domain.mandates.events import (
    ChangeProposed,
    ChannelBound,
    ChannelUnbound,
    ClearanceChanged,
    LevelDefined,
    LibrarySubscribed,
    MandateOpened,
    MemberAdmitted,
    MemberRemoved,
    RoleGiven,
    RuleProposed,
    RuleSet,
    ThresholdProposed,
    ThresholdSet,
)
from domain.mandates.policies import MANDATE, THRESHOLDS, ModelThreshold, parse_threshold, threshold
from domain.mandates.proposals import ADMISSION, CLEARANCE, LINK_DOMAIN, Proposed, same
from domain.mandates.rules import needs_four_eyes, parse_rule, rule
from domain.mandates.state import ROLES, Mandate
from domain.recording import Event

DEFAULT_LEVELS: Final = ("public", "internal", "confidential", "secret")
DEFAULT_TIME_ZONE: Final = "Europe/Berlin"

Decision = tuple[Event, ...]


def open_mandate(key: str, name: str | None, time_zone: str, founder: UUID, *, library: bool) -> Decision:
    """Open a mandate; the founder administers it with the highest clearance.

    Raises:
        InputError: ``mandate_key``, ``mandate_name`` or ``time_zone``.
    """
    key = naming.mandate_key(key)
    shown = key if name is None else naming.display_name(name)
    return (MandateOpened(key, shown, naming.time_zone(time_zone), library, DEFAULT_LEVELS, founder),)


def subscribe(mandate: Mandate, library: Mandate) -> Decision:
    """Let the mandate read a library.

    Any mandate may subscribe to a library: being one means being published to this installation.

    Raises:
        InputError: ``library_own``, or ``library_levels`` when a level of the library has no namesake here.
    """
    if library.id == mandate.id:
        raise InputError("library_own", mandate=mandate.key)
    strange = [level for level in library.levels if level not in mandate.levels]
    if strange:
        raise InputError("library_levels", library=library.key, levels=", ".join(strange), mandate=mandate.key)
    if library.id in mandate.libraries:
        return ()
    return (LibrarySubscribed(library.id, library.key),)


def define_levels(mandate: Mandate, names: Sequence[str]) -> Decision:
    """Give the whole ordered list of levels, lowest first; all present ones stay, in their order.

    The highest one stays the highest: with a new one above it, clearance to it would no longer take a second person.

    Raises:
        InputError: ``level_name``, ``level_twice``, ``level_order`` or ``level_above``.
    """
    levels = tuple(map(naming.level_name, names))
    seen: set[str] = set()
    for level in levels:
        if naming.folded(level) in seen:
            raise InputError("level_twice", level=level)
        seen.add(naming.folded(level))
    if tuple(level for level in levels if level in mandate.levels) != mandate.levels:
        raise InputError("level_order", levels=" ".join(mandate.levels))
    if levels[-1] != mandate.highest:
        raise InputError("level_above", level=levels[-1], highest=mandate.highest)
    return () if levels == mandate.levels else (LevelDefined(levels),)


def admit(mandate: Mandate, person: UUID, clearance: str, change: UUID) -> Decision:
    """Admit a person; at the highest level a second person has to agree first.

    Raises:
        InputError: ``level_unknown`` or ``member_already``.
    """
    level = naming.level_among(mandate.levels, clearance)
    if person in mandate.members:
        raise InputError("member_already", mandate=mandate.key, clearance=mandate.members[person].clearance)
    if level == mandate.highest:
        return propose(mandate, ChangeProposed(change, ADMISSION, str(person), level))
    return (MemberAdmitted(person, level),)


def clear(mandate: Mandate, person: UUID | None, clearance: str, change: UUID) -> Decision:
    """Change a member's clearance; raising it to the highest level takes a second person.

    Raises:
        InputError: ``level_unknown`` or ``member_unknown``.
    """
    level = naming.level_among(mandate.levels, clearance)
    member = _member(mandate, person)
    if mandate.members[member].clearance == level:
        return ()
    if level == mandate.highest:
        return propose(mandate, ChangeProposed(change, CLEARANCE, str(member), level))
    return (ClearanceChanged(member, level),)


def give_role(mandate: Mandate, person: UUID | None, role: str) -> Decision:
    """Give a member a role.

    Raises:
        InputError: ``role_unknown``, ``member_unknown`` or ``last_administrator``.
    """
    if role not in ROLES:
        raise InputError("role_unknown", role=role, known=", ".join(ROLES))
    member = _member(mandate, person)
    if mandate.members[member].role == role:
        return ()
    _keep_an_administrator(mandate, member)
    return (RoleGiven(member, role),)


def remove(mandate: Mandate, person: UUID | None) -> Decision:
    """Remove a member.

    Raises:
        InputError: ``member_unknown`` or ``last_administrator``.
    """
    member = _member(mandate, person)
    _keep_an_administrator(mandate, member)
    return (MemberRemoved(member),)


def bind(mandate: Mandate, channel: str, ceiling: str) -> Decision:
    """Bind a channel that no other mandate has, or change its ceiling.

    Raises:
        InputError: ``level_unknown``.
    """
    level = naming.level_among(mandate.levels, ceiling)
    return () if mandate.channels.get(channel) == level else (ChannelBound(channel, level),)


def unbind(mandate: Mandate, channel: str) -> Decision:
    """Let go of a channel."""
    return (ChannelUnbound(channel),) if channel in mandate.channels else ()


def release_domain(mandate: Mandate, domain: str, change: UUID) -> Decision:
    """Propose that source links may lead to a domain; always takes a second person.

    Raises:
        InputError: ``link_domain``.
    """
    name = naming.link_domain(domain)
    return () if name in mandate.domains else propose(mandate, ChangeProposed(change, LINK_DOMAIN, name, ""))


def set_threshold(
    mandate: Mandate, name: str, text: str, because: str, *, model: ModelThreshold | None, change: UUID
) -> Decision:
    """Set a threshold: raising it counts at once, lowering it takes a second person.

    Where nothing passes so far, since no threshold belongs to the model, every value is a lowering.

    Args:
        mandate: the mandate.
        name: ``relevance`` or ``coverage``.
        text: the number as written.
        because: the reason.
        model: the reranker in use with its own threshold; needed for ``relevance``.
        change: id for a proposal.

    Raises:
        InputError: ``policy_unknown``, ``policy_value`` or ``reason``.
    """
    value = parse_threshold(name, text)
    if THRESHOLDS[name].bound and model is None:
        raise ValueError(f"{name} belongs to a model")
    rationale = naming.reason(because)
    current = threshold(mandate, name, model)
    fingerprint = model.fingerprint if model is not None and THRESHOLDS[name].bound else ""
    if current.value is None or value < current.value:
        return propose(mandate, ThresholdProposed(change, name, value, fingerprint, rationale))
    if value == current.value and current.origin == MANDATE:
        return ()
    return (ThresholdSet(name, value, fingerprint, rationale),)


def set_rule(mandate: Mandate, name: str, text: str, because: str, change: UUID) -> Decision:
    """Set a rule; to leave what is safe takes a second person.

    Args:
        mandate: the mandate.
        name: one of ``RULES``.
        text: the value as written.
        because: the reason.
        change: id for a proposal.

    Raises:
        InputError: ``rule_value``, ``level_unknown`` or ``reason``.
    """
    value, rationale, current = parse_rule(mandate, name, text), naming.reason(because), rule(mandate, name)
    if needs_four_eyes(mandate, name, current.value, value):
        return propose(mandate, RuleProposed(change, name, value, rationale))
    if value == current.value and current.origin == MANDATE:
        return ()
    return (RuleSet(name, value, rationale),)


def propose(mandate: Mandate, event: Proposed) -> Decision:
    """Return the proposal, under the id of the very same one if that is waiting already.

    Raises:
        InputError: ``erasure_approved``: it has been agreed to and only remains to be carried out.
    """
    approved = next((one for one in mandate.erasing if same(one, event)), None)
    if approved is not None:
        raise InputError("erasure_approved", change=approved.change)
    waiting = next((one for one in mandate.proposals if same(one, event)), None)
    return (event if waiting is None else replace(event, change=waiting.change),)


def _member(mandate: Mandate, person: UUID | None) -> UUID:
    if person is None or person not in mandate.members:
        raise InputError("member_unknown", mandate=mandate.key)
    return person


def _keep_an_administrator(mandate: Mandate, leaving: UUID) -> None:
    if mandate.administrators == (leaving,):
        raise InputError("last_administrator", mandate=mandate.key)
