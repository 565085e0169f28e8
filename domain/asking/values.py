"""What is asked, what is found on the way, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from domain.asking.events import FailedList, Ranked, RelevanceDecided
from domain.asking.naming import NamedSection
from domain.asking.outcome import AnswerDelivered, AnswerRefused, CoverageDecided, RunFailed, Sentence, SourceShown
from domain.asking.ports import PassageId, PassageText
from domain.asking.source_changes import WITHDRAWN, SourceChangeNotified
from domain.asking.substitutes import Substitute
from domain.asking.verdicts import VerdictReached
from domain.asking.visibility import Visible, VisibleVersion
from domain.knowledge.anchors import Anchor
from domain.recording import Actor


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as it comes in.

    Attributes:
        mandate: key of the mandate.
        asker: whose clearance counts, ``None`` for somebody nobody knows; ``actor``: who caused the run.
        scope: keys of mandates to search, ``None`` for the own one and all subscribed libraries.
        documents: keys of documents to search, ``None`` for all.
        at: instant of the knowledge as written, since a day ends in the mandate's time zone; ``None`` is now.
        valid_on: day on which sources must be in force, ``None`` is today.
        room: everybody else who reads what is answered; ``None`` for somebody whom nobody knows.
        is_open_room: it is answered in a room that is not encrypted, or that shows later joiners what was said.
    """

    mandate: str
    asker: UUID | None
    actor: Actor
    text: str
    scope: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    channel: str | None = None
    at: str | None = None
    valid_on: date | None = None
    room: tuple[UUID | None, ...] = ()
    is_open_room: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A source with its quote, cut from the stored version.

    Attributes:
        quote: ``text[start:end]`` of the shown span; ``lead_in``: likewise, empty without one.
    """

    shown: SourceShown
    quote: str
    lead_in: str

    @property
    def anchor(self) -> Anchor:
        """Name the cut sentences."""
        return Anchor(self.shown.document, self.shown.version, self.shown.span)


@dataclass(frozen=True, slots=True)
class SourceChange:
    """What a run was told later about a version that its answer cites.

    Attributes:
        told: journal position at which it was told; ``on``: the day of the change in the mandate's time zone.
        replaced_by: number of the version that stands in its place, ``None`` where none is open to the reader.
    """

    notified: SourceChangeNotified
    told: int
    on: date
    replaced_by: int | None = None

    @property
    def cause(self) -> str | None:
        """Return why it changed; ``None`` where that would tell of a version that is not open to the reader."""
        is_told = self.notified.cause == WITHDRAWN or self.replaced_by is not None
        return self.notified.cause if is_told else None


@dataclass(frozen=True, slots=True)
class WithheldDraft:
    """A draft that did not become the answer.

    Attributes:
        attempt: 1 for the first draft of the run; ``step``: where it ended, as a refusal or a failure names it.
        sentences: struck as far as check A came.
        spots: what check B found suspicious, by number of the sentence.
        problem: why there are no sentences, as a word; ``reply``: what a model wrote, word for word.
    """

    attempt: int
    step: str
    sentences: tuple[Sentence, ...]
    spots: tuple[tuple[int, str], ...]
    problem: str
    reply: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a question.

    Attributes:
        end: the event that ended the run.
        sources: the cited sources of a delivered answer, in the order of their labels.
        position: journal position up to which the system knew.
        at: the instant asked about, ``None`` for the present.
        as_of: the instant of that knowledge in the mandate's time zone; ``asked_on``: the day of the question there.
        valid_on: the day on which the sources were in force.
        timings_ms: duration of each step, empty when the run is shown again.
        named: the sections and acts that the question names.
        failed: searches that it was answered without.
        verdict: what the verifier made of the draft, ``None`` where it came to none.
        substituted: models of the time asked about that could not be had, and what stood in for them.
        changes: what has become of the sources since, in the order in which the run was told.
        drafts: what was withheld, for whoever watches over the answers and looks at the run; else none.
        helpful, not_helpful: how many signs stand under it that say so.
    """

    run: UUID
    question: str
    end: AnswerDelivered | AnswerRefused | RunFailed
    sources: tuple[Source, ...]
    relevance: RelevanceDecided | None
    coverage: CoverageDecided | None
    position: int
    at: datetime | None
    as_of: datetime
    asked_on: date
    valid_on: date
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    named: tuple[NamedSection, ...] = ()
    failed: tuple[FailedList, ...] = ()
    substituted: tuple[Substitute, ...] = ()
    verdict: VerdictReached | None = None
    changes: tuple[SourceChange, ...] = ()
    drafts: tuple[WithheldDraft, ...] = ()
    helpful: int = 0
    not_helpful: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A passage in one of the lists of a search."""

    version: VisibleVersion
    passage: PassageText
    rank: int
    score: float | None

    @property
    def anchor(self) -> Anchor:
        """Name the passage."""
        return Anchor(self.version.key, self.version.version, self.passage.span)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the searches found, step by step; nothing of it is recorded.

    Attributes:
        lists: passages by name of the list, best first: ``dense``, ``sparse``, ``bm25``, ``cited``, ``fused``,
            ``reranked``, ``selected``.
        texts: the words of all of them.
        missing: what the question names and what is not there, or not in force; asked, it would be refused for that.
    """

    question: str
    visible: Visible
    lists: Mapping[str, tuple[Ranked, ...]]
    texts: Mapping[PassageId, PassageText]
    missing: tuple[NamedSection, ...] = ()

    def entries(self, name: str) -> tuple[Found, ...]:
        """Return one list with the words of its passages; a list that no part fills is empty."""
        return tuple(
            Found(self.visible.versions[one.passage.ordinal], self.texts[one.passage], one.rank, one.score)
            for one in self.lists.get(name, ())
        )
