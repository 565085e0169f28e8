"""How much one person may ask in one room: a bound that people never meet, and that ends a loop of two programs.

A program that repeats what we say asks a question with each answer of ours, where every message is a question. Pure:
times come in. They are counted by when the server took them in, so that what was asked over hours while we were away is
answered, all of it; and by our own sense of time besides, so that a server without a clock silences nobody for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.chat.ports import Noted

HASTY: Final = "Hasty"
"""Kind under which the first message that is too much is noted; ``detail`` is the span that was too short for it."""

MINUTE: Final = "minute"
HOUR: Final = "hour"
SECONDS: Final[Mapping[str, float]] = {HOUR: 3600.0, MINUTE: 60.0}

MOST: Final[Mapping[str, int]] = {HOUR: 100, MINUTE: 20}
"""Messages of one person in one room that are dealt with in each span, by its name."""

_REMEMBERED: Final = 1_000
"""People in rooms of whom is remembered what they have asked, until those whose hour is over are forgotten."""


@dataclass(slots=True)
class _Span:
    """A span of time that began with a message.

    Attributes:
        name: of the span.
        began: when the server took the first message in; ``at``: when we did, in seconds.
        taken: what was dealt with; ``told``: the message at which it was said that it is too much.
    """

    name: str
    began: datetime
    at: float
    taken: set[str] = field(default_factory=set)
    told: str | None = None

    def holds(self, sent_at: datetime, elapsed: float) -> bool:
        """Say whether a message falls into it."""
        length = SECONDS[self.name]
        return 0 <= (sent_at - self.began).total_seconds() < length and elapsed - self.at < length


class Pace:
    """Counts what people ask.

    Args:
        most: as ``MOST``.
    """

    def __init__(self, most: Mapping[str, int] = MOST) -> None:
        self._most = most
        self._spans: dict[tuple[str, str], list[_Span]] = {}

    def take(self, noted: Noted, elapsed: float) -> Noted | None:
        """Return what becomes of a message: itself, the one at which it is said that it is too much, or nothing.

        The same message again comes to the same.

        Args:
            noted: the message.
            elapsed: seconds since some moment or other.
        """
        spans = self._spans_of(noted, elapsed)
        if any(noted.event in span.taken for span in spans):
            return noted
        full = next((span for span in spans if len(span.taken) >= self._most[span.name]), None)
        if full is None:
            for span in spans:
                span.taken.add(noted.event)
            return noted
        if full.told is None:
            full.told = noted.event
        is_first = full.told == noted.event
        return replace(noted, kind=HASTY, target=noted.target or noted.event, detail=full.name) if is_first else None

    def _spans_of(self, noted: Noted, elapsed: float) -> list[_Span]:
        if len(self._spans) > _REMEMBERED:
            self._spans = {key: spans for key, spans in self._spans.items() if elapsed - spans[0].at < SECONDS[HOUR]}
        key = (noted.room, noted.sender)
        known = {span.name: span for span in self._spans.get(key, ()) if span.holds(noted.sent_at, elapsed)}
        spans = [known.get(name) or _Span(name, noted.sent_at, elapsed) for name in SECONDS]
        self._spans[key] = spans
        return spans
