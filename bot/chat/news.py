"""Watches for sources of earlier answers that have changed, so that each is told once in the thread of its answer."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from bot import identity
from bot.chat.desk import Desk
from bot.chat.ports import Noted
from bot.source_changes import tell_runs
from domain.asking.run import Run
from domain.asking.source_changes import SourceChangeNotified
from domain.errors import AccessError
from domain.recording import Recorded

CHANGED: Final = "Changed"
"""Kind under which a change is noted beside what comes in, so that it is told once."""

_BATCH: Final = 500

_LOOKED_FOR: Final = timedelta(days=7)
"""How long after a change it is looked whether its run was answered to the asker alone, which no list of ours tells."""


class News:
    """What runs have been told since this was last asked; the first time, since ever."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._position = 0

    async def since(self) -> Sequence[Noted]:
        """Tell the runs, and return what is to be told in rooms. What was noted before may be among it.

        Raises:
            PartError: the database does not answer; the next call begins where this one did.
        """
        app = self._desk.app
        await tell_runs(app, await app.people.register(self._desk.platform.account))
        found, position, head = list[Noted](), self._position, await app.store.head()
        while position < head:
            batch = await app.store.batch(position, _BATCH, [SourceChangeNotified])
            found += [one for recorded in batch.events if (one := await self._noted(recorded)) is not None]
            position = max(batch.reached, position + 1)
        self._position = position
        return found

    async def _noted(self, recorded: Recorded) -> Noted | None:
        desk, run = self._desk, recorded.stream
        answered = await desk.inbox.of_run(run)
        if answered is None and recorded.logged_at < desk.app.now() - _LOOKED_FOR:
            return None
        try:
            asker = Run(await desk.app.store.read(run)).asked.asker
        except AccessError:  # erased
            return None
        sender = (await desk.app.people.names([asker])).get(asker)
        if sender is None:
            return None
        place = f"{run} {recorded.position}"
        if answered is not None:
            event = f"changed {place}"
            return Noted(event, answered.room, sender, recorded.logged_at, CHANGED, answered.question)
        # It may have been answered to the asker alone; or its answer is on its way, and is found at the next start.
        is_of_us = identity.is_like(sender, desk.platform.account)
        alone = await desk.platform.known_direct_room(sender) if is_of_us else None
        return None if alone is None else Noted(f"alone {place}", alone, sender, recorded.logged_at, CHANGED)


def told_at(noted: Noted) -> tuple[str, int]:
    """Return the run, as text, that a noted change belongs to, and the journal position at which it was told."""
    _, run, position = noted.event.split()
    return run, int(position)
