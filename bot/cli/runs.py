"""``run list`` and ``run show``: looking back at what was asked."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from rich.console import RenderableType
from rich.text import Text

from bot import identity
from bot.answer_documents import answer_document
from bot.cli.command import Commands, Result
from bot.id_list import IdList
from bot.output import shown_instant
from bot.source_changes import tell_runs
from bot.terminal.answer import show_answer
from bot.text import Texts
from domain.asking.events import QuestionAsked
from domain.asking.outcome import AnswerDelivered, AnswerErased
from domain.asking.runs import RunEntry, filter_for
from domain.errors import InputError
from domain.instants import parse_period
from domain.journal.viewing import RUN_SHOW
from domain.mandates.access import member_of
from domain.mandates.state import Mandate

if TYPE_CHECKING:
    from bot.wiring import App

_QUESTION: Final = 60
"""Characters of a question in the list at most."""

_ERASED: Final = frozenset({"answer_erased", "source_erased"})
"""Errors of an answer that is not shown any more since something of it was erased."""


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    group = commands.group("run")
    listing = group.add("list", list_runs)
    listing.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    listing.add_argument("--person", metavar="P", help=words("options.person"))
    listing.add_argument("--from", dest="since", metavar="T", help=words("options.since"))
    listing.add_argument("--to", dest="until", metavar="T", help=words("options.until"))
    showing = group.add("show", show_run)
    showing.add_argument("run_id", metavar="RUN", help=words("options.run"))
    for parser in (listing, showing):
        parser.add_argument("--at", metavar="T", help=words("options.at"))
        parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def list_runs(app: "App", arguments: argparse.Namespace) -> Result:
    """List the runs that the person may see, oldest first; each is open to them, so its question is as well."""
    looker = await app.looker(arguments.as_user)
    reader = looker.person
    mandate = await app.mandates.find(arguments.mandate)
    # Before anything is read by the mandate's clock: whoever is no member learns nothing from what is wrong there.
    member_of(mandate, reader)
    await tell_runs(app, reader)
    now = app.now()
    since, until = parse_period(arguments.since, arguments.until, mandate.time_zone, now)
    position = None
    if arguments.at is not None:
        position = (await app.mandates.moment(mandate, arguments.at, looker, now)).position
    wanted = replace(
        # Complete: without --at, up to the head as of now, whatever another process is building at the moment.
        filter_for(mandate, reader, await _told_up_to(app, position)),
        since=since,
        until=until,
    )
    entries: tuple[RunEntry, ...] = ()
    known = arguments.person is None
    if arguments.person is not None:
        wanted = replace(wanted, person=await app.people.find(identity.parse(arguments.person)))
        known = wanted.person is not None
    if known:
        entries = await app.runs_view.runs(wanted)
        await app.viewing.at_list(wanted, looker)
    names = await app.people.names(list({entry.person for entry in entries}))
    questions = {entry.run: await _question(app, entry.run) for entry in entries}
    document = {"runs": [{**_document(entry, names), "question": questions[entry.run]} for entry in entries]}
    return Result([document], lambda texts: _listed(entries, names, questions, mandate, texts))


async def _told_up_to(app: "App", position: int | None) -> int:
    return await app.views.bring("runs", "knowledge") if position is None else await app.views.reach(position)


async def _question(app: "App", run: UUID) -> str | None:
    """Return what was asked, ``None`` where it has been erased."""
    events = (recorded.event for recorded in await app.store.read(run))
    return next((event.text for event in events if isinstance(event, QuestionAsked)), None)


async def show_run(app: "App", arguments: argparse.Namespace) -> Result:
    """Show a run as it was shown when it was asked, and what has become of its sources since."""
    run, looker = run_id(arguments.run_id), await app.looker(arguments.as_user)
    await tell_runs(app, looker.person)
    try:
        answer = await app.runs.show(run, looker.person, arguments.at)
    except InputError as error:
        if error.key not in _ERASED:
            raise
        await app.viewing.at_run(RUN_SHOW, run, looker)
        return await _show_erased(app, run, error.key)
    await app.viewing.at_run(RUN_SHOW, run, looker)
    texts = arguments.out.texts.answering(answer.question)
    return Result([answer_document(answer, texts)], lambda _: [*show_answer(answer, texts, asked=True)])


async def _show_erased(app: "App", run: UUID, key: str) -> Result:
    """Show a run whose answer cannot be shown any more: what it had been, and that something of it was erased."""
    events = [recorded.event for recorded in await app.store.read(run)]
    erased = next((event for event in events if isinstance(event, AnswerErased)), None)
    question = await _question(app, run)
    outcome, step = (None, None) if erased is None else (erased.outcome, erased.step)
    if any(isinstance(event, AnswerDelivered) for event in events):
        outcome = "answered"
    document = {"run": str(run), "question": question, "outcome": outcome, "step": step, "erased": True}
    told = [Text(question or "–", style="bold")]
    return Result([document], lambda texts: [*told, texts(f"errors.{key}")])


def run_id(text: str) -> UUID:
    """Return the id of a run.

    Raises:
        InputError: ``run_id``.
    """
    try:
        return UUID(text)
    except ValueError:
        raise InputError("run_id", run=text) from None


def _document(entry: RunEntry, names: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        "run": str(entry.run),
        "person": names.get(entry.person),
        "asked_at": entry.asked_at.isoformat(),
        "position": entry.position,
        "valid_on": entry.valid_on.isoformat(),
        "outcome": entry.outcome,
        "step": entry.step,
        "changes": entry.changes,
    }


def _listed(
    entries: Sequence[RunEntry],
    names: Mapping[UUID, str],
    questions: Mapping[UUID, str | None],
    mandate: Mandate,
    texts: Texts,
) -> Sequence[RenderableType]:
    if not entries:
        return [texts("runs.none")]
    headings = [texts(f"runs.{name}") for name in ("run", "asked_at", "person", "outcome", "question")]
    rows = [
        [
            str(entry.run),
            shown_instant(texts, entry.asked_at, mandate.time_zone),
            names.get(entry.person, "–"),
            _outcome(entry, texts),
            shorten(questions[entry.run] or "–", _QUESTION, placeholder=" …"),
        ]
        for entry in entries
    ]
    return [IdList(headings, rows, 0, (4,))]


def _outcome(entry: RunEntry, texts: Texts) -> str:
    more = [texts(f"runs.step_{entry.step}")] if entry.step else [texts("runs.changed")] * bool(entry.changes)
    outcome = texts(f"runs.{entry.outcome or 'open'}")
    return f"{outcome} ({more[0]})" if more else outcome
