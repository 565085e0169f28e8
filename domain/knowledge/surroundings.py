"""A span inside its surroundings: the sentences around it, its heading path and its page."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

from domain.errors import InputError
from domain.knowledge.events import VersionIngested
from domain.knowledge.place import joint
from domain.knowledge.text import Page, Passage, Span

MOST_CONTEXT: Final = 1000
"""Sentences on either side; more is a text to read elsewhere."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a span.

    Attributes:
        before: from the first sentence shown to the span; ``after``: from the span to the end of the last one.
        section: heading path of the passage that the span begins in, outermost first.
        place: citation place of the span inside the section, if known.
        page: the page that the span begins on.
    """

    before: Span
    after: Span
    section: tuple[str, ...]
    place: str
    page: Page | None


def must_be_context(context: int) -> None:
    """Refuse a number of sentences that nobody can want.

    Raises:
        InputError: ``context``.
    """
    if not 0 <= context <= MOST_CONTEXT:
        raise InputError("context", context=context, limit=MOST_CONTEXT)


def surroundings(version: VersionIngested, span: Span, context: int) -> Surroundings:
    """Return what stands around ``span``, with ``context`` sentences on either side.

    A sentence that the span begins or ends inside is shown whole and does not count.

    Raises:
        InputError: ``anchor_range`` when the version's text ends before the span.
    """
    if span.end > version.characters:
        raise InputError("anchor_range", version=version.version, characters=version.characters)
    starts = [sentence.start for sentence in version.sentences]
    ends = [sentence.end for sentence in version.sentences]
    first = max(0, bisect_right(ends, span.start) - context)
    last = min(len(starts), bisect_left(starts, span.end) + context) - 1
    start = min(span.start, starts[first]) if first < len(starts) else span.start
    end = max(span.end, ends[last]) if last >= 0 else span.end
    passage = next((one for one in version.passages if one.span.start <= span.start < one.span.end), None)
    page = bisect_right([one.start for one in version.pages], span.start)
    return Surroundings(
        before=Span(start, span.start),
        after=Span(span.end, end),
        section=passage.section if passage else (),
        place=_place(version, passage, span) if passage else "",
        page=version.pages[page - 1] if page else None,
    )


def _place(version: VersionIngested, passage: Passage, span: Span) -> str:
    """Return where the sentences stand that the span touches inside the passage that it begins in."""
    sentences = version.sentences[slice(*passage.sentences)]
    own = zip(sentences, passage.places, strict=False)
    touched = [place for sentence, place in own if sentence.start < span.end and span.start < sentence.end]
    return joint(touched, passage.place) if touched else passage.place
