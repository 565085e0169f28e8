"""A chat platform and an inbox in memory: rooms, threads, transactions, and death at any step."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from bot.chat.incoming import Edited, Reacted, Redacted, Said, Unreadable
from bot.chat.outgoing import Content
from bot.chat.ports import Answered, Inbox, Noted, Room, UnconfirmedError
from domain.errors import AccessError, ConflictError, PartError

T = TypeVar("T")

BEGINNING = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Death(BaseException):
    """The process is gone at this step."""


@dataclass
class Steps:
    """Counts steps and dies at one of them; each call outside is two: before and after it has had its effect.

    ``silent`` names parts that do not answer, each for so many calls more.
    """

    dies_at: int | None = None
    taken: int = 0
    silent: dict[str, int] = field(default_factory=dict)

    def take(self) -> None:
        self.taken += 1
        if self.taken == self.dies_at:
            raise Death

    def must_answer(self, part: str) -> None:
        if self.silent.get(part, 0) > 0:
            self.silent[part] -= 1
            raise PartError(part)


@dataclass
class Message:
    """What stands in a room."""

    event: str
    sender: str
    sent_at: datetime
    text: str
    content: Content | None = None
    thread: str | None = None
    replies_to: str | None = None
    is_redacted: bool = False
    is_locked: bool = False
    only_trusted: bool = False
    edits: int = 0
    is_assured: bool = False
    by_id: str = ""

    @property
    def run(self) -> UUID | None:
        return None if self.content is None else self.content.run


@dataclass
class State:
    """A room: who is in it, and what was said there."""

    id: str
    members: set[str]
    is_encrypted: bool = True
    is_closed: bool = True
    is_direct: bool = False
    messages: dict[str, Message] = field(default_factory=dict)


class Server:
    """The rooms of a platform, and what people say in them."""

    def __init__(self) -> None:
        self.rooms: dict[str, State] = {}
        self.count = 0

    def open(self, room: str, *members: str, **more: Any) -> State:
        self.rooms[room] = State(room, set(members), **more)
        return self.rooms[room]

    def event(self) -> tuple[str, datetime]:
        self.count += 1
        return f"$e{self.count}", BEGINNING + timedelta(seconds=self.count)

    def say(self, room: str, sender: str, text: str, **more: Any) -> Said:
        """Let a person say something, and return what the platform tells of it.

        It is assured where the room is encrypted, unless said otherwise; what comes in by itself tells nothing of that.
        """
        event, at = self.event()
        is_assured = more.pop("is_assured", self.rooms[room].is_encrypted)
        said = Said(event, room, sender, at, text, **more)
        kept = Message(event, sender, at, text, None, said.thread, said.replies_to, is_assured=is_assured)
        kept.by_id = said.by_id
        self.rooms[room].messages[event] = kept
        return said

    def lock(self, room: str, sender: str) -> Unreadable:
        """Let a person say something whose key does not come, and return what the platform tells of it."""
        said = self.say(room, sender, "")
        self.rooms[room].messages[said.event].is_locked = True
        return Unreadable(said.event, room, sender, said.sent_at)

    def edit(self, said: Said, text: str, *, sender: str | None = None, mentions_us: bool = False) -> Edited:
        event, at = self.event()
        self.rooms[said.room].messages[said.event].text = text
        return Edited(event, said.room, sender or said.sender, at, said.event, text, mentions_us)

    def redact(self, room: str, target: str, sender: str) -> Redacted:
        event, at = self.event()
        if target in self.rooms[room].messages:
            self.rooms[room].messages[target].is_redacted = True
        return Redacted(event, room, sender, at, target)

    def react(self, room: str, target: str, sender: str, key: str = "👍") -> Reacted:
        event, at = self.event()
        return Reacted(event, room, sender, at, target, key)

    def said_by(self, account: str, room: str) -> list[Message]:
        """Return what stands in a room of an account, in order."""
        return [one for one in self.rooms[room].messages.values() if one.sender == account and not one.is_redacted]


class InMemoryPlatform:
    """One account on a server. Implements ``Platform``."""

    def __init__(self, server: Server, account: str = "@bot:x", steps: Steps | None = None) -> None:
        self.server = server
        self._account = account
        self.steps = steps or Steps()
        self.transactions: dict[str, str] = {}
        self.typed: list[bool] = []
        self.left: list[str] = []
        self.unconfirmed: set[str] = set()
        self.before_reading: Callable[[str], None] | None = None
        self.before_speaking: Callable[[str], None] | None = None

    @property
    def account(self) -> str:
        return self._account

    async def room(self, room: str) -> Room | None:
        async def read() -> Room | None:
            if self.before_reading is not None:
                self.before_reading(room)
            state = self.server.rooms.get(room)
            return None if state is None or self._account not in state.members else self._room(state)

        return await self._step(read)

    async def message(self, room: str, event: str) -> Said | None:
        async def read() -> Said | None:
            state = self.server.rooms.get(room)
            kept = None if state is None else state.messages.get(event)
            if kept is None or kept.is_redacted or kept.is_locked:
                return None
            said = Said(event, room, kept.sender, kept.sent_at, kept.text, is_assured=kept.is_assured, by_id=kept.by_id)
            return replace(said, thread=kept.thread, replies_to=kept.replies_to, run=kept.run)

        return await self._step(read)

    async def is_locked(self, room: str, event: str) -> bool:
        async def read() -> bool:
            kept = self.server.rooms[room].messages.get(event)
            return kept is not None and kept.is_locked and not kept.is_redacted

        return await self._step(read)

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
        async def write() -> str:
            state = self._spoken_in(room, seen)
            if only_trusted and self.unconfirmed.intersection(content.mentions):
                raise UnconfirmedError
            if transaction not in self.transactions:
                event, at = self.server.event()
                kept = Message(event, self._account, at, content.plain, content, thread, only_trusted=only_trusted)
                state.messages[event] = kept
                self.transactions[transaction] = event
            return self.transactions[transaction]

        return await self._step(write)

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
        async def write() -> str:
            kept = self._spoken_in(room, seen).messages[target]
            if transaction not in self.transactions:
                kept.text, kept.content, kept.only_trusted = content.plain, content, only_trusted
                kept.edits += 1
                self.transactions[transaction] = self.server.event()[0]
            return self.transactions[transaction]

        return await self._step(write)

    async def redact(self, room: str, target: str, *, transaction: str) -> None:
        async def write() -> None:
            self._spoken_in(room).messages[target].is_redacted = True
            self.transactions[transaction] = target

        await self._step(write)

    async def typing(self, room: str, *, is_typing: bool) -> None:
        async def write() -> None:
            self._spoken_in(room)
            self.typed.append(is_typing)

        await self._step(write)

    async def sent(self, room: str, thread: str | None, run: UUID) -> str | None:
        async def read() -> str | None:
            own = self.server.said_by(self._account, room)
            return next((one.event for one in own if thread in {None, one.thread} and one.run == run), None)

        return await self._step(read)

    async def shown(self, room: str, thread: str | None) -> tuple[UUID, ...]:
        async def read() -> tuple[UUID, ...]:
            own = reversed(self.server.said_by(self._account, room))
            return tuple(one.run for one in own if thread in {None, one.thread} and one.run is not None)

        return await self._step(read)

    def link(self, room: str, event: str) -> str:
        return f"https://chat.example/{room}/{event}"

    async def direct_room(self, person: str) -> str:
        async def write() -> str:
            found = self._direct(person)
            return found or self.server.open(f"!direct {person}", person, self._account, is_direct=True).id

        return await self._step(write)

    async def known_direct_room(self, person: str) -> str | None:
        async def read() -> str | None:
            return self._direct(person)

        return await self._step(read)

    async def join(self, room: str) -> None:
        async def write() -> None:
            if room not in self.server.rooms:
                raise AccessError
            self.server.rooms[room].members.add(self._account)

        await self._step(write)

    async def leave(self, room: str) -> None:
        async def write() -> None:
            self.left.append(room)
            if room in self.server.rooms:
                self.server.rooms[room].members.discard(self._account)

        await self._step(write)

    def _direct(self, person: str) -> str | None:
        pair = {person, self._account}
        return next((one.id for one in self.server.rooms.values() if one.is_direct and one.members == pair), None)

    def _spoken_in(self, room: str, seen: Room | None = None) -> State:
        if self.before_speaking is not None:
            self.before_speaking(room)
        state = self.server.rooms.get(room)
        if state is None or self._account not in state.members:
            raise AccessError
        if seen is not None and not self._room(state).protects_as(seen):
            raise ConflictError
        return state

    def _room(self, state: State) -> Room:
        others = frozenset(state.members - {self._account})
        return Room(state.id, others, state.is_direct, state.is_encrypted, state.is_closed)

    async def _step(self, effect: Callable[[], Awaitable[T]]) -> T:
        return await stepped(self.steps, "platform", effect)


async def stepped(steps: Steps, part: str, effect: Callable[[], Awaitable[T]]) -> T:
    """Do something outside, in two steps at each of which the process may die."""
    steps.take()
    steps.must_answer(part)
    found = await effect()
    steps.take()
    return found


class InMemoryInbox:
    """What came in, in a dict. Implements ``Inbox``."""

    def __init__(self) -> None:
        self.place: str | None = None
        self.events: dict[str, Noted] = {}
        self.finished: dict[str, tuple[str | None, UUID | None]] = {}

    async def token(self) -> str | None:
        return self.place

    async def take_in(self, token: str, noted: Sequence[Noted]) -> tuple[Noted, ...]:
        self.place = token
        given = dict(reversed([(one.event, one) for one in reversed(noted)]))
        fresh = [one for event, one in given.items() if event not in self.events]
        self.events |= {one.event: one for one in fresh}
        return tuple(fresh)

    async def noted(self, event: str) -> Noted | None:
        return self.events.get(event)

    async def pending(self) -> tuple[Noted, ...]:
        return tuple(one for one in self.events.values() if one.event not in self.finished)

    async def finish(self, event: str, answer: str | None = None, run: UUID | None = None) -> None:
        before = self.finished.get(event, (None, None))
        if event in self.events:
            self.finished[event] = (answer or before[0], run or before[1])

    async def answered(self, question: str) -> Answered | None:
        return self._last(lambda one: one.question == question)

    async def wordings(self, question: str) -> tuple[str, ...]:
        answered = [event for event, (answer, _) in self.finished.items() if answer is not None]
        return tuple(event for event in self.events if event in answered and self._question(event) == question)

    async def answering(self, answer: str) -> Answered | None:
        return self._last(lambda one: one.answer == answer)

    async def of_run(self, run: UUID) -> Answered | None:
        return self._last(lambda one: one.run == run)

    def _last(self, fits: Callable[[Answered], bool]) -> Answered | None:
        for event, noted in reversed(self.events.items()):
            answer, run = self.finished.get(event, (None, None))
            if answer is None:
                continue
            found = Answered(self._question(event), noted.room, answer, run)
            if fits(found):
                return found
        return None

    def _question(self, event: str) -> str:
        noted = self.events[event]
        return noted.target if noted.kind == "Edited" and noted.target is not None else event


class DyingInbox:
    """An inbox in front of whose changes, and behind them, the process may die. Implements ``Inbox``."""

    def __init__(self, inner: Inbox, steps: Steps) -> None:
        self.inner = inner
        self.steps = steps

    async def token(self) -> str | None:
        return await self.inner.token()

    async def take_in(self, token: str, noted: Sequence[Noted]) -> tuple[Noted, ...]:
        return await stepped(self.steps, "inbox", lambda: self.inner.take_in(token, noted))

    async def noted(self, event: str) -> Noted | None:
        return await self.inner.noted(event)

    async def pending(self) -> tuple[Noted, ...]:
        return await self.inner.pending()

    async def finish(self, event: str, answer: str | None = None, run: UUID | None = None) -> None:
        await stepped(self.steps, "inbox", lambda: self.inner.finish(event, answer, run))

    async def answered(self, question: str) -> Answered | None:
        return await self.inner.answered(question)

    async def wordings(self, question: str) -> tuple[str, ...]:
        return await self.inner.wordings(question)

    async def answering(self, answer: str) -> Answered | None:
        return await self.inner.answering(answer)

    async def of_run(self, run: UUID) -> Answered | None:
        return await self.inner.of_run(run)
