"""``show``: a span of a stored version inside its surroundings."""

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from bot.cli.command import Commands, Result
from bot.cli.knowledge import admitted
from bot.output import Card, shown_day
from bot.text import Texts
from domain.asking.visibility import VisibleVersion
from domain.errors import AccessError, InputError
from domain.knowledge.anchors import Anchor, parse_anchor
from domain.knowledge.events import VersionIngested
from domain.knowledge.search_text import shown
from domain.knowledge.surroundings import Surroundings, surroundings

if TYPE_CHECKING:
    from bot.wiring import App

_MOST_CONTEXT = 1000
"""Sentences on either side; more is a text to read elsewhere."""


def register(commands: Commands) -> None:
    """Add ``show``."""
    words = commands.texts
    parser = commands.add("show", show)
    parser.add_argument("anchor", metavar=words("knowledge.anchor"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    parser.add_argument("--context", type=int, default=2, metavar="N", help=words("options.context"))
    parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def show(app: "App", arguments: argparse.Namespace) -> Result:
    """Show the place that an anchor names, also in a version that answers no longer."""
    anchor = parse_anchor(arguments.anchor)
    if not 0 <= arguments.context <= _MOST_CONTEXT:
        raise InputError("context", context=arguments.context, limit=_MOST_CONTEXT)
    admission = await admitted(app, arguments)
    await app.views.reach(await app.store.head())
    version = await app.known.version(admission.scope, admission.levels, anchor.document, anchor.version)
    if version is None:
        raise AccessError
    event = await _ingested(app, version)
    around = surroundings(event, anchor.span, arguments.context)
    text = await app.blobs.get(version.mandate, version.blob)
    place = _Place(anchor, version, around, text, event.markup)
    return Result([_document(place)], lambda texts: [_card(place, texts)])


@dataclass(frozen=True, slots=True)
class _Place:
    anchor: Anchor
    version: VisibleVersion
    around: Surroundings
    text: str
    markup: str


async def _ingested(app: "App", version: VisibleVersion) -> VersionIngested:
    recorded = await app.store.after(version.ordinal - 1, 1)
    event = recorded[0].event if recorded else None
    if not isinstance(event, VersionIngested):
        raise InputError("blob_erased")
    return event


def _document(place: _Place) -> dict[str, object]:
    anchor, version, around = place.anchor, place.version, place.around
    return {
        "anchor": str(anchor),
        "document": version.key,
        "version": version.version,
        "start": anchor.span.start,
        "end": anchor.span.end,
        "title": version.title,
        "url": version.url,
        "section": " › ".join(around.section),
        "place": around.place,
        "page": around.page.number if around.page else None,
        "page_label": around.page.label if around.page else None,
        "level": version.level,
        "valid_from": version.valid_from and version.valid_from.isoformat(),
        "valid_to": version.valid_to and version.valid_to.isoformat(),
        "valid_from_kind": version.valid_from_kind,
        "text": anchor.span.of(place.text),
        "before": around.before.of(place.text),
        "after": around.after.of(place.text),
    }


def _card(place: _Place, texts: Texts) -> RenderableType:
    version, around = place.version, place.around
    facts = [texts("knowledge.version_of", version=version.version), *around.section, around.place]
    if around.page:
        facts.append(texts("knowledge.page", page=around.page.label))
    if version.valid_from:
        facts.append(texts("knowledge.in_force", day=shown_day(texts, version.valid_from)))
    body = Text()
    last = ""
    for span, style in ((around.before, "dim"), (place.anchor.span, "bold reverse"), (around.after, "dim")):
        stored = span.of(place.text)
        body.append(_gap(last, stored))
        words = shown(stored, place.markup)
        # Marked for those who see no colour; the style is for the others.
        body.append(f"▶ {words} ◀" if span == place.anchor.span else words, style)
        last = stored
    return Card(version.title, Group(Text(" · ".join(fact for fact in facts if fact)), body))


def _gap(left: str, right: str) -> str:
    """Return what parts two shown texts: a line break or a blank, where the stored text has one."""
    white = left[len(left.rstrip()) :] + right[: len(right) - len(right.lstrip())]
    return "\n" if "\n" in white else " " if white and left.strip() else ""
