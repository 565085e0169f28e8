"""Events about the journal."""

from dataclasses import dataclass
from datetime import datetime

from domain.recording import Event


@dataclass(frozen=True, slots=True)
class AsOfResolved(Event):
    """Somebody has asked for the first time what was known at an instant: everything up to ``position``."""

    at: datetime
    position: int
