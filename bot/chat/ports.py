"""What the conversation needs of a chat platform, and what it must remember."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from bot.chat.incoming import Said
from bot.chat.outgoing import Content
from domain.errors import InputError, PartError
from domain.inbox import Answered, Inbox, Noted

__all__ = ["Answered", "DeclinedError", "Inbox", "Noted", "Platform", "Room", "UnconfirmedError"]


class DeclinedError(PartError):
    """The platform has understood what is wanted and declines it.

    Attributes:
        is_final: however often it is asked again, it will hardly say anything else.
    """

    is_final = True


class UnconfirmedError(InputError):
    """Whoever is mentioned has no device that may read a message: none that its owner has confirmed."""

    def __init__(self) -> None:
        super().__init__("unconfirmed")


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

    def protects_as(self, seen: "Room") -> bool:
        """Say whether what was decided when the room was ``seen`` still holds: nobody came, nothing was opened."""
        is_as_safe = self.is_encrypted >= seen.is_encrypted and self.is_closed >= seen.is_closed
        return is_as_safe and self.members <= seen.members


class Platform(Protocol):
    """A chat platform.

    Every method raises ``PartError`` when the server does not answer in reasonable time, and ``DeclinedError`` when it
    declines for a reason that will hardly pass.
    """

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

    async def is_locked(self, room: str, event: str) -> bool:
        """Say whether a message stands there, not taken back, whose key we do not have."""
        ...

    async def send(
        self,
        room: str,
        content: Content,
        *,
        transaction: str,
        thread: str | None = None,
        only_trusted: bool = False,
        seen: Room | None = None,
    ) -> str:
        """Say something, and return the event's id. The same ``transaction`` twice says it once.

        Never in plain text into an encrypted room.

        Args:
            room: where.
            content: what.
            transaction: names this message.
            thread: first message of the thread; a reply to it where it cannot begin one.
            only_trusted: only to devices that their owners have confirmed.
            seen: the room when it was decided that this may be said there.

        Raises:
            AccessError: we may not speak there, or are not in the room.
            ConflictError: the room no longer protects what is said as it did when it was ``seen``; nothing was said.
            UnconfirmedError: with ``only_trusted``; nothing was said.
        """
        ...

    async def edit(
        self,
        room: str,
        target: str,
        content: Content,
        *,
        transaction: str,
        only_trusted: bool = False,
        seen: Room | None = None,
    ) -> str:
        """Put another text in the place of our message ``target``; as ``send``."""
        ...

    async def redact(self, room: str, target: str, *, transaction: str) -> None:
        """Take a message of ours back."""
        ...

    async def typing(self, room: str, *, is_typing: bool) -> None:
        """Show that an answer is being made."""
        ...

    async def sent(self, room: str, thread: str | None, run: UUID) -> str | None:
        """Return the message in a thread by which we have answered with ``run``, ``None`` when there is none.

        One that was edited shows the run of its last text. Without a thread: one of the latest messages of the room.
        """
        ...

    async def shown(self, room: str, thread: str | None) -> tuple[UUID, ...]:
        """Return the runs that the latest messages of ours in a thread show, the last one first, as ``Content.run``.

        Without a thread: those of the latest messages of the room.
        """
        ...

    def link(self, room: str, event: str) -> str:
        """Return the address under which a message is opened; empty where the platform has none."""
        ...

    async def direct_room(self, person: str) -> str:
        """Return a room with this person alone; one is opened where there is none.

        Raises:
            AccessError: they cannot be asked in.
        """
        ...

    async def known_direct_room(self, person: str) -> str | None:
        """Return the room that ``direct_room`` would return, ``None`` where one would be opened; nobody is asked in."""
        ...

    async def join(self, room: str) -> None:
        """Accept an invitation."""
        ...

    async def leave(self, room: str) -> None:
        """Leave a room, or decline an invitation."""
        ...
