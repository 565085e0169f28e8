"""Everything a question needs, put together in one place by the wiring."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.asking.admission import Admits
from domain.asking.bound import Retrievals
from domain.asking.drafts import Formulator
from domain.asking.norms import NormCheck
from domain.asking.ports import Reranker
from domain.asking.ruling import Rules
from domain.asking.stored import StoredTexts
from domain.asking.visibility import KnowledgeView, Views
from domain.recording import EventStore
from domain.verifying.ports import Judge


@dataclass(frozen=True, slots=True)
class Parts:
    """What a question needs.

    Attributes:
        formulator: makes the formulator that goes with a reranker.
        clock: tells the time (UTC).
        stopwatch: seconds that only grow.
        new_id: random ids of runs.
    """

    store: EventStore
    admissions: Admits
    views: Views
    knowledge: KnowledgeView
    rules: Rules
    norms: NormCheck
    retrievals: Retrievals
    judge: Judge
    formulator: Callable[[Reranker], Formulator]
    stored: StoredTexts
    clock: Callable[[], datetime]
    stopwatch: Callable[[], float]
    new_id: Callable[[], UUID]
