"""The parser behind the command line: global options everywhere, errors as values, in the person's language."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from bot.text import LANGUAGES, Texts
from domain.errors import InputError

# argparse looks its words up by these English originals; ours stand in the locale files.
_ORIGINALS: Final = {
    "usage: ": "usage.usage",
    "positional arguments": "usage.positional",
    "options": "usage.options",
    "show this help message and exit": "usage.help",
    "the following arguments are required: %s": "usage.required",
    "unrecognized arguments: %s": "usage.unrecognized",
    "expected one argument": "usage.one_argument",
    "expected at least one argument": "usage.at_least_one",
    "invalid choice: %(value)r (choose from %(choices)s)": "usage.choice",
    "invalid %(type)s value: %(value)r": "usage.value",
    "argument %(argument_name)s: %(message)s": "usage.argument",
    "not allowed with argument %s": "usage.not_with",
    "one of the arguments %s is required": "usage.one_of",
    "ignored explicit argument %r": "usage.explicit",
}
_GLOBAL: Final = frozenset({"data", "config", "json", "lang", "actor"})


class UsageError(InputError):
    """The command line does not follow the grammar; the text carries what argparse found."""

    def __init__(self, problem: str, usage: str, program: str) -> None:
        super().__init__("usage", problem=problem, usage=usage, program=program)


class _Formatter(argparse.HelpFormatter):
    """Leaves the global options out of the usage line; the list below it explains them."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Add the usage line without global options."""
        shown = [action for action in actions if action.dest not in _GLOBAL and action.dest != "help"]
        super().add_usage(usage, shown, groups, prefix)


class Parser(argparse.ArgumentParser):
    """An ``ArgumentParser`` that raises instead of leaving, and never guesses abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Formatter, **settings})

    def error(self, message: str) -> NoReturn:
        """Raise ``UsageError`` with the message and how the command is written."""
        usage = " ".join(self.format_usage().split()).partition(" ")[2]
        raise UsageError(message, usage, self.prog)


def speak(texts: Texts) -> None:
    """Let argparse say its words in the language of ``texts``; words without a text stay English."""
    vars(argparse)["_"] = lambda original: texts(_ORIGINALS[original]) if original in _ORIGINALS else original


def global_options(texts: Texts, *, behind_command: bool) -> Parser:
    """Return a parent parser with the options that may stand before and behind the command.

    Behind the command they have no default, so that a value given before it survives.
    """
    default, off = (argparse.SUPPRESS, argparse.SUPPRESS) if behind_command else (None, False)
    parser = Parser(add_help=False)
    group = parser.add_argument_group(texts("usage.global"))
    group.add_argument("--data", type=Path, metavar="DIR", default=default, help=texts("options.data"))
    group.add_argument("--config", type=Path, metavar="FILE.toml", default=default, help=texts("options.config"))
    group.add_argument("--json", action="store_true", default=off, help=texts("options.json"))
    group.add_argument("--lang", choices=LANGUAGES, default=default, help=texts("options.lang"))
    group.add_argument("--actor", metavar="NAME", default=default, help=texts("options.actor"))
    return parser


def early(arguments: Sequence[str], option: str) -> str | None:
    """Return the last value of a global option before anything is parsed, for errors of the parser itself."""
    value = None
    for index, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument.startswith(f"{option}="):
            value = argument.partition("=")[2]
        elif argument == option and index + 1 < len(arguments):
            value = arguments[index + 1]
    return value
