"""What the conversation needs of a chat platform, and what it must remember."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from bot.chat.incoming import Said
from bot.chat.outgoing import Content


@dataclass(frozen=True, slots=True)
class Room:
    """A room as it is at this moment.

    Attributes:
        members: everybody who is in it or invited, but us.
        is_direct: one person and us.
        is_encrypted: messages are end-to-end encrypted.
        is_closed: who comes later reads nothing of what was said before.
        successor: the room that has taken its place, if any.
    """

    id: str
    members: frozenset[str]
    is_direct: bool
    is_encrypted: bool
    is_closed: bool
    successor: str | None = None

    @property
    def is_protected(self) -> bool:
        """Say whether what is said here stays with those who are here now."""
        return self.is_encrypted and self.is_closed


class Platform(Protocol):
    """A chat platform. Every method raises ``PartError`` when the server does not answer in reasonable time."""

    @property
    def account(self) -> str:
        """Return our own identity there."""
        ...

    async def room(self, room: str) -> Room | None:
        """Return a room as the server has it now; ``None`` when we are not in it."""
        ...

    async def message(self, room: str, event: str) -> Said | None:
        """Read a message once more, with the last text that its sender has given it; ``None`` when it is gone."""
        ...

    async def send(
        self, room: str, content: Content, *, transaction: str, thread: str | None = None, only_trusted: bool = False
    ) -> str:
        """Say something, and return the event's id. The same ``transaction`` twice says it once.

        Never in plain text into an encrypted room. ``only_trusted``: only to devices that their owners have confirmed.

        Raises:
            AccessError: we may not speak there, or are not in the room.
        """
        ...

    async def edit(
        self, room: str, target: str, content: Content, *, transaction: str, only_trusted: bool = False
    ) -> str:
        """Put another text in the place of our message ``target``; as ``send``."""
        ...

    async def redact(self, room: str, target: str, *, transaction: str) -> None:
        """Take a message of ours back."""
        ...

    async def typing(self, room: str, *, is_typing: bool) -> None:
        """Show that an answer is being made."""
        ...

    async def sent(self, room: str, thread: str, run: UUID) -> str | None:
        """Return the message in a thread by which we have answered with ``run``, ``None`` when there is none."""
        ...

    async def direct_room(self, person: str) -> str:
        """Return a room with this person alone; one is opened where there is none."""
        ...

    async def join(self, room: str) -> None:
        """Accept an invitation."""
        ...

    async def leave(self, room: str) -> None:
        """Leave a room, or decline an invitation."""
        ...


@dataclass(frozen=True, slots=True)
class Noted:
    """An incoming event that asks something of us.

    Attributes:
        event: what it is found again by; the text stays on the server.
        target: the event that it is about, for an edit, a redaction or a reaction.
        kind: name of its class, ``Said`` and so on.
        detail: the sign of a reaction; else empty.
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
    """What came in, for one account: each event is noted once, and answered once."""

    async def token(self) -> str | None:
        """Return the place in the server's stream up to which everything is noted; ``None`` at the very first."""
        ...

    async def take_in(self, token: str, noted: Sequence[Noted]) -> tuple[Noted, ...]:
        """Note events together with the place behind them, and return those that were not noted before."""
        ...

    async def pending(self) -> tuple[Noted, ...]:
        """Return what is noted and not finished, oldest first."""
        ...

    async def finish(self, event: str, answer: str | None = None, run: UUID | None = None) -> None:
        """Say that an event is dealt with, and by which message of ours."""
        ...

    async def answered(self, question: str) -> Answered | None:
        """Return how a question was answered."""
        ...

    async def answering(self, answer: str) -> Answered | None:
        """Return the question behind a message of ours."""
        ...

    async def of_run(self, run: UUID) -> Answered | None:
        """Return where a run was answered."""
        ...
