"""Step 11, later on: what has happened to the versions that an answer cites, and whether that touches the answer.

An answer is given for a day, and rests on versions that answered on that day as far as was known then. What happens
to them afterwards touches it in two ways:

- On the day asked about, the version answers no longer: another one does, or none, or the document was withdrawn.
- The question was about the present, and the version now ends earlier than was known, on whatever later day. Who asked
  for a day of the past or the future has an answer for that day alone, and hears nothing of this.

Nothing else touches it: an older version that comes in beside it, a title or a link put right, a level, a text that
comes back. What was told is not taken back, and a version that is lost once is not lost again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from domain.asking.events import QuestionAsked
from domain.knowledge.events import DocumentWithdrawn, ValidPeriod, VersionCorrected
from domain.knowledge.versions import holds
from domain.recording import Event

SUPERSEDED: Final = "superseded"
CORRECTED: Final = "corrected"
WITHDRAWN: Final = "withdrawn"


@dataclass(frozen=True, slots=True)
class SourceChangeNotified(Event):
    """A version that the answer cites no longer carries it as it did; the run is told once for each such change.

    Attributes:
        change: journal position at which it changed; ``changed_at``: when that was recorded.
        ordinal: journal position of the cited VersionIngested event; ``labels``: under which it is cited.
        cause: ``superseded``, ``corrected`` (what is stated about its own validity) or ``withdrawn``.
        ended_on: first day on which it answers no longer, ``None`` where no day says so.
        holds: whether it still answers on the day asked about.
    """

    change: int
    changed_at: datetime
    ordinal: int
    labels: tuple[str, ...]
    cause: str
    ended_on: date | None
    holds: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """A stretch of validity of a version, and the journal positions at which it was known.

    ``known_to`` is the first position that knows otherwise, ``None`` while none does.
    """

    known_from: int
    known_to: int | None
    valid: ValidPeriod


@dataclass(frozen=True, slots=True)
class Change:
    """What a position changed for an answer; the fields are those of ``SourceChangeNotified``."""

    position: int
    ended_on: date | None
    holds: bool


def speaks_up_to(asked: QuestionAsked, position: int) -> int:
    """Return the journal position up to which an answer speaks: what comes behind it is news.

    Of a question that looks back, the caution above its answer speaks from when it was asked.

    Args:
        asked: how the run began.
        position: where in the journal it began.
    """
    return asked.position if asked.at is None else position


def changes(history: Sequence[Slice], day: date, known: int, *, about_the_present: bool) -> tuple[Change, ...]:
    """Return what touches an answer, in the order in which it was recorded.

    Args:
        history: all slices of one cited version, in any order.
        day: the day that the answer was given for.
        known: journal position up to which the answer, or the caution above it, speaks.
        about_the_present: the question was asked on ``day``.
    """
    current = _answering(history, known, day)
    end = None if current is None else current.valid.end
    found: list[Change] = []
    while current is not None and current.known_to is not None:
        position = current.known_to
        current = _answering(history, position, day)
        if current is None:
            found.append(Change(position, _last_day_before(history, position, day), holds=False))
        elif about_the_present and _is_earlier(current.valid.end, end):
            end = current.valid.end
            found.append(Change(position, end, holds=True))
    return tuple(found)


def cause(event: Event | None, version: int) -> str:
    """Return why a version has changed.

    Args:
        event: what changed it, ``None`` when it has been erased.
        version: number of the cited version.
    """
    match event:
        case DocumentWithdrawn():
            return WITHDRAWN
        case VersionCorrected() if event.version == version:
            return CORRECTED
        case _:
            return SUPERSEDED


def _answering(history: Sequence[Slice], position: int, day: date) -> Slice | None:
    return next((one for one in _known(history, position) if holds(one.valid, day)), None)


def _known(history: Sequence[Slice], position: int) -> list[Slice]:
    return [one for one in history if one.known_from <= position and (one.known_to is None or position < one.known_to)]


def _last_day_before(history: Sequence[Slice], position: int, day: date) -> date | None:
    """Return the end of what remains of the version before ``day``."""
    ends = (one.valid.end for one in _known(history, position))
    return max((end for end in ends if end is not None and end <= day), default=None)


def _is_earlier(end: date | None, before: date | None) -> bool:
    return end is not None and (before is None or end < before)
