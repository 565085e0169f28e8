"""The conversation at work: takes in what comes, works through it, and goes on where it was cut off.

What asks something is noted together with the place in the platform's stream, and only then worked on: so nothing is
lost, and nothing that was finished is answered again. The text of a message stays on the platform.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import count
from typing import Final
from uuid import UUID

from bot.chat import afterwards, messages, notices
from bot.chat.conversation import (
    REACTED,
    REDACTED,
    SAID,
    UNREADABLE,
    Around,
    Guests,
    concerns,
    has_target,
    wants_room,
)
from bot.chat.desk import Desk
from bot.chat.incoming import Batch, Edited, Incoming, Invited, Reacted, Redacted, Removed, Unreadable, Upgraded
from bot.chat.lanes import LONGEST_PAUSE, Lanes
from bot.chat.membership import Membership
from bot.chat.news import CHANGED, News, told_at
from bot.chat.pace import HASTY, Pace
from bot.chat.ports import DeclinedError, Noted
from bot.faults import write_down
from domain.errors import AccessError, PartError
from domain.inbox import EDITED

_LOG: Final = logging.getLogger(__name__)

_A_WHILE: Final = 60.0
"""Seconds that a room counts as one of several people, who say much to each other that is not for us."""

_MOST_KEYLESS: Final = 20
"""Messages in a room that wait for their keys at most; those behind them are answered if their keys come."""

MOST_REFUSALS: Final = 5
"""Times that the platform may decline what an event needs, until it is given up: what it declines for ever would else
hold up its room for ever."""

MOVING_SECONDS: Final = 5.0
"""How long what was said waits for invitations that came with it; following them goes on beside then."""

WORKERS: Final = 4
"""How many rooms are worked on at once."""


class Service:
    """Answers on one account.

    Args:
        desk: the parts.
        guests: who may invite us.
        tell: identities that are told of trouble.
        workers: how many rooms are worked on at once.
    """

    def __init__(self, desk: Desk, guests: Guests, tell: Collection[str] = (), workers: int = WORKERS) -> None:
        self._desk = desk
        self._lanes = Lanes[Noted](self._work, workers, desk.sleep, _pause)
        self._news = News(desk)
        self._membership = Membership(desk, guests, tell)
        self._token: str | None = None
        self._taking = asyncio.Lock()
        self._groups: dict[str, float] = {}
        self._keyless = Counter[str]()
        self._refusals = Counter[str]()
        self._pace = Pace()
        self._moving: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """Return how many messages have no reply yet."""
        return self._lanes.waiting

    async def begin(self) -> None:
        """Go on with what was noted and not finished.

        Raises:
            PartError: the database does not answer.
        """
        self._token = await self._desk.inbox.token()
        for one in await self._desk.inbox.pending():
            self._add(one)

    async def take(self, batch: Batch) -> None:
        """Take in what the platform tells; waits as long as a part does not answer."""
        for attempt in count(1):
            try:
                async with self._taking:
                    await self._take(batch)
            except PartError as error:
                _LOG.warning("what came in cannot be noted yet: %s", error.key)
            else:
                return
            await self._desk.sleep(min(2.0 ** (attempt - 1), LONGEST_PAUSE))

    async def look_for_news(self) -> None:
        """Tell in their threads which sources of earlier answers have changed; what does not answer waits."""
        async with self._taking:
            if self._token is None:
                return
            with suppress(PartError):
                for one in await self._desk.inbox.take_in(self._token, await self._news.since()):
                    self._add(one)

    async def settle(self) -> None:
        """Wait until everything is worked through."""
        await self._lanes.settle()

    async def close(self, grace: float) -> None:
        """Begin nothing more and let what is under way end; what takes longer than ``grace`` seconds is parked."""
        for move in self._moving:
            move.cancel()
        for one in await self._lanes.close(grace):
            if one.kind == SAID:
                with suppress(AccessError, PartError, TimeoutError):
                    async with asyncio.timeout(1):
                        await self._desk.say(one, notices.parked(self._desk.texts), "parked", thread=one.event)

    async def _take(self, batch: Batch) -> None:
        fresh: dict[str, Noted] = {}
        await self._move([event for event in batch.events if isinstance(event, Invited)])
        for event in batch.events:
            if isinstance(event, Removed | Upgraded) and not batch.is_baseline:
                await self._membership.take(event)
            elif not batch.is_baseline and not self._is_one_of_many(event):
                noted = concerns(event, await self._around(event, fresh))
                if noted is not None and await self._is_own(event, noted):
                    paced = self._paced(noted)
                    fresh |= {} if paced is None else {paced.event: fresh.get(paced.event, paced)}
        for one in await self._desk.inbox.take_in(batch.token, list(fresh.values())):
            self._add(one)
        self._token = batch.token

    async def _move(self, invitations: Sequence[Invited]) -> None:
        """Follow or decline invitations, all at once: one into a room of a server that is gone takes minutes."""
        moves = {asyncio.create_task(self._membership.take(event)) for event in invitations}
        for move in moves:
            self._moving.add(move)
            move.add_done_callback(self._moving.discard)
        if moves:
            done, _ = await asyncio.wait(moves, timeout=MOVING_SECONDS)
            for move in done:
                move.result()

    async def _around(self, event: Incoming, fresh: dict[str, Noted]) -> Around:
        """Return what is known of where an event stands; ``fresh`` is what came in just before it."""
        account, inbox = self._desk.platform.account, self._desk.inbox
        if event.sender == account:
            return Around(account)
        target, is_answer = None, False
        if has_target(event) and isinstance(event, Edited | Redacted | Reacted):
            target = fresh.get(event.target) or await inbox.noted(event.target)
            # Who may speak in one room says nothing of what stands in another.
            target = None if target is None or target.room != event.room else target
        if isinstance(event, Reacted):
            is_answer = await self._may_be_answer(event)
        is_direct = wants_room(event) and await self._is_direct(event.room)
        return Around(account, is_direct, target, is_answer)

    async def _may_be_answer(self, event: Reacted) -> bool:
        answered = await self._desk.inbox.answering(event.target)
        if answered is not None:
            return answered.run is not None
        # What is just being sent is not noted as an answer yet; in its lane the sign comes behind it. In a direct room
        # there may be an answer to what was asked elsewhere.
        return self._lanes.has(event.room) or await self._is_direct(event.room)

    async def _is_own(self, event: Incoming, noted: Noted) -> bool:
        """Say whether a message that asks only since it was edited is the editor's own, and has that text now.

        Nobody asks for others; and an edit that does not count makes no question of what was said before it.
        """
        if not isinstance(event, Edited) or noted.kind != SAID:
            return True
        said = await self._desk.platform.message(event.room, event.target)
        return said is not None and (said.sender, said.text) == (event.sender, event.text)

    async def _is_direct(self, room: str) -> bool:
        """Say whether one person and we are alone in a room; that we are not is asked once in a while only."""
        now = self._desk.elapsed()
        if room in self._groups and now < self._groups[room] + _A_WHILE:
            return False
        found = await self._desk.platform.room(room)
        if found is None or not found.is_direct:
            self._groups = {one: at for one, at in self._groups.items() if now < at + _A_WHILE} | {room: now}
            return False
        return True

    def _is_one_of_many(self, event: Incoming) -> bool:
        """Say whether so much waits for its key in a room that one more sentence about it would tell nothing new."""
        return isinstance(event, Unreadable) and self._keyless[event.room] >= _MOST_KEYLESS

    def _paced(self, noted: Noted) -> Noted | None:
        return self._pace.take(noted, self._desk.elapsed()) if noted.kind in {SAID, EDITED} else noted

    def _add(self, noted: Noted) -> None:
        if noted.kind == UNREADABLE:
            # What waits for its key holds up nobody in its room.
            self._keyless[noted.room] += 1
            self._lanes.add(noted.event, noted)
            return
        self._lanes.add(noted.room, noted)

    async def _work(self, noted: Noted, attempt: int) -> None:
        """Deal with one event.

        Raises:
            PartError: something does not answer; it is as open as it was.
        """
        answer, run = None, None
        try:
            answer, run = await self._dealt_with(noted, attempt)
        except PartError as error:
            if not self._is_given_up(noted, error):
                raise
            answer = await self._fail(noted, error)
        except Exception as error:  # noqa: BLE001 - a fault in one message does not end the conversation
            answer = await self._fail(noted, error)
        await self._desk.inbox.finish(noted.event, answer, run)
        self._refusals.pop(noted.event, None)
        if noted.kind == UNREADABLE:
            self._keyless -= Counter([noted.room])

    def _is_given_up(self, noted: Noted, error: PartError) -> bool:
        """Say whether the platform has declined for good, and often enough; what is silent is asked for ever."""
        if not isinstance(error, DeclinedError) or not error.is_final:
            return False
        self._refusals[noted.event] += 1
        return self._refusals[noted.event] >= MOST_REFUSALS

    async def _fail(self, noted: Noted, error: Exception) -> str | None:
        """Write a fault down and say so where somebody has asked, if that can be said.

        Raises:
            PartError: the platform does not answer.
        """
        write_down(error, self._desk.app.settings.data)
        _LOG.error("a message has met a fault of ours: %s", type(error).__name__)
        if noted.kind == SAID:
            with suppress(AccessError, DeclinedError):
                return await self._desk.say(noted, notices.fault(self._desk.texts), "fault", thread=noted.event)
        return None

    async def _dealt_with(self, noted: Noted, attempt: int) -> tuple[str | None, UUID | None]:
        desk = self._desk
        match noted.kind:
            case kind if kind in {SAID, EDITED}:
                delivered = await messages.take(desk, noted, attempt)
                return delivered.message, delivered.run
            case kind if kind == REDACTED:
                await afterwards.take_back(desk, noted)
            case kind if kind == REACTED:
                await afterwards.react(desk, noted)
            case kind if kind == UNREADABLE:
                await afterwards.miss_key(desk, noted)
            case kind if kind == HASTY:
                await afterwards.slow_down(desk, noted)
            case kind if kind == CHANGED:
                run, told = told_at(noted)
                await afterwards.tell_change(desk, noted, UUID(run), told)
            case _:
                _LOG.warning("an event of an unknown kind is left alone")
        return None, None


def _pause(noted: Noted) -> float:
    return afterwards.KEY_SECONDS if noted.kind == UNREADABLE else 0.0
