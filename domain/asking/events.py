"""Events of a run up to the gate before formulation; those after it stand in ``outcome.py``.

Each run has its own stream with a random id. It begins with ``QuestionAsked`` and ends with ``AnswerDelivered``,
``AnswerRefused`` or ``RunFailed``. The
events of a step are recorded at once and before the next step begins, so a run that was cut off goes on with the step
after the last recorded one.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar
from uuid import UUID

from domain.asking.ports import PassageId
from domain.recording import Event


@dataclass(frozen=True, slots=True)
class QuestionAsked(Event):
    """Somebody asked; the horizon of every search of the run is settled.

    Attributes:
        asker: pseudonym of the person whose clearance counts.
        channel: where it was asked, ``None`` for the command line.
        scope: mandates searched, the own one first.
        levels: names of the levels that may be seen.
        documents: keys of documents when the question is narrowed to some.
        at: the instant asked about, ``None`` for the present.
        valid_on: the day on which versions must be in force.
        position: journal position up to which the system knew.
        mandate_version: place of the last event in the mandate's stream whose policies and models count; ``None`` in
            runs of before it was recorded.
        today: the day that it was then by the mandate's clock; ``None`` in runs of before it was recorded.
    """

    PERSONAL: ClassVar[bool] = True

    text: str
    asker: UUID
    channel: str | None
    scope: tuple[UUID, ...]
    levels: tuple[str, ...]
    documents: tuple[str, ...] | None
    at: datetime | None
    valid_on: date
    position: int
    mandate_version: int | None = None
    today: date | None = None


@dataclass(frozen=True, slots=True)
class FailedList:
    """A search that did not answer; ``part``: the part at fault, as its ``PartError`` names it."""

    name: str
    part: str


@dataclass(frozen=True, slots=True)
class QuestionEncoded(Event):
    """The question became the keys of two searches. Personal, since words can be guessed from them.

    Attributes:
        fingerprint, vector: the dense encoder and what it made; no vector where it did not answer.
        sparse_fingerprint, weights: likewise the sparse encoder, and the weights by feature, in the order of features.
        failed: lists that cannot be searched, since their encoder did not answer.
    """

    PERSONAL: ClassVar[bool] = True

    fingerprint: str
    vector: tuple[float, ...]
    sparse_fingerprint: str = ""
    weights: tuple[tuple[str, float], ...] = ()
    failed: tuple[FailedList, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage in a list; ``rank`` counts from 1, ``score`` is ``None`` when a model gave no usable number."""

    passage: PassageId
    rank: int
    score: float | None


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one search found, best first; ``name`` is ``dense``, ``sparse``, ``bm25`` or ``cited``."""

    name: str
    entries: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class CandidatesRetrieved(Event):
    """The searches answered, each with a list of its own; ``failed``: those that did not."""

    lists: tuple[RankedList, ...]
    failed: tuple[FailedList, ...] = ()


@dataclass(frozen=True, slots=True)
class CandidatesFused(Event):
    """Reciprocal rank fusion made one list of all; ``weights``: what each list counted, by name."""

    k: int
    entries: tuple[Ranked, ...]
    weights: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class CandidatesReranked(Event):
    """The model that reads question and passage together put the best candidates in order."""

    fingerprint: str
    entries: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class LabelledPassage:
    """A passage under the label by which the answer cites it (``S1``)."""

    label: str
    passage: PassageId
    score: float


@dataclass(frozen=True, slots=True)
class PassagesSelected(Event):
    """What the answer may be made of, chosen for relevance and variety."""

    passages: tuple[LabelledPassage, ...]


@dataclass(frozen=True, slots=True)
class RelevanceDecided(Event):
    """The gate before formulation.

    Attributes:
        value: the best rerank score, ``None`` when it was no number.
        threshold: what it had to reach, ``None`` when no threshold belongs to the model.
        fingerprint: the model that scored.
        rule: where the threshold comes from: ``mandate``, ``default`` (it comes with the model) or ``other_model``
            (the mandate's, but set for a model that is no longer in use).
        rule_version: how the gate decides (``gates.py``), ``None`` in runs from before that was recorded.
    """

    value: float | None
    threshold: float | None
    fingerprint: str
    rule: str
    passed: bool
    rule_version: str | None = None
