"""``verify``: pairs of sentence and passage, checked as the sentences of an answer are."""

import argparse
from pathlib import Path
from typing import Any, Final

from bot import models
from bot.answers import decimal
from bot.cli.command import Commands, Result
from bot.cli.wishes import read_lines, read_object
from bot.config import Settings
from bot.output import Table, failure
from bot.sentences import why_not
from bot.text import Texts
from domain.errors import FundstelleError, InputError
from domain.verifying.checking import Statement, check_a
from domain.verifying.ports import Judge
from domain.verifying.values import Judgement

_FAILED: Final = 1
_FIELDS: Final = ("sentence", "passage")


def register(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_bare("verify", verify)
    parser.add_argument("file", type=Path, metavar="FILE.jsonl", help=commands.texts("options.pairs"))


async def verify(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Say of each pair whether the passage carries the sentence; a line that cannot be read stops no other."""
    judge = models.judge(settings)
    out, failed, rows = arguments.out, 0, list[list[str]]()
    for number, line in read_lines(arguments.file):
        entry: dict[str, Any] = {}
        try:
            entry = read_object(number, line)
            found = await _checked(judge, number, entry)
        except FundstelleError as error:
            message = out.texts(f"errors.{error.key}", **error.values)
            out.document({"id": entry.get("id"), "error": {"key": error.key, "message": message}})
            out.note(failure(message))
            failed += 1
        else:
            out.document(_document(entry["id"], found, judge.fingerprint))
            rows.append(_row(entry["id"], found, out.texts))
    headings = [out.texts(f"verify.{name}") for name in ("pair", "supported", "confidence", "reason")]
    out.show(*[Table(headings, rows)] * bool(rows))
    return Result((), exit_code=_FAILED if failed else 0)


async def _checked(judge: Judge, number: int, entry: dict[str, Any]) -> Judgement:
    for name in ("id", *_FIELDS):
        if entry.get(name) is None:
            raise InputError("batch_missing", line=number, name=name)
    for name in _FIELDS:
        if not isinstance(entry[name], str):
            raise InputError("batch_type", line=number, name=name)
    (found,) = await check_a(judge, [Statement(entry["sentence"], [entry["passage"]])])
    return found


def _document(pair: object, found: Judgement, judge: str) -> dict[str, Any]:
    return {
        "id": pair,
        "supported": found.is_supported,
        "confidence": found.confidence,
        "reason": found.reason,
        "judge": judge,
    }


def _row(pair: object, found: Judgement, texts: Texts) -> list[str]:
    said = texts("verify.yes" if found.is_supported else "verify.no")
    because = "" if found.is_supported else why_not(found, texts)
    return [str(pair), said, decimal(found.confidence, texts), because]
