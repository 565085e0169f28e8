"""A recorded question asked once more as of another position: the same steps, recorded nowhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

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

        What its asker could see of levels stays as it was; scope, policies and models are those of the time.

        Raises:
            AccessError: there is no such run, or it is not open to ``reader``.
            InputError: ``run_open``: it has not ended. ``mandate_not_yet``: there was no mandate at the moment.
            PartError: a part does not answer.
        """
        found = Run(await self._parts.store.read(run))
        asked = found.asked
        if found.end is None:
            raise InputError("run_open", run=run)
        own = Moment(asked.at or found.recorded[0].logged_at, asked.position)
        before = await self._ask(found, reader, own)
        after = await self._ask(found, reader, moment)
        cause = None
        if ending(before.answer.end) != ending(after.answer.end):
            cause = await self._cause(found, reader, own, moment, ending(before.answer.end))
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

    async def _cause(
        self, run: Run, reader: UUID | None, own: Moment, other: Moment, expected: Ending
    ) -> Recorded | None:
        """Halve the stretch between the two positions: on one side of each cut the answer is still the first one."""
        same, differing = own.position, other.position
        while abs(same - differing) > 1:
            middle = (same + differing) // 2
            rehearsed = await self._ask(run, reader, Moment(other.at, middle))
            if ending(rehearsed.answer.end) == expected:
                same = middle
            else:
                differing = middle
        events = await self._parts.store.after(max(same, differing) - 1, 1)
        return events[0] if events else None

    async def _ask(self, run: Run, reader: UUID | None, moment: Moment) -> _Rehearsed:
        parts = self._parts
        admission = await parts.admissions.rehearse(run, reader, moment, parts.clock())
        asked = run.asked
        position = await parts.views.reach(moment.position)
        horizon = Horizon(admission.scope, asked.levels, position, asked.valid_on, asked.documents, exact=True)
        visible = await parts.knowledge.visible(horizon)
        case = self._case(run, visible, admission)
        begun = run.recorded[0]
        recorder = Recorder(_Nowhere(begun), begun.mandate, begun.stream, Actor(asked.asker), asked.asker, (begun,))
        await finish(case, recorder)
        return _Rehearsed(await told(case, recorder.run, {}), visible, admission)

    def _case(self, run: Run, visible: Visible, admission: Admission) -> Case:
        retrieval = self._parts.retrievals.bound(admission).retrieval
        return Case(self._parts, retrieval, run.asked.text, visible, admission, visible.horizon.position)


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
