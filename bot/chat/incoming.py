"""What a chat platform tells us, as values.

Identifiers are the platform's own: of events, rooms and people. Instants are those of the server, in UTC.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody has written a message.

    Attributes:
        text: what was written, without the quote of a replied-to message in front and without the mention of us.
        by_id: the same with the identity of the one person whom it links to in the place of the words that do; empty
            where it links to nobody or to several.
        mentions_us: whether the platform says so (never a name in the text).
        thread: first message of the thread that it stands in, ``None`` outside of threads.
        replies_to: the message that it answers, ``None`` for none.
        is_notice: sent by a program that wants no answer.
        run: the run that the message shows: an answer of ours, or of another program of our kind.
        is_assured: nobody but the sender can have written it, not even whoever runs the platform. Found out by
            ``Platform.message`` alone, anew each time: what comes in by itself is never said to be.
    """

    event: str
    room: str
    sender: str
    sent_at: datetime
    text: str
    mentions_us: bool = False
    thread: str | None = None
    replies_to: str | None = None
    is_notice: bool = False
    run: UUID | None = None
    is_assured: bool = False
    by_id: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """Somebody has put another text in the place of an earlier message, ``target``; ``run`` as for ``Said``."""

    event: str
    room: str
    sender: str
    sent_at: datetime
    target: str
    text: str
    mentions_us: bool = False
    run: UUID | None = None


@dataclass(frozen=True, slots=True)
class Redacted:
    """The message ``target`` was taken back."""

    event: str
    room: str
    sender: str
    sent_at: datetime
    target: str


@dataclass(frozen=True, slots=True)
class Reacted:
    """Somebody has put a sign, ``key``, under the message ``target``."""

    event: str
    room: str
    sender: str
    sent_at: datetime
    target: str
    key: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message whose key we lack; it comes once more as ``Said`` when the key arrives."""

    event: str
    room: str
    sender: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody, ``sender``, asks us into a room."""

    room: str
    sender: str


@dataclass(frozen=True, slots=True)
class Removed:
    """Somebody has put us out of a room."""

    room: str
    sender: str


@dataclass(frozen=True, slots=True)
class Upgraded:
    """A room was closed in favour of another one, ``successor``."""

    room: str
    sender: str
    successor: str


Incoming = Said | Edited | Redacted | Reacted | Unreadable | Invited | Removed | Upgraded


@dataclass(frozen=True, slots=True)
class Batch:
    """What came in at once, in the order of the server, and where to go on from.

    Attributes:
        token: marks the place in the stream of the server behind ``events``.
        is_baseline: the first of an account: its messages are older than we are, and nothing in it is answered.
    """

    token: str
    events: tuple[Incoming, ...]
    is_baseline: bool = False
