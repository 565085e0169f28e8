"""What happens to a message after it was answered: taken back, found helpful or not, or its sources change."""

import logging
from contextlib import suppress
from dataclasses import replace
from typing import Final
from uuid import UUID

from bot.chat import notices, showing
from bot.chat.conversation import HELPFUL, REACTED
from bot.chat.desk import Desk
from bot.chat.outgoing import Content
from bot.chat.places import place_in, place_of
from bot.chat.ports import Noted, Room, UnconfirmedError
from domain.asking.feedback import Feedback
from domain.asking.run import Run
from domain.errors import AccessError, ConflictError, InputError, PartError

_LOG: Final = logging.getLogger(__name__)

KEY_SECONDS: Final = 60.0
"""How long the key of a message may take, until its sender is told that it cannot be read."""


async def take_back(desk: Desk, noted: Noted) -> None:
    """Take our answer back, or what somebody has said of one; the run stays.

    Raises:
        PartError: a part or the platform does not answer.
    """
    target = None if noted.target is None else await desk.inbox.noted(noted.target)
    if target is None:
        return
    if target.kind == REACTED:
        await _feedback(desk, target, is_taken_back=True)
        return
    answered = await desk.inbox.answered(target.event)
    if answered is None:
        return
    wordings = await desk.inbox.wordings(target.event)
    with suppress(AccessError):
        transaction = desk.transaction(noted.event, "redact")
        await desk.platform.redact(answered.room, answered.answer, transaction=transaction)
        for run in map(desk.run_of, wordings):
            # Its words are gone, so where it stood is not told any more: mostly the question began the thread.
            for thread in (target.event, None):
                await desk.redact_all(noted, thread, run)
    if answered.run is None or len(wordings) > 1:
        await desk.redact_alone(noted, target.sender, wordings)


async def react(desk: Desk, noted: Noted) -> None:
    """Record what somebody says of an answer; a stranger says nothing of it.

    Raises:
        PartError: a part does not answer.
    """
    await _feedback(desk, noted, is_taken_back=False)


async def _feedback(desk: Desk, sign: Noted, *, is_taken_back: bool) -> None:
    run = await _rated(desk, sign)
    if sign.target is None or run is None:
        return
    feedback = Feedback(sign.target, sign.event, sign.detail == HELPFUL, is_taken_back)
    with suppress(InputError):
        await desk.app.feedbacks.give(run, feedback, await desk.person(sign.sender))


async def _rated(desk: Desk, sign: Noted) -> UUID | None:
    """Return the run whose answer a sign is about; one that was asked for elsewhere is known by what it shows."""
    answered = None if sign.target is None else await desk.inbox.answering(sign.target)
    if answered is not None:
        return answered.run if answered.room == sign.room else None
    return None if sign.target is None else await desk.shown_by(sign.room, sign.target)


async def miss_key(desk: Desk, noted: Noted) -> None:
    """Say once a day in a room that a message cannot be read, unless its key has come or it was taken back by now.

    Raises:
        PartError: the platform does not answer.
    """
    event = noted.target
    if event is None or await desk.inbox.noted(event) is not None:
        return
    if await desk.platform.is_locked(noted.room, event):
        with suppress(AccessError):
            await desk.say_once_a_day(noted, notices.unreadable(desk.texts), "unreadable", thread=event)


async def slow_down(desk: Desk, noted: Noted) -> None:
    """Say once that somebody asks more than is answered, until when they are not heard, and what to do then.

    Raises:
        PartError: the platform does not answer.
    """
    with suppress(AccessError):
        await desk.say(noted, notices.hasty(desk.texts, noted.detail), "hasty", thread=noted.target)


async def tell_change(desk: Desk, noted: Noted, run: UUID, told: int) -> None:
    """Tell in the thread of an answer that a source of it has changed, if everybody there may know.

    Args:
        desk: the parts.
        noted: names the room, whoever asked, and as ``target`` the question; without one it is the direct room, where
            what was asked elsewhere may have been answered.
        run: the run of the answer.
        told: journal position at which the run was told.

    Raises:
        PartError: a part or the platform does not answer.
    """
    platform, app = desk.platform, desk.app
    room = await platform.room(noted.room)
    thread = await _thread(desk, noted, run)
    if room is None or thread is None:
        return
    recorded = Run(await app.store.read(run))
    with suppress(InputError):
        asked, owner = recorded.asked, recorded.recorded[0].mandate
        place = await place_of(desk, room, noted.sender)
        if room.is_direct:
            place = await place_in(desk, place, owner)
        if not place.covers(owner, asked.levels):
            _LOG.info("the news of a changed source is withheld: the room is not what it was")
            return
        answer = await app.runs.show(run, asked.asker, within=place.levels)
        only = replace(answer, changes=tuple(one for one in answer.changes if one.told == told))
        content = showing.source_changed(only, told, desk.texts.answering(answer.question))
        if content is not None:
            try:
                await _tell(desk, noted, content, thread, only_trusted=place.wants_trust(asked.levels), seen=room)
            except ConflictError as error:
                raise PartError("conflict") from error


async def _tell(desk: Desk, noted: Noted, content: Content, thread: str, *, only_trusted: bool, seen: Room) -> None:
    """Notify whoever has asked; where none of their devices may read it, say it to those who read along."""
    for mentions in ((noted.sender,), ()):
        with suppress(UnconfirmedError):
            said = replace(content, mentions=mentions)
            await desk.say(noted, said, "changed", thread=thread, only_trusted=only_trusted, seen=seen)
            return


async def _thread(desk: Desk, noted: Noted, run: UUID) -> str | None:
    """Return the thread of a question, or the answer itself where it stands alone; ``None`` where it was taken back."""
    if noted.target is None:
        return await desk.platform.sent(noted.room, None, run)
    said = await desk.platform.message(noted.room, noted.target)
    return None if said is None else said.thread or said.event
