"""What a command returns, and how it is registered.

Each module of this package has ``register(commands)``, which adds its parsers and says what runs:
``async def run(app: App, arguments: Namespace) -> Result``. ``arguments.out`` is the ``Output`` of this call, for
what must be seen before the command ends (a progress bar, the lines of a batch).
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from bot.cli.grammar import Parser, global_options
from bot.config import Settings
from bot.text import Texts

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bot.wiring import App


@dataclass(frozen=True, slots=True)
class Result:
    """What a command found.

    Attributes:
        documents: what ``--json`` prints, one JSON document a line (several only for a batch).
        show: what a person sees, given the texts of their language.
        exit_code: 0 done, 1 a check failed or some of many items failed.
    """

    documents: Sequence[object]
    show: "Callable[[Texts], Sequence[RenderableType]]" = field(default=lambda _: ())
    exit_code: int = 0


Run: TypeAlias = "Callable[[App, argparse.Namespace], Awaitable[Result]]"
RunBare: TypeAlias = "Callable[[Settings, argparse.Namespace], Awaitable[Result]]"


@contextmanager
def told_when_stopped(tell: Callable[[], None]) -> Iterator[None]:
    """Let somebody who stops the block with Ctrl-C read what has been done and how to go on."""
    try:
        yield
    except asyncio.CancelledError:
        tell()
        raise


class Commands:
    """The commands of one level of the command line, ``fundstelle ...`` or ``fundstelle mandate ...``."""

    def __init__(self, parser: argparse.ArgumentParser, texts: Texts, path: str = "") -> None:
        self.texts = texts
        self._path = path
        self._groups: dict[str, Commands] = {}
        self._choices = parser.add_subparsers(
            metavar=texts("usage.command"), title=texts("usage.commands"), required=bool(path), parser_class=Parser
        )

    def add(self, name: str, run: Run) -> argparse.ArgumentParser:
        """Add a command that works on an initialised data folder; its help text is ``commands.<group>_<name>``."""
        parser = self._parser(name)
        parser.set_defaults(run=run)
        return parser

    def add_bare(self, name: str, run: RunBare) -> argparse.ArgumentParser:
        """Add a command that needs no initialised data folder."""
        parser = self._parser(name)
        parser.set_defaults(run_bare=run)
        return parser

    def group(self, name: str) -> "Commands":
        """Return the group of this name, made at the first call."""
        if name not in self._groups:
            self._groups[name] = Commands(self._parser(name), self.texts, f"{self._path}{name}_")
        return self._groups[name]

    def _parser(self, name: str) -> argparse.ArgumentParser:
        words = self.texts(f"commands.{self._path}{name.replace('-', '_')}")
        common = global_options(self.texts, behind_command=True)
        return self._choices.add_parser(name, help=words, description=words, parents=[common])
