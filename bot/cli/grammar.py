"""The parser behind the command line: global options everywhere, errors as values, in the person's language."""

import argparse
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
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
    "invalid %(type)s value: %(value)r": "usage.value",
    "argument %(argument_name)s: %(message)s": "usage.argument",
    "not allowed with argument %s": "usage.not_with",
    "one of the arguments %s is required": "usage.one_of",
    "ignored explicit argument %r": "usage.explicit",
    # Ours: what argparse does not say, or says in another way from one release of Python to the next.
    "there is no %(value)s, possible are %(choices)s": "usage.choice",
    "did you mean %s?": "usage.meant",
    "quote a value that has spaces": "usage.quote",
}
_FREE_TEXT: Final = frozenset({"text", "because", "title", "name"})
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

    def _format_action(self, action: argparse.Action) -> str:
        """List commands without a line that says "command" above them: the title of their group does."""
        if not isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - argparse has no other name for them
            return super()._format_action(action)
        return "".join(map(super()._format_action, action._get_subactions()))  # noqa: SLF001 - see above


class Parser(argparse.ArgumentParser):
    """An ``ArgumentParser`` that raises instead of leaving, and never guesses abbreviations."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Formatter, **settings})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse; a command names what it does not know itself, since above it nobody knows its usage."""
        if self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        words = self._mandate_first(list(args))
        self._refuse([word for word in _options(words) if word not in self._option_string_actions])
        found, left = super().parse_known_args(words, namespace)
        self._refuse(left)
        return found, []

    def _mandate_first(self, words: list[str]) -> list[str]:
        """Accept ``--mandate M`` for a mandate that stands in the first place."""
        places = [action.dest for action in self._get_positional_actions()]
        given = [number for number, word in enumerate(words[:-1]) if word == "--mandate"]
        if places[:1] != ["mandate"] or len(given) != 1:
            return words
        (number,) = given
        return [words[number + 1], *words[:number], *words[number + 2 :]]

    def _refuse(self, unknown: Sequence[str]) -> None:
        if not unknown:
            return
        problem = [_said("unrecognized arguments: %s") % " ".join(unknown)]
        near = [one for word in unknown for one in _near(word, self._option_string_actions)]
        if near:
            problem.append(_said("did you mean %s?") % near[0])
        elif not unknown[0].startswith("-") and _FREE_TEXT & {action.dest for action in self._actions}:
            problem.append(_said("quote a value that has spaces"))
        self.error(" ".join(problem))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(one) for one in action.choices]
        problem = [
            _said("there is no %(value)s, possible are %(choices)s") % {"value": value, "choices": ", ".join(known)}
        ]
        problem += [_said("did you mean %s?") % near for near in _near(str(value), known)]
        raise argparse.ArgumentError(action, " ".join(problem))

    def error(self, message: str) -> NoReturn:
        """Raise ``UsageError`` with the message and how the command is written."""
        usage = " ".join(self.format_usage().split()).partition(" ")[2]
        raise UsageError(message, usage, self.prog)


def _options(words: Sequence[str]) -> list[str]:
    """Return the long options among ``words``, without their values; what has a blank in it is none."""
    before = words[: words.index("--")] if "--" in words else words
    return [word.partition("=")[0] for word in before if word.startswith("--") and " " not in word]


def _near(word: str, known: Iterable[str]) -> list[str]:
    return get_close_matches(word, list(known), 1)


def _said(original: str) -> str:
    said: str = vars(argparse)["_"](original)
    return said


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
