"""One question, from text to answer or refusal. The way between the two is ``steps.py``."""

from domain.asking.admission import Admission
from domain.asking.events import AnswerDelivered, QuestionAsked, RunFailed
from domain.asking.lookup import look_up
from domain.asking.parts import Parts
from domain.asking.question import read_question
from domain.asking.run import End, Recorder
from domain.asking.steps import Steps
from domain.asking.substitutes import ModelsSubstituted
from domain.asking.telling import tell
from domain.asking.values import Answer, Ask, Finding
from domain.asking.visibility import Visible
from domain.errors import AccessError, PartError


class Asking:
    """Answers questions, or refuses, and records each step."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def ask(self, ask: Ask) -> Answer:
        """Return what became of ``ask``. A part that does not answer ends the run as well.

        Raises:
            InputError: the text is no question, or ``at`` lies in the future.
            AccessError: not admitted, or something is named that is not open to the asker. Nothing is recorded.
            PartError: a part did not answer before the run began, or its end could not be recorded.
        """
        parts = self._parts
        text = read_question(ask.text)
        admission = await parts.admissions.admit(ask, parts.clock())
        visible = await self._see(ask, admission)
        bound = parts.retrievals.bound(admission)
        recorder = Recorder(parts.store, admission.mandate.id, parts.new_id(), ask.actor, admission.asker)
        await recorder.save(_asked(ask, text, admission, visible))
        if bound.substituted:
            await recorder.save(ModelsSubstituted(bound.substituted))
        steps = Steps(parts, bound.retrieval, recorder, text, visible, admission)
        try:
            end: End = await steps.answer()
        except PartError as error:
            end = RunFailed("degraded", error.key)
        await recorder.save(end)
        cited = [source.ordinal for source in end.sources] if isinstance(end, AnswerDelivered) else []
        return tell(recorder.run, await parts.stored.of(cited, visible), admission.zone, steps.timings_ms)

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
    )
