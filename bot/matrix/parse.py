"""Raw events of Matrix, decrypted already, as values of a conversation. Pure, and open to events of any shape."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from bot.chat.incoming import Edited, Incoming, Invited, Reacted, Redacted, Removed, Said, Unreadable, Upgraded
from bot.matrix.shapes import identifier, instant, rows, table, text
from bot.matrix.words import mentions, with_id, without_mention, without_quote

RUN: Final = "net.fundstelle.run"
"""Key of our messages' content: the run that a message shows."""

ENCRYPTED: Final = "m.room.encrypted"
REDACTION: Final = "m.room.redaction"
Head = tuple[str, str, str, datetime]
"""Event, room, sender, instant."""

_SPOKEN: Final = frozenset({"m.text", "m.notice"})
_STAYS: Final = frozenset({"invite", "join"})
_AWAY: Final = frozenset({"leave", "ban"})


def incoming(event: Mapping[str, Any], room: str, account: str) -> Incoming | None:
    """Return what an event tells, ``None`` when it tells nothing to a conversation.

    Args:
        event: as the server has it, with the decrypted type and content in the place of encrypted ones.
        room: where it was said; what the event claims about that is not read.
        account: our own identity.
    """
    name, sender = identifier(event.get("event_id")), identifier(event.get("sender"))
    if not name or not sender:
        return None
    if "state_key" in event:
        return _of_state(event, room, account)
    head = (name, room, sender, instant(event.get("origin_server_ts")))
    return _of_timeline(event, table(event.get("content")), head, account)


def _of_timeline(event: Mapping[str, Any], content: Mapping[str, Any], head: Head, account: str) -> Incoming | None:
    match event.get("type"):
        case "m.room.message":
            return _message(content, head, account)
        case "m.reaction":
            return _reaction(content, head)
        case "m.room.redaction":
            return _redaction(event, content, head)
        case "m.room.encrypted":
            return Unreadable(*head) if content and head[2] != account else None
    return None


def _message(content: Mapping[str, Any], head: Head, account: str) -> Said | Edited | None:
    relation = table(content.get("m.relates_to"))
    if relation.get("rel_type") == "m.replace":
        return _edit(content, identifier(relation.get("event_id")), head, account)
    if text(content.get("msgtype")) not in _SPOKEN or not isinstance(content.get("body"), str):
        return None
    is_in_thread = relation.get("rel_type") == "m.thread"
    replies_to = identifier(table(relation.get("m.in_reply_to")).get("event_id")) or None
    means_us = mentions(content, account)
    words = _words(content, account, means_us=means_us, is_reply=replies_to is not None)
    return Said(
        *head,
        text=words,
        mentions_us=means_us,
        thread=(identifier(relation.get("event_id")) or None) if is_in_thread else None,
        replies_to=None if is_in_thread and relation.get("is_falling_back") is True else replies_to,
        is_notice=content["msgtype"] == "m.notice",
        run=_run(content),
        by_id=with_id(words, text(content.get("formatted_body")), account),
    )


def _edit(content: Mapping[str, Any], target: str, head: Head, account: str) -> Edited | None:
    new = table(content.get("m.new_content"))
    if not target or text(new.get("msgtype")) not in _SPOKEN or not isinstance(new.get("body"), str):
        return None
    means_us = mentions(new, account) or mentions(content, account)
    words = _words(new, account, means_us=means_us, is_reply=True)
    return Edited(*head, target, text=words, mentions_us=means_us, run=_run(new))


def _words(content: Mapping[str, Any], account: str, *, means_us: bool, is_reply: bool) -> str:
    body = text(content.get("body"))
    body = without_quote(body) if is_reply else body
    return without_mention(body, content, account) if means_us else body.strip()


def _run(content: Mapping[str, Any]) -> UUID | None:
    try:
        return UUID(text(content.get(RUN)))
    except ValueError:
        return None


def _reaction(content: Mapping[str, Any], head: Head) -> Reacted | None:
    relation = table(content.get("m.relates_to"))
    target, key = identifier(relation.get("event_id")), text(relation.get("key"))
    return Reacted(*head, target, key) if relation.get("rel_type") == "m.annotation" and target and key else None


def _redaction(event: Mapping[str, Any], content: Mapping[str, Any], head: Head) -> Redacted | None:
    """Return what was taken back. Up to room version 10 the content is not where that stands, and can say anything."""
    targets = {identifier(content.get("redacts")), identifier(event.get("redacts"))} - {""}
    return Redacted(*head, targets.pop()) if len(targets) == 1 else None


def _of_state(event: Mapping[str, Any], room: str, account: str) -> Incoming | None:
    sender, content = identifier(event.get("sender")), table(event.get("content"))
    if event.get("type") == "m.room.tombstone" and event.get("state_key") == "":
        successor = identifier(content.get("replacement_room"))
        return Upgraded(room, sender, successor) if successor else None
    is_put_out = is_own_membership(event, account) and _membership(event) in _AWAY and sender != account
    # A ban that is taken back puts nobody out.
    return Removed(room, sender) if is_put_out and _membership_before(event) not in _AWAY else None


def invitation(state: object, room: str, account: str) -> Invited | None:
    """Return who asks us into a room, from the few events that come with an invitation.

    All but one of them are what the server of whoever asks claims. Where they name several people, none of them counts
    alone: all are named together, as nobody is called.
    """
    events = (event for event in rows(state) if is_own_membership(event, account))
    senders = dict.fromkeys(identifier(event.get("sender")) for event in events if _membership(event) == "invite")
    named = " ".join(filter(None, senders))
    return Invited(room, named) if named else None


def is_own_membership(event: Mapping[str, Any], account: str) -> bool:
    """Say whether an event changes our own place in a room."""
    return event.get("type") == "m.room.member" and event.get("state_key") == account


def begins_stay(event: Mapping[str, Any], account: str) -> bool:
    """Say whether we were not in the room before this event, nor invited: what is older was not said to us."""
    if not is_own_membership(event, account):
        return False
    before = _membership_before(event)
    return before not in _STAYS if _membership(event) in _STAYS else before in _AWAY


def said_to_us(events: Iterable[dict[str, Any]], account: str) -> list[dict[str, Any]]:
    """Return those of a room's events that were said to us: from our coming, if they tell of it, to our going.

    A server may hand out more: to somebody who was banned, what was said until the ban is taken back.
    """
    kept: list[dict[str, Any]] = []
    is_here = True
    for event in events:
        if begins_stay(event, account):
            kept.clear()
        is_own = is_own_membership(event, account)
        if is_here or is_own:
            kept.append(event)
        is_here = _membership(event) in _STAYS if is_own else is_here
    return kept


def _membership(event: Mapping[str, Any]) -> str:
    return text(table(event.get("content")).get("membership"))


def _membership_before(event: Mapping[str, Any]) -> str:
    before = table(table(event.get("unsigned")).get("prev_content")) or table(event.get("prev_content"))
    return text(before.get("membership"))
