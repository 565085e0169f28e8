"""Where words of a library, a version or a person's question stand in events under another key, to go from there too.

A run belongs to whose mandate it is; what it quotes is the library's, or that of a version that goes by itself. Drafts,
labels, checks, answers and refusals hold words or titles of it. They lose their keys, and the run says what it was.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final
from uuid import UUID

from domain.asking.events import PassagesSelected
from domain.asking.naming import SectionsNamed
from domain.asking.outcome import AnchorsResolved, AnswerDelivered, AnswerDrafted, AnswerErased, AnswerRefused
from domain.asking.verdicts import ClaimsChecked
from domain.errors import AccessError, ConflictError
from domain.recording import ATTEMPTS, Actor, Event, EventStore, Recorded

_BATCH: Final = 500
_WORDED: Final = (AnswerDrafted, AnchorsResolved, ClaimsChecked, AnswerDelivered, AnswerRefused)
"""Anchors among them: what a model has written in the place of a label stands there word for word."""

_NEAR: Final = (PassagesSelected, AnswerRefused)
"""What tells that an answer or a refusal can hold words of a version. Of a section that a question names every version
counts that has it, and nothing is repeated but what the question says."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A run that holds words of a mandate.

    Attributes:
        mandate: whose run it is.
        places: stream and version of each event that holds them.
        erased: what the run is told as afterwards. One that had not ended ends with it, so nobody goes on with it.
    """

    mandate: UUID
    run: UUID
    places: tuple[tuple[UUID, int], ...]
    erased: AnswerErased


class Quotes:
    """Finds and marks runs that quote a mandate."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    async def of(self, mandate: UUID) -> Sequence[Quote]:
        """Return the runs of other mandates that quote ``mandate``; reads the whole journal."""
        versions: set[int] = set()
        found: dict[UUID, Quote] = {}
        touched: set[UUID] = set()
        position = 0
        while batch := await self._store.after(position, _BATCH):
            position = batch[-1].position
            for one in batch:
                if one.mandate == mandate:
                    versions.add(one.position)
                    continue
                quotes = bool(_ordinals(one.event) & versions)
                touched |= {one.stream} if quotes else set()
                if quotes or isinstance(one.event, _WORDED):
                    found[one.stream] = _grown(found.get(one.stream), one)
        return [quote for run, quote in found.items() if run in touched]

    async def of_versions(self, versions: Collection[int]) -> Sequence[Quote]:
        """Return the runs, of whatever mandate, that repeat words of single versions; goes through the whole journal.

        Where such a version came near, and the answer was cut out of others word for word, the answer stays.
        """
        gone = frozenset(versions)
        return [
            _quote([one for one in recorded if isinstance(one.event, (*_WORDED, *_NEAR))])
            async for recorded in self._near(gone)
            if _repeats(recorded, gone)
        ]

    async def repeated(
        self, mandate: UUID, people: Collection[UUID], versions: Collection[int]
    ) -> frozenset[tuple[UUID, int]]:
        """Return to which of ``people`` words of which of ``versions`` were told in ``mandate``; reads their runs."""
        wanted, found = frozenset(versions), set[tuple[UUID, int]]()
        for person in people:
            for run in await self._store.personal(person):
                recorded = await self._store.read(run)
                near = {ordinal for one in recorded for ordinal in _ordinals(one.event)} & wanted
                if near and recorded[0].mandate == mandate:
                    found |= {(person, one) for one in near if _repeats(recorded, frozenset({one}))}
        return frozenset(found)

    async def _near(self, versions: frozenset[int]) -> AsyncIterator[Sequence[Recorded]]:
        """Yield the runs that one of ``versions`` has come near."""
        near: dict[UUID, None] = {}
        position, head = 0, await self._store.head()
        while position < head:
            batch = await self._store.batch(position, _BATCH, _NEAR)
            position = batch.reached
            near |= dict.fromkeys(one.stream for one in batch.events if _ordinals(one.event) & versions)
        for run in near:
            yield await self._store.read(run)

    async def written_in(self, runs: Sequence[UUID]) -> Sequence[tuple[UUID, int]]:
        """Return the events of those answers in ``runs`` that are not word for word out of the sources.

        What a language model wrote can repeat the question.
        """
        found: list[tuple[UUID, int]] = []
        for run in runs:
            worded = [one for one in await self._store.read(run) if isinstance(one.event, _WORDED)]
            if any(_is_free(one.event) for one in worded):
                found += [(one.stream, one.version) for one in worded]
        return found

    async def mark(self, quote: Quote, actor: Actor) -> None:
        """Let the run say what it has been.

        Raises:
            ConflictError: others recorded on it first every time.
        """
        for _ in range(ATTEMPTS):
            recorded = await self._store.read(quote.run)
            if any(isinstance(one.event, AnswerErased) for one in recorded):
                return
            try:
                await self._store.append(quote.mandate, quote.run, len(recorded), [quote.erased], actor)
            except ConflictError:
                continue
            except AccessError:
                return  # The mandate of the run has been erased as well.
            return
        raise ConflictError


def _is_free(event: Event | None) -> bool:
    if not isinstance(event, AnswerDrafted):
        return False
    return bool(event.reply) or any(sentence.cut is None and not sentence.is_gap for sentence in event.sentences)


def _repeats(recorded: Sequence[Recorded], versions: frozenset[int]) -> bool:
    """Say whether a run holds words of one of ``versions``, or may still come to hold them."""
    chosen = [label for one in recorded if isinstance(one.event, PassagesSelected) for label in one.event.passages]
    labels = {one.label for one in chosen if one.passage.ordinal in versions}
    has_ended = any(isinstance(one.event, AnswerDelivered | AnswerRefused) for one in recorded)
    drafts = [one.event for one in recorded if isinstance(one.event, AnswerDrafted)]
    cited = {label for draft in drafts for sentence in draft.sentences for label in sentence.labels}
    if labels & cited or (labels and (not has_ended or any(map(_is_free, drafts)))):
        return True
    return any(_ordinals(one.event) & versions for one in recorded if isinstance(one.event, AnswerRefused))


def _quote(telling: Sequence[Recorded]) -> Quote:
    return reduce(_grown, telling[1:], _grown(None, telling[0]))


def _grown(quote: Quote | None, one: Recorded) -> Quote:
    """Return what is known of a run with one more event that holds words or names versions."""
    places = quote.places if quote is not None else ()
    erased = quote.erased if quote is not None else AnswerErased("failed", None, one.position)
    match one.event:
        case AnswerDelivered():
            erased = AnswerErased("answered", None, one.position)
        case AnswerRefused(step):
            erased = AnswerErased("refused", step, one.position)
        case _:
            pass
    worded = isinstance(one.event, (*_WORDED, SectionsNamed))
    return Quote(one.mandate, one.stream, (*places, (one.stream, one.version)) if worded else places, erased)


def _ordinals(event: Event | None) -> set[int]:
    """Return the versions that an event is about."""
    match event:
        case PassagesSelected(passages):
            return {one.passage.ordinal for one in passages}
        case AnswerDelivered(sources=sources):
            return {one.ordinal for one in sources}
        case AnswerRefused(nearest=nearest):
            return {one.passage.ordinal for one in nearest}
        case SectionsNamed(named):
            return {ordinal for one in named for ordinal in one.ordinals}
        case _:
            return set()
