"""Which files an ingest means, and under which keys: worked out whole before the first one is read.

``take`` then reads one of them; a file that cannot be read is an outcome and stops no other.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from uuid import UUID

from bot.files import Found, find, read, shown
from bot.manifest import Line, is_manifest
from domain.errors import AccessError, InputError
from domain.knowledge.anchors import document_key, key_of_path
from domain.knowledge.documents import Statement
from domain.knowledge.handler import Ingested, Knowledge, Material
from domain.recording import Actor


@dataclass(frozen=True, slots=True)
class Item:
    """A file to ingest.

    Attributes:
        path: where it lies.
        document: its key; ``None`` when its path makes none.
        stated: what is said about it.
        problem: why it will not be read.
        named: whether somebody chose the key, or it was made from the path.
        skipped: whether nobody means it, see ``files.Found``.
    """

    path: Path
    document: str | None
    stated: Statement
    problem: InputError | None = None
    named: bool = False
    skipped: bool = False


def items_of_paths(paths: Sequence[Path], document: str | None, stated: Statement) -> list[Item]:
    """Return the files behind the paths of a command line.

    Raises:
        InputError: ``document_many`` when one key is given for several files; or as ``document_key``, ``files.find``.
    """
    found = list(dict.fromkeys(one for path in paths for one in find(path)))
    if document is not None:
        meant = [one for one in found if not one.skipped]
        if len(meant) > 1:
            raise InputError("document_many", count=len(meant))
        key = document_key(document)
        return [Item(one.path, key, stated, one.problem, named=True, skipped=one.skipped) for one in found]
    return _without_clashes([_unnamed(one, stated) for one in found])


def items_of_manifest(lines: Iterable[Line]) -> list[Item]:
    """Return the files of a manifest, in its order."""
    return _without_clashes([Item(line.path, line.document, line.stated, named=line.named) for line in lines])


def manifest_among(paths: Sequence[Path]) -> Path | None:
    """Return a manifest that is one of the paths of a command line or lies below one, ``None`` for none.

    Raises:
        InputError: as ``files.find``.
    """
    return next((one.path for path in paths for one in find(path) if is_manifest(one.path)), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file: what was ingested, or the error."""

    path: str
    document: str | None
    ingested: Ingested | None = None
    error: InputError | None = None


async def take(knowledge: Knowledge, mandate: UUID, item: Item, actor: Actor, content: bytes | None = None) -> Outcome:
    """Read a file, unless its content is given, and ingest it.

    Raises:
        AccessError: the actor does not administer the mandate.
        PartError: a part does not answer; what was ingested before stays.
    """
    name = PurePath(shown(item.path))
    if item.problem is not None or item.document is None:
        error = item.problem or InputError("document_key_empty", key="")
        await knowledge.record_failure(mandate, item.document, name, error, actor)
        return Outcome(str(name), item.document, error=error)
    try:
        content = await asyncio.to_thread(read, item.path) if content is None else content
    except InputError as error:
        await knowledge.record_failure(mandate, item.document, name, error, actor)
        return Outcome(str(name), item.document, error=error)
    try:
        ingested = await knowledge.ingest(mandate, Material(item.document, name, content, item.stated), actor)
    except AccessError:
        raise
    except InputError as error:
        return Outcome(str(name), item.document, error=error)
    return Outcome(str(name), item.document, ingested)


def _unnamed(found: Found, stated: Statement) -> Item:
    if found.skipped:
        return Item(found.path, None, stated, skipped=True)
    if found.problem is None and is_manifest(found.path):
        return Item(found.path, None, stated, InputError("manifest_no_document", file=shown(found.path)))
    try:
        return Item(found.path, key_of_path(found.relative), stated, found.problem)
    except InputError as error:
        return Item(found.path, None, stated, found.problem or error)


def _without_clashes(items: Sequence[Item]) -> list[Item]:
    """Mark files whose keys nobody chose and that would become versions of one document by accident."""
    files: dict[str, dict[Path, Item]] = {}
    for item in items:
        if item.document is not None and item.problem is None:
            files.setdefault(item.document, {})[item.path.absolute()] = item

    def checked(item: Item) -> Item:
        sharing = files.get(item.document or "", {})
        if item.named or item.problem is not None or len(sharing) < 2:
            return item
        names = ", ".join(shown(other.path) for other in sharing.values())
        return replace(item, problem=InputError("document_clash", document=item.document, files=names))

    return [checked(item) for item in items]
