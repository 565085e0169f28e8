"""A recorded question asked once more as of another position: the same steps, recorded nowhere."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.admission import Admission
from domain.asking.case import Case
from domain.asking.course import finish
from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.parts import Parts
from domain.asking.pipeline import told
from domain.asking.run import End, Recorder, Run
from domain.asking.values import Answer
from domain.asking.visibility import Horizon, Visible
from domain.errors import InputError
from domain.journal.as_of import Moment
from domain.knowledge.text import Span
from domain.recording import Actor, Event, Recorded


@dataclass(frozen=True, slots=True)
class Ending:
    """What counts when two answers to a question are compared; words that a model may choose freely do not.

    Attributes:
        step: where a refusal ended, empty for an answer; ``reason``: why, or the note that the answer bears.
        sources: the spans that stand behind the answer.
    """

    step: str
    reason: str
    sources: tuple[tuple[int, Span], ...]


@dataclass(frozen=True, slots=True)
class RunDifference:
    """A run beside the same question as of another position.

    Attributes:
        before: the answer to the question at its own position, ``after``: at the other one.
        seen_before, seen_after: the versions that it could see.
        as_before, as_after: under which state of its mandate.
        reproduced: whether ``before`` is what the run came to; not where its models are others today.
        cause: the event that made the difference: with it the answer is another one than without; ``None`` without a
            difference. Where several events change the answer, it is one of them.
    """

    run: UUID
    before: Answer
    after: Answer
    seen_before: Visible
    seen_after: Visible
    as_before: Admission
    as_after: Admission
    reproduced: bool
    cause: Recorded | None

    @property
    def differs(self) -> bool:
        """Whether the question would be answered differently."""
        return ending(self.before.end) != ending(self.after.end)


def ending(end: End) -> Ending:
    """Return what counts of the end of a question."""
    if isinstance(end, AnswerDelivered):
        spans = tuple((source.ordinal, source.span) for source in end.sources)
        return Ending("", end.note, spans)
    return Ending(end.step, end.reason if isinstance(end, AnswerRefused) else end.part, ())


@dataclass(frozen=True, slots=True)
class Way:
    """From a question as it was asked to the same one as of another position, each step one event on.

    The mandate and the position of a question are not read at one moment, so it can have been asked under policies that
    are younger or older than its position. Those events of the mandate are the first steps, then come the positions.

    Attributes:
        changes: journal positions of the mandate's events, ascending.
        under: how many of them the question was asked under.
        start, end: its position and the other one.
    """

    changes: Sequence[int]
    under: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """Return how many steps there are."""
        return self._policies + abs(self.end - self.start)

    def stand(self, step: int) -> tuple[int, int]:
        """Return the journal position after so many steps, and how many events of the mandate count there."""
        if step <= self._policies:
            return self.start, self.under + self._sign * step
        position = self.start + self._sign * (step - self._policies)
        return position, self._counted(position)

    def event(self, step: int) -> int:
        """Return the journal position of the event that a step takes in, or on the way back leaves out."""
        is_back = self._sign < 0
        if step <= self._policies:
            return self.changes[self.under - step if is_back else self.under + step - 1]
        return self.stand(step)[0] + is_back

    def version(self, position: int) -> int:
        """Return how many events the mandate had at a journal position."""
        return bisect_right(self.changes, position)

    @property
    def _sign(self) -> int:
        return 1 if self.end >= self.start else -1

    @property
    def _policies(self) -> int:
        return abs(self._counted(self.start) - self.under)

    def _counted(self, position: int) -> int:
        # On the way nothing that counted already is taken back, nor the other way round.
        return (max if self._sign > 0 else min)(self.version(position), self.under)


@dataclass(frozen=True, slots=True)
class _Rehearsed:
    answer: Answer
    visible: Visible
    admission: Admission


class Rehearsals:
    """Asks recorded questions once more, for comparison."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def compare(self, run: UUID, reader: UUID | None, moment: Moment) -> RunDifference:
        """Ask the question of a run at its own position and as of ``moment``, and find the event in between.

        What its asker could see of levels stays as it was; scope, policies and models are those of the time, and what
        is in force is said for its day.

        Raises:
            AccessError: there is no such run, or it is not open to ``reader``.
            InputError: ``run_open``: it has not ended. ``mandate_not_yet``: there was no mandate at the moment.
            PartError: a part does not answer.
        """
        found = Run(await self._parts.store.read(run))
        asked = found.asked
        if found.end is None:
            raise InputError("run_open", run=run)
        admissions = self._parts.admissions
        as_before = _as_asked(found, await admissions.again(found, reader, found.recorded[0].logged_at))
        way = await self._way(found, as_before, moment.position)
        if not way.version(moment.position):
            raise InputError("mandate_not_yet")
        as_after = await admissions.rehearse(found, reader, moment, way.version(moment.position))
        before = await self._ask(found, as_before, asked.position, found.stands[1])
        after = await self._ask(found, as_after, moment.position)
        cause = None
        if ending(before.answer.end) != ending(after.answer.end):
            cause = await self._cause(found, reader, way, ending(before.answer.end))
        return RunDifference(
            run,
            before.answer,
            after.answer,
            before.visible,
            after.visible,
            before.admission,
            after.admission,
            ending(found.end) == ending(before.answer.end),
            cause,
        )

    async def _way(self, run: Run, as_asked: Admission, end: int) -> Way:
        changes = [one.position for one in await self._parts.store.read(run.mandate)]
        start = run.asked.position
        under = bisect_right(changes, start) if run.asked.at else as_asked.mandate.version
        return Way(changes, under, start, end)

    async def _cause(self, run: Run, reader: UUID | None, way: Way, expected: Ending) -> Recorded | None:
        """Halve the way between the two: on one side of each cut the answer is still the first one."""
        if not way.length:
            return None
        same, differing, at = 0, way.length, run.recorded[0].logged_at
        while differing - same > 1:
            middle = (same + differing) // 2
            position, version = way.stand(middle)
            admission = await self._parts.admissions.rehearse(run, reader, Moment(at, position), version)
            rehearsed = await self._ask(run, admission, position)
            if ending(rehearsed.answer.end) == expected:
                same = middle
            else:
                differing = middle
        events = await self._parts.store.after(way.event(differing) - 1, 1)
        return events[0] if events else None

    async def _ask(self, run: Run, admission: Admission, at: int, present: int | None = None) -> _Rehearsed:
        """Ask as of a journal position; ``present`` is that up to which is known what is in force, if it is another."""
        parts, asked = self._parts, run.asked
        position = await parts.views.reach(at)
        horizon = Horizon(admission.scope, asked.levels, position, asked.valid_on, asked.documents, exact=True)
        visible = await parts.knowledge.visible(horizon)
        retrieval = parts.retrievals.bound(admission).retrieval
        case = Case(parts, retrieval, asked.text, visible, admission, present or position)
        begun = run.recorded[0]
        recorder = Recorder(_Nowhere(begun), begun.mandate, begun.stream, Actor(asked.asker), asked.asker, (begun,))
        await finish(case, recorder)
        return _Rehearsed(await told(case, recorder.run, {}), visible, admission)


def _as_asked(run: Run, admission: Admission) -> Admission:
    """Return what a question was asked with, for searches that do not approximate."""
    asked, begun = run.asked, run.recorded[0]
    today = run.stands[0] or asked.today or begun.logged_at.astimezone(ZoneInfo(admission.mandate.time_zone)).date()
    return replace(admission, at=asked.at or begun.logged_at, position=asked.position, today=today)


@dataclass(frozen=True, slots=True)
class _Nowhere:
    """Gives events their place behind the first one and keeps none. Implements ``Appends``."""

    begun: Recorded

    async def append(
        self,
        mandate: UUID,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        actor: Actor,
        *,
        subject: UUID | None = None,  # noqa: ARG002 - nothing is wrapped by anybody's key
    ) -> tuple[Recorded, ...]:
        begun = self.begun
        return tuple(
            Recorded(event, stream, expected + step, mandate, actor, begun.position, begun.number, begun.logged_at)
            for step, event in enumerate(events, start=1)
        )
