"""Who looked at what: looks into audit views and bundles are recorded before anything is shown.

Whoever looks at what is not their own leaves an event in the mandate's chain; so does whoever looks on somebody's
behalf, at whatever. If it cannot be recorded nothing is shown. No question text stands in it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.asking.run import Run
from domain.asking.runs import RunFilter
from domain.recording import Actor, Event, EventStore

RUN_LIST: Final = "run_list"
RUN_SHOW: Final = "run_show"
RUN_RESUME: Final = "run_resume"
RUN_REPLAY: Final = "run_replay"
RUN_DIFF: Final = "run_diff"
RUN_VIEWS: Final = "run_views"
BUNDLE: Final = "bundle"
RETENTION: Final = "retention"


@dataclass(frozen=True, slots=True)
class RecordViewed(Event):
    """Somebody (the actor) has looked into an audit view or a bundle.

    Attributes:
        what: ``run_list``, ``run_show``, ``run_resume``, ``run_replay``, ``run_diff``, ``run_views``,
            ``bundle`` or another kind of look.
        runs: the runs looked at, where they are named.
        levels: what those runs could see; whoever may not see that is not shown that somebody looked.
        person: the list was narrowed to the runs of this person; ``since``, ``until``: to this time.
        position: journal position up to which a list told; with the filter it says what was seen. A bundle tells at
            least as far: it goes on to the checkpoint that is signed after the look.
    """

    what: str
    runs: tuple[UUID, ...] = ()
    levels: tuple[str, ...] = ()
    person: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A look as it is listed."""

    viewed_at: datetime
    by: Actor
    viewed: RecordViewed


class Viewing:
    """Records looks.

    Args:
        store: where they are recorded.
        new_id: makes random ids.
    """

    def __init__(self, store: EventStore, new_id: Callable[[], UUID]) -> None:
        self._store = store
        self._new_id = new_id

    async def record(self, mandate: UUID, actor: Actor, viewed: RecordViewed) -> None:
        """Record a look; call it before anything is shown.

        Raises:
            AccessError: the mandate's key is gone.
            PartError: it cannot be recorded.
        """
        await self._store.append(mandate, self._new_id(), 0, [viewed], actor)

    async def at_run(self, what: str, run: UUID, actor: Actor) -> None:
        """Record a look at a run that has been found to be open to the actor, unless it is their own.

        Raises:
            AccessError: there is no such run.
            PartError: it cannot be recorded.
        """
        found = Run(await self._store.read(run))
        asked = found.asked
        if actor != Actor(asked.asker):
            await self.record(found.recorded[0].mandate, actor, RecordViewed(what, (run,), asked.levels))

    async def at_list(self, wanted: RunFilter, actor: Actor) -> None:
        """Record a look at a list of runs, unless nobody else's can stand in it.

        Raises:
            PartError: it cannot be recorded.
        """
        only_own = not wanted.oversees or wanted.person == wanted.reader
        if actor == Actor(wanted.reader) and only_own:
            return
        since, until = wanted.since, wanted.until
        viewed = RecordViewed(RUN_LIST, person=wanted.person, since=since, until=until, position=wanted.up_to)
        await self.record(wanted.mandate, actor, viewed)
