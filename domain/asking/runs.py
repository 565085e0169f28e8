"""Looking back at runs: the asker at their own, administrators and compliance at all of their mandate's.

Nobody sees more than today's clearance allows. A run of somebody else is open only to those who may see every level
that its question could see; a cited version must still be open to whoever looks, at the higher of its level then and
now. Everything else looks like a run that does not exist.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.admission import levels_open
from domain.asking.audit import drafts_open_to
from domain.asking.hiding import must_be_open, without_hidden
from domain.asking.outcome import AnswerDelivered
from domain.asking.run import Run
from domain.asking.source_changes import WITHDRAWN
from domain.asking.stored import StoredTexts
from domain.asking.telling import tell
from domain.asking.values import Answer, SourceChange
from domain.asking.visibility import Horizon, KnowledgeView, Views, Visible
from domain.errors import AccessError
from domain.mandates.access import OVERSIGHT, allowed_levels, member_of, scope_of
from domain.mandates.handler import Mandates
from domain.mandates.state import Mandate
from domain.recording import Actor, EventStore


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A run in a list.

    Attributes:
        outcome: ``answered``, ``refused``, ``failed``, or ``None`` while the run is open; ``step``: where it ended.
        position: journal position up to which the system knew.
        changes: how often the run has been told that a source has changed.
    """

    run: UUID
    person: UUID
    asked_at: datetime
    position: int
    valid_on: date
    outcome: str | None
    step: str | None
    changes: int


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs to list.

    Attributes:
        reader: who looks; ``oversees``: whether they may see the runs of others.
        levels: what they may see today.
        up_to: journal position up to which runs were known.
        person: only the runs of this person.
        since, until: only runs asked between these instants.
        scope: the mandates whose documents runs may cite.
    """

    mandate: UUID
    reader: UUID
    oversees: bool
    levels: tuple[str, ...]
    up_to: int
    person: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    scope: tuple[UUID, ...] = ()


class RunsView(Protocol):
    """The view of runs."""

    async def runs(self, wanted: RunFilter) -> tuple[RunEntry, ...]:
        """Return the runs that match, in the order in which they were asked."""
        ...


class Runs:
    """Shows runs again."""

    def __init__(  # noqa: PLR0917 - what looking back needs
        self,
        store: EventStore,
        mandates: Mandates,
        views: Views,
        knowledge: KnowledgeView,
        stored: StoredTexts,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._mandates = mandates
        self._views = views
        self._knowledge = knowledge
        self._stored = stored
        self._clock = clock

    async def mandate(self, run: UUID, reader: UUID | None) -> Mandate:
        """Return the mandate of a run that is open to ``reader``.

        Raises:
            AccessError, InputError: as ``show``.
        """
        await self.show(run, reader)
        mandate = await self._mandates.by_id((await self._store.read(run))[0].mandate)
        if mandate is None:
            raise AccessError
        return mandate

    async def show(
        self, run: UUID, reader: UUID | None, at: str | None = None, *, within: Collection[str] | None = None
    ) -> Answer:
        """Return what became of the question of a run, as it was shown then, and what has become of its sources.

        Args:
            run: id of the run.
            reader: who looks.
            at: the instant up to which the run is told, as written; ``None`` for now.
            within: names of the levels that everybody may see who reads along, ``None`` where the reader is alone.

        Raises:
            AccessError: there is no such run, or it is not open to ``reader``.
            InputError: ``run_open``: it has not ended; ``answer_erased`` or ``source_erased``; or as
                ``Mandates.moment``.
        """
        found = Run(await self._store.read(run))
        mandate = await self._mandates.by_id(found.mandate)
        asked = found.asked
        levels = levels_open(mandate, asked, reader)
        if mandate is None or reader is None:
            raise AccessError
        if within is not None:
            levels = tuple(level for level in levels if level in within)
        found.must_not_be_erased()
        if at is not None:
            found = await self._as_of(found, mandate, reader, at)
        horizon = Horizon(asked.scope, levels, await self._views.reach(asked.position), asked.valid_on, asked.documents)
        visible = await self._knowledge.visible(horizon)
        await must_be_open(found, visible, self._store)
        told = tell(found, await self._stored.of(_cited(found), visible), ZoneInfo(mandate.time_zone), {})
        answer = await without_hidden(told, visible, self._knowledge)
        return replace(
            answer,
            changes=tuple([await self._placed(one, visible) for one in answer.changes]),
            drafts=drafts_open_to(found, mandate, reader, visible),
        )

    async def _as_of(self, run: Run, mandate: Mandate, reader: UUID, at: str) -> Run:
        """Return the run as it was recorded at an instant."""
        moment = await self._mandates.moment(mandate, at, Actor(reader), self._clock())
        found = Run([one for one in run.recorded if one.position <= moment.position])
        if not found.recorded:
            raise AccessError
        return found

    async def _placed(self, change: SourceChange, visible: Visible) -> SourceChange:
        """Name the version that stands in the place of a cited one, if it is open to the reader."""
        notified, cited = change.notified, visible.versions[change.notified.ordinal]
        day = notified.ended_on if notified.holds else visible.horizon.valid_on
        if notified.cause == WITHDRAWN or day is None:
            return change
        position = await self._views.reach(notified.change)
        there = await self._knowledge.visible(
            replace(visible.horizon, position=position, valid_on=day, scope=(cited.mandate,), documents=(cited.key,))
        )
        return replace(change, replaced_by=next((one.version for one in there.versions.values()), None))


def filter_for(mandate: Mandate, reader: UUID | None, up_to: int) -> RunFilter:
    """Return the runs of ``mandate`` that ``reader`` may list.

    Raises:
        AccessError: the reader is not a member.
    """
    member = member_of(mandate, reader)
    if reader is None:
        raise AccessError
    levels = allowed_levels(mandate, member.clearance)
    return RunFilter(mandate.id, reader, member.role in OVERSIGHT, levels, up_to, scope=scope_of(mandate))


def _cited(run: Run) -> list[int]:
    return [source.ordinal for source in run.end.sources] if isinstance(run.end, AnswerDelivered) else []
