"""Tells runs that a version which they cite has changed (``source_changes.py``).

This follows every command that changes a document, and every command that shows or asks. How far it has come is
remembered only when all before is told; whatever dies in between, the next one begins there again, and a run that has
been told already says so itself. So each change is told once, however many processes tell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.outcome import AnswerDelivered
from domain.asking.run import Run
from domain.asking.source_changes import Slice, SourceChangeNotified, cause, changes, speaks_up_to
from domain.asking.visibility import Views
from domain.errors import AccessError, ConflictError
from domain.mandates.handler import Mandates
from domain.recording import ATTEMPTS, Actor, EventStore, Recorded


@dataclass(frozen=True, slots=True)
class Cited:
    """A version that a run cites.

    Attributes:
        run, mandate: the run and the mandate that asked.
        ordinal, owner: the version, and the mandate that it belongs to.
    """

    run: UUID
    mandate: UUID
    ordinal: int
    owner: UUID


@dataclass(frozen=True, slots=True)
class Untold:
    """A run was told something at the journal position ``told``, and its asker has not been."""

    run: UUID
    told: int


class Citations(Protocol):
    """The view of what runs cite, and how far runs have been told."""

    async def told(self) -> int:
        """Return the journal position up to which every run has been told."""
        ...

    async def tell_from(self, position: int) -> None:
        """Remember that every run has been told up to ``position``; a position already passed changes nothing."""
        ...

    async def changed(self, behind: int, up_to: int) -> tuple[Cited, ...]:
        """Return the citations for which something changed on the day of the run.

        Either the change or the citation lies behind the position ``behind``; both are known at ``up_to``. What
        changed need not touch the answer.
        """
        ...

    async def history(self, owner: UUID, ordinal: int, up_to: int) -> tuple[Slice, ...]:
        """Return all slices of a version, as known at ``up_to``."""
        ...


class SourceChanges:
    """Tells runs what has become of the versions that they cite."""

    def __init__(self, store: EventStore, mandates: Mandates, views: Views, citations: Citations) -> None:
        self._store = store
        self._mandates = mandates
        self._views = views
        self._citations = citations

    async def tell(self, actor: Actor, position: int | None = None) -> int:
        """Tell every run that has not been told yet; return how many were told here.

        Args:
            actor: on whose call this is done; each event names who changed the document, if that can still be read.
            position: journal position up to which changes must be told. Without it, those behind the views that
                another process is at are left to the next call.

        Raises:
            PartError: a part does not answer; the next call begins where this one did.
        """
        up_to, behind = await self._views.reach(position), await self._citations.told()
        if up_to <= behind:
            return 0
        told = 0
        for cited in await self._citations.changed(behind, up_to):
            told += await self._tell(cited, up_to, actor)
        await self._citations.tell_from(up_to)
        return told

    async def _tell(self, cited: Cited, up_to: int, actor: Actor) -> bool:
        """Tell one run, unless it has been told; false if there was nothing to tell."""
        for _ in range(ATTEMPTS):
            run = Run(await self._store.read(cited.run))
            try:
                events = await self._untold(run, cited, up_to)
                if events:
                    by = events[0][1].actor or actor
                    told = [event for event, _ in events]
                    await self._store.append(cited.mandate, cited.run, len(run.recorded), told, by)
                return bool(events)
            except AccessError:  # the question, or the whole mandate, has been erased
                return False
            except ConflictError:
                continue
        raise ConflictError

    async def _untold(self, run: Run, cited: Cited, up_to: int) -> Sequence[tuple[SourceChangeNotified, Recorded]]:
        asked, end = run.asked, run.end
        mandate = await self._mandates.by_id(cited.mandate)
        if mandate is None or not isinstance(end, AnswerDelivered):
            return ()
        begun = run.recorded[0]
        # The clock may have passed midnight, or have been set back, before the question was recorded.
        present = asked.today or begun.logged_at.astimezone(ZoneInfo(mandate.time_zone)).date()
        known = speaks_up_to(asked, begun.position)
        history = await self._citations.history(cited.owner, cited.ordinal, up_to)
        found = changes(history, asked.valid_on, known, about_the_present=asked.valid_on == present)
        told = {(one.change, one.ordinal) for one in run.all(SourceChangeNotified)}
        shown = [source for source in end.sources if source.ordinal == cited.ordinal]
        events = []
        for change in found:
            if (change.position, cited.ordinal) in told or not shown:
                continue
            (changed,) = await self._store.after(change.position - 1, 1)
            event = SourceChangeNotified(
                change=change.position,
                changed_at=changed.logged_at,
                ordinal=cited.ordinal,
                labels=tuple(source.label for source in shown),
                cause=cause(changed.event, shown[0].version),
                ended_on=change.ended_on,
                holds=change.holds,
            )
            events.append((event, changed))
        return events
