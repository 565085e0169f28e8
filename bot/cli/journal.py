"""The commands of the journal: sign its head, check it, change its key, take in what witnesses have signed."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from bot.cli.command import Commands, Result
from bot.files import must_be_new
from bot.identity import must_own
from bot.output import Output, Table, done, failure, verbatim, warning
from bot.publishing import must_take, publish, published, read_note
from bot.text import Texts
from domain.errors import InputError, PartError
from domain.journal.handler import Signed
from domain.journal.notes import BrokenNoteError, VerifierKey

if TYPE_CHECKING:
    from bot.audits import Audited
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    group = commands.group("journal")
    for name, run in (("checkpoint", checkpoint), ("rotate-key", rotate_key)):
        parser = group.add(name, run)
        parser.add_argument("--out", dest="target", metavar="FILE", type=Path, help=words("options.checkpoint_out"))
    verifying = group.add("verify", verify)
    verifying.add_argument(
        "--checkpoint", action="append", default=[], metavar="FILE", type=Path, help=words("options.checkpoint")
    )
    verifying.add_argument("--key", metavar="FILE", type=Path, help=words("options.journal_key"))
    accepting = group.add("accept", accept)
    accepting.add_argument("file", metavar="FILE", type=Path, help=words("options.cosigned"))


async def checkpoint(app: "App", arguments: argparse.Namespace) -> Result:
    """Sign the head of the journal and publish it."""
    must_own(app.settings.data, "journal checkpoint")
    await _must_fit(app, arguments)
    signed = await app.journal.checkpoint(await app.actor())
    return _signed(app, signed, arguments, "journal.signed")


async def rotate_key(app: "App", arguments: argparse.Namespace) -> Result:
    """Take another signing key, announced by the one before."""
    must_own(app.settings.data, "journal rotate-key")
    await _must_fit(app, arguments)
    signed = await app.journal.change_key(await app.actor())
    return _signed(app, signed, arguments, "journal.key_changed")


async def accept(app: "App", arguments: argparse.Namespace) -> Result:
    """Take in a checkpoint that witnesses have signed."""
    must_own(app.settings.data, "journal accept")
    signed = await app.journal.accept(read_note(arguments.file), await app.actor())
    witnesses = [{"name": one.witness.name, "at": one.at.isoformat()} for one in signed.cosigned]
    names = ", ".join(one.witness.name for one in signed.cosigned)
    document = {"size": signed.checkpoint.size, "witnesses": witnesses}
    return Result(
        [document], lambda texts: [done(texts("journal.accepted", size=signed.checkpoint.size, witnesses=names))]
    )


async def verify(app: "App", arguments: argparse.Namespace) -> Result:
    """Check every stored row and every checkpoint."""
    from bot.audits import audited  # noqa: PLC0415 - only this command reads the journal whole

    trusted = () if arguments.key is None else _keys(arguments.key)
    folder = app.settings.journal.folder
    found = await audited(app, [*arguments.checkpoint, *(published(folder) if folder else ())], trusted)
    return Result([_document(found)], lambda texts: [*_shown(found, texts)], 0 if found.intact else 1)


async def _must_fit(app: "App", arguments: argparse.Namespace) -> None:
    """Refuse places where a checkpoint cannot go before one is signed: a key that has changed stays changed."""
    if arguments.target is not None:
        must_be_new(arguments.target)
    if app.settings.journal.folder is not None:
        must_take(app.settings.journal.folder)
        await _must_continue(app, app.settings.journal.folder, arguments.out)


async def _must_continue(app: "App", folder: Path, out: Output) -> None:
    """Refuse to sign beside a published checkpoint that is not of this journal: it was exchanged, or began anew.

    A share that is not mounted looks like a folder that nothing has been published to, so that is told.
    """
    log, files = await app.journal.log(), published(folder)
    if log.signed and not files:
        out.note(warning(out.texts("journal.nothing_published", folder=folder)))
    for file in files[-1:]:
        if not log.signed:
            raise PartError("journal_published", file=file)
        await app.journal.must_agree(app.journal.read(read_note(file), log.keys).checkpoint)


def _signed(app: "App", signed: Signed, arguments: argparse.Namespace, key: str) -> Result:
    folder = app.settings.journal.folder
    files = [] if folder is None else [publish(signed, folder)]
    if arguments.target is not None:
        files.append(_written(signed, arguments.target))
    document = {
        "origin": signed.checkpoint.origin,
        "size": signed.checkpoint.size,
        "root": signed.checkpoint.root.hex(),
        "key": str(app.journal.key),
        "note": str(signed.note),
        "files": [str(file) for file in files],
    }
    return Result([document], lambda texts: [*_told(document, texts, key)])


def _written(signed: Signed, file: Path) -> Path:
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(str(signed.note))
    except FileExistsError as error:
        raise InputError("file_exists", file=file) from error
    except OSError as error:
        raise InputError("system", reason=error.strerror, file=file) from error
    return file


def _told(document: dict[str, Any], texts: Texts, key: str) -> Iterator[RenderableType]:
    yield done(texts(key, events=texts.counted("event", document["size"])))
    for file in document["files"]:
        yield Text(texts("journal.published", file=file))
    if not document["files"]:
        yield verbatim(str(document["note"]))
        yield warning(texts("journal.unpublished"))
    yield verbatim(texts("journal.key", key=document["key"]))


def _keys(file: Path) -> tuple[VerifierKey, ...]:
    try:
        lines = [line.strip() for line in read_note(file).splitlines()]
        keys = tuple(VerifierKey.of(line) for line in lines if line and not line.startswith("#"))
    except BrokenNoteError as error:
        raise InputError("verifier_key", file=file) from error
    if not keys:
        raise InputError("verifier_key", file=file)
    return keys


def _document(found: "Audited") -> dict[str, Any]:
    findings = found.findings
    return {
        "ok": found.intact,
        "events": findings.size,
        "root": findings.root.hex(),
        "checkpoints": {"own": found.own, "external": found.others},
        "external": found.external,
        "confirmed": found.confirmed,
        "unprotected": found.unprotected,
        "counts": dict(findings.counts),
        "problems": [{"kind": one.kind, "place": one.place} for one in findings.problems],
    }


def _shown(found: "Audited", texts: Texts) -> Iterator[RenderableType]:
    findings = found.findings
    if findings.problems:
        headings = [texts("journal.problem"), texts("journal.place")]
        yield Table(headings, [[texts(f"audit.{one.kind}"), one.place] for one in findings.problems])
        yield failure(texts("journal.broken", problems=texts.counted("problem", findings.counts.total())))
        return
    events = texts.counted("event", findings.size)
    yield done(texts("journal.intact", events=events, own=found.own, others=found.others))
    if found.unprotected == findings.size:
        yield warning(texts("journal.no_external"))
    elif found.unprotected:
        yield Text(texts("journal.tail", events=texts.counted("event", found.unprotected)))
