"""A message that asks something: a question or a command, from somebody who may ask it here or may not."""

import logging
from typing import Final
from uuid import UUID

from bot.chat import notices
from bot.chat.administering import administer
from bot.chat.commands import (
    Administering,
    Changing,
    Command,
    Decide,
    Help,
    Incomplete,
    Looking,
    OfAnswer,
    Pending,
    Question,
    WithoutRoom,
    Wordless,
)
from bot.chat.delivering import Delivered
from bot.chat.desk import Desk
from bot.chat.looking import hint, in_its_mandate, look
from bot.chat.outgoing import Content
from bot.chat.places import SEVERAL, UNBOUND
from bot.chat.ports import Noted
from bot.chat.questions import answer
from bot.chat.showing import help_on_commands
from bot.chat.turns import Turn, turn_of
from domain.errors import AccessError, ConflictError, InputError, PartError
from domain.inbox import EDITED
from domain.mandates.state import ADMINISTRATOR, Mandate

_LOG: Final = logging.getLogger(__name__)

_NOWHERE: Final = Delivered(None, None)


async def take(desk: Desk, noted: Noted, attempt: int) -> Delivered:
    """Reply to a message, or to an edit of one, and return how.

    Raises:
        PartError: a part or the platform does not answer; nothing is lost.
    """
    before = None
    message = noted.event
    if noted.kind == EDITED and noted.target is not None:
        message, before = noted.target, await desk.inbox.answered(noted.target)
    turn = await turn_of(desk, noted, message, before=before)
    if turn is None:
        return _NOWHERE
    try:
        return await _reply(turn, attempt)
    except AccessError:
        _LOG.warning("nothing can be said in a room")
        return _NOWHERE
    except ConflictError as error:
        raise PartError("conflict") from error


async def _reply(turn: Turn, attempt: int) -> Delivered:
    command, asker = turn.wanted.command, turn.place.asker
    if turn.noted.kind == EDITED and not isinstance(command, Question):
        # A command counts as it was sent: what it did is not taken back by writing another.
        return _NOWHERE
    if isinstance(command, Question) and not any(map(str.isalnum, command.text)):
        command = Wordless()
    if asker is not None and isinstance(command, OfAnswer) and turn.place.lacks == SEVERAL:
        turn = await in_its_mandate(turn, command, asker)
    place = turn.place
    if asker is not None and isinstance(command, WithoutRoom) and await turn.desk.app.mandates.of_person(asker):
        return Delivered(await _administered(turn, command, asker), None)
    if place.mandate is None or asker is None or place.member is None:
        return Delivered(await _turn_away(turn, command), None)
    if isinstance(command, Question):
        return await answer(turn, command, place.mandate, attempt)
    if isinstance(command, Administering):
        return Delivered(await _administered(turn, command, asker), None)
    content, is_trusted = await _looked(turn, command, place.mandate, asker)
    return Delivered(await turn.reply(content, only_trusted=is_trusted, seen=turn.place.room), None)


async def _turn_away(turn: Turn, command: Command) -> str | None:
    """Say once a day in a room why nothing is answered there: to a stranger, or where nothing is bound."""
    texts, place = turn.texts, turn.place
    explained = await _explained(turn, command)
    if explained is not None:
        return await turn.reply(explained)
    if place.mandate is not None:
        why, content = "not admitted", notices.not_admitted(texts)
    elif place.lacks == SEVERAL:
        why, content = SEVERAL, notices.several(texts)
    elif place.room.is_direct:
        why, content = "unknown", notices.unknown(texts, turn.noted.sender)
    else:
        why, content = UNBOUND, notices.unbound(texts)
    return await turn.desk.say_once_a_day(turn.noted, content, f"turned away {why}", thread=turn.thread)


async def _explained(turn: Turn, command: Command) -> Content | None:
    """Return how commands are written, where nothing is bound yet, for a member of any mandate."""
    asker = turn.place.asker
    if asker is None or turn.place.mandate is not None or not isinstance(command, Help | Incomplete):
        return None
    own = [one.members[asker].role for one in await turn.desk.app.mandates.of_person(asker)]
    if not own:
        return None
    if isinstance(command, Incomplete):
        return hint(turn, command)
    return help_on_commands(turn.texts, is_administrator=ADMINISTRATOR in own)


async def _looked(turn: Turn, command: Looking, mandate: Mandate, asker: UUID) -> tuple[Content, bool]:
    try:
        return await look(turn, command, mandate, asker)
    except AccessError:
        return notices.not_admitted(turn.texts), False
    except InputError as error:
        return notices.refused(error, turn.texts), False


async def _administered(turn: Turn, command: Administering, asker: UUID) -> str:
    if isinstance(command, Changing) and turn.desk.wants_assurance and not turn.said.is_assured:
        return await turn.reply(notices.unassured(turn.texts))
    try:
        content = await administer(turn, command, asker)
    except AccessError:
        return await turn.reply(notices.not_administrator(turn.texts))
    except (InputError, ConflictError) as error:
        return await turn.reply(notices.refused(error, turn.texts))
    if isinstance(command, Pending | Decide) and not turn.place.is_among_overseers:
        return await _alone(turn, content)
    return await turn.reply(content)


async def _alone(turn: Turn, content: Content) -> str:
    """Say something to whoever asks alone, since others in the room may not know it, and where it was said."""
    desk = turn.desk
    try:
        alone = await desk.platform.direct_room(turn.noted.sender)
    except AccessError:
        return await turn.reply(notices.unreachable(turn.texts))
    room = await desk.platform.room(alone)
    if room is None or not room.members <= {turn.noted.sender}:
        raise ConflictError
    if alone == turn.noted.room:
        return await turn.reply(content, seen=room)
    said = await desk.platform.send(alone, content, transaction=desk.transaction(turn.noted.event, "alone"), seen=room)
    if turn.place.room.is_direct:
        return await turn.reply(notices.in_protected_room(turn.texts, desk.platform.link(alone, said)))
    return await turn.reply(notices.in_direct_room(turn.texts))
