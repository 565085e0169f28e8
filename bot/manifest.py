"""The manifest of an ingest: one JSON object a line, read and checked whole before anything is ingested.

``path`` is relative to the manifest and stays inside its folder, links included: a manifest that came with a corpus
must not be able to pull in other files of the person who ingests it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Final

from bot.files import read, read_regular, shown
from domain.errors import InputError
from domain.instants import parse_day
from domain.knowledge.anchors import document_key, key_of_path
from domain.knowledge.documents import VALID_FROM_KINDS, Statement
from domain.knowledge.headlines import web_link
from domain.knowledge.versions import period

_Wrong = Callable[..., InputError]

_LONGEST_LINE: Final = 1 << 16
"""Bytes at the beginning of a file that are looked at to tell whether it is a manifest."""

_KEYS: Final = ("path", "document", "title", "url", "level", "valid_from", "valid_to", "valid_from_kind")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: the file, the document it belongs to, and what is stated about it.

    ``named`` tells whether the line itself names the document.
    """

    number: int
    path: Path
    relative: PurePosixPath
    document: str
    named: bool
    stated: Statement


def read_manifest(file: Path, level: str | None) -> list[Line]:
    """Read a manifest.

    Args:
        file: the manifest.
        level: the level of lines that state none.

    Raises:
        InputError: ``manifest_empty``, ``manifest_line`` (with the line's number and what is wrong), or as
            ``files.read``.
    """
    try:
        content = read(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("manifest_encoding", file=shown(file)) from error
    folder = file.parent.resolve()
    lines = [
        _line(folder, file, number, text, level) for number, text in enumerate(content.split("\n"), 1) if text.strip()
    ]
    if not lines:
        raise InputError("manifest_empty", file=shown(file))
    return lines


def is_manifest(file: Path) -> bool:
    """Say whether a file reads like a manifest: its first line is an object with a path."""
    if file.suffix.lower() != ".jsonl":
        return False
    try:
        first = json.loads(read_regular(file, _LONGEST_LINE).decode("utf-8-sig").partition("\n")[0])
    except (OSError, InputError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "path" in first


def _line(folder: Path, file: Path, number: int, text: str, level: str | None) -> Line:
    def wrong(key: str, **values: object) -> InputError:
        return InputError(f"manifest_{key}", file=shown(file), line=number, **values)

    entry = _strings(_object(text, wrong), wrong)
    if "path" not in entry:
        raise wrong("missing", name="path")
    if (entry_level := entry.get("level", level)) is None:
        raise wrong("missing", name="level")
    path, relative = _path(folder, entry["path"], wrong)
    return Line(
        number=number,
        path=path,
        relative=relative,
        document=_document(entry, relative, wrong),
        named="document" in entry,
        stated=_statement(entry, entry_level, wrong),
    )


def _object(text: str, wrong: _Wrong) -> dict[str, object]:
    def once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise wrong("twice")
        return found

    try:
        entry = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise wrong("json") from error
    if not isinstance(entry, dict):
        raise wrong("json")
    return entry


def _strings(entry: dict[str, object], wrong: _Wrong) -> dict[str, str]:
    """Return what is stated; null is not stated."""
    stated: dict[str, str] = {}
    for name, value in entry.items():
        if name not in _KEYS:
            raise wrong("unknown", name=name, known=", ".join(_KEYS))
        if value is None:
            continue
        if not isinstance(value, str) or not value.strip() or not _is_text(value):
            raise wrong("type", name=name)
        stated[name] = value
    return stated


def _path(folder: Path, text: str, wrong: _Wrong) -> tuple[Path, PurePosixPath]:
    if "\0" in text or Path(text).is_absolute():
        raise wrong("outside", path=text)
    path = folder / text
    try:
        inside = path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):
        inside = False
    if not inside:
        raise wrong("outside", path=text)
    return path, PurePosixPath(text)


def _document(entry: dict[str, str], relative: PurePosixPath, wrong: _Wrong) -> str:
    try:
        return document_key(entry["document"]) if "document" in entry else key_of_path(relative)
    except InputError as error:
        raise wrong("document", document=entry.get("document", str(relative))) from error


def _statement(entry: dict[str, str], level: str, wrong: _Wrong) -> Statement:
    kind = entry.get("valid_from_kind")
    if kind not in (None, *VALID_FROM_KINDS):
        raise wrong("kind", value=kind, known=", ".join(VALID_FROM_KINDS))
    valid_from, valid_to = _day(entry, "valid_from", wrong), _day(entry, "valid_to", wrong)
    if kind is not None and valid_from is None:
        raise wrong("kind_alone")
    try:
        period(valid_from, valid_to)
    except InputError as error:
        raise wrong("validity", **error.values) from error
    try:
        url = web_link(entry["url"]) if "url" in entry else None
    except InputError as error:
        raise wrong("url", url=entry["url"]) from error
    return Statement(
        level=level,
        title=entry.get("title"),
        url=url,
        valid_from=valid_from,
        valid_to=valid_to,
        valid_from_kind=kind,
    )


def _day(entry: dict[str, str], name: str, wrong: _Wrong) -> date | None:
    if name not in entry:
        return None
    try:
        return parse_day(entry[name])
    except InputError as error:
        raise wrong("day", name=name, text=entry[name]) from error


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
