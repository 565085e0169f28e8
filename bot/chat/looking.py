"""The commands of everybody: a source, why, which run, what was known, help. They look; they change nothing."""

from dataclasses import replace
from typing import Final
from uuid import UUID

from bot.chat import notices, showing
from bot.chat.commands import (
    Courtesy,
    Help,
    Incomplete,
    Known,
    Looking,
    OfAnswer,
    OfOurselves,
    OpenSource,
    ShowRun,
    Unknown,
    Why,
    Wordless,
)
from bot.chat.grammar import name_of
from bot.chat.outgoing import Content
from bot.chat.places import place_in
from bot.chat.turns import Turn
from bot.output import shown_day
from domain.asking.run import Run
from domain.asking.runs import filter_for
from domain.asking.values import Answer
from domain.asking.visibility import Horizon
from domain.errors import AccessError
from domain.journal.viewing import RUN_SHOW
from domain.mandates.state import ADMINISTRATOR, Mandate
from domain.recording import Actor

CONTEXT: Final = 2
"""Sentences on either side of an opened source."""

_RECENT: Final = 20
"""So many of the asker's own runs are looked through for the last one of a room."""


async def look(turn: Turn, command: Looking, mandate: Mandate, asker: UUID) -> tuple[Content, bool]:
    """Return what a command shows, and whether that goes to confirmed devices only.

    Raises:
        InputError: what it asks for is wrong, or not open to everybody in the room.
        PartError: a part does not answer.
    """
    match command:
        case Known():
            return await _known(turn, mandate, asker, command)
        case OpenSource() | Why() | ShowRun():
            try:
                return await _of_answer(turn, command, asker)
            except AccessError:
                return notices.no_run(turn.texts), False
        case _:
            return _of_ourselves(turn, command), False


def _of_ourselves(turn: Turn, command: OfOurselves) -> Content:
    match command:
        case Help():
            member = turn.place.member
            is_administrator = member is not None and member.role == ADMINISTRATOR
            return showing.help_on_commands(turn.texts, is_administrator=is_administrator)
        case Wordless():
            return notices.wordless(turn.texts)
        case Courtesy(kind):
            return notices.courtesy(turn.texts, kind)
        case Incomplete() | Unknown():
            return hint(turn, command)


def hint(turn: Turn, command: Incomplete | Unknown) -> Content:
    """Return a line that says how a command is written, or which one may be meant."""
    language = turn.texts.language
    if isinstance(command, Incomplete):
        form = turn.texts(f"rooms.form_{command.name}", command=name_of(command.name, language))
        return notices.command_form(turn.texts, form)
    meant = "" if command.meant is None else name_of(command.meant, language)
    return notices.command_unknown(turn.texts, command.written, name_of("help", language), meant)


async def in_its_mandate(turn: Turn, command: OfAnswer, asker: UUID) -> Turn:
    """Return a turn in the direct room of a member of several mandates as one in that of the answer it is about.

    As it was where there is no such answer: one of a mandate that they are not in looks like none.
    """
    run = await _run(turn, command, asker)
    recorded = [] if run is None else await turn.desk.app.store.read(run)
    if not recorded:
        return turn
    place = await place_in(turn.desk, turn.place, recorded[0].mandate)
    return turn if place.member is None else replace(turn, place=place)


async def _of_answer(turn: Turn, command: OfAnswer, asker: UUID) -> tuple[Content, bool]:
    run, texts = await _run(turn, command, asker), turn.texts
    if run is None:
        return notices.nothing_yet(texts), False
    answer, levels = await _shown(turn, run, asker)
    told = texts.answering(answer.question)
    trusted = turn.place.wants_trust(levels)
    match command:
        case Why():
            return showing.why(answer, told), trusted
        case ShowRun():
            return showing.run(answer, told), trusted
        case OpenSource(label):
            source = next((one for one in answer.sources if one.shown.label == label), None)
            if source is None:
                return notices.no_source(told, [one.shown.label for one in answer.sources]), False
            card = await turn.desk.app.cards.open(source, CONTEXT)
            return showing.source(card, answer, told), trusted


async def _run(turn: Turn, command: OfAnswer, asker: UUID) -> UUID | None:
    """Return the run that a command is about: the one named, or what whoever writes it has before their eyes.

    That is the message that it answers, else the last answer in the thread, else the asker's last one here.
    """
    if isinstance(command, ShowRun) and command.run is not None:
        return command.run
    said = turn.said
    found = None if said.replies_to is None else await _of_message(turn, said.replies_to)
    if found is None and said.thread is not None:
        found = await _last_shown(turn, said.thread) or await _of_message(turn, said.thread)
    if found is None and turn.place.room.is_direct:
        # What was asked elsewhere may have been answered here.
        found = await _last_shown(turn, None)
    return found or await _last(turn, asker)


async def _of_message(turn: Turn, message: str) -> UUID | None:
    """Return the run of a question, or of an answer."""
    desk, room = turn.desk, turn.noted.room
    found = await desk.inbox.answering(message) or await desk.inbox.answered(message)
    if found is not None:
        return found.run if found.room == room else None
    return await desk.shown_by(room, message)


async def _last_shown(turn: Turn, thread: str | None) -> UUID | None:
    """Return the run that the last answer of ours shows in a thread, or in the room."""
    desk = turn.desk
    for run in await desk.platform.shown(turn.noted.room, thread):
        if await desk.app.store.read(run):
            return run
    return None


async def _last(turn: Turn, asker: UUID) -> UUID | None:
    mandate, app = turn.place.mandate, turn.desk.app
    if mandate is None:
        return None
    wanted = filter_for(mandate, asker, await app.views.reach(await app.store.head()))
    own = await app.runs_view.runs(replace(wanted, person=asker))
    for run in (one.run for one in reversed(own[-_RECENT:])):
        recorded = Run(await app.store.read(run))
        if recorded.end is not None and recorded.asked.channel == turn.place.channel:
            return run
    return None


async def _shown(turn: Turn, run: UUID, asker: UUID) -> tuple[Answer, tuple[str, ...]]:
    """Return a run as it may be shown in the room, and the levels that its question could see.

    Whoever is in the room reads what was answered there, so they may open it as whoever asked it may, while it stands.

    Raises:
        AccessError: there is no such run, or not everybody in the room may see it.
        InputError: it has not ended, or has been erased.
    """
    app = turn.desk.app
    recorded = Run(await app.store.read(run))
    asked, owner = recorded.asked, recorded.recorded[0].mandate
    if not turn.place.covers(owner, asked.levels):
        raise AccessError
    is_of_room = await _stands_here(turn, run)
    answer = await app.runs.show(run, asked.asker if is_of_room else asker, within=turn.place.levels)
    if not is_of_room:
        await app.viewing.at_run(RUN_SHOW, run, Actor(asker))
    return answer, asked.levels


async def _stands_here(turn: Turn, run: UUID) -> bool:
    """Say whether the answer of a run can be read in the room: it is there, and was not taken back."""
    desk, room = turn.desk, turn.noted.room
    answered = await desk.inbox.of_run(run)
    if answered is None or answered.room != room:
        return False
    is_readable = await desk.platform.message(room, answered.answer) is not None
    return is_readable or await desk.platform.is_locked(room, answered.answer)


async def _known(turn: Turn, mandate: Mandate, asker: UUID, command: Known) -> tuple[Content, bool]:
    app, texts = turn.desk.app, turn.texts
    ask = turn.place.ask(mandate, asker, at=command.at, valid_on=command.valid_on)
    admission = await app.admissions.admit(ask, app.now())
    head = await app.views.bring("knowledge")
    position = head if admission.position is None else admission.position
    valid_on = ask.valid_on or admission.today
    visible = await app.known.visible(Horizon(admission.scope, admission.levels, position, valid_on))
    instant = admission.at or app.now()
    day = shown_day(texts, instant.astimezone(admission.zone).date())
    if ask.valid_on is not None:
        day = f"{day}, {texts('answer.valid_on', day=shown_day(texts, ask.valid_on))}"
    versions = sorted(visible.versions.values(), key=lambda one: (one.mandate != admission.mandate.id, one.key))
    return showing.known(versions, day, texts), turn.place.wants_trust(admission.levels)
