"""What a person wants to ask, from the options of a command or from a line of a batch."""

import argparse
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from bot.cli.command import Commands
from bot.files import read_regular, shown
from domain.asking.values import Ask
from domain.errors import AccessError, InputError
from domain.instants import parse_day
from domain.knowledge.anchors import document_key

if TYPE_CHECKING:
    from bot.wiring import App

_SINGLE: Final = ("mandate", "as", "at", "valid_on", "channel")
_SEVERAL: Final = ("scope", "document")
_LARGEST_BATCH: Final = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Wish:
    """A question or a search with its options, each as written; ``None`` where none was given."""

    text: str
    mandate: str
    scope: tuple[str, ...] | None = None
    document: tuple[str, ...] | None = None
    as_: str | None = None
    at: str | None = None
    valid_on: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a batch: its id as given, and what is wanted or why that cannot be read."""

    id: object
    wish: Wish | InputError


def add_options(parser: argparse.ArgumentParser, commands: Commands, *, channel: bool) -> None:
    """Add the options of questions and searches."""
    words = commands.texts
    parser.add_argument("text", nargs="?", metavar="TEXT", help=words("options.question"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    parser.add_argument("--scope", metavar="M,LIB", help=words("options.scope"))
    parser.add_argument("--document", nargs="+", action="extend", metavar="KEY", help=words("options.documents"))
    parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))
    parser.add_argument("--at", metavar="T", help=words("options.at"))
    parser.add_argument("--valid-on", metavar="D", help=words("options.valid_on"))
    if channel:
        parser.add_argument("--channel", metavar="C", help=words("options.asked_in"))
    parser.add_argument("--batch", type=Path, metavar="FILE.jsonl", help=words("options.batch"))


def wish_of(arguments: argparse.Namespace) -> Wish:
    """Return what the options of a command ask for; with ``--batch`` they hold for all lines that say nothing else.

    Raises:
        InputError: ``question_missing``, ``question_and_batch``, ``option_empty``.
    """
    if (arguments.text is None) == (arguments.batch is None):
        raise InputError("question_missing" if arguments.text is None else "question_and_batch")
    return Wish(
        text=arguments.text or "",
        mandate=arguments.mandate,
        scope=None if arguments.scope is None else keys_of("scope", arguments.scope),
        document=None if arguments.document is None else tuple(arguments.document),
        as_=arguments.as_user,
        at=arguments.at,
        valid_on=arguments.valid_on,
        channel=getattr(arguments, "channel", None),
    )


async def ask_of(app: "App", wish: Wish) -> Ask:
    """Return the question that the pipeline takes.

    Raises:
        AccessError: nobody knows who asks.
        InputError: ``identity``, ``not_owner``, ``day``, or as ``document_key``.
    """
    asker = await app.asker(wish.as_)
    if asker is None:
        raise AccessError
    return Ask(
        mandate=wish.mandate,
        asker=asker,
        actor=await app.actor(wish.as_),
        text=wish.text,
        scope=wish.scope,
        documents=None if wish.document is None else tuple(document_key(key) for key in wish.document),
        channel=wish.channel,
        at=wish.at,
        valid_on=None if wish.valid_on is None else parse_day(wish.valid_on),
    )


def read_batch(file: Path, common: Wish) -> Iterator[Line]:
    """Yield the lines of a batch; a line that cannot be read stops no other.

    Raises:
        InputError: ``batch_file``, ``batch_large``, ``batch_empty``, or ``file_kind`` for a pipe or a device.
    """
    return (_line(number, line, common) for number, line in read_lines(file))


def read_lines(file: Path) -> list[tuple[int, bytes]]:
    """Return the lines of a file that are not blank, each with its number.

    Raises:
        InputError: as ``read_batch``.
    """
    try:
        content = read_regular(file, _LARGEST_BATCH + 1)
    except OSError as error:
        raise InputError("batch_file", file=shown(file), reason=error.strerror) from error
    if len(content) > _LARGEST_BATCH:
        raise InputError("batch_large", file=shown(file), limit=_LARGEST_BATCH // (1024 * 1024))
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise InputError("batch_empty", file=shown(file))
    return numbered


def read_object(number: int, line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line.

    Raises:
        InputError: ``batch_json``.
    """
    try:
        entry = json.loads(line.decode("utf-8"), parse_constant=_no_number, parse_float=_finite)
        # A half of a surrogate pair can be written in JSON and nowhere else: it must not get any further.
        json.dumps(entry, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise InputError("batch_json", line=number) from None
    if not isinstance(entry, dict):
        raise InputError("batch_json", line=number)
    return entry


def wish_of_entry(number: int, entry: Mapping[str, Any], common: Wish) -> Wish:
    """Return what an object of a batch asks for; ``common`` gives the options that it leaves out.

    Raises:
        InputError: ``batch_unknown``, ``batch_missing``, ``batch_type``, ``option_empty``.
    """
    known = ("id", "question", *_SINGLE, *_SEVERAL)
    for name in entry:
        if name not in known:
            raise InputError("batch_unknown", line=number, name=name, known=", ".join(known))
    for name in ("id", "question"):
        if entry.get(name) is None:
            raise InputError("batch_missing", line=number, name=name)
    singles = {name: _text(number, name, entry[name]) for name in ("question", *_SINGLE) if entry.get(name) is not None}
    several = {name: _texts(number, name, entry[name]) for name in _SEVERAL if entry.get(name) is not None}
    return Wish(
        text=singles["question"],
        mandate=singles.get("mandate", common.mandate),
        scope=several.get("scope", common.scope),
        document=several.get("document", common.document),
        as_=singles.get("as", common.as_),
        at=singles.get("at", common.at),
        valid_on=singles.get("valid_on", common.valid_on),
        channel=singles.get("channel", common.channel),
    )


def _line(number: int, line: bytes, common: Wish) -> Line:
    try:
        entry = read_object(number, line)
    except InputError as error:
        return Line(None, error)
    try:
        return Line(entry.get("id"), wish_of_entry(number, entry, common))
    except InputError as error:
        return Line(entry.get("id"), error)


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def _text(number: int, name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputError("batch_type", line=number, name=name)
    return value


def _texts(number: int, name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_text(number, name, one) for one in value)
    text = _text(number, name, value)
    return keys_of(name, text) if name == "scope" else (text,)


def keys_of(name: str, text: str) -> tuple[str, ...]:
    """Return the keys of an option that are parted by commas.

    Raises:
        InputError: ``option_empty``.
    """
    keys = tuple(key.strip() for key in text.split(","))
    if not all(keys):
        raise InputError("option_empty", option=f"--{name}")
    return keys
