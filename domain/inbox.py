"""What came in on a chat platform and asks something of us: each event is noted once and finished once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol
from uuid import UUID

EDITED: Final = "Edited"
"""The kind of an event that puts another text in the place of an earlier one."""


@dataclass(frozen=True, slots=True)
class Noted:
    """An incoming event that asks something of us.

    Attributes:
        event: what it is found again by; the text stays on the server.
        sender: identity on the platform.
        target: the event that it is about, for an edit, a redaction or a reaction.
        kind: name of its class, ``Said`` and so on.
        detail: the sign of a reaction; else empty. Never a text that somebody has written.
    """

    event: str
    room: str
    sender: str
    sent_at: datetime
    kind: str
    target: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that has been answered, and by which message."""

    question: str
    room: str
    answer: str
    run: UUID | None


class Inbox(Protocol):
    """What came in, for one account on one platform.

    Every method raises ``PartError("database")`` when the database does not answer.
    """

    async def token(self) -> str | None:
        """Return the place in the server's stream up to which everything is noted; ``None`` at the very first."""
        ...

    async def take_in(self, token: str, noted: Sequence[Noted]) -> tuple[Noted, ...]:
        """Note events together with the place behind them, and return those that were not noted before."""
        ...

    async def noted(self, event: str) -> Noted | None:
        """Return an event as it was noted, finished or not; ``None`` for one that asked nothing of us."""
        ...

    async def pending(self) -> tuple[Noted, ...]:
        """Return what is noted and not finished, in the order in which it was noted."""
        ...

    async def finish(self, event: str, answer: str | None = None, run: UUID | None = None) -> None:
        """Say that an event is dealt with, and by which message of ours; of an event that nobody noted, nothing.

        The answer to an edit counts as the answer to the message that was edited.
        """
        ...

    async def answered(self, question: str) -> Answered | None:
        """Return how a question was answered, the last time."""
        ...

    async def wordings(self, question: str) -> tuple[str, ...]:
        """Return the events by which a question was answered: its message, and each edit of it, in their order."""
        ...

    async def answering(self, answer: str) -> Answered | None:
        """Return the question behind a message of ours."""
        ...

    async def of_run(self, run: UUID) -> Answered | None:
        """Return where a run was answered."""
        ...
