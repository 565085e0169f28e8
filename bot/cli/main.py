"""Where a command starts: arguments in, exit code out, and no error without a sentence that says what to do."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bot import config
from bot.cli import (
    again,
    asking,
    bundle,
    comparing,
    demo,
    erasing,
    evaluating,
    holding,
    journal,
    keys,
    knowledge,
    known,
    looking,
    mandates,
    matrix,
    models,
    policies,
    retention,
    runs,
    setup,
    showing,
    verifying,
    watch,
)
from bot.cli.command import Commands, Result
from bot.cli.grammar import Parser, early, global_options, speak
from bot.config import Settings
from bot.faults import log_into, write_down
from bot.identity import must_reach
from bot.output import Output, failure
from bot.streams import prepare_streams
from bot.text import LANGUAGES, Texts, texts
from domain.errors import FundstelleError, InputError

GROUPS: Final = (
    setup,
    mandates,
    holding,
    retention,
    policies,
    erasing,
    models,
    knowledge,
    known,
    showing,
    watch,
    asking,
    runs,
    again,
    looking,
    comparing,
    verifying,
    journal,
    keys,
    matrix,
    bundle,
    evaluating,
    demo,
)

UNEXPECTED: Final = 3
INTERRUPTED: Final = 130
TERMINATED: Final = 143
BROKEN_PIPE: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    prepare_streams()
    chosen = early(arguments, "--lang") in LANGUAGES
    out = Output(as_json="--json" in arguments, texts=texts(_language(arguments), is_chosen=chosen))
    try:
        code = _run(arguments, out)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more on its way out; that must not meet the closed pipe again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return code


def build_parser(words: Texts) -> Parser:
    """Return the parser of all commands with its help in the language of ``words``."""
    speak(words)
    parser = Parser(
        prog="fundstelle",
        description=words("usage.description"),
        epilog=words("usage.epilog"),
        parents=[global_options(words, behind_command=False)],
    )
    parser.set_defaults(run=None, run_bare=None)
    commands = Commands(parser, words)
    for group in GROUPS:
        group.register(commands)
    return parser


def _language(arguments: Sequence[str]) -> str:
    named = early(arguments, "--lang")
    if named in LANGUAGES:
        return str(named)
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "en" if locale.startswith("en") else "de"


def _run(arguments: Sequence[str], out: Output) -> int:
    try:
        return _answer(arguments, out)
    except SystemExit as leaving:  # argparse has printed its help
        return int(leaving.code or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except asyncio.CancelledError:
        return TERMINATED


def _answer(arguments: Sequence[str], out: Output) -> int:
    data: Path | None = None
    try:
        parser = build_parser(out.texts)
        found = parser.parse_args(arguments)
        if found.run is None and found.run_bare is None:
            parser.print_help()
            return 0
        _refuse_broken_text(found)
        settings = config.load(found.data, found.config, out.texts.language, found.actor)
        must_reach(settings.data)
        data = settings.data
        log_into(data)
        found.out = out
        return _deliver(asyncio.run(_perform(settings, found)), out)
    except FundstelleError as error:
        return _fail(error.key, error.values, error.exit_code, out)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the last line of defence: a person gets a sentence, never a traceback
        return _unforeseen(error, write_down(error, data), out)


async def _perform(settings: Settings, found: argparse.Namespace) -> Result:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    if task is not None:
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    if found.run_bare is not None:
        bare: Result = await found.run_bare(settings, found)
        return bare
    from bot.wiring import open_app  # noqa: PLC0415 - the database is loaded only when a command needs it

    async with open_app(settings) as app:
        result: Result = await found.run(app, found)
        return result


def _deliver(result: Result, out: Output) -> int:
    for document in result.documents:
        out.document(document)
    if not out.as_json:
        out.show(*result.show(out.texts))
    return result.exit_code


def _refuse_broken_text(found: argparse.Namespace) -> None:
    """Refuse arguments that are not Unicode text; paths may be any bytes."""
    for name, value in vars(found).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _is_text(text):
                raise InputError("argument_text", argument=name)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _fail(key: str, values: Mapping[str, str], exit_code: int, out: Output) -> int:
    message = out.texts(f"errors.{key}", **values)
    out.document({"error": {"key": key, "message": message}})
    out.note(failure(message))
    return exit_code


def _unforeseen(error: Exception, log: Path | None, out: Output) -> int:
    if isinstance(error, OSError):
        values = {"reason": error.strerror or type(error).__name__, "file": str(error.filename or "–")}
        return _fail("system", values, UNEXPECTED, out)
    return _fail("unexpected", {"kind": type(error).__name__, "log": str(log or "–")}, UNEXPECTED, out)
