"""What an incoming event asks of us: a pure decision, so that nobody else is ever answered.

Asked is whoever mentions us by the platform's own means, writes where only we two are, or begins with a command. What
we or another program have said asks nothing, and a name of ours in a text is no mention.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from bot.chat.commands import Unknown
from bot.chat.folding import bare_sign
from bot.chat.grammar import parse
from bot.chat.incoming import (
    Edited,
    Incoming,
    Invited,
    Reacted,
    Redacted,
    Removed,
    Said,
    Unreadable,
    Upgraded,
)
from bot.chat.ports import Noted

SAID: Final = Said.__name__
REDACTED: Final = Redacted.__name__
REACTED: Final = Reacted.__name__
UNREADABLE: Final = Unreadable.__name__

HELPFUL: Final = "👍"
NOT_HELPFUL: Final = "👎"

UNREADABLE_PREFIX: Final = "unreadable "
"""A message that cannot be read is noted under another name, since the same one may yet come to be read."""


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of where an event stands.

    Attributes:
        account: who we are.
        is_direct: one person and us.
        target: what was noted of the event that it is about.
        is_answer: its target is an answer of ours, or may be one.
    """

    account: str
    is_direct: bool = False
    target: Noted | None = None
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class Guests:
    """Who may ask us into a room: people by identity, or everybody of a server."""

    inviters: frozenset[str] = field(default_factory=frozenset)
    servers: frozenset[str] = field(default_factory=frozenset)

    def may_invite(self, person: str) -> bool:
        """Say whether we follow an invitation of this person."""
        server = person.partition(":")[2]
        return person in self.inviters or (bool(server) and server in self.servers)


def concerns(event: Incoming, around: Around) -> Noted | None:
    """Return what an event asks of us, ``None`` when that is nothing."""
    return None if event.sender == around.account else _concerns(event, around)


def _concerns(event: Incoming, around: Around) -> Noted | None:
    found: Noted | None = None
    match event:
        case Said() if _asks(event, around):
            found = _noted(event)
        case Edited():
            found = _edited(event, around)
        case Redacted() if around.target is not None and around.target.kind in _TAKEN_BACK:
            found = _noted(event, event.target)
        case Reacted() if around.is_answer and bare_sign(event.key) in {HELPFUL, NOT_HELPFUL}:
            found = _noted(event, event.target, bare_sign(event.key))
        case Unreadable():
            name = UNREADABLE_PREFIX + event.event
            found = Noted(name, event.room, event.sender, event.sent_at, UNREADABLE, event.event)
        case Said() | Redacted() | Reacted() | Invited() | Removed() | Upgraded():
            pass
    return found


def has_target(event: Incoming) -> bool:
    """Say whether ``concerns`` wants to know what the event is about."""
    return isinstance(event, Edited | Redacted | Reacted)


def wants_room(event: Incoming) -> bool:
    """Say whether ``concerns`` wants to know if the room is a direct one: only where nothing else decides."""
    return isinstance(event, Said | Edited) and not event.mentions_us


def _asks(event: Said | Edited, around: Around) -> bool:
    if isinstance(event, Said) and (event.is_notice or event.run is not None):
        return False
    return event.mentions_us or around.is_direct or _is_our_command(event.text)


def _is_our_command(text: str) -> bool:
    """Say whether a text is a command of ours, or a slip in one: those of other programs begin with the same sign."""
    wanted = parse(text)
    return wanted is not None and (not isinstance(wanted.command, Unknown) or wanted.command.is_slip)


def _edited(event: Edited, around: Around) -> Noted | None:
    if around.target is not None:
        is_own = around.target.kind == SAID and around.target.sender == event.sender
        return _noted(event, event.target) if is_own else None
    if not _asks(event, around):
        return None
    # Only now does it ask something: it is answered as if it had been written so.
    return Noted(event.target, event.room, event.sender, event.sent_at, SAID)


def _noted(event: Said | Edited | Redacted | Reacted, target: str | None = None, detail: str = "") -> Noted:
    return Noted(event.event, event.room, event.sender, event.sent_at, type(event).__name__, target, detail)


_TAKEN_BACK: Final[Collection[str]] = frozenset({SAID, REACTED})
