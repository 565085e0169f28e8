"""Events about the journal. All but ``AsOfResolved`` belong to the store itself (``THE_STORE``), not to a mandate."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.recording import Event


@dataclass(frozen=True, slots=True)
class AsOfResolved(Event):
    """Somebody has asked for the first time what was known at an instant: everything up to ``position``."""

    at: datetime
    position: int


@dataclass(frozen=True, slots=True)
class JournalKeyTaken(Event):
    """From here on checkpoints are signed with another key.

    Attributes:
        key: its public half, as text.
        note: a checkpoint that names this key, signed by the key before and by this one, so that whoever trusts the
            one may trust the other; empty for the first key.
    """

    key: str
    note: str


@dataclass(frozen=True, slots=True)
class CheckpointSigned(Event):
    """The journal's head was signed; ``note`` is the checkpoint over the first ``size`` events."""

    size: int
    note: str


@dataclass(frozen=True, slots=True)
class CheckpointCosigned(Event):
    """Witnesses have confirmed a checkpoint; ``note`` carries their signatures, ``witnesses`` are their names."""

    size: int
    note: str
    witnesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ErasureOrdered(Event):
    """Two people have agreed to erase; from here on it is carried out, also after an interruption.

    The event's actor is who agreed, or carries it out.

    Attributes:
        change: id of the proposal.
        kind: ``person`` or ``mandate``; ``subject``: the pseudonym, or the mandate's id.
        proposed_by: pseudonym of who proposed it, and in whose stead if somebody acted on another's behalf.
        because: the reason as written.
    """

    change: UUID
    kind: str
    subject: UUID
    proposed_by: UUID | None
    operator: UUID | None
    because: str


@dataclass(frozen=True, slots=True)
class PersonKeyShredded(Event):
    """The key of a person is destroyed, and nothing of ours yields what it protected."""

    change: UUID
    person: UUID


@dataclass(frozen=True, slots=True)
class MandateKeyShredded(Event):
    """The key of a mandate is destroyed, and nothing of ours yields what it protected."""

    change: UUID
    mandate: UUID
