"""One question, from text to answer or refusal. The way between the two is ``steps/``."""

from collections.abc import Mapping
from uuid import UUID

from domain.asking.admission import Admission
from domain.asking.case import Case
from domain.asking.course import Begins, finish, unseen
from domain.asking.events import QuestionAsked
from domain.asking.lookup import look_up
from domain.asking.outcome import AnswerDelivered
from domain.asking.parts import Parts
from domain.asking.question import read_question
from domain.asking.run import Recorder, Run
from domain.asking.substitutes import ModelsSubstituted
from domain.asking.telling import tell
from domain.asking.values import Answer, Ask, Finding
from domain.asking.visibility import Visible
from domain.errors import AccessError, ConflictError, InputError


class Asking:
    """Answers questions, or refuses, and records each step."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def ask(self, ask: Ask, begins: Begins = unseen, *, run: UUID | None = None) -> Answer:
        """Return what became of ``ask``. A part that does not answer ends the run as well.

        Nothing of an answer is to be had before its end.

        Args:
            ask: the question.
            begins: is told which step is being taken.
            run: id of the run, where whoever asks derives it from something that it asks about once; else a new one.

        Raises:
            InputError: the text is no question, or ``at`` lies in the future; ``room_strangers``: somebody in the room
                may see nothing; ``run_taken``: somebody else has taken the run on, and its answer is to be had there.
            AccessError: not admitted, or something is named that is not open to the asker. Nothing is recorded.
            PartError: a part did not answer before the run began, or its end could not be recorded.
        """
        parts = self._parts
        text = read_question(ask.text)
        admission = await parts.admissions.admit(ask, parts.clock())
        visible = await self._see(ask, admission)
        bound = parts.retrievals.bound(admission)
        run = run or parts.new_id()
        recorder = Recorder(parts.store, admission.mandate.id, run, ask.actor, admission.asker)
        case = Case(parts, bound.retrieval, text, visible, admission)
        try:
            substituted = [ModelsSubstituted(bound.substituted)] if bound.substituted else []
            await recorder.save(_asked(ask, text, admission, visible), *substituted)
            timings_ms = await finish(case, recorder, begins)
        except ConflictError:
            raise InputError("run_taken", run=run) from None
        return await told(case, recorder.run, timings_ms)

    async def search(self, ask: Ask) -> Finding:
        """Return what each search and each step up to the selection finds. A look-up: no run is recorded.

        Raises:
            InputError, AccessError: as ``ask``.
            PartError: a part did not answer.
        """
        text = read_question(ask.text)
        admission = await self._parts.admissions.admit(ask, self._parts.clock())
        visible = await self._see(ask, admission)
        retrieval = self._parts.retrievals.bound(admission).retrieval
        return await look_up(retrieval, self._parts.rules, text, visible, admission)

    async def _see(self, ask: Ask, admission: Admission) -> Visible:
        """Return the versions that the question may look at.

        Raises:
            AccessError: a document is named that is not open to the asker on any day.
        """
        position = await self._parts.views.reach(admission.position)
        visible = await self._parts.knowledge.visible(admission.horizon(ask, position))
        missing = set(ask.documents or ()) - {version.key for version in visible.versions.values()}
        if missing and missing - await self._parts.knowledge.documents(visible.horizon):
            raise AccessError
        return visible


async def told(case: Case, run: Run, timings_ms: Mapping[str, float]) -> Answer:
    """Return a run that has ended as the answer that a person gets.

    Raises:
        InputError: ``run_open``, or ``blob_erased``: a cited text has been erased.
    """
    end = run.end
    cited = [source.ordinal for source in end.sources] if isinstance(end, AnswerDelivered) else []
    return tell(run, await case.stored(cited), case.admission.zone, timings_ms)


def _asked(ask: Ask, text: str, admission: Admission, visible: Visible) -> QuestionAsked:
    horizon = visible.horizon
    return QuestionAsked(
        text=text,
        asker=admission.asker,
        channel=ask.channel,
        scope=horizon.scope,
        levels=horizon.levels,
        documents=horizon.documents,
        at=admission.at,
        valid_on=horizon.valid_on,
        position=horizon.position,
        mandate_version=admission.mandate.version,
        today=admission.today,
    )
