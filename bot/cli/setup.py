"""Setting up and keeping the installation."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.config import Settings
from bot.output import Table, done, failure, shown_fingerprint, shown_number, shown_size
from bot.secret_files import read_secret
from bot.text import Texts
from domain.errors import InputError

if TYPE_CHECKING:
    from bot.backup import Restored
    from bot.doctor import Check
    from bot.wiring import App
    from domain.asking.timings import Timing

# What opens the database is imported by the command that needs it, so that help and errors of the grammar are quick.


def register(commands: Commands) -> None:
    """Add the set-up commands."""
    commands.add_bare("init", init)
    commands.add_bare("migrate", migrate)
    looking = commands.add_bare("doctor", doctor)
    looking.add_argument("--timings", action="store_true", help=commands.texts("options.step_timings"))
    for name, run in (("backup", backup), ("restore", restore)):
        parser = commands.add_bare(name, run)
        parser.add_argument("folder", metavar="DIR", type=Path, help=commands.texts("options.backup_folder"))
    rebuilding = commands.add("rebuild", rebuild)
    rebuilding.add_argument("projection", metavar="PROJECTION", help=commands.texts("options.projection"))
    commands.add_bare("serve", serve)


async def init(settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Make the data folder, the database and the keys."""
    from bot.installation import initialise  # noqa: PLC0415

    changed = await initialise(settings)
    key = "setup.initialised" if changed else "setup.ready"
    document = {"data": str(settings.data), "status": "done" if changed else "unchanged"}
    return Result([document], lambda texts: [done(texts(key, folder=settings.data))])


async def migrate(settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Bring the database up to the schema of this program."""
    from bot.installation import migrate_data  # noqa: PLC0415

    applied = await migrate_data(settings)
    return Result([{"applied": applied}], lambda texts: [done(texts("setup.migrated", applied=applied))])


async def doctor(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Look at every part."""
    from bot.doctor import examine, timings  # noqa: PLC0415

    checks = await examine(settings)
    well = not any(check.error for check in checks)
    words: Texts = arguments.out.texts
    document: dict[str, Any] = {"ok": well, "checks": [_check_document(words, check) for check in checks]}
    found = await timings(settings) if arguments.timings and well else ()
    if arguments.timings:
        document["timings"] = [
            {"step": one.step, "count": one.count, "p50_ms": one.p50, "p95_ms": one.p95} for one in found
        ]
    return Result(
        [document], lambda texts: [*_show_checks(texts, checks), *_show_timings(texts, found)], 0 if well else 1
    )


def _check_document(texts: Texts, check: "Check") -> dict[str, Any]:
    error = check.error
    told = None if error is None else {"key": error.key, "message": texts(f"errors.{error.key}", **error.values)}
    return {"name": check.name, "ok": error is None, "facts": dict(check.facts), "error": told}


def _show_checks(texts: Texts, checks: "Sequence[Check]") -> Sequence[RenderableType]:
    headings = [texts("doctor.part"), texts("doctor.state"), texts("doctor.facts")]
    rows = []
    for check in checks:
        state = texts("doctor.well") if check.error is None else texts("doctor.broken")
        shown = [_fact(texts, name, value) for name, value in check.facts.items()]
        if check.name == "views" and _is_behind(check, checks):
            shown.append(texts("doctor.catching_up"))
        facts = ", ".join(shown)
        rows.append([texts(f"part.{check.name}"), state, facts])
    errors = [check.error for check in checks if check.error is not None]
    told = [failure(texts(f"errors.{error.key}", **error.values)) for error in errors]
    return [Table(headings, rows), *(told or [done(texts("doctor.all_well"))])]


def _is_behind(views: "Check", checks: "Sequence[Check]") -> bool:
    """Whether a view waits for the next question: what has happened since the last one is no fault."""
    head = next((check.facts.get("position") for check in checks if check.name == "events"), None)
    return isinstance(head, int) and any(isinstance(one, int) and one < head for one in views.facts.values())


def _fact(texts: Texts, name: str, value: str | float | None) -> str:
    match name, value:
        case "bytes" | "free_bytes", int():
            told = shown_size(texts, value)
        case "fingerprint", str():
            told = shown_fingerprint(value)
        case "kind" | "commands", str():
            told = texts(f"fact.{value}")
        case "signed", None:
            return texts("fact.unsigned")
        case "device", None:
            return texts("fact.no_session")
        case _, -1:
            told = texts("fact.not_built")
        case _, float():
            told = shown_number(texts, value)
        case _:
            told = "–" if value is None else str(value)
    return f"{texts(f'fact.{name}')} {told}".strip()


def _show_timings(texts: Texts, found: "Sequence[Timing]") -> Sequence[RenderableType]:
    if not found:
        return []
    headings = [texts(f"doctor.{name}") for name in ("step", "count", "p50", "p95")]
    rows = [
        [texts(f"step.{one.step}"), str(one.count), shown_number(texts, one.p50), shown_number(texts, one.p95)]
        for one in found
    ]
    return [Table(headings, rows)]


async def backup(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Write a backup into a new folder."""
    from bot.backup import KEYS, back_up  # noqa: PLC0415

    made = await back_up(settings, arguments.folder)
    document = {"folder": str(made.folder), "events": made.events, "sha256": made.sha256}
    values = {"folder": made.folder, "keys": made.folder / KEYS}
    return Result(
        [document], lambda texts: [done(texts("setup.backed_up", events=texts.counted("event", made.events), **values))]
    )


async def restore(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Set an empty data folder up from a backup."""
    from bot.backup import put_back  # noqa: PLC0415

    found = await put_back(settings, arguments.folder)
    document = {
        "data": str(settings.data),
        "events": found.events,
        "erased": found.erased,
        "problems": found.problems,
    }
    return Result([document], lambda texts: _show_restored(texts, found, settings.data), 1 if found.problems else 0)


def _show_restored(texts: Texts, found: "Restored", data: Path) -> Sequence[RenderableType]:
    told: list[RenderableType] = [done(texts("setup.restored", events=texts.counted("event", found.events), data=data))]
    if found.erased:
        told.append(texts("setup.erased_since", events=texts.counted("event", found.erased)))
    if found.problems:
        told.append(failure(texts("setup.restored_broken", problems=texts.counted("problem", found.problems))))
    return told


async def rebuild(app: "App", arguments: argparse.Namespace) -> Result:
    """Build a view anew from the events."""
    name = arguments.projection
    await app.views.rebuild(name)
    # What could not be taken in before may have changed what earlier answers cite; nobody is told twice.
    await app.citations.forget()
    position = (await app.views.positions())[name]
    document = {"projection": name, "position": position}
    return Result([document], lambda texts: [done(texts("setup.rebuilt", name=name, position=position))])


async def serve(settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Answer on the chat platform that the configuration switches on, until somebody ends it."""
    choice = settings.matrix
    if choice is None:
        raise InputError("no_platform", folder=settings.data)
    # What is wrong with the configuration is told now; what is down later is waited for.
    read_secret(choice.password_file)
    from bot.serving.logs import log_to  # noqa: PLC0415
    from bot.serving.signals import until_signalled  # noqa: PLC0415
    from bot.wiring import open_app  # noqa: PLC0415
    from bot.wiring.chatting import serving  # noqa: PLC0415

    log_to(sys.stderr)
    async with open_app(settings) as app, serving(app, choice) as life:
        await until_signalled(life)
        left = life.pending
    return Result([{"status": "stopped", "left": left}], lambda texts: [done(texts("setup.stopped", left=left))])
