"""The one place where ports meet adapters.

Heavy parts (models, search engines) are imported and opened by the property that first asks for them, so that a
simple command stays fast.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.config import Settings
from domain.errors import InputError

FORMAT: Final = "1"
_MARK: Final = "format"


@dataclass
class App:
    """The parts of one running program.

    Attributes:
        settings: what this call works with.
    """

    settings: Settings


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """Open the parts over an initialised data folder and close them again.

    Raises:
        InputError: ``not_initialised`` or ``newer_format``.
    """
    must_be_initialised(settings.data)
    yield App(settings)


def must_be_initialised(data: Path) -> None:
    """Refuse a folder that ``fundstelle init`` has not finished, or that a newer program has written."""
    try:
        found = (data / _MARK).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        raise InputError("not_initialised", folder=data) from None
    if found != FORMAT:
        raise InputError("newer_format", folder=data, found=found, known=FORMAT)
