"""What is asked, what is found on the way, and what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from domain.asking.events import (
    AnswerDelivered,
    AnswerRefused,
    CoverageDecided,
    RelevanceDecided,
    RunFailed,
    SourceShown,
)
from domain.asking.ports import Hit, PassageId, PassageText
from domain.asking.visibility import Visible, VisibleVersion
from domain.knowledge.anchors import Anchor


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
class Answer:
    """What became of a question.

    Attributes:
        end: the event that ended the run.
        sources: the cited sources of a delivered answer, in the order of their labels.
        position: journal position up to which the system knew.
        as_of: the day of that knowledge in the mandate's time zone.
        valid_on: the day on which the sources were in force.
        looking_back: whether the asker chose one of the two times.
        timings_ms: duration of each step, empty when the run is shown again.
    """

    run: UUID
    question: str
    end: AnswerDelivered | AnswerRefused | RunFailed
    sources: tuple[Source, ...]
    relevance: RelevanceDecided | None
    coverage: CoverageDecided | None
    position: int
    as_of: date
    valid_on: date
    looking_back: bool
    timings_ms: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """A passage in one of the lists of a search."""

    version: VisibleVersion
    passage: PassageText
    rank: int
    score: float

    @property
    def anchor(self) -> Anchor:
        """Name the passage."""
        return Anchor(self.version.key, self.version.version, self.passage.span)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the searches found, step by step.

    Attributes:
        vector: the encoded question.
        lists: hits by name of the search, best first.
        fused, reranked, selected: hits after each step, best first.
        texts: the words of the reranked passages.
    """

    visible: Visible
    vector: tuple[float, ...]
    lists: Mapping[str, Sequence[Hit]]
    fused: tuple[Hit, ...] = ()
    reranked: tuple[Hit, ...] = ()
    selected: tuple[Hit, ...] = ()
    texts: Mapping[PassageId, PassageText] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """When a question is asked, and about what time."""

    now: datetime
    at: datetime | None
    valid_on: date
