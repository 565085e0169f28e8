"""The commands of administrators, from a room: the same handlers and the same rights as on the command line.

Who acts is the identity that the platform has authenticated, so a change that takes two people takes two identities.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from bot import identity
from bot.chat import showing
from bot.chat.commands import (
    Administering,
    Admit,
    AssignLevel,
    Bind,
    Decide,
    GiveRole,
    Pending,
    Remove,
    SetThreshold,
    Unbind,
    WithoutRoom,
)
from bot.chat.grammar import name_of
from bot.chat.hygiene import fitted, line, shortened
from bot.chat.markup import Node, element, spoken, words
from bot.chat.notices import no_document, notice
from bot.chat.outgoing import Content
from bot.chat.turns import Turn
from bot.mandate_view import show_change
from bot.output import shown_number
from bot.proposal_view import proposal_documents, show_verdict, verdict_document
from domain.erasing.events import ERASURES
from domain.errors import AccessError, InputError
from domain.mandates.access import must_administer, must_oversee
from domain.mandates.attempts import DONE, UNCHANGED, Change
from domain.mandates.policies import THRESHOLDS, threshold
from domain.mandates.proposals import APPROVED
from domain.mandates.rules import OPEN_ROOMS, rule
from domain.mandates.state import Mandate
from domain.recording import Actor

_SHORTEST_ID: Final = 6
"""Characters of the id of a change at least, so that it is not guessed by accident."""


_LONGEST_LINE: Final = 2_000
"""Code points of what has come of a command, with the names and reasons in it."""


async def administer(turn: Turn, command: Administering, asker: UUID) -> Content:  # noqa: PLR0911 - a command an arm
    """Do what an administrator wants and return what has come of it.

    Raises:
        AccessError: they may not.
        InputError: something about it is wrong.
        PartError: a part does not answer.
    """
    actor = Actor(asker)
    if isinstance(command, WithoutRoom):
        return await _without_room(turn, command, actor)
    mandate = turn.place.mandate
    if mandate is None:
        raise AccessError
    match command:
        case Pending():
            return await _pending(turn, mandate, asker)
        case AssignLevel():
            return await _assign(turn, command, mandate, actor)
        case SetThreshold():
            return await _set(turn, command, mandate, actor)
        case Admit():
            return await _admit(turn, command, mandate, actor)
        case Remove():
            return await _remove(turn, command, mandate, actor)
        case GiveRole():
            return await _give_role(turn, command, mandate, actor)


async def _without_room(turn: Turn, command: WithoutRoom, actor: Actor) -> Content:
    match command:
        case Bind():
            return await _bind(turn, command, actor)
        case Unbind():
            return await _unbind(turn, command, actor)
        case Decide():
            return await _decide(turn, command, actor)


async def _bind(turn: Turn, command: Bind, actor: Actor) -> Content:
    mandates, room = turn.desk.app.mandates, turn.noted.room
    mandate = await mandates.find(command.mandate)
    must_administer(mandate, actor.person)
    ceiling = command.ceiling or mandate.levels[0]
    change = await mandates.bind(mandate.key, room, ceiling, actor)
    if change.status != DONE:
        return _changed(turn, "mandate.bound", change)
    shown = rule(mandate, OPEN_ROOMS).value
    is_capped = not turn.place.room.is_protected and mandate.rank(shown) < mandate.rank(change.mandate.channels[room])
    told = turn.texts("rooms.bound", mandate=fitted(mandate.key), ceiling=fitted(change.mandate.channels[room]))
    more = (element("p", line(turn.texts("rooms.capped", level=shown))),) if is_capped else ()
    return notice(element("p", *spoken(told)), *more)


async def _unbind(turn: Turn, command: Unbind, actor: Actor) -> Content:
    mandates, room = turn.desk.app.mandates, turn.noted.room
    mandate = await mandates.find(command.mandate)
    must_administer(mandate, actor.person)
    if room not in mandate.channels:
        return _already(turn, mandate)
    await mandates.unbind(room, actor)
    return notice(element("p", *spoken(turn.texts("rooms.let_go", mandate=fitted(mandate.key)))))


async def _admit(turn: Turn, command: Admit, mandate: Mandate, actor: Actor) -> Content:
    app, user = turn.desk.app, identity.parse(command.person)
    must_administer(mandate, actor.person)
    known = await app.people.find(user)
    is_member = known is not None and known in mandate.members
    if not is_member and not identity.is_like(user, turn.desk.platform.account):
        # A name without its server would let in somebody who sits at the machine of the installation.
        raise InputError("member_chat", user=command.person)
    handle = app.mandates.clear if is_member else app.mandates.admit
    change = await handle(mandate.key, user, command.level, actor)
    key = "mandate.cleared" if is_member else "mandate.admitted"
    return _changed(turn, key, change, user=user, clearance=command.level)


async def _remove(turn: Turn, command: Remove, mandate: Mandate, actor: Actor) -> Content:
    app, user = turn.desk.app, identity.parse(command.person)
    must_administer(mandate, actor.person)
    known = await app.people.find(user)
    if known is not None and known in mandate.people - mandate.members.keys():
        return _already(turn, mandate)
    change = await app.mandates.remove(mandate.key, user, actor)
    return _changed(turn, "mandate.removed", change, user=user)


async def _give_role(turn: Turn, command: GiveRole, mandate: Mandate, actor: Actor) -> Content:
    user = identity.parse(command.person)
    change = await turn.desk.app.mandates.give_role(mandate.key, user, command.role, actor)
    return _changed(turn, "mandate.role", change, user=user, role=command.role)


async def _assign(turn: Turn, command: AssignLevel, mandate: Mandate, actor: Actor) -> Content:
    app = turn.desk.app
    must_administer(mandate, actor.person)
    try:
        changed = await app.knowledge.assign_level(mandate.id, command.document, command.level, actor)
    except AccessError:
        return no_document(turn.texts)
    await app.views.reach()
    status = "done" if changed else "unchanged"
    return _told(turn.texts(f"knowledge.level_{status}", document=command.document, level=command.level))


async def _set(turn: Turn, command: SetThreshold, mandate: Mandate, actor: Actor) -> Content:
    app, name = turn.desk.app, command.name
    must_administer(mandate, actor.person)
    if name not in THRESHOLDS:
        raise InputError("policy_unknown", name=name, known=", ".join(THRESHOLDS))
    model = app.bound.threshold_model(mandate) if THRESHOLDS[name].bound else None
    change = await app.mandates.set_threshold(mandate.key, name, command.value, command.because, actor, model=model)
    now = threshold(change.mandate, name, model).value
    shown = "–" if now is None else shown_number(turn.texts, now)
    return _changed(turn, "policy.done", change, name=name, value=shown)


async def _pending(turn: Turn, mandate: Mandate, asker: UUID) -> Content:
    must_oversee(mandate, asker)
    return showing.pending(await proposal_documents(turn.desk.app, mandate), turn.texts)


async def _decide(turn: Turn, command: Decide, actor: Actor) -> Content:
    app = turn.desk.app
    change = _change(turn, command.change, actor)
    if command.agrees:
        verdict = await app.four_eyes.approve(change, actor)
    else:
        verdict = await app.four_eyes.reject(change, command.because or None, actor)
    document = await verdict_document(app, verdict)
    told = [str(one) for one in show_verdict(turn.texts, document, verdict.mandate.time_zone)]
    decided = verdict.decided
    if decided.proposal.kind in ERASURES and decided.outcome == APPROVED and decided.by is not None:
        await app.erasing.execute(change, decided.by)
        told.append(turn.texts("erasing.backups"))
    return _told(*told)


def _change(turn: Turn, written: str, actor: Actor) -> UUID:
    """Return the id that ``written`` is, or begins, among the changes of the mandate of this room.

    Raises:
        AccessError: it is one of another mandate, of which nothing is said here.
        InputError: ``change_id``: it is none, or begins several.
    """
    mandate = turn.place.mandate
    if mandate is None:
        return _id(turn, written)
    must_oversee(mandate, actor.person)
    start = written.casefold().rstrip("…")
    # What waits first: the same word again, or after a crash, finds what was decided by it.
    for known in ({one.change for one in mandate.proposals}, mandate.decided):
        found = [one for one in known if len(start) >= _SHORTEST_ID and str(one).startswith(start)]
        if len(found) == 1:
            return found[0]
    change = _id(turn, written)
    if change not in mandate.decided:
        raise AccessError
    return change


def _id(turn: Turn, written: str) -> UUID:
    """Return the id of a change; without a mandate only where nobody else reads along."""
    if turn.place.mandate is None and not turn.place.room.is_direct:
        raise AccessError
    try:
        return UUID(written)
    except ValueError:
        raise InputError("change_id", change=written) from None


def _changed(turn: Turn, key: str, change: Change, **values: str) -> Content:
    if change.status == UNCHANGED:
        return _already(turn, change.mandate)
    if change.proposal is None:
        return _told(*(str(one) for one in show_change(turn.texts, key, change.mandate, change.status, values)))
    command = f"{name_of('approve', turn.texts.language)} {change.proposal}"
    return notice(element("p", turn.texts("rooms.pending_second")), element("p", *spoken(f"`{command}`")))


def _already(turn: Turn, mandate: Mandate) -> Content:
    """Say that nothing was left to do: asked for twice, or by a message that is dealt with once more after a crash."""
    return _told(turn.texts("rooms.already", mandate=mandate.key))


def _told(*lines: str) -> Content:
    return notice(*_lines(lines))


def _lines(told: Sequence[str]) -> tuple[Node, ...]:
    return tuple(element("p", *words(shortened(one, _LONGEST_LINE))) for one in told)
