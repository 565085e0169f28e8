"""What is kept of a question that was looked up in order to measure: ranks and a score, none of the texts.

A file may hold thousands of questions, and what each may see is as large as the mandate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.asking.retrieval import CITED_LIST
from domain.asking.values import Finding
from domain.calibration.labels import Labels, Target
from domain.calibration.ranking import Quality, first_ranks, quality
from domain.calibration.separation import Scored
from domain.knowledge.anchors import Anchor

LISTS: Final = ("dense", "sparse", "bm25", CITED_LIST, "fused", "reranked", "whole")
"""``whole`` is what a reader of the whole stage sees: the reranked passages, then the other fused ones."""

Ranks = Mapping[str, tuple[int | None, ...]]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A question that was looked up.

    Attributes:
        answers, sections: by name of the list, the first rank at which each of them is met; empty without any.
        scored: the score that the gate sees, with what it should do.
        is_unseen: it has answers, but none in a version that it may search.
    """

    answers: Ranks
    sections: Ranks
    scored: Scored
    is_unseen: bool


def looked_up(labels: Labels, finding: Finding) -> LookedUp:
    """Return what is kept of what a question found."""
    lists = _lists(finding)
    is_seen = any(
        aim.is_of(one.key, one.version) for aim in labels.answers for one in finding.visible.versions.values()
    )
    return LookedUp(
        answers=_ranks(lists, labels.answers),
        sections=_ranks(lists, labels.sections),
        scored=Scored(_best_score(finding), bool(labels.answers)),
        is_unseen=bool(labels.answers) and not is_seen,
    )


def qualities(questions: Sequence[Ranks]) -> dict[str, Quality]:
    """Return the quality of each list over the questions that have targets; nothing where none has.

    Without a question that cites a section, there is no list of cited ones.
    """
    aimed = [ranks for ranks in questions if ranks]
    names = [name for name in LISTS if any(name in ranks for ranks in aimed)]
    missed = [tuple(None for _ in next(iter(ranks.values()))) for ranks in aimed]
    return {name: quality([ranks.get(name, none) for ranks, none in zip(aimed, missed, strict=True)]) for name in names}


def _ranks(lists: Mapping[str, Sequence[Anchor]], targets: Sequence[Target]) -> Ranks:
    named = (name for name in LISTS if targets and (name != CITED_LIST or lists[name]))
    return {name: first_ranks(lists[name], targets) for name in named}


def _lists(finding: Finding) -> dict[str, list[Anchor]]:
    lists = {name: [found.anchor for found in finding.entries(name)] for name in LISTS}
    rest = [anchor for anchor in lists["fused"] if anchor not in lists["reranked"]]
    return {**lists, "whole": lists["reranked"] + rest}


def _best_score(finding: Finding) -> float | None:
    """Return the score that the gate sees, ``None`` where a rule refuses before it."""
    if finding.missing:
        return None
    scores = (found.score for found in finding.entries("reranked"))
    return max((score for score in scores if score is not None), default=None)
