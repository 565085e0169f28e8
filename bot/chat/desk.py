"""What everybody who works on a conversation shares: the parts, and how things are said."""

import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from uuid import UUID, uuid5

from bot import identity
from bot.chat.outgoing import Content, part_of, progress_of
from bot.chat.ports import Inbox, Noted, Platform, Room
from bot.text import Texts
from domain.errors import AccessError, InputError

if TYPE_CHECKING:
    from bot.wiring import App

_NAMESPACE: Final = UUID("6f1f4f0e-6c0b-5d53-9a4e-0f2c3a7b9d11")

MOST_PARTS: Final = 50
"""Messages of one run in a thread that are looked for at most."""

PATIENCE: Final = 1.0
"""Seconds that somebody waits before they are shown that an answer is being made."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The parts of a conversation.

    Attributes:
        texts: the language of those who have not chosen one by how they write.
        sleep: waits, in seconds.
        patience: seconds before progress is shown.
        wants_assurance: whether only that changes something of which it is certain who has written it; else the word of
            whoever runs the platform is taken for it.
        said: what was said today that is said once a day.
        elapsed: seconds since some moment or other, for durations: nobody sets it forward or back.
    """

    app: "App"
    platform: Platform
    inbox: Inbox
    texts: Texts
    sleep: Callable[[float], Awaitable[None]]
    patience: float = PATIENCE
    wants_assurance: bool = True
    said: set[str] = field(default_factory=set)
    elapsed: Callable[[], float] = time.monotonic

    async def person(self, sender: str) -> UUID | None:
        """Return the pseudonym of somebody on the platform, ``None`` for somebody nobody knows.

        A platform speaks for its own people alone, under the very form that they are registered under.
        """
        try:
            known = identity.parse(sender)
        except InputError:
            return None
        is_own = known == sender and identity.is_like(known, self.platform.account)
        return await self.app.people.find(known) if is_own else None

    async def shown_by(self, room: str, message: str) -> UUID | None:
        """Return the run whose answer a message of ours is, wherever it was asked; ``None`` for any other message.

        Raises:
            PartError: the platform does not answer.
        """
        said = await self.platform.message(room, message)
        run = said.run if said is not None and said.sender == self.platform.account else None
        return run if run is not None and await self.app.store.read(run) else None

    def run_of(self, event: str) -> UUID:
        """Return the run that a question is answered by, whoever asks for it and however often."""
        return uuid5(_NAMESPACE, f"run {self.platform.account} {event}")

    def transaction(self, event: str, what: str) -> str:
        """Return the transaction by which something is said about an event once."""
        return str(uuid5(_NAMESPACE, f"{what} {self.platform.account} {event}"))

    async def say(
        self,
        noted: Noted,
        content: Content,
        what: str,
        *,
        thread: str | None,
        only_trusted: bool = False,
        seen: Room | None = None,
    ) -> str:
        """Say something about an event, in its room, and return the event's id.

        Args:
            noted: the event.
            content: what is said.
            what: tells it from what else is said about the event.
            thread: where it is said.
            only_trusted: as ``Platform.send``.
            seen: as ``Platform.send``.

        Raises:
            AccessError, ConflictError, PartError: as ``Platform.send``.
        """
        transaction = self.transaction(noted.event, what)
        return await self.platform.send(
            noted.room, content, transaction=transaction, thread=thread, only_trusted=only_trusted, seen=seen
        )

    async def say_once_a_day(self, noted: Noted, content: Content, what: str, *, thread: str | None) -> str | None:
        """Say something in a room, and return the event's id; ``None`` where that was said there today."""
        today = self.app.now().date().isoformat()
        key = f"{what} {noted.room} {today}"
        if key in self.said:
            return None
        transaction = self.transaction(key, what)
        found = await self.platform.send(noted.room, content, transaction=transaction, thread=thread)
        self.said.intersection_update([one for one in self.said if one.endswith(today)])
        self.said.add(key)
        return found

    async def redact_all(self, noted: Noted, thread: str | None, run: UUID, room: str | None = None) -> None:
        """Take back every message in a thread that shows a run, is a part of its answer, or has pointed to it.

        Args:
            noted: the event because of which.
            thread: where they stand; without one, among the latest of the room.
            run: the run.
            room: another room than that of the event.

        Raises:
            AccessError, PartError: as ``Platform.redact``.
        """
        place, left = room or noted.room, MOST_PARTS
        for shown in (run, part_of(run), progress_of(run)):
            while left and (found := await self.platform.sent(place, thread, shown)) is not None:
                transaction = self.transaction(noted.event, f"redact {found}")
                await self.platform.redact(place, found, transaction=transaction)
                left -= 1

    async def redact_alone(self, noted: Noted, person: str, events: Iterable[str]) -> None:
        """Take back what has answered ``events``, wordings of a question, in the direct room of whoever asked.

        Raises:
            PartError: a part or the platform does not answer.
        """
        runs = [run for run in map(self.run_of, events) if await self.app.store.read(run)]
        alone = await self.platform.known_direct_room(person) if runs else None
        if alone is not None:
            with suppress(AccessError):
                for run in runs:
                    await self.redact_all(noted, None, run, alone)
