"""What is said beside answers: how a question gets on, why there is none, and what a room or a message lacks.

Short, friendly, and without anything that a document says: whoever reads a notice may be anybody in the room.
"""

from collections.abc import Sequence
from typing import Final

from bot.answers import part
from bot.chat.hygiene import fitted
from bot.chat.markup import Node, element, html, linked, plain, spoken, words
from bot.chat.outgoing import Content
from bot.chat.pace import MOST
from bot.progress import STAGES
from bot.text import Texts
from domain.errors import FundstelleError

MEMBERS: Final = "members"
"""An answer may not stand where it was asked for, because of who is in the room."""

ROOM: Final = "room"
"""Likewise because of who else can read along."""


def notice(*nodes: Node, mention: str | None = None) -> Content:
    """Return a hint, which no other program answers; ``mention`` is who is notified."""
    return Content(plain(nodes), html(nodes), is_notice=True, mentions=(mention,) if mention else ())


def progress(step: str, texts: Texts) -> Content:
    """Say which step of a question has begun."""
    return _said("rooms.progress", texts, stage=texts(f"stage.{STAGES[step]}"))


def pointer(texts: Texts, link: str = "") -> Content:
    """Say that the answer is there; ``link`` leads to it where the platform has such an address."""
    return notice(element("p", *linked(texts("rooms.pointer"), link)))


def unbound(texts: Texts) -> Content:
    """Say that a room belongs to no mandate, and who can change that."""
    return _said("rooms.unbound", texts)


def unknown(texts: Texts, person: str) -> Content:
    """Say in a direct room that somebody is admitted nowhere, and what they ask for."""
    return _said("rooms.unknown", texts, person=person)


def several(texts: Texts) -> Content:
    """Say that a direct room could belong to several mandates."""
    return _said("rooms.several", texts)


def wordless(texts: Texts) -> Content:
    """Say in a line how to ask, to somebody who has mentioned us and said nothing."""
    return _said("rooms.wordless", texts)


def courtesy(texts: Texts, kind: str) -> Content:
    """Return a greeting, or what is said to thanks; ``kind`` as ``Courtesy``."""
    return _said(f"rooms.{kind}", texts)


def not_admitted(texts: Texts) -> Content:
    """Say that nothing may be shown to everybody in the room; the same for unknown and forbidden."""
    return _said("rooms.not_admitted", texts)


def capped(texts: Texts, level: str) -> Content:
    """Say up to which level is answered in a room that is not protected."""
    return _said("rooms.capped", texts, level=level)


def withheld(texts: Texts, why: str = MEMBERS) -> Content:
    """Say that an answer is not shown, since the room is not what it was; ``why`` as above."""
    return _said(f"rooms.withheld_{why}", texts)


def moved(texts: Texts, why: str = MEMBERS) -> Content:
    """Say in the thread that an answer stands in the direct room; ``why`` as above."""
    return _said(f"rooms.moved_{why}", texts)


def moved_here(texts: Texts, mention: str, link: str = "") -> Content:
    """Say in the direct room why an answer comes there, to whoever has asked; ``link`` leads to the question."""
    return notice(element("p", *linked(texts("rooms.moved_here"), link)), mention=mention)


def in_direct_room(texts: Texts) -> Content:
    """Say that what a command shows stands in the direct room."""
    return _said("rooms.in_direct_room", texts)


def in_protected_room(texts: Texts, link: str) -> Content:
    """Say in a direct room that is not protected that what a command shows stands in one that is, by a link."""
    return notice(element("p", *linked(texts("rooms.in_protected_room"), link)))


def unreachable(texts: Texts) -> Content:
    """Say that something is for whoever asks alone, and that no direct room with them can be opened."""
    return _said("rooms.unreachable", texts)


def fault(texts: Texts) -> Content:
    """Say that something went wrong that nobody foresaw."""
    return _said("rooms.fault", texts)


def hasty(texts: Texts, span: str) -> Content:
    """Say that somebody has asked as much as is answered to one person in one room; ``span`` as in ``pace``."""
    return _said(f"rooms.hasty_{span}", texts, most=str(MOST[span]))


def unreadable(texts: Texts) -> Content:
    """Say that a message cannot be decrypted."""
    return _said("rooms.unreadable", texts)


def invitation_refused(texts: Texts, room: str, sender: str) -> Content:
    """Tell those who look after us of an invitation that was declined."""
    return _said("rooms.invitation_refused", texts, room=room, sender=sender)


def upgraded(texts: Texts, room: str, successor: str) -> Content:
    """Say that a room has taken the place of another, and that an administrator confirms its binding."""
    return _said("rooms.upgraded", texts, room=room, successor=successor)


def removed(texts: Texts, room: str, sender: str) -> Content:
    """Tell those who look after us that somebody has put us out of a room."""
    return _said("rooms.removed", texts, room=room, sender=sender)


def device_new(texts: Texts, device: str) -> Content:
    """Tell those who look after us that the store was lost and that there is a new device."""
    return _said("rooms.device_new", texts, device=device)


def master_key_changed(texts: Texts, person: str) -> Content:
    """Tell those who look after us that somebody's master key is another one by what the server says."""
    return _said("rooms.master_key_changed", texts, person=person)


def parked(texts: Texts) -> Content:
    """Say that a question waits for us to come back."""
    return _said("rooms.parked", texts)


def part_silent(texts: Texts, key: str) -> Content:
    """Say that a question waits for a part, ``key``, that does not answer."""
    return _said("rooms.part_silent", texts, part=part(key, texts))


def refused(error: FundstelleError, texts: Texts) -> Content:
    """Say what was wrong with a question or a command; where the command line would help, what helps in a room."""
    own = f"refused.{error.key}"
    if own in texts:
        return _said(own, texts, **error.values)
    values = {name: fitted(value) for name, value in error.values.items()}
    return notice(element("p", *words(texts(f"errors.{error.key}", **values))))


def command_unknown(texts: Texts, command: str, help_command: str, meant: str = "") -> Content:
    """Say that there is no such command, and which one may be meant."""
    if meant:
        return _said("rooms.command_meant", texts, command=command, meant=meant)
    return _said("rooms.command_unknown", texts, command=command, help=help_command)


def command_form(texts: Texts, form: str) -> Content:
    """Say how a command is written."""
    return _said("rooms.command_form", texts, form=form)


def not_administrator(texts: Texts) -> Content:
    """Say that a command is not for members."""
    return _said("rooms.not_administrator", texts)


def unassured(texts: Texts) -> Content:
    """Say that a command is not followed, since it is not certain who has written it, and where it is."""
    return _said("rooms.unassured", texts)


def no_source(texts: Texts, labels: Sequence[str]) -> Content:
    """Say which sources an answer has."""
    return _said("rooms.no_source", texts, known=", ".join(labels)) if labels else _said("rooms.no_sources", texts)


def no_run(texts: Texts) -> Content:
    """Say that an answer cannot be opened here; the same for unknown and forbidden."""
    return _said("rooms.no_run", texts)


def no_document(texts: Texts) -> Content:
    """Say to an administrator that a mandate has no such document, and where its key is found."""
    return _said("rooms.no_document", texts)


def nothing_yet(texts: Texts) -> Content:
    """Say that there is no answer that a command could be about."""
    return _said("rooms.nothing_yet", texts)


def _said(key: str, texts: Texts, **values: str) -> Content:
    return notice(element("p", *spoken(texts(key, **{one: fitted(value) for one, value in values.items()}))))
