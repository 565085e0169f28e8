"""A question on its way: asked once, however often it comes in, answered in its thread."""

from contextlib import suppress
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from bot.chat import notices
from bot.chat.commands import Question
from bot.chat.delivering import Delivered, deliver
from bot.chat.desk import Desk
from bot.chat.outgoing import Content
from bot.chat.ports import UnconfirmedError
from bot.chat.progress import Progress
from bot.chat.turns import Turn
from domain.asking.course import Begins
from domain.asking.question import read_question
from domain.asking.run import Run
from domain.asking.values import Answer, Ask
from domain.errors import AccessError, InputError, PartError
from domain.mandates.access import effective_level
from domain.mandates.state import Mandate

PATIENT_ATTEMPTS: Final = 2
"""After so many attempts whoever asks is told that a part does not answer; they go on all the same."""

_TAKEN: Final = "run_taken"


async def answer(turn: Turn, question: Question, mandate: Mandate, attempt: int) -> Delivered:
    """Answer a question, or say why not, and return by which message.

    Raises:
        AccessError: we may not speak in the room.
        PartError: a part does not answer; the question is as open as it was.
    """
    asker = turn.place.asker
    if asker is None:
        raise AccessError
    if turn.before is not None and await _is_unchanged(turn, question, mandate):
        return Delivered(turn.before.answer, turn.before.run)
    try:
        ask = turn.place.ask(mandate, asker, question.text, question.at, question.valid_on)
    except InputError as error:
        return Delivered(await turn.reply(notices.refused(error, turn.texts), "refused"), None)
    is_resumed = bool(await turn.desk.app.store.read(turn.desk.run_of(turn.noted.event)))
    progress = Progress(turn.desk, turn.noted, turn.thread, turn.texts, is_resumed=is_resumed)
    delivered = await _answered(turn, ask, progress, attempt, is_resumed=is_resumed)
    await progress.point(delivered.message)
    with suppress(AccessError, PartError):
        await _tell_cap(turn, mandate, ask)
    return delivered


async def _answered(turn: Turn, ask: Ask, progress: Progress, attempt: int, *, is_resumed: bool) -> Delivered:
    run = turn.desk.run_of(turn.noted.event)
    try:
        async with progress:
            found = await _found(turn.desk, ask, run, progress.begins, is_resumed=is_resumed)
    except InputError as error:
        if error.key == _TAKEN:
            raise PartError(_TAKEN, run=run) from error
        return Delivered(await turn.reply(_refused(turn, error), "refused"), None)
    except PartError as error:
        if attempt == PATIENT_ATTEMPTS:
            silent = notices.part_silent(turn.texts, error.key)
            await turn.desk.say(turn.noted, silent, "silent", thread=turn.thread)
        raise
    try:
        return await deliver(turn, found, is_resumed=is_resumed)
    except UnconfirmedError as error:
        return Delivered(await turn.reply(notices.refused(error, turn.texts), "unconfirmed"), None)


async def _is_unchanged(turn: Turn, question: Question, mandate: Mandate) -> bool:
    """Say whether an edit asks what was answered already: it came while the question waited, or changed no word."""
    if turn.before is None or turn.before.run is None or question.at or question.valid_on:
        return False
    with suppress(InputError):
        run = Run(await turn.desk.app.store.read(turn.before.run))
        today = run.recorded[0].logged_at.astimezone(ZoneInfo(mandate.time_zone)).date()
        is_of_today = run.asked.at is None and run.asked.valid_on == today
        return is_of_today and run.asked.text == read_question(question.text)
    return False


async def _found(desk: Desk, ask: Ask, run: UUID, begins: Begins, *, is_resumed: bool) -> Answer:
    if is_resumed:
        return await desk.app.again.resume(run, ask.asker, ask.actor, begins)
    return await desk.app.asking.ask(ask, begins, run=run)


def _refused(turn: Turn, error: InputError) -> Content:
    if isinstance(error, AccessError):
        return notices.not_admitted(turn.texts)
    return notices.refused(error, turn.texts)


async def _tell_cap(turn: Turn, mandate: Mandate, ask: Ask) -> None:
    """Say once a day up to which level is answered in a room that is not protected, where that makes a difference."""
    if not ask.is_open_room:
        return
    here, there = (
        effective_level(mandate, ask.asker, ask.channel, ask.room, is_open_room=is_open) for is_open in (True, False)
    )
    if here is not None and here != there:
        content = notices.capped(turn.texts, here)
        await turn.desk.say_once_a_day(turn.noted, content, "capped", thread=turn.thread)
