"""Mandates, their members, channels, libraries and levels."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot import identity, swapping
from bot.cli.command import Commands, Result
from bot.mandate_view import mandate_document, show_change, show_levels, show_list, show_mandate
from domain.mandates.access import OVERSIGHT, member_of
from domain.mandates.attempts import Change
from domain.mandates.decisions import DEFAULT_TIME_ZONE
from domain.mandates.state import ROLES, Mandate, Member

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands of mandates and levels."""
    mandate = commands.group("mandate")
    _opening(mandate)
    _members(mandate)
    _places(mandate)
    level = commands.group("level")
    _with(level.add("list", list_levels), level, "M")
    define = _with(level.add("define", define_levels), level, "M")
    define.add_argument("levels", metavar="LEVEL", nargs="+", help=level.texts("options.levels"))


def _opening(group: Commands) -> None:
    opening = _with(group.add("open", open_mandate), group, "M")
    opening.add_argument("--name", metavar="N", help=group.texts("options.name"))
    opening.add_argument("--time-zone", metavar="Z", default=DEFAULT_TIME_ZONE, help=group.texts("options.time_zone"))
    opening.add_argument("--library", action="store_true", help=group.texts("options.is_library"))
    group.add("list", list_mandates)
    at(_with(group.add("show", show), group, "M"), group)
    _with(group.add("subscribe", subscribe), group, "M", "LIBRARY")


def _members(group: Commands) -> None:
    admission = _with(group.add("admit", admit), group, "M", "USER")
    admission.add_argument("--clearance", metavar="LEVEL", required=True, help=group.texts("options.clearance"))
    _with(group.add("clear", clear), group, "M", "USER", "LEVEL")
    role = _with(group.add("role", give_role), group, "M", "USER")
    role.add_argument("role", metavar="ROLE", help=", ".join(ROLES))
    _with(group.add("remove", remove), group, "M", "USER")


def _places(group: Commands) -> None:
    binding = _with(group.add("bind", bind), group, "M", "CHANNEL")
    binding.add_argument("--ceiling", metavar="LEVEL", required=True, help=group.texts("options.ceiling"))
    _with(group.add("unbind", unbind), group, "CHANNEL")
    _with(group.add("release-domain", release_domain), group, "M", "DOMAIN")


def at(parser: argparse.ArgumentParser, commands: Commands) -> argparse.ArgumentParser:
    """Add ``--at``."""
    parser.add_argument("--at", metavar="T", help=commands.texts("options.at"))
    return parser


def _with(parser: argparse.ArgumentParser, commands: Commands, *names: str) -> argparse.ArgumentParser:
    for name in names:
        dest = "mandate" if name == "M" else name.lower()
        parser.add_argument(dest, metavar=name, help=commands.texts(f"options.{dest}"))
    return parser


async def open_mandate(app: "App", arguments: argparse.Namespace) -> Result:
    """Open a mandate."""
    actor = await app.actor()
    mandate = await app.mandates.open(
        arguments.mandate, arguments.name, arguments.time_zone, actor, library=arguments.library
    )
    mandate = await swapping.bind_configured(app, mandate, actor, arguments.out.texts("model.first"))
    document = await mandate_document(app, mandate, actor.person)
    return Result([document], lambda texts: show_change(texts, "mandate.opened", mandate, "done", {}))


async def list_mandates(app: "App", _arguments: argparse.Namespace) -> Result:
    """List the mandates of the person who asks."""
    person = await app.asker()
    mandates = await app.mandates.of_person(person)
    documents = [_entry(mandate, mandate.members[person]) for mandate in mandates if person is not None]
    return Result([{"mandates": documents}], lambda texts: show_list(texts, documents))


def _entry(mandate: Mandate, own: Member) -> dict[str, Any]:
    return {
        "mandate": mandate.key,
        "name": mandate.name,
        "library": mandate.library,
        "role": own.role,
        "clearance": own.clearance,
        "members": len(mandate.members) if own.role in OVERSIGHT else None,
    }


async def show(app: "App", arguments: argparse.Namespace) -> Result:
    """Show a mandate, also as it was at an instant."""
    person = await app.asker()
    mandate, position = await app.mandates.seen(arguments.mandate, person, arguments.at, app.now())
    today = await app.mandates.find(arguments.mandate)
    document = await mandate_document(app, mandate, person, oversees=member_of(today, person).role in OVERSIGHT)
    document["at"], document["position"] = arguments.at, position
    return Result([document], lambda texts: show_mandate(texts, document))


async def subscribe(app: "App", arguments: argparse.Namespace) -> Result:
    """Let a mandate read a library."""
    out, actor = arguments.out, await app.actor()
    with out.progress(out.texts("model.encoding")) as done:
        change = await swapping.subscribe(app, arguments.mandate, arguments.library, actor, done)
    return _changed("mandate.subscribed", change, {"library": arguments.library})


async def admit(app: "App", arguments: argparse.Namespace) -> Result:
    """Admit a person."""
    user, level = identity.parse(arguments.user), arguments.clearance
    change = await app.mandates.admit(arguments.mandate, user, level, await app.actor())
    return _changed("mandate.admitted", change, {"user": user, "clearance": level})


async def clear(app: "App", arguments: argparse.Namespace) -> Result:
    """Change a member's clearance."""
    user, level = identity.parse(arguments.user), arguments.level
    change = await app.mandates.clear(arguments.mandate, user, level, await app.actor())
    return _changed("mandate.cleared", change, {"user": user, "clearance": level})


async def give_role(app: "App", arguments: argparse.Namespace) -> Result:
    """Give a member a role."""
    user, role = identity.parse(arguments.user), arguments.role
    change = await app.mandates.give_role(arguments.mandate, user, role, await app.actor())
    return _changed("mandate.role", change, {"user": user, "role": role})


async def remove(app: "App", arguments: argparse.Namespace) -> Result:
    """Remove a member."""
    user = identity.parse(arguments.user)
    change = await app.mandates.remove(arguments.mandate, user, await app.actor())
    return _changed("mandate.removed", change, {"user": user})


async def bind(app: "App", arguments: argparse.Namespace) -> Result:
    """Bind a channel."""
    channel, ceiling = arguments.channel, arguments.ceiling
    change = await app.mandates.bind(arguments.mandate, channel, ceiling, await app.actor())
    return _changed("mandate.bound", change, {"channel": channel, "ceiling": ceiling})


async def unbind(app: "App", arguments: argparse.Namespace) -> Result:
    """Let go of a channel."""
    change = await app.mandates.unbind(arguments.channel, await app.actor())
    return _changed("mandate.unbound", change, {"channel": arguments.channel})


async def release_domain(app: "App", arguments: argparse.Namespace) -> Result:
    """Propose a domain for source links."""
    change = await app.mandates.release_domain(arguments.mandate, arguments.domain, await app.actor())
    return _changed("mandate.released", change, {"domain": arguments.domain})


async def list_levels(app: "App", arguments: argparse.Namespace) -> Result:
    """List the levels of a mandate."""
    person = await app.asker()
    mandate = await app.mandates.find(arguments.mandate)
    own = member_of(mandate, person)
    document = {"mandate": mandate.key, "levels": list(mandate.levels), "clearance": own.clearance}
    return Result([document], lambda texts: show_levels(texts, mandate.levels, own.clearance))


async def define_levels(app: "App", arguments: argparse.Namespace) -> Result:
    """Define the levels of a mandate."""
    change = await app.mandates.define_levels(arguments.mandate, arguments.levels, await app.actor())
    return _changed("mandate.levels", change, {"levels": list(change.mandate.levels)})


def _changed(key: str, change: Change, subject: Mapping[str, Any]) -> Result:
    proposal = None if change.proposal is None else str(change.proposal)
    document = {"mandate": change.mandate.key, **subject, "status": change.status, "change": proposal}
    return Result([document], lambda texts: show_change(texts, key, change.mandate, change.status, subject))
