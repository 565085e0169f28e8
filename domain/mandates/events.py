"""Events of a mandate and of its policies. They share the mandate's stream."""

from dataclasses import dataclass
from uuid import UUID

from domain.recording import Event


@dataclass(frozen=True, slots=True)
class MandateOpened(Event):
    """A mandate begins; whoever opened it (``founder``) is its administrator with the highest clearance."""

    key: str
    name: str
    time_zone: str
    library: bool
    levels: tuple[str, ...]
    founder: UUID


@dataclass(frozen=True, slots=True)
class LibrarySubscribed(Event):
    """The mandate may read a library from now on."""

    library: UUID
    key: str


@dataclass(frozen=True, slots=True)
class LevelDefined(Event):
    """The whole ordered list of levels, lowest first, as it is from now on."""

    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemberAdmitted(Event):
    """A person may ask in the mandate."""

    person: UUID
    clearance: str


@dataclass(frozen=True, slots=True)
class RoleGiven(Event):
    """The member's role: ``member``, ``administrator`` or ``compliance``."""

    person: UUID
    role: str


@dataclass(frozen=True, slots=True)
class ClearanceChanged(Event):
    """The highest level that the member may see."""

    person: UUID
    clearance: str


@dataclass(frozen=True, slots=True)
class MemberRemoved(Event):
    """The person is no longer a member."""

    person: UUID


@dataclass(frozen=True, slots=True)
class ChannelBound(Event):
    """Questions from the channel go to this mandate, at most at level ``ceiling``."""

    channel: str
    ceiling: str


@dataclass(frozen=True, slots=True)
class ChannelUnbound(Event):
    """The channel no longer belongs to the mandate."""

    channel: str


@dataclass(frozen=True, slots=True)
class LinkDomainReleased(Event):
    """Source links to this domain may be shown."""

    domain: str


@dataclass(frozen=True, slots=True)
class ChangeProposed(Event):
    """A change that needs four eyes waits for a second person.

    Attributes:
        change: id of the proposal.
        kind: ``admission``, ``clearance`` or ``link_domain``.
        subject: the domain, or the pseudonym of the person that it is about.
        value: the level asked for; empty for a domain.
        rationale: the reason, where one is asked for.
    """

    change: UUID
    kind: str
    subject: str
    value: str
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class ChangeApproved(Event):
    """A second person agrees to a proposal; the events of the change follow in the same append.

    ``handed_in_by`` is who ran the program when the person's consent came as a file of theirs.
    """

    change: UUID
    handed_in_by: UUID | None = None


@dataclass(frozen=True, slots=True)
class ChangeRejected(Event):
    """A proposal is turned down; ``rationale`` may be empty."""

    change: UUID
    rationale: str


@dataclass(frozen=True, slots=True)
class ThresholdProposed(Event):
    """Lowering a threshold waits for a second person; ``fingerprint`` as in ``ThresholdSet``."""

    change: UUID
    name: str
    value: float
    fingerprint: str
    rationale: str


@dataclass(frozen=True, slots=True)
class ThresholdSet(Event):
    """A threshold, bound to the model that it was calibrated for (empty: no model is involved)."""

    name: str
    value: float
    fingerprint: str
    rationale: str
    report: str = ""


@dataclass(frozen=True, slots=True)
class RuleProposed(Event):
    """A rule that is less careful than the present one waits for a second person."""

    change: UUID
    name: str
    value: str
    rationale: str


@dataclass(frozen=True, slots=True)
class RuleSet(Event):
    """A rule of the mandate, such as what happens when a search fails; ``value`` in its one form."""

    name: str
    value: str
    rationale: str


@dataclass(frozen=True, slots=True)
class ModelBound(Event):
    """Questions of the mandate use this model from now on; ``role`` is ``dense``, ``sparse`` or ``reranker``."""

    role: str
    name: str
    version: str
    fingerprint: str
    rationale: str = ""


@dataclass(frozen=True, slots=True)
class ModelRetired(Event):
    """What an encoder made of the mandate's passages is deleted; questions about its time use another one."""

    fingerprint: str
    rationale: str
