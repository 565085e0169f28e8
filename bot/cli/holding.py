"""``mandate hold``, ``holds`` and ``release-hold``: what must not be erased."""

import argparse
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.console import RenderableType

from bot import identity
from bot.cli.command import Commands, Result
from bot.id_list import IdList
from bot.mandate_view import show_change
from bot.output import shown_instant
from bot.text import Texts
from domain.errors import InputError
from domain.mandates.access import must_oversee
from domain.mandates.attempts import Change
from domain.mandates.state import Hold

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands."""
    group, words = commands.group("mandate"), commands.texts
    placing, listing, lifting = group.add("hold", place), group.add("holds", holds), group.add("release-hold", lift)
    for parser in (placing, listing, lifting):
        parser.add_argument("mandate", metavar="M", help=words("options.mandate"))
    lifting.add_argument("hold", metavar="HOLD", help=words("options.hold"))
    placing.add_argument("--person", metavar="USER", help=words("options.hold_person"))
    for parser in (placing, lifting):
        parser.add_argument("--because", metavar="TEXT", required=True, help=words("options.because"))


async def place(app: "App", arguments: argparse.Namespace) -> Result:
    """Place a legal hold."""
    user = None if arguments.person is None else identity.parse(arguments.person)
    change = await app.holds.place(arguments.mandate, user, arguments.because, await app.actor())
    key = "hold.placed" if user is None else "hold.placed_person"
    person = None if user is None else await app.people.find(user)
    hold = next(one.hold for one in change.mandate.holds if one.person == person)
    return _changed(key, change, {"person": user, "hold": str(hold)})


async def lift(app: "App", arguments: argparse.Namespace) -> Result:
    """Propose to lift a legal hold.

    Raises:
        InputError: ``hold_id``.
    """
    try:
        hold = UUID(arguments.hold)
    except ValueError:
        raise InputError("hold_id", hold=arguments.hold) from None
    change = await app.holds.propose_lifting(arguments.mandate, hold, arguments.because, await app.actor())
    return _changed("hold.lifted", change, {"hold": str(hold)})


async def holds(app: "App", arguments: argparse.Namespace) -> Result:
    """List the legal holds that stand."""
    person = await app.asker()
    mandate = await app.mandates.find(arguments.mandate)
    must_oversee(mandate, person)
    people = {person for one in mandate.holds for person in _people(one)}
    names = await app.people.names(list(people))
    documents = [_document(one, names) for one in mandate.holds]
    document = {"mandate": mandate.key, "holds": documents}
    return Result([document], lambda texts: _shown(documents, mandate.time_zone, texts))


def _people(hold: Hold) -> list[UUID]:
    by = hold.placed_by
    found = [hold.person, *((by.person, by.operator) if by is not None else ())]
    return [person for person in found if person is not None]


def _document(hold: Hold, names: Mapping[UUID, str]) -> dict[str, Any]:
    by = hold.placed_by
    return {
        "hold": str(hold.hold),
        "of": "mandate" if hold.person is None else "person",
        "person": None if hold.person is None else names.get(hold.person),
        "because": hold.because,
        "placed_by": None if by is None else names.get(by.person),
        "operator": None if by is None or by.operator is None else names.get(by.operator),
        "placed_at": hold.placed_at.isoformat(),
    }


def _shown(documents: Sequence[Mapping[str, Any]], zone: str, texts: Texts) -> Sequence[RenderableType]:
    if not documents:
        return [texts("hold.none")]
    headings = [texts(f"hold.{name}") for name in ("id", "keeps", "because", "placed_by", "placed_at")]
    rows = [
        [
            one["hold"],
            texts("hold.all") if one["of"] == "mandate" else one["person"] or texts("person.erased"),
            one["because"],
            one["placed_by"] or texts("person.erased"),
            shown_instant(texts, datetime.fromisoformat(one["placed_at"]), zone),
        ]
        for one in documents
    ]
    return [IdList(headings, rows, 0, (1,))]


def _changed(key: str, change: Change, subject: Mapping[str, Any]) -> Result:
    proposal = None if change.proposal is None else str(change.proposal)
    document = {"mandate": change.mandate.key, **subject, "status": change.status, "change": proposal}
    return Result([document], lambda texts: show_change(texts, key, change.mandate, change.status, subject))
