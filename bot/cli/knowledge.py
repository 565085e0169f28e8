"""The commands on documents: what comes in and what goes."""

import argparse
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.command import Commands, Result, told_when_stopped
from bot.closed import failed_after_all
from bot.files import shown
from bot.ingesting import Item, Outcome, items_of_manifest, items_of_paths, manifest_among, take
from bot.manifest import read_manifest
from bot.outcomes import exit_code, outcome_document, show_outcome, show_outcomes
from bot.output import done, warning
from bot.source_changes import Consequences
from domain.errors import InputError
from domain.instants import parse_day
from domain.knowledge.anchors import document_key
from domain.knowledge.documents import VALID_FROM_KINDS, Statement
from domain.knowledge.headlines import web_link
from domain.knowledge.versions import period
from domain.mandates.access import must_administer
from domain.mandates.naming import level_among
from domain.mandates.state import Mandate
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands on documents."""
    _register_ingest(commands)
    words = commands.texts
    parser = commands.add("withdraw", withdraw)
    parser.add_argument("document", metavar=words("knowledge.document").upper(), help=words("options.document_key"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    parser.add_argument("--because", required=True, metavar="TEXT", help=words("options.because"))
    parser = commands.group("level").add("assign", assign_level)
    parser.add_argument("document", metavar=words("knowledge.document").upper(), help=words("options.document_key"))
    parser.add_argument("level", metavar=words("knowledge.level").upper(), help=words("options.level"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))


def _register_ingest(commands: Commands) -> None:
    words = commands.texts
    parser = commands.add("ingest", ingest)
    parser.add_argument("paths", nargs="*", type=Path, metavar=words("knowledge.path"), help=words("options.paths"))
    parser.add_argument("--manifest", type=Path, metavar="FILE.jsonl", help=words("options.manifest"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    for name, value in (
        ("level", "LEVEL"),
        ("document", "KEY"),
        ("title", "T"),
        ("url", "U"),
        ("valid-from", "D"),
        ("valid-to", "D"),
    ):
        parser.add_argument(f"--{name}", metavar=value, help=words(f"options.ingest_{name.replace('-', '_')}"))
    kinds, meaning = "|".join(VALID_FROM_KINDS), words("options.ingest_valid_from_kind")
    parser.add_argument("--valid-from-kind", choices=VALID_FROM_KINDS, metavar=kinds, help=meaning)


async def ingest(app: "App", arguments: argparse.Namespace) -> Result:
    """Make files known, each for itself: a broken one stops no other."""
    actor = await app.actor()
    mandate = await administered(app, arguments.mandate, actor)
    found = _items(arguments)
    items = [item for item in found if not item.skipped]
    for level in {item.stated.level for item in items}:
        level_among(mandate.levels, level)
    outcomes: list[Outcome] = []
    consequences = await Consequences.begin(app, mandate, actor)

    def tell_stopped() -> None:
        show_outcomes(outcomes, arguments.out)
        words = arguments.out.texts("knowledge.interrupted", count=len(outcomes), total=len(items))
        arguments.out.note(warning(words))

    with (
        told_when_stopped(tell_stopped),
        arguments.out.progress(arguments.out.texts("knowledge.ingesting"), len(items)) as step,
    ):
        for number, item in enumerate(items, 1):
            outcome = await take(app.knowledge, mandate.id, item, actor)
            outcomes.append(outcome)
            arguments.out.document(outcome_document(outcome, arguments.out.texts))
            step(number)
    # Shown before the search follows: should that fail, what came in has come in.
    show_outcomes(outcomes, arguments.out, len(found) - len(items))
    with arguments.out.progress(arguments.out.texts("knowledge.indexing")):
        await app.views.reach()
    changed = {one.document for one in outcomes if one.document and one.ingested and one.ingested.changed}
    if changed:
        await consequences.tell(changed, arguments.out)
    checked = await failed_after_all(app, mandate.id, outcomes)
    closed = [one for one, before in zip(checked, outcomes, strict=True) if one != before]
    for one in closed:
        show_outcome(one, arguments.out)
    return Result([outcome_document(one, arguments.out.texts) for one in closed], exit_code=exit_code(checked))


def _items(arguments: argparse.Namespace) -> list[Item]:
    described = (arguments.document, arguments.title, arguments.url, arguments.valid_from, arguments.valid_to)
    if arguments.manifest is not None:
        if arguments.paths or any(one is not None for one in (*described, arguments.valid_from_kind)):
            raise InputError("ingest_manifest_alone")
        return items_of_manifest(read_manifest(arguments.manifest, arguments.level))
    if not arguments.paths:
        raise InputError("ingest_nothing")
    if arguments.level is None:
        manifest = manifest_among(arguments.paths)
        if manifest is not None:
            raise InputError("ingest_level_manifest", file=shown(manifest))
        raise InputError("ingest_level")
    if arguments.valid_from_kind is not None and arguments.valid_from is None:
        raise InputError("valid_from_kind_alone")
    stated = Statement(
        level=arguments.level,
        title=_line(arguments.title, "title"),
        url=None if arguments.url is None else web_link(arguments.url),
        valid_from=_day(arguments.valid_from),
        valid_to=_day(arguments.valid_to),
        valid_from_kind=arguments.valid_from_kind,
    )
    period(stated.valid_from, stated.valid_to)
    return items_of_paths(arguments.paths, arguments.document, stated)


def _day(text: str | None) -> date | None:
    return None if text is None else parse_day(text)


def _line(text: str | None, option: str) -> str | None:
    if text is not None and not text.strip():
        raise InputError("option_empty", option=f"--{option}")
    return text


async def administered(app: "App", key: str, actor: Actor) -> Mandate:
    """Return a mandate to one of its administrators.

    Raises:
        AccessError: to anybody else, and when there is no such mandate.
    """
    mandate = await app.mandates.find(key)
    must_administer(mandate, actor.person)
    return mandate


async def withdraw(app: "App", arguments: argparse.Namespace) -> Result:
    """Let a document answer no longer."""
    actor = await app.actor()
    mandate = await administered(app, arguments.mandate, actor)
    key, consequences = document_key(arguments.document), await Consequences.begin(app, mandate, actor)
    await app.knowledge.withdraw(mandate.id, key, arguments.because, actor)
    await app.views.reach()
    answers = await consequences.tell([key], arguments.out)
    document = {"document": arguments.document, "status": "withdrawn", "changed_answers": answers}
    return Result([document], lambda texts: [done(texts("knowledge.withdrawn", document=arguments.document))])


async def assign_level(app: "App", arguments: argparse.Namespace) -> Result:
    """Give all versions of a document a level."""
    actor = await app.actor()
    mandate = await administered(app, arguments.mandate, actor)
    changed = await app.knowledge.assign_level(mandate.id, arguments.document, arguments.level, actor)
    await app.views.reach()
    status = "done" if changed else "unchanged"
    document = {"document": arguments.document, "level": arguments.level, "status": status}
    words = {"document": arguments.document, "level": arguments.level}
    return Result([document], lambda texts: [done(texts(f"knowledge.level_{status}", **words))])
