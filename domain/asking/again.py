"""A recorded run taken up again: to its end, or step by step beside what is recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from domain.asking.admission import Admission
from domain.asking.case import Case
from domain.asking.course import Begins, finish, unseen
from domain.asking.hiding import must_be_open, without_hidden
from domain.asking.outcome import AnswerDelivered, AnswerRefused, RunResumed
from domain.asking.parts import Parts
from domain.asking.pipeline import told
from domain.asking.replaying import RunReplayed, replay
from domain.asking.retrieval import Retrieval
from domain.asking.run import Recorder, Run
from domain.asking.substitutes import ModelsSubstituted
from domain.asking.values import Answer
from domain.asking.visibility import Horizon
from domain.errors import ConflictError, InputError
from domain.recording import Actor


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay under the id of its stream."""

    id: UUID
    replayed: RunReplayed


class Again:
    """Resumes and replays runs."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def resume(self, run: UUID, reader: UUID | None, actor: Actor, begins: Begins = unseen) -> Answer:
        """Let a run go on after its last recorded step, and return what became of it.

        A run that has been answered or refused stays as it is.

        Raises:
            AccessError: there is no such run, or it or what it cites is not open to ``reader``.
            InputError: ``answer_erased`` or ``source_erased``; ``run_taken``: somebody else has it go on at this
                moment.
            PartError: a part did not answer before the run went on, or its end could not be recorded.
        """
        parts = self._parts
        found = Run(await parts.store.read(run))
        admission = await parts.admissions.again(found, reader, parts.clock())
        found.must_not_be_erased()
        bound = parts.retrievals.bound(admission)
        case = await self._case(found, admission, bound.retrieval, exact=admission.at is not None)
        begun = found.recorded[0]
        recorder = Recorder(parts.store, begun.mandate, run, actor, found.asked.asker, found.recorded)
        if isinstance(found.end, AnswerDelivered | AnswerRefused):
            return await self._shown(case, recorder.run, {})
        try:
            # What stood in for a model when the run was cut off may be another one by now, or not recorded yet.
            substituted = [ModelsSubstituted(bound.substituted)] if bound.substituted else []
            changed = [one for one in substituted if one != found.of(ModelsSubstituted)]
            await recorder.save(RunResumed(), *changed)
            timings_ms = await finish(case, recorder, begins)
        except ConflictError:
            raise InputError("run_taken", run=run) from None
        return await self._shown(case, recorder.run, timings_ms)

    async def replay(self, run: UUID, reader: UUID | None, actor: Actor) -> Replay:
        """Compute every value of a run once more with what was recorded before it, compare, and record how it went.

        Raises:
            AccessError: there is no such run, or it is not open to ``reader``.
            InputError: ``run_open``: it has not ended; ``answer_erased`` or ``source_erased``.
            PartError: the views do not answer.
        """
        parts = self._parts
        found = Run(await parts.store.read(run))
        end = found.ended if found.recorded else None
        admission = await parts.admissions.again(found, reader, parts.clock() if end is None else end.logged_at)
        found.must_not_be_erased()
        if end is None:
            raise InputError("run_open", run=run)
        today, present = found.stands
        admission = replace(admission, today=today or admission.today)
        # A model that is gone stands in nobody's way: its steps are named, and the others are compared.
        retrieval = parts.retrievals.bound(replace(admission, at=admission.at or end.logged_at)).retrieval
        case = await self._case(found, admission, retrieval, exact=True, present=present or end.position - 1)
        replayed = RunReplayed(run, await replay(case, found))
        stream = parts.new_id()
        await parts.store.append(end.mandate, stream, 0, [replayed], actor)
        return Replay(stream, replayed)

    async def _shown(self, case: Case, run: Run, timings_ms: Mapping[str, float]) -> Answer:
        """Return a run that has ended, as far as it is still open."""
        return await without_hidden(await told(case, run, timings_ms), case.visible, self._parts.knowledge)

    async def _case(
        self, run: Run, admission: Admission, retrieval: Retrieval, *, exact: bool, present: int | None = None
    ) -> Case:
        asked, parts = run.asked, self._parts
        position = await parts.views.reach(asked.position)
        horizon = Horizon(asked.scope, asked.levels, position, asked.valid_on, asked.documents, exact)
        visible = await parts.knowledge.visible(horizon)
        await must_be_open(run, visible, parts.store)
        return Case(parts, retrieval, asked.text, visible, admission, present)
