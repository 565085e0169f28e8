"""What a run shows no more to whoever looks back at it: what lies above today's clearance.

An answer that cites something hidden is not open at all (``runs.py``). A refusal stays, without what came near and is
hidden now; so does what became of the sections that a question names, unless that is known from a hidden version.

What was erased has no level any more, and so is never among what may be seen. An answer that cites it says so to
whoever could see the answer; its words are not shown, since what they rest on cannot be.
"""

from dataclasses import replace

from domain.asking.outcome import AnswerDelivered, AnswerRefused
from domain.asking.run import Run
from domain.asking.values import Answer
from domain.asking.visibility import KnowledgeView, Visible
from domain.errors import AccessError, InputError
from domain.recording import EventStore


async def must_be_open(run: Run, visible: Visible, store: EventStore) -> None:
    """Refuse a run whose answer cites what may not be seen.

    Args:
        run: the run.
        visible: the versions of the run that are open to its reader today.
        store: tells whether the others have been erased.

    Raises:
        AccessError: the reader may not see all that it cites.
        InputError: ``source_erased``: they might, but some of it is gone.
    """
    cited = run.end.sources if isinstance(run.end, AnswerDelivered) else ()
    missing = [source for source in cited if source.ordinal not in visible.versions]
    for source in missing:
        version = next(iter(await store.after(source.ordinal - 1, 1)), None)
        if version is None or version.event is not None or source.level not in visible.horizon.levels:
            raise AccessError
    if missing:
        raise InputError("source_erased", run=run.id)


async def without_hidden(answer: Answer, visible: Visible, knowledge: KnowledgeView) -> Answer:
    """Leave out of ``answer`` what its reader may see no more.

    Args:
        answer: a run as it is told.
        visible: the versions of the run that are open to the reader today.
        knowledge: knows those of other days as well.

    Raises:
        PartError: the views do not answer.
    """
    shown = _without_hidden_passages(answer, visible)
    ordinals = {ordinal for one in shown.named for ordinal in one.ordinals}
    if not ordinals:
        return shown
    open_ones = {version.ordinal for version in await knowledge.history(visible.horizon)}
    return shown if ordinals <= open_ones else replace(shown, named=())


def _without_hidden_passages(answer: Answer, visible: Visible) -> Answer:
    if not isinstance(answer.end, AnswerRefused):
        return answer
    near = tuple(one for one in answer.end.nearest if one.passage.ordinal in visible.versions)
    return replace(answer, end=replace(answer.end, nearest=near))
