"""A mandate as its events tell: ``apply`` folds one event, ``replay`` all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, TypeVar
from uuid import UUID

from domain.erasing.events import (
    ERASE_RECORDS,
    ERASURES,
    RETENTION_RUNS,
    RETENTION_VERSIONS,
    ErasureBegun,
    ErasureDone,
    ErasureProposed,
    HoldLifted,
    HoldPlaced,
)
from domain.mandates.events import (
    ChangeApproved,
    ChangeProposed,
    ChangeRejected,
    ChannelBound,
    ChannelUnbound,
    ClearanceChanged,
    LevelDefined,
    LibrarySubscribed,
    LinkDomainReleased,
    MandateOpened,
    MemberAdmitted,
    MemberRemoved,
    ModelBound,
    ModelRetired,
    RoleGiven,
    RuleProposed,
    RuleSet,
    ThresholdProposed,
    ThresholdSet,
)
from domain.mandates.proposals import (
    ADMISSION,
    CLEARANCE,
    LIFT_HOLD,
    LINK_DOMAIN,
    RULE,
    THRESHOLD,
    Decided,
    Proposal,
    decided_by,
    proposal_of,
)
from domain.recording import Actor, Recorded

MEMBER: Final = "member"
ADMINISTRATOR: Final = "administrator"
COMPLIANCE: Final = "compliance"
ROLES: Final = (MEMBER, ADMINISTRATOR, COMPLIANCE)

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Member:
    """The highest level that a person may see, and what they may do."""

    clearance: str
    role: str = MEMBER


@dataclass(frozen=True, slots=True)
class Hold:
    """A legal hold: on one person in the mandate, or (``None``) on all of it."""

    hold: UUID
    person: UUID | None
    because: str
    placed_by: Actor | None
    placed_at: datetime


@dataclass(frozen=True, slots=True)
class Mandate:
    """A mandate at one point of its history.

    Attributes:
        id: random id, also that of its stream.
        version: place of the last event in the stream, from 1.
        levels: names of the confidentiality levels, lowest first.
        libraries: keys of the subscribed libraries by id, in the order of subscription.
        channels: ceiling of each bound channel.
        domains: domains that source links may lead to.
        proposals: changes that wait for a second person, oldest first.
        decided: what has become of those that no longer wait, by id.
        models: the model bound to each role; a role without one has what the program brings along.
        retired: fingerprints of encoders whose vectors have been deleted.
        people: everybody who is or was a member.
        holds: legal holds that stand, oldest first.
        erasing: erasures that two people have agreed on and that are not complete.
        begun: those of them that have begun to be carried out.
    """

    id: UUID
    version: int
    opened_at: datetime
    key: str
    name: str
    time_zone: str
    library: bool
    levels: tuple[str, ...]
    members: Mapping[UUID, Member]
    libraries: Mapping[UUID, str] = field(default_factory=lambda: MappingProxyType({}))
    channels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    domains: tuple[str, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    decided: Mapping[UUID, Decided] = field(default_factory=lambda: MappingProxyType({}))
    thresholds: Mapping[str, ThresholdSet] = field(default_factory=lambda: MappingProxyType({}))
    rules: Mapping[str, RuleSet] = field(default_factory=lambda: MappingProxyType({}))
    models: Mapping[str, ModelBound] = field(default_factory=lambda: MappingProxyType({}))
    retired: frozenset[str] = frozenset()
    people: frozenset[UUID] = frozenset()
    holds: tuple[Hold, ...] = ()
    erasing: tuple[Proposal, ...] = ()
    begun: frozenset[UUID] = frozenset()

    @property
    def highest(self) -> str:
        """Return the name of the highest level."""
        return self.levels[-1]

    @property
    def administrators(self) -> tuple[UUID, ...]:
        """Return the people with the role ``administrator``."""
        return tuple(person for person, member in self.members.items() if member.role == ADMINISTRATOR)

    def rank(self, level: str) -> int:
        """Return the place of a level of this mandate, the lowest is 0."""
        return self.levels.index(level)


def replay(history: Iterable[Recorded]) -> Mandate | None:
    """Rebuild a mandate from its stream; ``None`` if it has not been opened or its key is gone."""
    mandate: Mandate | None = None
    for recorded in history:
        mandate = apply(mandate, recorded)
    return mandate


def apply(mandate: Mandate | None, recorded: Recorded) -> Mandate | None:
    """Return the mandate after ``recorded``."""
    if mandate is None:
        return _opened(recorded)
    changed = _changed(mandate, recorded)
    gone = decided_by(recorded, mandate.proposals, changed.proposals)
    decided = MappingProxyType({**mandate.decided, **gone}) if gone else mandate.decided
    return replace(changed, version=recorded.version, decided=decided)


def _opened(recorded: Recorded) -> Mandate | None:
    event = recorded.event
    if not isinstance(event, MandateOpened):
        return None
    return Mandate(
        id=recorded.stream,
        version=recorded.version,
        opened_at=recorded.logged_at,
        key=event.key,
        name=event.name,
        time_zone=event.time_zone,
        library=event.library,
        levels=event.levels,
        members=MappingProxyType({event.founder: Member(event.levels[-1], ADMINISTRATOR)}),
        people=frozenset({event.founder}),
    )


def _changed(mandate: Mandate, recorded: Recorded) -> Mandate:  # noqa: C901, PLR0911, PLR0912 - one arm an event
    match recorded.event:
        case MemberAdmitted() | RoleGiven() | ClearanceChanged() | MemberRemoved() as event:
            return _with_people(mandate, event)
        case LevelDefined(levels):
            return replace(mandate, levels=levels)
        case LibrarySubscribed(library, key):
            return replace(mandate, libraries=_with(mandate.libraries, library, key))
        case ChannelBound(channel, ceiling):
            return replace(mandate, channels=_with(mandate.channels, channel, ceiling))
        case ChannelUnbound(channel):
            return replace(mandate, channels=_without(mandate.channels, channel))
        case LinkDomainReleased(domain):
            settled = _settled(mandate, LINK_DOMAIN, domain)
            return replace(mandate, domains=(*mandate.domains, domain), proposals=settled)
        case ChangeProposed() | ThresholdProposed() | RuleProposed() | ErasureProposed() as event:
            return replace(mandate, proposals=(*mandate.proposals, proposal_of(event, recorded)))
        case ChangeApproved(change) | ChangeRejected(change):
            return _decided(mandate, change, agreed=isinstance(recorded.event, ChangeApproved))
        case HoldPlaced(hold, person, because):
            placed = Hold(hold, person, because, recorded.actor, recorded.logged_at)
            return replace(mandate, holds=(*mandate.holds, placed))
        case HoldLifted(hold):
            settled = _settled(mandate, LIFT_HOLD, str(hold))
            return replace(mandate, holds=tuple(one for one in mandate.holds if one.hold != hold), proposals=settled)
        case ErasureBegun(change):
            return replace(mandate, begun=mandate.begun | {change})
        case ErasureDone(change):
            left = tuple(one for one in mandate.erasing if one.change != change)
            return replace(mandate, erasing=left, begun=mandate.begun - {change})
        case ThresholdSet() as event:
            settled = _settled(mandate, THRESHOLD, event.name)
            return replace(mandate, thresholds=_with(mandate.thresholds, event.name, event), proposals=settled)
        case RuleSet() as event:
            settled = _settled(mandate, RULE, event.name)
            if event.name in {RETENTION_RUNS, RETENTION_VERSIONS}:
                # What was found under another term need not be due any more.
                settled = tuple(one for one in settled if one.kind != ERASE_RECORDS)
            return replace(mandate, rules=_with(mandate.rules, event.name, event), proposals=settled)
        case ModelBound() as event:
            retired = mandate.retired - {event.fingerprint}
            return replace(mandate, models=_with(mandate.models, event.role, event), retired=retired)
        case ModelRetired(fingerprint):
            return replace(mandate, retired=mandate.retired | {fingerprint})
        case _:
            return mandate


def _decided(mandate: Mandate, change: UUID, *, agreed: bool) -> Mandate:
    waiting = tuple(one for one in mandate.proposals if one.change != change)
    erasing = [one for one in mandate.proposals if one.change == change and agreed and one.kind in ERASURES]
    return replace(mandate, proposals=waiting, erasing=(*mandate.erasing, *erasing))


def _with_people(mandate: Mandate, event: MemberAdmitted | RoleGiven | ClearanceChanged | MemberRemoved) -> Mandate:
    members = mandate.members
    match event:
        case MemberAdmitted(person, clearance):
            settled = _settled(mandate, ADMISSION, str(person))
            members, people = _with(members, person, Member(clearance)), mandate.people | {person}
            return replace(mandate, members=members, people=people, proposals=settled)
        case RoleGiven(person, role):
            return replace(mandate, members=_with(members, person, replace(members[person], role=role)))
        case ClearanceChanged(person, clearance):
            settled = _settled(mandate, CLEARANCE, str(person))
            changed = replace(members[person], clearance=clearance)
            return replace(mandate, members=_with(members, person, changed), proposals=settled)
        case MemberRemoved(person):
            settled = _settled(mandate, CLEARANCE, str(person))
            return replace(mandate, members=_without(members, person), proposals=settled)


def _settled(mandate: Mandate, kind: str, subject: str) -> tuple[Proposal, ...]:
    """Return the proposals without those that the latest change has overtaken."""
    return tuple(one for one in mandate.proposals if (one.kind, one.subject) != (kind, subject))


def _with(entries: Mapping[K, V], key: K, value: V) -> Mapping[K, V]:
    return MappingProxyType({**entries, key: value})


def _without(entries: Mapping[K, V], key: K) -> Mapping[K, V]:
    return MappingProxyType({known: value for known, value in entries.items() if known != key})
