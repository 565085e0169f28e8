"""Setting up and keeping the installation."""

import argparse

from bot.cli.command import Commands, Result
from bot.config import Settings
from bot.output import done
from domain.errors import InputError


def register(commands: Commands) -> None:
    """Add the set-up commands."""
    commands.add_bare("init", init)
    commands.add_bare("migrate", migrate)
    commands.add_bare("serve", serve)


async def init(settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Make the data folder, the database and the keys."""
    from bot.wiring import initialise  # noqa: PLC0415 - the database is loaded only when a command needs it

    changed = await initialise(settings)
    key = "setup.initialised" if changed else "setup.ready"
    document = {"data": str(settings.data), "status": "done" if changed else "unchanged"}
    return Result([document], lambda texts: [done(texts(key, folder=settings.data))])


async def migrate(settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Bring the database up to the schema of this program."""
    from bot.wiring import migrate_data  # noqa: PLC0415 - the database is loaded only when a command needs it

    applied = await migrate_data(settings)
    return Result([{"applied": applied}], lambda texts: [done(texts("setup.migrated", applied=applied))])


async def serve(_settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Run every chat platform that the config switches on."""
    raise InputError("no_platform")
