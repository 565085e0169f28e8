"""``run views``: who has looked at the runs and bundles of a mandate."""

import argparse
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.id_list import IdList
from bot.output import shown_instant
from bot.text import Texts
from domain.journal.viewing import RUN_VIEWS, Look, RecordViewed
from domain.mandates.access import allowed_levels, member_of, must_oversee

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the command."""
    words = commands.texts
    parser = commands.group("run").add("views", views)
    parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def views(app: "App", arguments: argparse.Namespace) -> Result:
    """List who has looked at what, oldest first; that somebody looks here is a look as well."""
    looker = await app.looker(arguments.as_user)
    mandate = await app.mandates.find(arguments.mandate)
    must_oversee(mandate, looker.person)
    position = await app.views.bring("looks")
    levels = allowed_levels(mandate, member_of(mandate, looker.person).clearance)
    looks = await app.looks_view.looks(mandate.id, levels)
    await app.viewing.record(mandate.id, looker, RecordViewed(RUN_VIEWS, position=position))
    names = await app.people.names(_people(looks))
    documents = [_document(look, names) for look in looks]
    return Result(
        [{"mandate": mandate.key, "views": documents}], lambda texts: _shown(documents, mandate.time_zone, texts)
    )


def _people(looks: Sequence[Look]) -> list[UUID]:
    found = {person for look in looks for person in (look.by.person, look.by.operator, look.viewed.person)}
    return [person for person in found if person is not None]


def _document(look: Look, names: Mapping[UUID, str]) -> dict[str, Any]:
    viewed, operator = look.viewed, look.by.operator
    return {
        "viewed_at": look.viewed_at.isoformat(),
        "person": names.get(look.by.person),
        "operator": None if operator is None else names.get(operator),
        "what": viewed.what,
        "runs": [str(run) for run in viewed.runs],
        "of": None if viewed.person is None else names.get(viewed.person),
        "from": viewed.since and viewed.since.isoformat(),
        "to": viewed.until and viewed.until.isoformat(),
        "position": viewed.position,
    }


def _shown(documents: Sequence[Mapping[str, Any]], zone: str, texts: Texts) -> Sequence[RenderableType]:
    if not documents:
        return [texts("looks.none")]
    headings = [texts(f"looks.{name}") for name in ("viewed_at", "person", "what", "narrowed")]
    rows = [
        [
            _instant(one["viewed_at"], zone, texts),
            _by(one, texts),
            texts(f"look.{one['what']}"),
            _narrowed(one, zone, texts),
        ]
        for one in documents
    ]
    return [IdList(headings, rows, 3, (2, 1))]


def _by(one: Mapping[str, Any], texts: Texts) -> str:
    person = one["person"] or texts("person.erased")
    return person if one["operator"] is None else f"{person} ({one['operator']})"


def _narrowed(one: Mapping[str, Any], zone: str, texts: Texts) -> str:
    parts = [*one["runs"]]
    if one["of"] is not None:
        parts.append(texts("looks.of", person=one["of"]))
    if one["from"] is not None:
        parts.append(texts("looks.from", at=_instant(one["from"], zone, texts)))
    if one["to"] is not None:
        parts.append(texts("looks.to", at=_instant(one["to"], zone, texts)))
    return ", ".join(parts)


def _instant(text: str, zone: str, texts: Texts) -> str:
    return shown_instant(texts, datetime.fromisoformat(text), zone)
