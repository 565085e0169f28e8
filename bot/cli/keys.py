"""The master key, changed."""

import argparse
from typing import TYPE_CHECKING

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.identity import must_own
from bot.output import done, shown_fingerprint, shown_number, warning
from bot.text import Texts
from domain.mandates.attempts import DONE, UNCHANGED

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands of keys."""
    commands.group("keys").add("rotate", rotate)


async def rotate(app: "App", _arguments: argparse.Namespace) -> Result:
    """Wrap all keys by a new master key; events and texts stay as they are."""
    must_own(app.settings.data, "keys rotate")
    from bot.rotating import rotate_master_key  # noqa: PLC0415 - what opens the database comes with the command

    rotated = await rotate_master_key(app.settings, app.database)
    count = rotated.keys or 0
    document = {
        "keys": count,
        "fingerprint": rotated.fingerprint,
        "place": rotated.place,
        "status": UNCHANGED if rotated.keys is None else DONE,
    }
    shown = {"key": shown_fingerprint(rotated.fingerprint), "place": rotated.place}

    def show(texts: Texts) -> list[RenderableType]:
        if rotated.keys is None:
            told = warning(texts("keys.unchanged", **shown))
        else:
            told = done(texts("keys.rotated", count=shown_number(texts, count), **shown))
        return [told, texts("keys.in_file" if rotated.in_file else "keys.in_environment")]

    return Result([document], show)
