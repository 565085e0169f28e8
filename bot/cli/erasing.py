"""``erase person`` and ``erase mandate``: propose what a second person then has carried out by agreeing to it."""

import argparse
from typing import TYPE_CHECKING

from bot import identity
from bot.cli.command import Commands, Result
from bot.output import warning
from domain.mandates.attempts import Change

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands."""
    group, words = commands.group("erase"), commands.texts
    person, mandate = group.add("person", erase_person), group.add("mandate", erase_mandate)
    person.add_argument("user", metavar="USER", help=words("options.erased_person"))
    mandate.add_argument("mandate", metavar="M", help=words("options.mandate"))
    for parser in (person, mandate):
        parser.add_argument("--because", metavar="TEXT", required=True, help=words("options.because_kept"))


async def erase_person(app: "App", arguments: argparse.Namespace) -> Result:
    """Propose to erase a person everywhere."""
    user = identity.parse(arguments.user)
    change = await app.proposing.propose_person(user, arguments.because, await app.actor())
    return _proposed(change, user)


async def erase_mandate(app: "App", arguments: argparse.Namespace) -> Result:
    """Propose to erase a mandate."""
    change = await app.proposing.propose_mandate(arguments.mandate, arguments.because, await app.actor())
    return _proposed(change, change.mandate.key)


def _proposed(change: Change, subject: str) -> Result:
    key = change.mandate.key
    document = {"mandate": key, "subject": subject, "status": change.status, "change": str(change.proposal)}
    return Result([document], lambda texts: [warning(texts("mandate.pending", mandate=key))])
