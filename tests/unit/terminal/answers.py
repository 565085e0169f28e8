"""Answers to draw and to say."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.events import RelevanceDecided
from domain.asking.outcome import AnswerDelivered, AnswerRefused, NearPassage, RunFailed, Sentence, SourceShown
from domain.asking.ports import PassageId
from domain.asking.values import Answer, Source
from domain.knowledge.text import Span

ZONE = ZoneInfo("Europe/Berlin")
TODAY = date(2026, 11, 30)
RUN = UUID("7f3a2c9e-1b2c-4d5e-8f90-abcdef012345")

SHOWN = SourceShown(
    label="S1",
    ordinal=5,
    mandate=UUID(int=1),
    document="handbuch",
    version=4,
    title="Handbuch Bestand",
    url=None,
    section=("Handbuch", "3.2 Kündigung"),
    place="Abs. 1",
    page=19,
    page_label="17",
    markup="markdown",
    span=Span(100, 150),
    lead_in=None,
    level="internal",
    valid_from=date(2026, 7, 1),
    valid_to=None,
    valid_from_kind="legal",
    in_force=True,
    ended_on=None,
    in_force_as_known=True,
)
SOURCE = Source(SHOWN, "Die **Frist** beträgt drei Monate.", "")
PAST = Source(
    replace(SHOWN, in_force=False, in_force_as_known=False, valid_to=date(2026, 7, 1), ended_on=date(2026, 7, 1)),
    SOURCE.quote,
    "",
)
NEAR = NearPassage(PassageId(1, 1), "Handbuch Schaden", ("Handbuch", "2.1 Fristen"), "Nr. 2", 0.21)


def answered(sources: Sequence[Source] = (SOURCE,), texts: Sequence[str] = ()) -> Answer:
    words = texts or [source.quote for source in sources]
    sentences = [Sentence(text, (source.shown.label,)) for text, source in zip(words, sources, strict=True)]
    return ended(AnswerDelivered("verbatim", tuple(sentences), tuple(source.shown for source in sources)), sources)


def refused(step: str = "relevance", value: float | None = 0.2149, threshold: float | None = 0.35) -> Answer:
    return ended(AnswerRefused(step, step, value, threshold, (NEAR,)))


def failed(part: str = "bm25") -> Answer:
    return ended(RunFailed("degraded", part))


def ended(end: AnswerDelivered | AnswerRefused | RunFailed, sources: Sequence[Source] = ()) -> Answer:
    return Answer(
        run=RUN,
        question="Wie lang ist die Frist?",
        end=end,
        sources=tuple(sources),
        relevance=RelevanceDecided(0.81, 0.35, "m/1", "default", passed=True),
        coverage=None,
        position=812,
        at=None,
        as_of=datetime(2026, 11, 30, 9, tzinfo=ZONE),
        asked_on=TODAY,
        valid_on=TODAY,
        timings_ms={"encode": 3.2, "search": 9.1},
    )
