"""What an admitted person may ask: where the question searches, up to which level, and at what time."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.asking.events import QuestionAsked
from domain.asking.run import Run
from domain.asking.values import Ask
from domain.asking.visibility import Horizon
from domain.errors import AccessError, InputError
from domain.journal.as_of import Moment
from domain.mandates.access import OVERSIGHT, allowed_levels, effective_level, member_of, scope_of
from domain.mandates.handler import Mandates
from domain.mandates.policies import ModelThreshold, Threshold, threshold
from domain.mandates.rules import ALLOW_ONE, FAILED_SEARCHES, FUSION_WEIGHTS, SCOPE_KIND, WIKI, rule, weights_of
from domain.mandates.state import Mandate


@dataclass(frozen=True, slots=True)
class Admission:
    """What the asker may search.

    Attributes:
        asker: whose clearance counts.
        mandate: the mandate as it was at the time asked about; its libraries and policies count.
        scope: the mandates to search.
        levels: names of the levels that may be seen, by today's clearance.
        today: the day in the mandate's time zone.
        at: the instant asked about, ``None`` for the present; ``position``: the last one known at that instant.
        present: the mandate as it is today where ``mandate`` is as it was.
    """

    asker: UUID
    mandate: Mandate
    scope: tuple[UUID, ...]
    levels: tuple[str, ...]
    today: date
    at: datetime | None = None
    position: int | None = None
    present: Mandate | None = None

    @property
    def zone(self) -> ZoneInfo:
        """Return the mandate's time zone."""
        return ZoneInfo(self.mandate.time_zone)

    def horizon(self, ask: Ask, position: int) -> Horizon:
        """Return what ``ask`` may look at when the views have reached ``position``."""
        documents = None if ask.documents is None else tuple(sorted(set(ask.documents)))
        valid_on, exact = ask.valid_on or self.today, self.at is not None
        return Horizon(self.scope, self.levels, position, valid_on, documents, exact)

    def threshold(self, name: str, model: ModelThreshold | None = None) -> Threshold:
        """Return the threshold in force at the time asked about."""
        return threshold(self.mandate, name, model)

    @property
    def fusion_weights(self) -> dict[str, float]:
        """Return what the mandate lets lists count in fusion, by name; those of the models where none are set."""
        return weights_of(rule(self.mandate, FUSION_WEIGHTS).value)

    @property
    def lists_that_may_fail(self) -> int:
        """Return how many searches may fail without ending the question."""
        return 1 if rule(self.mandate, FAILED_SEARCHES).value == ALLOW_ONE else 0

    @property
    def searches_a_wiki(self) -> bool:
        """Return whether the mandate calls what it searches a wiki."""
        return rule(self.mandate, SCOPE_KIND).value == WIKI


class Admits(Protocol):
    """Who may ask what."""

    async def admit(self, ask: Ask, now: datetime) -> Admission:
        """Return what the asker may search.

        Raises:
            AccessError: unknown mandate, channel or scope, or not admitted.
            InputError: ``room_strangers``: somebody in the room is not admitted; ``instant``, ``instant_future``.
        """
        ...

    async def again(self, run: Run, reader: UUID | None, now: datetime) -> Admission:
        """Return what the asker of a recorded run could search, for somebody who may take it up again.

        The policies are those of the time at which it was asked, or that it asked about.

        Raises:
            AccessError: there is no such run, or not every level that its question could see is open to ``reader``.
        """
        ...

    async def rehearse(self, run: Run, reader: UUID | None, moment: Moment, version: int) -> Admission:
        """Return what the asker of a recorded run could search had it been asked as of ``moment``.

        A question that named no scope has that of the mandate at the time; levels stay those of the run. It is under
        the policies of the mandate's first ``version`` events, of which there were none before it was opened.

        Raises:
            AccessError: as ``again``.
        """
        ...


class Admissions:
    """Admits by the recorded state of mandates. Implements ``Admits``."""

    def __init__(self, mandates: Mandates) -> None:
        self._mandates = mandates

    async def admit(self, ask: Ask, now: datetime) -> Admission:
        """Return what the asker may search, as ``Admits`` says."""
        mandate = await self._mandates.find(ask.mandate)
        level = _level(mandate, ask)
        if ask.asker is None:
            raise AccessError
        if level is None:
            raise InputError("room_strangers")
        levels = allowed_levels(mandate, level)
        today = now.astimezone(ZoneInfo(mandate.time_zone)).date()
        if ask.at is None:
            return Admission(ask.asker, mandate, scope_of(mandate, ask.scope), levels, today)
        moment = await self._mandates.moment(mandate, ask.at, ask.actor, now)
        then = await self._mandates.by_id(mandate.id, up_to=moment.position)
        scope = scope_of(then or replace(mandate, libraries={}), ask.scope)
        return Admission(ask.asker, then or mandate, scope, levels, today, moment.at, moment.position, mandate)

    async def again(self, run: Run, reader: UUID | None, now: datetime) -> Admission:
        """Return what the asker of a recorded run could search, as ``Admits`` says."""
        present, asked = await self._mandates.by_id(run.mandate), run.asked
        levels = levels_open(present, asked, reader)
        then = await self._asked_under(run)
        if present is None or not set(asked.levels) <= set(levels):
            raise AccessError
        mandate = then or replace(present, libraries={})
        today = now.astimezone(ZoneInfo(mandate.time_zone)).date()
        position = None if asked.at is None else asked.position
        return Admission(asked.asker, mandate, asked.scope, asked.levels, today, asked.at, position, present)

    async def _asked_under(self, run: Run) -> Mandate | None:
        """Return the mandate under whose policies a run began; another may have changed them before it was recorded."""
        asked, begun = run.asked, run.recorded[0]
        if asked.mandate_version is None:
            up_to = begun.position if asked.at is None else asked.position
            return await self._mandates.by_id(begun.mandate, up_to=up_to)
        then = await self._mandates.at_version(begun.mandate, asked.mandate_version)
        is_before_it = then is not None and asked.at is not None and asked.at < then.opened_at
        return replace(then, libraries={}) if then is not None and is_before_it else then

    async def rehearse(self, run: Run, reader: UUID | None, moment: Moment, version: int) -> Admission:
        """Return what the asker could search as of ``moment``, as ``Admits`` says."""
        own = await self.again(run, reader, moment.at)
        then = await self._mandates.at_version(run.mandate, version) or replace(own.mandate, libraries={})
        usual, open_to = set(scope_of(own.mandate)), scope_of(then)
        scope = open_to if set(own.scope) == usual else tuple(one for one in own.scope if one in open_to)
        return replace(own, mandate=then, scope=scope, at=moment.at, position=moment.position)


def levels_open(mandate: Mandate | None, asked: QuestionAsked, reader: UUID | None) -> tuple[str, ...]:
    """Return what ``reader`` may see of a run today.

    Raises:
        AccessError: nothing.
    """
    member = member_of(mandate, reader)
    levels = () if mandate is None else allowed_levels(mandate, member.clearance)
    if reader != asked.asker and (member.role not in OVERSIGHT or not set(asked.levels) <= set(levels)):
        raise AccessError
    return levels


def levels_in(mandate: Mandate, place: Ask) -> tuple[str, ...]:
    """Return what may be shown in a place as it is now; nothing where nothing may be asked.

    Args:
        mandate: as it is now.
        place: who asks, in which channel, and who else is there.
    """
    try:
        return allowed_levels(mandate, _level(mandate, place))
    except AccessError:
        return ()


def _level(mandate: Mandate, ask: Ask) -> str | None:
    return effective_level(mandate, ask.asker, ask.channel, ask.room, is_open_room=ask.is_open_room)
