"""Events about the journal. All but ``AsOfResolved`` belong to the store itself (``THE_STORE``), not to a mandate."""

from dataclasses import dataclass
from datetime import datetime

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
