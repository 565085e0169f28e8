"""A run: what has been recorded about one question so far."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from domain.asking.events import AnswerDelivered, AnswerRefused, QuestionAsked, RunFailed
from domain.errors import AccessError
from domain.recording import Actor, Event, EventStore, Recorded

E = TypeVar("E", bound=Event)

End = AnswerDelivered | AnswerRefused | RunFailed


class Run:
    """The events of one run, in order."""

    def __init__(self, recorded: Sequence[Recorded]) -> None:
        self.recorded = tuple(recorded)

    @property
    def id(self) -> UUID:
        """Name the run: the id of its stream."""
        return self.recorded[0].stream

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

    @property
    def end(self) -> End | None:
        """Return how the run ended, ``None`` while it has not."""
        last = self.recorded[-1].event
        return last if isinstance(last, AnswerDelivered | AnswerRefused | RunFailed) else None

    def of(self, kind: type[E]) -> E | None:
        """Return the event of this kind."""
        return next((one.event for one in self.recorded if isinstance(one.event, kind)), None)


class Recorder:
    """Appends to the stream of one run, step by step."""

    def __init__(self, store: EventStore, mandate: UUID, run: UUID, actor: Actor, subject: UUID) -> None:
        self._store = store
        self._mandate = mandate
        self._stream = run
        self._actor = actor
        self._subject = subject
        self._recorded: tuple[Recorded, ...] = ()

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
