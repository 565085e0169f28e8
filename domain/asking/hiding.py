"""What a run shows no more to whoever looks back at it: what lies above today's clearance.

An answer that cites something hidden is not open at all (``runs.py``). A refusal stays, without what came near and is
hidden now; so does what became of the sections that a question names, unless that is known from a hidden version.
"""

from dataclasses import replace

from domain.asking.outcome import AnswerRefused
from domain.asking.values import Answer
from domain.asking.visibility import KnowledgeView, Visible


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
