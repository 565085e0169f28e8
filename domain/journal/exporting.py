"""Audit bundles: which rows go in, what of them is opened, and the proof that nothing is left out between them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.asking.events import PassagesSelected
from domain.asking.outcome import AnswerDelivered
from domain.asking.run import Run
from domain.errors import AccessError, InputError
from domain.journal.bundles import Bundle, Earlier, Entry, Line, Quote, SealedRow, SealedStore, SealedText, Wanted
from domain.journal.disclosing import Disclosure
from domain.journal.handler import Journal, Log, Signed
from domain.journal.ports import JournalTree
from domain.journal.viewing import BUNDLE, RecordViewed, Viewing
from domain.knowledge.events import VersionIngested
from domain.knowledge.text import Span
from domain.mandates.access import must_oversee
from domain.mandates.handler import Mandates
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore

MOST_EVENTS: Final = 200_000
"""Events of a bundle at most; a longer history is told in several, period by period."""

_ROWS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Covered:
    """The numbers of the mandate that a bundle covers; ``edges`` stand there to show where a period ends."""

    first: int
    last: int
    edges: frozenset[int] = frozenset()


class Bundles:
    """Makes audit bundles.

    Args:
        store: the events.
        sealed: the same as they are stored.
        journal: signs the checkpoint.
        tree: proves.
        mandates: who is a member of what.
        viewing: records that somebody has looked.
        clock: tells the present (UTC).
    """

    def __init__(
        self,
        store: EventStore,
        sealed: SealedStore,
        journal: Journal,
        tree: JournalTree,
        *,
        mandates: Mandates,
        viewing: Viewing,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._sealed = sealed
        self._journal = journal
        self._tree = tree
        self._mandates = mandates
        self._viewing = viewing
        self._clock = clock

    async def export(self, mandate: Mandate, wanted: Wanted, actor: Actor) -> Bundle:
        """Return a bundle of a mandate's events, read by ``actor.person``.

        Raises:
            AccessError: they do not oversee the mandate, or the run is not one of it or not open to them.
            InputError: ``bundle_empty``, ``bundle_large``, or as ``Journal.checkpoint``.
        """
        must_oversee(mandate, actor.person)
        return await self._made(mandate, wanted, actor)

    async def prove(self, run: UUID, actor: Actor) -> Bundle:
        """Return a bundle of one run, for its asker or for compliance.

        Raises:
            AccessError: there is no such run, or it is not open to them.
            InputError: as ``export``.
        """
        mandate = await self._mandates.by_id(Run(await self._store.read(run)).mandate)
        if mandate is None:
            raise AccessError
        return await self._made(mandate, Wanted(run=run), actor)

    async def _made(self, mandate: Mandate, wanted: Wanted, actor: Actor) -> Bundle:
        disclosure = Disclosure(self._store, mandate, actor.person)
        runs = await self._wanted_runs(wanted, disclosure)
        # Before the checkpoint, so that the look is under it.
        await self._viewing.record(mandate.id, actor, await self._look(wanted, runs))
        signed = await self._journal.checkpoint(actor)
        covered = await self._covered(mandate, wanted, runs, signed.checkpoint.size)
        entries = await self._sealed.entries(mandate.id, covered.first, covered.last)
        lines = await self._lines(entries, covered, wanted, disclosure)
        open_runs = await _runs(lines, disclosure)
        if wanted.person is not None and not open_runs:
            raise InputError("bundle_empty")
        cited = await self._cited(lines)
        lines = _merged(lines, cited.values())
        texts = await self._texts(cited.values())
        log = await self._journal.log()
        return Bundle(
            mandate=mandate,
            reader=actor.person,
            member=disclosure.member,
            wanted=wanted,
            first=covered.first,
            last=covered.last,
            made_at=self._clock(),
            signed=signed,
            keys=log.keys,
            changes=log.changes,
            earlier=await self._earlier(signed, log),
            lines=lines,
            proof=tuple(await self._tree.cover([one.entry.position for one in lines], signed.checkpoint.size)),
            texts=tuple(texts.values()),
            quotes=tuple(_quotes(lines, cited, texts)),
            runs=open_runs,
        )

    async def _look(self, wanted: Wanted, runs: Sequence[Run]) -> RecordViewed:
        return RecordViewed(
            BUNDLE,
            runs=tuple(run.id for run in runs),
            levels=tuple(dict.fromkeys(level for run in runs for level in run.asked.levels)),
            person=wanted.person,
            since=wanted.since,
            until=wanted.until,
            position=await self._store.head(),
        )

    @staticmethod
    async def _wanted_runs(wanted: Wanted, disclosure: Disclosure) -> tuple[Run, ...]:
        """Return the run that is asked for, none where everything is.

        Raises:
            AccessError: it is not open to the reader.
        """
        if wanted.run is None:
            return ()
        run = (await disclosure.stream(wanted.run)).run
        if run is None or run.recorded[0].mandate != disclosure.mandate.id:
            raise AccessError
        return (run,)

    async def _covered(self, mandate: Mandate, wanted: Wanted, runs: Sequence[Run], size: int) -> Covered:
        if runs:
            # Up to its end: what a run is told later of its sources may come in years after it.
            end = min([size, *[run.ended.position for run in runs if run.ended]])
            numbers = [one.number for run in runs for one in run.recorded if one.position <= end]
            return _within_limits(Covered(min(numbers), max(numbers)))
        found = await self._sealed.span(mandate.id, size, wanted.since, wanted.until)
        whole = await self._sealed.span(mandate.id, size, None, None)
        if found is None or whole is None:
            raise InputError("bundle_empty")
        first, last = max(found[0] - 1, whole[0]), min(found[1] + 1, whole[1])
        if wanted.since is None and wanted.until is None:
            return _within_limits(Covered(*found))
        return _within_limits(Covered(first, last, frozenset({first, last} - {*range(found[0], found[1] + 1)})))

    async def _lines(
        self, entries: Sequence[Entry], covered: Covered, wanted: Wanted, disclosure: Disclosure
    ) -> tuple[Line, ...]:
        lines = list[Line]()
        run = None if wanted.run is None else (await disclosure.stream(wanted.run)).run
        of_run = {one.position for one in run.recorded} if run else set[int]()
        for start in range(0, len(entries), _ROWS_AT_ONCE):
            some = entries[start : start + _ROWS_AT_ONCE]
            asked = [one.position for one in some if wanted.run is None or one.position in of_run]
            rows = {row.recorded.position: row for row in await self._sealed.rows(asked)}
            lines += [await _line(one, rows.get(one.position), covered, wanted, disclosure) for one in some]
        return tuple(lines)

    async def _cited(self, lines: Iterable[Line]) -> dict[int, SealedRow]:
        """Return the versions that open runs quote, by position, as far as they are still there."""
        positions = {ordinal for line in lines if line.row and line.is_open for _, ordinal, _ in _citations(line.row)}
        rows = await self._sealed.rows(sorted(positions))
        return {row.recorded.position: row for row in rows if isinstance(row.recorded.event, VersionIngested)}

    async def _texts(self, rows: Iterable[SealedRow]) -> dict[tuple[UUID, str], SealedText]:
        texts = dict[tuple[UUID, str], SealedText]()
        for row in rows:
            event = row.recorded.event
            key = row.recorded.mandate, event.blob.address if isinstance(event, VersionIngested) else ""
            found = texts.get(key) or await self._sealed.text(*key)
            texts |= {} if found is None else {key: found}
        return texts

    async def _earlier(self, signed: Signed, log: Log) -> tuple[Earlier, ...]:
        """Return every smaller checkpoint that was signed, so that whoever holds one of them can compare."""
        size = signed.checkpoint.size
        roots = {one.checkpoint.size: one.checkpoint.root for one in log.signed if 0 < one.checkpoint.size < size}
        firsts = sorted(roots)
        paths = await self._tree.consistency(firsts, size)
        return tuple(Earlier(first, roots[first], path) for first, path in zip(firsts, paths, strict=True))


async def _line(entry: Entry, row: SealedRow | None, covered: Covered, wanted: Wanted, disclosure: Disclosure) -> Line:
    if row is None:
        return Line(entry)
    one = row.recorded
    if entry.number in covered.edges:
        return Line(entry, row if await disclosure.is_open(one) or disclosure.sees_all else None)
    run = (await disclosure.stream(one.stream)).run if wanted.person else None
    is_wanted = wanted.person is None or (run is not None and run.asked.asker == wanted.person)
    if is_wanted and await disclosure.is_open(one):
        return Line(entry, row, is_open=True)
    is_erased = is_wanted and one.event is None and disclosure.sees_all
    return Line(entry, row if is_erased else None)


def _within_limits(covered: Covered) -> Covered:
    if covered.last - covered.first >= MOST_EVENTS:
        raise InputError("bundle_large", limit=MOST_EVENTS)
    return covered


def _merged(lines: Sequence[Line], cited: Iterable[SealedRow]) -> tuple[Line, ...]:
    """Return the lines with the cited versions opened among them or added to them, by position."""
    by_position = {line.entry.position: line for line in lines}
    for row in cited:
        one = row.recorded
        by_position[one.position] = Line(Entry(one.position, one.number, row.hash, one.logged_at), row, is_open=True)
    return tuple(by_position[position] for position in sorted(by_position))


async def _runs(lines: Iterable[Line], disclosure: Disclosure) -> tuple[Run, ...]:
    """Return the runs that begin among the open lines, each with its open events."""
    found: dict[UUID, list[Line]] = {}
    for line in lines:
        if line.row is not None and line.is_open and (await disclosure.stream(line.row.recorded.stream)).run:
            found.setdefault(line.row.recorded.stream, []).append(line)
    runs = (Run([line.row.recorded for line in some if line.row]) for some in found.values())
    return tuple(run for run in runs if run.recorded[0].version == 1)


def _citations(row: SealedRow) -> Iterable[tuple[str, int, Span | int]]:
    """Yield label, position of the version, and span or number of the passage."""
    match row.recorded.event:
        case AnswerDelivered(sources=sources):
            yield from ((one.label, one.ordinal, one.span) for one in sources)
        case PassagesSelected(passages=passages):
            yield from ((one.label, one.passage.ordinal, one.passage.number) for one in passages)
        case _:
            pass


def _quotes(
    lines: Iterable[Line], cited: dict[int, SealedRow], texts: dict[tuple[UUID, str], SealedText]
) -> Iterable[Quote]:
    for line in lines:
        if line.row is None or not line.is_open:
            continue
        for label, ordinal, place in _citations(line.row):
            version = cited[ordinal].recorded if ordinal in cited else None
            if version is None or not isinstance(version.event, VersionIngested):
                continue
            text = texts.get((version.mandate, version.event.blob.address))
            if text is not None:
                span = place if isinstance(place, Span) else version.event.passages[place].span
                yield Quote(line.entry.position, label, ordinal, span.start, span.end, span.of(text.text))
