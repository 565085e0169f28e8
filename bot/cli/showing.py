"""``show``: a span of a stored version inside its surroundings."""

import argparse
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from bot.answers import SEPARATOR, gap, in_force
from bot.cli.command import Commands, Result
from bot.cli.known import admitted
from bot.output import Card
from bot.text import Texts
from domain.asking.force import Standing, Term, term
from domain.asking.visibility import Horizon, VisibleVersion
from domain.errors import AccessError
from domain.knowledge.anchors import Anchor, parse_anchor
from domain.knowledge.recorded import ingested
from domain.knowledge.search_text import shown
from domain.knowledge.surroundings import Surroundings, must_be_context, surroundings

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add ``show``."""
    words = commands.texts
    parser = commands.add("show", show)
    parser.add_argument("anchor", metavar=words("knowledge.anchor"), help=words("options.anchor"))
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    parser.add_argument("--context", type=int, default=2, metavar="N", help=words("options.context"))
    parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def show(app: "App", arguments: argparse.Namespace) -> Result:
    """Show the place that an anchor names, also in a version that answers no longer."""
    anchor = parse_anchor(arguments.anchor)
    must_be_context(arguments.context)
    admission = await admitted(app, arguments)
    position = await app.views.reach(await app.store.head())
    version = await app.known.version(admission.scope, admission.levels, anchor.document, anchor.version)
    if version is None:
        raise AccessError
    event = await ingested(app.store, version.ordinal)
    around = surroundings(event, anchor.span, arguments.context)
    text = await app.blobs.get(version.mandate, version.blob)
    now = Horizon(admission.scope, admission.levels, position, admission.today, (version.key,))
    place = _Place(anchor, version, await _term(app, version, now), around, text, event.markup)
    return Result([_document(place)], lambda texts: [_card(place, texts)])


@dataclass(frozen=True, slots=True)
class _Place:
    anchor: Anchor
    version: VisibleVersion
    term: Term | None
    around: Surroundings
    text: str
    markup: str


async def _term(app: "App", version: VisibleVersion, now: Horizon) -> Term | None:
    """Return the term of a version as known now; what it claims yields to what has come after it."""
    today = await app.known.visible(now)
    then = await app.known.visible(replace(now, valid_on=version.valid_from or date.min))
    standing = Standing(today, then)
    dates = today.versions.get(version.ordinal, version)
    return term(
        dates.valid_from,
        dates.valid_to,
        in_force=standing.in_force(version),
        ended_on=standing.ended_on(version),
        today=now.valid_on,
    )


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
    stands = in_force(place.term, version.valid_from_kind, texts) if place.term else texts("knowledge.not_in_force")
    body = Text()
    last = ""
    for span, style in ((around.before, "dim"), (place.anchor.span, "bold reverse"), (around.after, "dim")):
        stored = span.of(place.text)
        body.append(gap(last, stored))
        words = shown(stored, place.markup)
        # Marked for those who see no colour; the style is for the others.
        body.append(f"▶ {words} ◀" if span == place.anchor.span else words, style)
        last = stored
    return Card(version.title, Group(Text(SEPARATOR.join(fact for fact in (*facts, stands) if fact)), body))
