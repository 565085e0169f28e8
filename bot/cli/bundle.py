"""Audit bundles: ``journal export`` and ``journal prove``."""

import argparse
import asyncio
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from bot import identity
from bot.cli.command import Commands, Result
from bot.cli.runs import run_id
from bot.files import must_be_new
from bot.output import done, verbatim
from domain.errors import InputError
from domain.instants import parse_period
from domain.journal.bundles import Bundle, Wanted
from domain.mandates.access import must_oversee
from domain.mandates.state import Mandate

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    group = commands.group("journal")
    exporting, proving = group.add("export", export), group.add("prove", prove)
    exporting.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    exporting.add_argument("--from", dest="since", metavar="T", help=words("options.since"))
    exporting.add_argument("--to", dest="until", metavar="T", help=words("options.until"))
    exporting.add_argument("--run", dest="run_id", metavar="RUN", help=words("options.bundle_run"))
    exporting.add_argument("--person", metavar="P", help=words("options.bundle_person"))
    proving.add_argument("run_id", metavar="RUN", help=words("options.run"))
    for parser in (exporting, proving):
        parser.add_argument(
            "--out", dest="target", required=True, type=Path, metavar="FILE", help=words("options.bundle_out")
        )
        parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def export(app: "App", arguments: argparse.Namespace) -> Result:
    """Write a mandate, a period or a run."""
    must_be_new(arguments.target)
    actor = await app.looker(arguments.as_user)
    mandate = await app.mandates.find(arguments.mandate)
    # Before anything is read by the mandate's clock: whoever may not look learns nothing from what is wrong there.
    must_oversee(mandate, actor.person)
    wanted = await _wanted(app, mandate, arguments)
    with _progress(arguments):
        return await _written(app, await app.bundles.export(mandate, wanted, actor), arguments)


async def prove(app: "App", arguments: argparse.Namespace) -> Result:
    """Write a run."""
    must_be_new(arguments.target)
    actor = await app.looker(arguments.as_user)
    with _progress(arguments):
        return await _written(app, await app.bundles.prove(run_id(arguments.run_id), actor), arguments)


def _progress(arguments: argparse.Namespace) -> AbstractContextManager[object]:
    out = arguments.out
    shown: AbstractContextManager[object] = out.progress(out.texts("journal.exporting"))
    return shown


async def _wanted(app: "App", mandate: Mandate, arguments: argparse.Namespace) -> Wanted:
    if arguments.run_id is not None and (arguments.since or arguments.until or arguments.person):
        raise InputError("bundle_run_alone")
    since, until = parse_period(arguments.since, arguments.until, mandate.time_zone, app.now())
    person = None
    if arguments.person is not None:
        person = await app.people.find(identity.parse(arguments.person))
        if person is None:
            # As somebody who has never asked here.
            raise InputError("bundle_empty")
    return Wanted(since, until, None if arguments.run_id is None else run_id(arguments.run_id), person)


async def _written(app: "App", bundle: Bundle, arguments: argparse.Namespace) -> Result:
    from bot.bundles import making  # noqa: PLC0415 - the report is loaded only to write one

    texts = arguments.out.texts
    made = await asyncio.to_thread(making.content, bundle, app.journal, texts)
    await asyncio.to_thread(making.put, arguments.target, made)
    document = _document(bundle, arguments.target, len(made))
    rows = {"events": texts.counted("event", bundle.last - bundle.first + 1), **bundle.counts}
    lines = [
        done(texts("journal.exported", file=arguments.target)),
        Text(texts("journal.exported_rows", **rows)),
        verbatim(texts("journal.exported_check", file=arguments.target)),
    ]
    return Result([document], lambda _: lines)


def _document(bundle: Bundle, file: Path, size: int) -> dict[str, Any]:
    return {
        "file": str(file),
        "bytes": size,
        "mandate": bundle.mandate.key,
        "first": bundle.first,
        "last": bundle.last,
        **bundle.counts,
        "runs": [str(run.id) for run in bundle.runs],
        "size": bundle.signed.checkpoint.size,
        "root": bundle.signed.checkpoint.root.hex(),
        "key": str(bundle.keys[-1]),
    }
