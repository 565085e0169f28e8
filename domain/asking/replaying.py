"""A replay: the steps of a recorded run taken once more with what was recorded before them, and compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import inf, isfinite
from typing import Final
from uuid import UUID

from domain.asking.case import Case
from domain.asking.events import (
    CandidatesFused,
    CandidatesReranked,
    CandidatesRetrieved,
    PassagesSelected,
    QuestionEncoded,
    RelevanceDecided,
)
from domain.asking.gates import COVERAGE_RULE, RELEVANCE_RULE
from domain.asking.naming import SectionsNamed
from domain.asking.outcome import (
    AnchorsResolved,
    AnswerDelivered,
    AnswerDiscarded,
    AnswerDrafted,
    AnswerRefused,
    CoverageDecided,
    RunFailed,
)
from domain.asking.run import Run
from domain.asking.steps import next_step
from domain.asking.verdicts import ClaimsChecked, VerdictReached
from domain.errors import PartError
from domain.recording import Event, Recorded
from domain.verifying.judge import VERSION

EQUAL: Final = "equal"
DIFFERS: Final = "differs"
NOT_REPRODUCIBLE: Final = "not_reproducible"


@dataclass(frozen=True, slots=True)
class ReplayedValue:
    """One recorded value, computed once more.

    Attributes:
        step: the step that made it; ``value``: event and field (``CandidatesReranked.entries``).
        outcome: ``equal``, ``differs``, or ``not_reproducible`` where another model, or a part that did not answer,
            stands in the way.
        difference: largest difference between two numbers of it, ``None`` where something else differs.
        reason: what stands in the way: the models, or the part.
    """

    step: str
    value: str
    outcome: str
    difference: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunReplayed(Event):
    """A run was replayed. The replay has a stream of its own; that of the run stays as it is."""

    run: UUID
    values: tuple[ReplayedValue, ...]

    @property
    def outcome(self) -> str:
        """Return ``differs`` where any value does, else ``not_reproducible`` where any is, else ``equal``."""
        found = {one.outcome for one in self.values}
        return next((one for one in (DIFFERS, NOT_REPRODUCIBLE) if one in found), EQUAL)


async def replay(case: Case, run: Run) -> tuple[ReplayedValue, ...]:
    """Take the recorded steps of ``run`` once more and compare what they make.

    Args:
        case: the question with its horizon as it was recorded.
        run: a run whose events can all be read.
    """
    found: list[ReplayedValue] = []
    for before, made in _steps(run.recorded):
        step = next_step(before)
        reason = _other_models(case, before, made)
        if reason:
            found += _all(step.name, made, reason)
            continue
        try:
            again = await step.take(case, before)
        except PartError as error:
            found += _all(step.name, made, error.key)
            continue
        found += _compared(step.name, made, again)
    return tuple(found)


_MADE_BY_STEPS: Final = (
    SectionsNamed,
    QuestionEncoded,
    CandidatesRetrieved,
    CandidatesFused,
    CandidatesReranked,
    PassagesSelected,
    RelevanceDecided,
    AnswerDrafted,
    AnchorsResolved,
    CoverageDecided,
    ClaimsChecked,
    VerdictReached,
    AnswerDiscarded,
    AnswerDelivered,
    AnswerRefused,
)
_BEGINS: Final = (
    QuestionEncoded,
    CandidatesRetrieved,
    CandidatesReranked,
    PassagesSelected,
    AnswerDrafted,
    AnchorsResolved,
    ClaimsChecked,
    AnswerDelivered,
)
"""The first event of each step; ``SectionsNamed`` is the first one only where the question has not been encoded."""


def _steps(recorded: Sequence[Recorded]) -> Iterator[tuple[Run, list[Event]]]:
    """Yield what each step had before it, and the events that it left."""
    begin, made = 0, list[Event]()
    for number, one in enumerate(recorded):
        event = one.event
        if event is None or isinstance(event, RunFailed) or not isinstance(event, _MADE_BY_STEPS):
            continue
        is_first = isinstance(event, _BEGINS) or (isinstance(event, SectionsNamed) and not made)
        if is_first and made:
            yield Run(recorded[:begin]), made
        if is_first:
            begin, made = number, []
        made.append(event)
    if made:
        yield Run(recorded[:begin]), made


def _other_models(case: Case, before: Run, made: Sequence[Event]) -> str:
    """Name the models where those of a step are others than here; empty where they are the same."""
    here = _models(case)
    used = _used(made) | _used([one for one in (before.of(QuestionEncoded),) if one and _needs_vectors(made)])
    other = [f"{role}: {name} → {here.get(role, '')}" for role, name in sorted(used.items()) if here.get(role) != name]
    return ", ".join(other)


def _models(case: Case) -> dict[str, str]:
    searches = case.retrieval.searches
    return {
        "dense": searches.encoder.fingerprint,
        "sparse": "" if searches.sparse is None else searches.sparse.encoder.fingerprint,
        "reranker": case.retrieval.reranker.fingerprint,
        "formulator": f"{case.formulator.name}/{case.formulator.version}",
        "judge": case.parts.judge.fingerprint,
        "guards": VERSION,
        "relevance": RELEVANCE_RULE,
        "coverage": COVERAGE_RULE,
    }


def _used(events: Sequence[Event]) -> dict[str, str]:
    used: dict[str, str] = {}
    for event in events:
        match event:
            case QuestionEncoded():
                used |= {"dense": event.fingerprint, "sparse": event.sparse_fingerprint}
            case CandidatesReranked():
                used["reranker"] = event.fingerprint
            case AnswerDrafted():
                used["formulator"] = f"{event.formulator}/{event.version}"
            case ClaimsChecked():
                used |= {"judge": event.judge, "guards": event.guards}
            case RelevanceDecided(rule_version=str(version)):
                used["relevance"] = version
            case CoverageDecided(rule_version=str(version)):
                used["coverage"] = version
            case _:
                pass
    return used


def _needs_vectors(made: Sequence[Event]) -> bool:
    return any(isinstance(one, CandidatesRetrieved | PassagesSelected) for one in made)


def _all(step: str, made: Sequence[Event], reason: str) -> Iterator[ReplayedValue]:
    for event in made:
        for name in _names(event):
            yield ReplayedValue(step, name, NOT_REPRODUCIBLE, reason=reason)


def _compared(step: str, made: Sequence[Event], again: Sequence[Event]) -> Iterator[ReplayedValue]:
    kinds = [type(one) for one in made]
    for event in made:
        other = next((one for one in again if type(one) is type(event)), None)
        for field, name in zip(_fields(event), _names(event), strict=True):
            if other is None:
                yield ReplayedValue(step, name, DIFFERS)
                continue
            difference = _difference(getattr(event, field), getattr(other, field))
            shown = difference if isfinite(difference) else None
            yield ReplayedValue(step, name, EQUAL if difference == 0 else DIFFERS, shown)
    for extra in again:
        if type(extra) not in kinds:
            yield ReplayedValue(step, type(extra).__name__, DIFFERS)


def _names(event: Event) -> list[str]:
    return [f"{type(event).__name__}.{field}" for field in _fields(event)]


_RECORDED_LATER: Final = frozenset({"rule_version", "today", "present"})


def _fields(event: Event) -> tuple[str, ...]:
    names = (field.name for field in fields(event))  # type: ignore[arg-type]  # every event is a dataclass
    # A run from before these were recorded has nothing there to compare.
    return tuple(name for name in names if name not in _RECORDED_LATER or getattr(event, name) is not None)


def _difference(one: object, other: object) -> float:
    """Return the largest difference between the numbers of two values, infinite where anything else differs."""
    if isinstance(one, float) and isinstance(other, float | int):
        return abs(one - other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        if len(one) != len(other):
            return inf
        return max(map(_difference, one, other), default=0.0)
    if type(one) is type(other) and hasattr(one, "__dataclass_fields__"):
        names: Mapping[str, object] = one.__dataclass_fields__
        return max((_difference(getattr(one, name), getattr(other, name)) for name in names), default=0.0)
    return 0.0 if one == other else inf
