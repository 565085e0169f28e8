"""Whether an instance can answer: what it needs, each seen a moment ago."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

SILENCE_SECONDS: Final = 90.0
"""A platform that has told nothing for so long, not even that there is nothing, counts as lost."""


@dataclass
class Health:
    """What is known of the parts of an instance.

    Attributes:
        database: whether the database answers.
        has_lease: whether the account is ours to answer for.
        is_stopping: whether somebody has asked it to end.
    """

    database: Callable[[], Awaitable[bool]]
    has_lease: Callable[[], bool]
    is_stopping: bool = False
    _heard: float | None = field(default=None, init=False)

    def heard(self) -> None:
        """Note that the platform has answered."""
        self._heard = time.monotonic()

    def lost(self) -> None:
        """Note that there is no connection to the platform."""
        self._heard = None

    @property
    def silence(self) -> float:
        """Seconds since the platform has answered; infinite when there is no connection."""
        return float("inf") if self._heard is None else time.monotonic() - self._heard

    async def look(self) -> dict[str, bool]:
        """Return what is needed to answer, and whether it is there."""
        return {
            "database": await self.database(),
            "platform": self.silence < SILENCE_SECONDS,
            "lease": self.has_lease(),
            "running": not self.is_stopping,
        }
