"""A run: what has been recorded about one question so far."""

from collections.abc import Sequence
from datetime import date
from typing import Final, Protocol, TypeVar
from uuid import UUID

from domain.asking.events import QuestionAsked
from domain.asking.outcome import (
    AnchorsResolved,
    AnswerDelivered,
    AnswerDiscarded,
    AnswerDrafted,
    AnswerErased,
    AnswerRefused,
    CoverageDecided,
    FeedbackGiven,
    RunFailed,
)
from domain.asking.source_changes import SourceChangeNotified
from domain.asking.verdicts import ClaimsChecked, VerdictReached
from domain.errors import AccessError, InputError
from domain.recording import NOWHERE, Actor, Event, Recorded

E = TypeVar("E", bound=Event)

End = AnswerDelivered | AnswerRefused | RunFailed

_LATER: Final = (SourceChangeNotified, FeedbackGiven)

_OF_A_DRAFT: Final = (AnswerDrafted, AnchorsResolved, CoverageDecided, ClaimsChecked, VerdictReached)


class Run:
    """The events of one run, in order."""

    def __init__(self, recorded: Sequence[Recorded]) -> None:
        self.recorded = tuple(recorded)

    @property
    def id(self) -> UUID:
        """Name the run: the id of its stream."""
        return self.recorded[0].stream

    @property
    def mandate(self) -> UUID:
        """Return where it was asked, ``NOWHERE`` for a run that does not exist."""
        return self.recorded[0].mandate if self.recorded else NOWHERE

    @property
    def asked(self) -> QuestionAsked:
        """Return how the run began.

        Raises:
            AccessError: it is no run, or the question has been erased together with its asker.
        """
        first = self.recorded[0].event if self.recorded else None
        if not isinstance(first, QuestionAsked):
            raise AccessError
        return first

    def must_not_be_erased(self) -> None:
        """Refuse a run whose answer has been erased with what it quoted, or steps of it.

        Raises:
            InputError: ``answer_erased``.
        """
        if any(one.event is None or isinstance(one.event, AnswerErased) for one in self.recorded):
            raise InputError("answer_erased", run=self.id)

    @property
    def end(self) -> End | None:
        """Return how the run ended, ``None`` while it has not."""
        last = self._last.event
        return last if isinstance(last, AnswerDelivered | AnswerRefused | RunFailed) else None

    @property
    def ended(self) -> Recorded | None:
        """Return where in the journal the run ended, ``None`` while it has not."""
        return None if self.end is None else self._last

    @property
    def stands(self) -> tuple[date | None, int | None]:
        """Return for which day, and up to which journal position, the answer says what is in force.

        Nothing where there is none, or one of before that was recorded.
        """
        end = self.end
        return (end.today, end.present) if isinstance(end, AnswerDelivered) else (None, None)

    @property
    def _last(self) -> Recorded:
        """Return the last event of the question itself; what a run is told or what is said of it later is none."""
        return next(one for one in reversed(self.recorded) if not isinstance(one.event, _LATER))

    @property
    def attempt(self) -> int:
        """Return which draft is under way, from 1."""
        return 1 + sum(isinstance(one.event, AnswerDiscarded) for one in self.recorded)

    def of(self, kind: type[E]) -> E | None:
        """Return the last event of this kind; of drafts only the one under way counts."""
        for one in reversed(self.recorded):
            if isinstance(one.event, kind):
                return one.event
            if isinstance(one.event, AnswerDiscarded) and issubclass(kind, _OF_A_DRAFT):
                return None
        return None

    def all(self, kind: type[E]) -> tuple[E, ...]:
        """Return all events of this kind, in order."""
        return tuple(one.event for one in self.recorded if isinstance(one.event, kind))

    def must(self, kind: type[E]) -> E:
        """Return the last event of this kind, which an earlier step has recorded.

        Raises:
            LookupError: it has not.
        """
        found = self.of(kind)
        if found is None:
            raise LookupError(kind.__name__)
        return found


class Appends(Protocol):
    """What a run needs of the event store."""

    async def append(
        self,
        mandate: UUID,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        actor: Actor,
        *,
        subject: UUID | None = None,
    ) -> tuple[Recorded, ...]:
        """See ``EventStore``."""
        ...


class Recorder:
    """Appends to the stream of one run, step by step.

    Args:
        recorded: what the run holds already.
    """

    def __init__(  # noqa: PLR0917 - what an event is recorded with
        self,
        store: Appends,
        mandate: UUID,
        run: UUID,
        actor: Actor,
        subject: UUID,
        recorded: Sequence[Recorded] = (),
    ) -> None:
        self._store = store
        self._mandate = mandate
        self._stream = run
        self._actor = actor
        self._subject = subject
        self._recorded = tuple(recorded)

    @property
    def run(self) -> Run:
        """Return the run as far as it is recorded."""
        return Run(self._recorded)

    async def save(self, *events: Event) -> None:
        """Record the events of a step; only then may the next begin."""
        expected = len(self._recorded)
        self._recorded += await self._store.append(
            self._mandate, self._stream, expected, events, self._actor, subject=self._subject
        )
