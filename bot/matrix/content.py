"""Our messages as content of events of Matrix, and their addresses. Pure."""

from typing import Any, Final
from urllib.parse import quote, urlencode

from bot.chat.hygiene import LONGEST_NAME, shortened
from bot.chat.outgoing import Content
from bot.matrix.parse import RUN

_FORMATTED: Final = ("format", "formatted_body")


def message(content: Content, thread: str | None) -> dict[str, Any]:
    """Return the content of a message; in a thread it also answers the first message, for programs without threads."""
    said = _said(content)
    if thread is not None:
        said["m.relates_to"] = {
            "rel_type": "m.thread",
            "event_id": thread,
            "is_falling_back": True,
            "m.in_reply_to": {"event_id": thread},
        }
    return said


def reply(content: Content, target: str) -> dict[str, Any]:
    """Return the content of a message that answers another one outside of threads."""
    return _said(content) | {"m.relates_to": {"m.in_reply_to": {"event_id": target}}}


def edit(content: Content, target: str) -> dict[str, Any]:
    """Return the content that puts another text in the place of our message ``target``; nobody is notified again.

    Programs that know no edits are shown the first line alone: an event has no room for a long answer twice.
    """
    new = _said(content)
    return {
        **{name: value for name, value in new.items() if name not in _FORMATTED},
        "body": f"* {shortened(content.plain.partition(chr(10))[0], LONGEST_NAME)}",
        "m.mentions": {},
        "m.new_content": new,
        "m.relates_to": {"rel_type": "m.replace", "event_id": target},
    }


def link(room: str, event: str, account: str) -> str:
    """Return the address of a message; programs open it themselves, and nothing is asked of the site that it names."""
    via = urlencode({"via": account.partition(":")[2]})
    return f"https://matrix.to/#/{quote(room, safe='!:')}/{quote(event, safe='$:')}?{via}"


def _said(content: Content) -> dict[str, Any]:
    said: dict[str, Any] = {
        "msgtype": "m.notice" if content.is_notice else "m.text",
        "body": content.plain,
        "format": "org.matrix.custom.html",
        "formatted_body": content.html,
        "m.mentions": {"user_ids": list(content.mentions)} if content.mentions else {},
    }
    if content.run is not None:
        said[RUN] = str(content.run)
    return said
