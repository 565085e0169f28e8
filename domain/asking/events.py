"""Events of a run: one question with all its steps. Each run has its own stream with a random id.

A run begins with ``QuestionAsked`` and ends with ``AnswerDelivered``, ``AnswerRefused`` or ``RunFailed``. The
events of a step are recorded before the next step begins.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar
from uuid import UUID

from domain.asking.ports import PassageId
from domain.knowledge.text import Span
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


@dataclass(frozen=True, slots=True)
class QuestionEncoded(Event):
    """The question became the keys of two searches. Personal, since words can be guessed from them.

    Attributes:
        fingerprint, vector: the dense encoder and what it made; no vector where it did not answer.
        sparse_fingerprint, weights: likewise the sparse encoder, and the weights by feature, in the order of features.
    """

    PERSONAL: ClassVar[bool] = True

    fingerprint: str
    vector: tuple[float, ...]
    sparse_fingerprint: str = ""
    weights: tuple[tuple[str, float], ...] = ()


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
class FailedList:
    """A search that did not answer; ``part``: the part at fault, as its ``PartError`` names it."""

    name: str
    part: str


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
    """

    value: float | None
    threshold: float | None
    fingerprint: str
    rule: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer and the labels that it cites.

    Attributes:
        text: the words, with marks where items of a list are left out.
        form: ``prose``, ``list`` for an enumeration, ``rows`` for a table: how it is shown.
        opening: code points of the text that introduce the rest.
    """

    text: str
    labels: tuple[str, ...]
    form: str = "prose"
    opening: int = 0


@dataclass(frozen=True, slots=True)
class AnswerDrafted(Event):
    """A formulator wrote a draft; nobody has seen it."""

    formulator: str
    version: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class ResolvedLabel:
    """A label of the draft with the spans that stand behind it.

    Attributes:
        spans: the cut sentences in the order of the document.
        lead_in: what introduces the enumeration that they are items of.
        place: where they stand inside their section ("Abs. 2 Nr. 3").
    """

    label: str
    passage: PassageId
    spans: tuple[Span, ...]
    lead_in: Span | None
    place: str = ""


@dataclass(frozen=True, slots=True)
class AnchorsResolved(Event):
    """Every label of the draft became anchors, or did not.

    Attributes:
        unknown: labels that stand for no passage, or whose span is not what the stored text says.
        rule: what is done about such labels: ``discard`` the answer.
    """

    resolved: tuple[ResolvedLabel, ...]
    unknown: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class CoverageDecided(Event):
    """The gate after formulation: the share of sentences with an anchor; ``rule`` as above."""

    value: float
    threshold: float | None
    rule: str
    passed: bool


@dataclass(frozen=True, slots=True)
class SourceShown:
    """A source as it was shown. The quote is no part of it: it is cut from the stored version.

    Attributes:
        ordinal: journal position of the cited VersionIngested event.
        markup: ``markdown`` or ``plain``, how the quote is to be shown.
        span: from the first cut sentence to the end of the last.
        lead_in: what introduces the enumeration that the span is an item of.
        in_force: whether the version was in force on the day of the question.
        ended_on: first day no longer in force, if that is known and past.
        in_force_as_known: ``in_force`` as far as the knowledge goes that the question looked back at.
    """

    label: str
    ordinal: int
    mandate: UUID
    document: str
    version: int
    title: str
    url: str | None
    section: tuple[str, ...]
    place: str
    page: int | None
    page_label: str | None
    markup: str
    span: Span
    lead_in: Span | None
    level: str
    valid_from: date | None
    valid_to: date | None
    valid_from_kind: str
    in_force: bool
    ended_on: date | None
    in_force_as_known: bool


@dataclass(frozen=True, slots=True)
class AnswerDelivered(Event):
    """The answer as it was shown; ``note`` is a key of the locale files."""

    note: str
    sentences: tuple[Sentence, ...]
    sources: tuple[SourceShown, ...]


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage that came near in a question that was refused."""

    passage: PassageId
    title: str
    section: tuple[str, ...]
    place: str
    score: float


@dataclass(frozen=True, slots=True)
class AnswerRefused(Event):
    """There is no answer, and this is why.

    Attributes:
        step: where it ended: ``none_found``, ``relevance``, ``integrity`` or ``coverage``.
        reason: key of the locale files.
        value, threshold: what the step measured and what it asked for, where it measures.
        nearest: passages that came near, best first.
    """

    step: str
    reason: str
    value: float | None
    threshold: float | None
    nearest: tuple[NearPassage, ...]


@dataclass(frozen=True, slots=True)
class RunFailed(Event):
    """A part did not answer, so the run has no outcome.

    Attributes:
        step: where it ended: ``degraded``.
        part: the part that did not answer, as its ``PartError`` names it.
    """

    step: str
    part: str
