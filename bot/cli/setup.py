"""Setting up and keeping the installation."""

import argparse

from bot.cli.command import Commands, Result
from bot.config import Settings
from domain.errors import InputError


def register(commands: Commands) -> None:
    """Add the set-up commands."""
    commands.add_bare("serve", serve)


async def serve(_settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Run every chat platform that the config switches on."""
    raise InputError("no_platform")
