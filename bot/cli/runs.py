"""``run list`` and ``run show``: looking back at what was asked."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from bot import identity
from bot.answer_documents import answer_document
from bot.cli.command import Commands, Result
from bot.output import Table, shown_instant
from bot.terminal.answer import show_answer
from bot.text import Texts
from domain.asking.runs import RunEntry, filter_for
from domain.errors import InputError
from domain.instants import parse_beginning, parse_instant
from domain.mandates.access import member_of
from domain.mandates.state import Mandate
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    group = commands.group("run")
    listing = group.add("list", list_runs)
    listing.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    listing.add_argument("--person", metavar="P", help=words("options.person"))
    listing.add_argument("--from", dest="since", metavar="T", help=words("options.since"))
    listing.add_argument("--to", dest="until", metavar="T", help=words("options.until"))
    listing.add_argument("--at", metavar="T", help=words("options.at"))
    showing = group.add("show", show_run)
    showing.add_argument("run_id", metavar="RUN", help=words("options.run"))
    for parser in (listing, showing):
        parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def list_runs(app: "App", arguments: argparse.Namespace) -> Result:
    """List the runs that the person may see, oldest first, without a word of their questions."""
    reader = await app.asker(arguments.as_user)
    mandate = await app.mandates.find(arguments.mandate)
    # Before anything is read by the mandate's clock: whoever is no member learns nothing from what is wrong there.
    member_of(mandate, reader)
    now = app.now()
    zone = mandate.time_zone
    position = None
    if arguments.at is not None and reader is not None:
        position = (await app.mandates.moment(mandate, arguments.at, Actor(reader), now)).position
    wanted = replace(
        filter_for(mandate, reader, await app.views.reach(position)),
        since=None if arguments.since is None else parse_beginning(arguments.since, zone, now),
        until=None if arguments.until is None else parse_instant(arguments.until, zone, now),
    )
    if arguments.person is not None:
        person = await app.people.find(identity.parse(arguments.person))
        entries = () if person is None else await app.runs_view.runs(replace(wanted, person=person))
    else:
        entries = await app.runs_view.runs(wanted)
    names = await app.people.names(list({entry.person for entry in entries}))
    document = {"runs": [_document(entry, names) for entry in entries]}
    return Result([document], lambda texts: [_table(entries, names, mandate, texts)])


async def show_run(app: "App", arguments: argparse.Namespace) -> Result:
    """Show a run as it was shown when it was asked."""
    try:
        run = UUID(arguments.run_id)
    except ValueError:
        raise InputError("run_id", run=arguments.run_id) from None
    answer = await app.runs.show(run, await app.asker(arguments.as_user))
    texts = arguments.out.texts
    return Result([answer_document(answer, texts)], lambda _: [*show_answer(answer, texts, asked=True)])


def _document(entry: RunEntry, names: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        "run": str(entry.run),
        "person": names.get(entry.person),
        "asked_at": entry.asked_at.isoformat(),
        "position": entry.position,
        "valid_on": entry.valid_on.isoformat(),
        "outcome": entry.outcome,
        "step": entry.step,
    }


def _table(entries: Sequence[RunEntry], names: Mapping[UUID, str], mandate: Mandate, texts: Texts) -> Table:
    headings = [texts(f"runs.{name}") for name in ("run", "asked_at", "person", "outcome")]
    rows = [
        [
            str(entry.run),
            shown_instant(texts, entry.asked_at, mandate.time_zone),
            names.get(entry.person, "–"),
            texts(f"runs.{entry.outcome or 'open'}") + (f" ({entry.step})" if entry.step else ""),
        ]
        for entry in entries
    ]
    return Table(headings, rows)
