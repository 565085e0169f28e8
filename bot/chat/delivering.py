"""Showing an answer: where it was asked for, if everybody there may still see it; else to the asker alone, or not.

The room is read again before anything is sent, since somebody may have come in while the answer was made; and what was
decided then holds only as long as it is like that.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from bot.chat import notices, rendering
from bot.chat.grammar import name_of
from bot.chat.outgoing import Content, part_of
from bot.chat.places import Place, place_in, place_of
from bot.chat.ports import Room
from bot.chat.turns import Turn
from domain.asking.run import Run
from domain.asking.values import Answer
from domain.errors import AccessError, ConflictError, PartError

_LOG: Final = logging.getLogger(__name__)

_ATTEMPTS: Final = 3
"""Times that a room may change between the decision to speak in it and the word, before it waits for later."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """By which message a question was answered, and the run that it shows; no run where the answer stands elsewhere."""

    message: str | None
    run: UUID | None


async def deliver(turn: Turn, answer: Answer, *, is_resumed: bool) -> Delivered:
    """Show an answer and return where it stands.

    Args:
        turn: the question.
        answer: what became of it.
        is_resumed: it may have been shown before, and nobody remembers.

    Raises:
        AccessError: we may not speak in the room.
        UnconfirmedError: no device of whoever asked may read it; nothing was shown.
        PartError: the platform does not answer.
    """
    desk = turn.desk
    if is_resumed and turn.before is None:
        found = await desk.platform.sent(turn.noted.room, turn.thread, answer.run)
        if found is not None:
            return Delivered(found, answer.run)
    for _ in range(_ATTEMPTS):
        with suppress(ConflictError):
            delivered = await _deliver(turn, answer, is_resumed=is_resumed)
            await _forget_former(turn)
            return delivered
    raise PartError("conflict")


async def _forget_former(turn: Turn) -> None:
    """Take back what was said while the question had other words: further parts, and what the asker alone was told."""
    desk, before = turn.desk, turn.before
    if before is None:
        return
    if before.run is not None:
        await desk.redact_all(turn.noted, turn.thread, before.run)
        return
    former = [one for one in await desk.inbox.wordings(before.question) if one != turn.noted.event]
    await desk.redact_alone(turn.noted, turn.noted.sender, former)


async def _deliver(turn: Turn, answer: Answer, *, is_resumed: bool) -> Delivered:
    """Show an answer as the room is now; raises ``ConflictError`` when it was opened in the very moment."""
    desk = turn.desk
    found_run = Run(await desk.app.store.read(answer.run))
    owner, levels = found_run.recorded[0].mandate, found_run.asked.levels
    room = await desk.platform.room(turn.noted.room)
    if room is None:
        return Delivered(None, None)
    place = await place_of(desk, room, turn.noted.sender)
    if place.covers(owner, levels):
        message = await _show(turn, answer, place, only_trusted=place.wants_trust(levels))
        return Delivered(message, answer.run)
    why = notices.ROOM if _was_opened(turn.place, place) else notices.MEMBERS
    try:
        is_shown = await _show_alone(turn, answer, owner, levels, is_resumed=is_resumed)
    except AccessError:
        return Delivered(await turn.reply(notices.unreachable(turn.texts), "unreachable"), None)
    if is_shown:
        return Delivered(await turn.reply(notices.moved(turn.texts, why), "moved"), None)
    _LOG.info("an answer is withheld: the room is not what it was")
    return Delivered(await turn.reply(notices.withheld(turn.texts, why), "withheld"), None)


async def _show(turn: Turn, answer: Answer, place: Place, *, only_trusted: bool) -> str:
    first, *more = _messages(turn, answer)
    message = await turn.reply(first, "answer", only_trusted=only_trusted, seen=place.room)
    for number, content in enumerate(more, 2):
        what = f"answer {number}"
        await turn.desk.say(turn.noted, content, what, thread=turn.thread, only_trusted=only_trusted, seen=place.room)
    return message


async def _show_alone(turn: Turn, answer: Answer, owner: UUID, levels: tuple[str, ...], *, is_resumed: bool) -> bool:
    """Show an answer in the room of the asker and us; false where it may not be shown there either.

    Raises:
        AccessError: there is no such room, and none can be made.
    """
    desk, sender = turn.desk, turn.noted.sender
    protected = Room("", frozenset({sender}), is_direct=True, is_encrypted=True, is_closed=True)
    if not (await place_in(desk, Place(protected, turn.place.asker, (), None), owner)).covers(owner, levels):
        # Nobody is asked into a room in which nothing may be said to them.
        return False
    alone = await desk.platform.direct_room(sender)
    room = await desk.platform.room(alone)
    if room is None or room.id == turn.noted.room:
        return False
    place = await place_in(desk, await place_of(desk, room, sender), owner)
    if not place.covers(owner, levels):
        return False
    if is_resumed and await desk.platform.sent(alone, None, answer.run) is not None:
        return True
    question = desk.platform.link(turn.noted.room, turn.said.event)
    first = replace(notices.moved_here(turn.texts, sender, question), run=part_of(answer.run))
    for number, content in enumerate((first, *_messages(turn, answer))):
        transaction = desk.transaction(turn.noted.event, f"alone {number}")
        await desk.platform.send(
            alone, content, transaction=transaction, only_trusted=place.wants_trust(levels), seen=room
        )
    return True


def _messages(turn: Turn, answer: Answer) -> tuple[Content, ...]:
    why = name_of("why", turn.texts.language)
    return rendering.answer(answer, turn.texts, mention=turn.noted.sender, why=why)


def _was_opened(before: Place, after: Place) -> bool:
    return before.room.is_protected and not after.room.is_protected
