"""A run told as the answer that a person gets, now or whenever it is shown again."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo

from domain.asking.events import CandidatesRetrieved, RelevanceDecided
from domain.asking.naming import SectionsNamed
from domain.asking.outcome import AnswerDelivered, CoverageDecided, FeedbackGiven, SourceShown
from domain.asking.run import Run
from domain.asking.source_changes import SourceChangeNotified
from domain.asking.substitutes import ModelsSubstituted
from domain.asking.values import Answer, Source, SourceChange
from domain.asking.verdicts import VerdictReached
from domain.errors import InputError
from domain.knowledge.text import Span


def tell(run: Run, stored: Mapping[int, str], zone: tzinfo, timings_ms: Mapping[str, float]) -> Answer:
    """Return what became of the question of ``run``.

    Args:
        run: the recorded run.
        stored: stored texts of the cited versions by ordinal.
        zone: the mandate's time zone, for the day of the knowledge.
        timings_ms: duration of each step; empty when the run is shown again.

    Raises:
        AccessError: it is no run, or its question has been erased.
        InputError: ``run_open`` when the run has not ended, ``answer_erased`` or ``blob_erased`` when a cited text has
            been erased.
    """
    asked = run.asked
    run.must_not_be_erased()
    end = run.end
    if end is None:
        raise InputError("run_open", run=run.id)
    shown = end.sources if isinstance(end, AnswerDelivered) else ()
    named, retrieved = run.of(SectionsNamed), run.of(CandidatesRetrieved)
    substituted = run.of(ModelsSubstituted)
    asked_at = run.recorded[0].logged_at.astimezone(zone)
    return Answer(
        run=run.id,
        question=asked.text,
        end=end,
        sources=tuple(_quoted(one, stored) for one in shown),
        relevance=run.of(RelevanceDecided),
        coverage=run.of(CoverageDecided),
        position=asked.position,
        at=asked.at,
        as_of=asked.at.astimezone(zone) if asked.at else asked_at,
        asked_on=asked.today or asked_at.date(),
        valid_on=asked.valid_on,
        timings_ms=timings_ms,
        named=() if named is None else named.named,
        failed=() if retrieved is None else retrieved.failed,
        verdict=run.of(VerdictReached),
        substituted=() if substituted is None else substituted.models,
        changes=tuple(_changes(run, zone)),
        helpful=_signs(run, is_helpful=True),
        not_helpful=_signs(run, is_helpful=False),
    )


def _signs(run: Run, *, is_helpful: bool) -> int:
    """Return how many signs of a kind have been put under the answer and not been taken back."""
    given = run.all(FeedbackGiven)
    gone = {one.sign for one in given if one.is_taken_back}
    return len({one.sign for one in given if one.is_helpful == is_helpful} - gone)


def _changes(run: Run, zone: tzinfo) -> Iterator[SourceChange]:
    for one in run.recorded:
        if isinstance(one.event, SourceChangeNotified):
            yield SourceChange(one.event, one.position, one.event.changed_at.astimezone(zone).date())


def _quoted(shown: SourceShown, stored: Mapping[int, str]) -> Source:
    text = stored.get(shown.ordinal)
    if text is None:
        raise InputError("blob_erased")
    return Source(shown, shown.span.of(text), (shown.lead_in or Span(0, 0)).of(text))
