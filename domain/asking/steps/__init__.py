"""The steps of a question after it has been admitted, in their order.

A step reads what earlier ones have recorded and returns the events that it leaves. It records nothing itself:
``domain/asking/course.py`` does, and only then begins the next. So the same steps serve a question that is asked, one
that goes on after it was cut off, and a replay.

Their numbers, by which the modules around call them: 0 is it a question · 1 encode · 2 search · 3 fuse · 4 rerank ·
5 select · 6 relevance gate · 7 formulate · 8 anchors, coverage gate · 9 verify · 10 show · 11 what is in force.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from domain.asking.case import Case
from domain.asking.events import CandidatesFused, CandidatesReranked, QuestionEncoded, RelevanceDecided
from domain.asking.naming import SectionsNamed
from domain.asking.outcome import AnswerDelivered, AnswerDrafted, CoverageDecided
from domain.asking.run import Run
from domain.asking.steps.delivering import deliver
from domain.asking.steps.finding import encode, rerank, rules, search, select
from domain.asking.steps.writing import anchors, formulate, verify
from domain.asking.verdicts import VerdictReached
from domain.recording import Event


@dataclass(frozen=True, slots=True)
class Step:
    """A step.

    Attributes:
        name: under which its duration is told.
        makes: the event by which it is known to be done.
        take: returns the events that it leaves, one of them of the kind ``makes`` or an end of the run.
    """

    name: str
    makes: type[Event]
    take: Callable[[Case, Run], Awaitable[tuple[Event, ...]]]


STEPS: Final = (
    Step("rules", SectionsNamed, rules),
    Step("encode", QuestionEncoded, encode),
    Step("search", CandidatesFused, search),
    Step("rerank", CandidatesReranked, rerank),
    Step("select", RelevanceDecided, select),
    Step("formulate", AnswerDrafted, formulate),
    Step("anchors", CoverageDecided, anchors),
    Step("verify", VerdictReached, verify),
    Step("validity", AnswerDelivered, deliver),
)


def next_step(run: Run) -> Step:
    """Return the step after the last recorded one."""
    done = [number for number, step in enumerate(STEPS) if run.of(step.makes) is not None]
    return STEPS[done[-1] + 1 if done else 0]
