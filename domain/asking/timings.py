"""How long the steps of runs took, told by the times at which they were recorded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final
from uuid import UUID

from domain.asking.events import (
    CandidatesReranked,
    CandidatesRetrieved,
    PassagesSelected,
    QuestionAsked,
    QuestionEncoded,
)
from domain.asking.naming import SectionsNamed
from domain.asking.outcome import AnchorsResolved, AnswerDelivered, AnswerDrafted, AnswerRefused
from domain.asking.run import Run
from domain.asking.verdicts import ClaimsChecked
from domain.recording import Event, Recorded

WHOLE: Final = "whole"

_STEPS: Final[Mapping[type[Event], str]] = {
    SectionsNamed: "rules",
    QuestionEncoded: "encode",
    CandidatesRetrieved: "search",
    CandidatesReranked: "rerank",
    PassagesSelected: "select",
    AnswerDrafted: "formulate",
    AnchorsResolved: "anchors",
    ClaimsChecked: "verify",
    AnswerDelivered: "validity",
}


@dataclass(frozen=True, slots=True)
class Timing:
    """Duration of a step over ``count`` runs in milliseconds, its recording included; nearest-rank percentiles."""

    step: str
    count: int
    p50: float
    p95: float


def step_timings(recorded: Iterable[Recorded]) -> tuple[Timing, ...]:
    """Return a timing for each step that occurs, in the order of the steps, the whole run last."""
    runs: dict[UUID, list[Recorded]] = {}
    for one in recorded:
        if isinstance(one.event, QuestionAsked) or one.stream in runs:
            runs.setdefault(one.stream, []).append(one)
    found: dict[str, list[float]] = {step: [] for step in (*_STEPS.values(), WHOLE)}
    for run in runs.values():
        for before, after in pairwise(run):
            step = _STEPS.get(type(after.event)) if after.event is not None else None
            if step is not None:
                found[step].append(_milliseconds(before, after))
        end = Run(run).ended
        if end is not None and isinstance(end.event, AnswerDelivered | AnswerRefused):
            found[WHOLE].append(_milliseconds(run[0], end))
    return tuple(_timing(step, durations) for step, durations in found.items() if durations)


def _milliseconds(before: Recorded, after: Recorded) -> float:
    return (after.logged_at - before.logged_at).total_seconds() * 1000


def _timing(step: str, durations: list[float]) -> Timing:
    ordered = sorted(durations)
    p50, p95 = (ordered[ceil(share * len(ordered)) - 1] for share in (0.50, 0.95))
    return Timing(step, len(ordered), round(p50, 2), round(p95, 2))
