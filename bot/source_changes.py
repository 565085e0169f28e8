"""Runs and people are told what has become of cited versions: after a change, and before anything is looked at."""

import logging
from collections.abc import Collection
from typing import TYPE_CHECKING, Final, Self
from uuid import UUID

from rich.console import RenderableType
from rich.text import Text

from bot.answers import SEPARATOR, changed
from bot.output import Output, shown_day, warning
from bot.terminal.answer import Block, Line
from bot.text import Texts
from domain.asking.runs import filter_for
from domain.asking.values import Answer
from domain.errors import InputError, PartError
from domain.mandates.state import Mandate
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App

_LOG: Final = logging.getLogger(__name__)


async def tell_runs(app: "App", person: UUID | None) -> None:
    """Tell every run that has not been told; a part that does not answer stands in the way of nothing else."""
    if person is None:
        return
    try:
        if await app.source_changes.tell(Actor(person)):
            await app.views.reach(await app.store.head())
    except PartError as error:
        _LOG.warning("runs are not told of changed sources yet: %s", error.key)


class Consequences:
    """What a command that changes documents of ``mandate`` does to earlier answers.

    Only runs that ``actor`` may list are counted, and only changes behind the journal position ``behind``.
    """

    def __init__(self, app: "App", mandate: Mandate, actor: Actor, behind: int) -> None:
        self._app = app
        self._mandate = mandate
        self._actor = actor
        self._behind = behind

    @classmethod
    async def begin(cls, app: "App", mandate: Mandate, actor: Actor) -> Self:
        """Count from the journal as it is now."""
        return cls(app, mandate, actor, await app.store.head())

    async def tell(self, documents: Collection[str], out: Output) -> int:
        """Tell the runs that rest on the documents of these keys; say on standard error how many of the mandate's do.

        Raises:
            PartError: a part does not answer; the next command tells them.
        """
        app = self._app
        await app.source_changes.tell(self._actor, await app.store.head())
        head = await app.views.reach(await app.store.head())
        wanted = filter_for(self._mandate, self._actor.person, head)
        count = await app.runs_view.touched(wanted, list(documents), self._behind)
        if count:
            out.note(warning(out.texts("knowledge.touched", count=count, mandate=self._mandate.key)))
        return count


class News:
    """What the asker's own runs have been told since the asker was."""

    def __init__(self, app: "App", mandate: Mandate, asker: UUID) -> None:
        self._app = app
        self._mandate = mandate
        self._asker = asker

    async def tell(self, out: Output) -> None:
        """Show each piece of news; only what has been shown counts as told, and an outage ends no conversation."""
        await tell_runs(self._app, self._asker)
        try:
            await self._show(out)
        except PartError as error:
            _LOG.warning("the news of changed sources waits: %s", error.key)

    async def _show(self, out: Output) -> None:
        app, mandate, asker = self._app, self._mandate, self._asker
        untold = await app.citations.untold(mandate.id, asker)
        for run in dict.fromkeys(one.run for one in untold):
            first = min(one.told for one in untold if one.run == run)
            try:
                answer = await app.runs.show(run, asker)
            except InputError:  # not open any more, or erased
                continue
            out.show(*_told(answer, first, out.texts.answering(answer.question)))
        if untold:
            await app.citations.tell_person(mandate.id, asker, max(one.told for one in untold))


def _told(answer: Answer, first: int, texts: Texts) -> list[RenderableType]:
    said = [changed(one, texts) for one in answer.changes if one.told >= first]
    if not said:
        return []
    ordinals = {one.notified.ordinal for one in answer.changes if one.told >= first}
    sources = (one.shown for one in answer.sources if one.shown.ordinal in ordinals)
    named = SEPARATOR.join(
        texts("changed.source", label=f"[{one.label}]", title=one.title, version=one.version) for one in sources
    )
    day = shown_day(texts, answer.asked_on)
    return [
        Text(""),
        Line("!", Text(texts("changed.earlier", day=day, question=answer.question), style="yellow"), "yellow"),
        *(Block(Text(one)) for one in said),
        Block(Text(named, style="dim")),
        Block(Text(texts("changed.more", run=answer.run), style="dim")),
    ]
