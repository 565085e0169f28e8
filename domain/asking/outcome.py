"""Events of a run from the draft of an answer on: its anchors, the gate after it, and how the run ends."""

from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from domain.asking.ports import PassageId
from domain.knowledge.text import Span
from domain.recording import Event


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a sentence stands in the stored text, and where the words stand that introduce it."""

    span: Span
    lead_in: Span | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer and the labels that it cites.

    Attributes:
        text: the words, with marks where items of a list are left out.
        form: ``prose``, ``list`` for an enumeration, ``rows`` for a table: how it is shown.
        opening: code points of the text that introduce the rest.
        cut: where a sentence was taken from that is not a formulator's own.
        malformed: what stands in the place of a label and is none.
        is_gap: it says that a detail is not in the sources, and nothing else.
        struck: why it is struck, the reason and the words that it is about; empty where it stands.
    """

    text: str
    labels: tuple[str, ...]
    form: str = "prose"
    opening: int = 0
    cut: Cut | None = None
    malformed: tuple[str, ...] = ()
    is_gap: bool = False
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerDrafted(Event):
    """A formulator wrote a draft; nobody has seen it.

    Attributes:
        nothing_found: it says that the passages hold no answer.
        problem: why there are no sentences, as a word; ``reply``: what a model wrote, word for word.
    """

    formulator: str
    version: str
    sentences: tuple[Sentence, ...]
    fingerprint: str = ""
    nothing_found: bool = False
    problem: str = ""
    reply: str = ""


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
        rule: what is done about such labels: ``discard`` the answer, or ``strike`` them and what cites nothing else.
    """

    resolved: tuple[ResolvedLabel, ...]
    unknown: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class CoverageDecided(Event):
    """The gate after formulation: the share of sentences with an anchor; the rest as for ``RelevanceDecided``."""

    value: float
    threshold: float | None
    rule: str
    passed: bool
    rule_version: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerDiscarded(Event):
    """The draft did not pass, and another one is written; ``step`` names the gate, ``attempt`` the draft, from 1."""

    step: str
    attempt: int


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
    """The answer as it was shown.

    Attributes:
        note: key of the locale files; ``verbatim`` for answers of a time when nobody checked more than that.
        claims, dropped: sentences that cite a source, and those of them that are struck.
        is_self_check: the model that wrote it has checked it.
        today: the day for which it says what is in force; ``present``: the journal position up to which that was
            known. ``None`` in answers of before they were recorded. Two answers are equal when they say the same.
    """

    note: str
    sentences: tuple[Sentence, ...]
    sources: tuple[SourceShown, ...]
    claims: int = 0
    dropped: int = 0
    is_self_check: bool = False
    today: date | None = field(default=None, compare=False, repr=False)
    present: int | None = field(default=None, compare=False, repr=False)


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
        step: where it ended: ``none_found``, ``relevance``, ``integrity``, ``coverage`` or ``verifier``.
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
        step: where it ended: ``model`` where the formulator did not answer, else ``degraded``.
        part: the part that did not answer, as its ``PartError`` names it.
    """

    step: str
    part: str


@dataclass(frozen=True, slots=True)
class AnswerErased(Event):
    """What came of the question quoted a mandate or a version that has been erased since, so its words are gone too.

    Attributes:
        outcome: what it had been, ``answered`` or ``refused``; ``step``: where it ended without an answer.
        ended: journal position at which it had ended.
    """

    outcome: str
    step: str | None
    ended: int


@dataclass(frozen=True, slots=True)
class RunResumed(Event):
    """Somebody has a run go on that failed or was cut off; what is recorded stays as it is."""


@dataclass(frozen=True, slots=True)
class FeedbackGiven(Event):
    """Somebody in the mandate says of an answer whether it helped, or takes that back.

    Attributes:
        person: who says so.
        answer: the message on the chat platform that showed the answer; ``sign``: the event that stands under it.
        is_helpful: it did; ``is_taken_back``: the sign is there no longer.
    """

    person: UUID
    answer: str
    sign: str
    is_helpful: bool
    is_taken_back: bool = False
