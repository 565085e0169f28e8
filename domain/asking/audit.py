"""Drafts that nobody was shown, for those who watch over the answers.

A draft that fails a gate or the verifier is withheld from the asker, and from everybody else who may see the run. Only
the role ``compliance`` reads it, with what was found of each sentence, and only where all that it was written from is
open to the reader. Whoever asked does not read it in that role either.
"""

from uuid import UUID

from domain.asking.events import PassagesSelected
from domain.asking.outcome import AnchorsResolved, AnswerDiscarded, AnswerDrafted, AnswerRefused, RunFailed
from domain.asking.run import Run
from domain.asking.steps.delivering import shown
from domain.asking.values import WithheldDraft
from domain.asking.verdicts import ClaimsChecked
from domain.asking.visibility import Visible
from domain.mandates.access import member_of
from domain.mandates.state import COMPLIANCE, Mandate


def drafts_open_to(run: Run, mandate: Mandate, reader: UUID, visible: Visible) -> tuple[WithheldDraft, ...]:
    """Return the withheld drafts of a run that ``reader`` may read; none to whoever may not.

    Args:
        run: a run that is open to the reader.
        mandate: its mandate as it is today.
        reader: who looks.
        visible: the versions of the run that are open to the reader today.
    """
    selected = run.of(PassagesSelected)
    is_open = selected is not None and all(one.passage.ordinal in visible.versions for one in selected.passages)
    may_read = member_of(mandate, reader).role == COMPLIANCE and reader != run.asked.asker
    return withheld(run) if is_open and may_read else ()


def withheld(run: Run) -> tuple[WithheldDraft, ...]:
    """Return every draft of a run that did not become the answer, in the order in which they were written."""
    found: list[WithheldDraft] = []
    begun: list[int] = []
    for number, one in enumerate(run.recorded):
        if isinstance(one.event, AnswerDrafted):
            begun.append(number)
        is_open = len(begun) > len(found)
        # A part that did not answer ends a draft only where nobody has had the run go on.
        is_end = isinstance(one.event, AnswerDiscarded | AnswerRefused) or one is run.ended
        if is_open and is_end and isinstance(one.event, AnswerDiscarded | AnswerRefused | RunFailed):
            found.append(_draft(Run(run.recorded[begun[-1] : number]), len(begun), one.event.step))
    return tuple(found)


def _draft(steps: Run, attempt: int, step: str) -> WithheldDraft:
    """Return the draft that ``steps`` begin with, and what the later ones have found of it."""
    drafted, resolved, checked = steps.must(AnswerDrafted), steps.of(AnchorsResolved), steps.of(ClaimsChecked)
    labels = {label for one in drafted.sentences for label in one.labels}
    known = frozenset(labels if resolved is None else (one.label for one in resolved.resolved))
    claims = {} if checked is None else {one.sentence: one for one in checked.claims}
    spots = () if checked is None else tuple((one.sentence, one.reason) for one in checked.spots)
    sentences = tuple(shown(one, claims.get(number), known) for number, one in enumerate(drafted.sentences))
    return WithheldDraft(attempt, step, sentences, spots, drafted.problem, drafted.reply)
