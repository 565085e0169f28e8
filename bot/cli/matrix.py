"""Whom we trust in Matrix, and the keys by which others trust us."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType

from bot import identity
from bot.cli.command import Commands, Result
from bot.config import Settings
from bot.installation import master_key, must_be_initialised
from bot.output import Table, done, warning
from bot.text import Texts


def register(commands: Commands) -> None:
    """Add the commands of Matrix."""
    group = commands.group("matrix")
    group.add_bare("reset", reset)
    group.add_bare("forget", forget).add_argument(
        "person", metavar="USER", help=group.texts("options.matrix_forgotten")
    )
    group.add_bare("devices", devices).add_argument(
        "person", metavar="USER", nargs="?", help=group.texts("options.matrix_compared")
    )
    trusting = group.add_bare("trust", trust)
    trusting.add_argument("person", metavar="USER", nargs="?", help=group.texts("options.matrix_person"))
    trusting.add_argument("key", metavar="KEY", nargs="?", help=group.texts("options.matrix_key"))


async def trust(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Show whose master key has changed, or confirm the one that somebody has now.

    Raises:
        InputError: ``matrix_trust_key``, ``not_owner``.
        PartError: ``matrix_trust``.
    """
    must_be_initialised(settings.data)
    identity.must_own(settings.data, "matrix trust")
    from bot.matrix.pins import Pins  # noqa: PLC0415 - what signs and checks comes with the command

    pins = Pins(master_key(settings.data).parent)
    if arguments.person is None:
        people = [{"person": one, "key": pin.key, "other": pin.other} for one, pin in sorted(pins.all().items())]
        return Result([{"people": people}], lambda texts: _shown(people, texts))
    before = pins.all().get(arguments.person)
    pins.confirm(arguments.person, arguments.key or "")
    is_new = before is not None and before.key != arguments.key
    document = {"person": arguments.person, "key": arguments.key, "status": "done" if is_new else "unchanged"}
    key = "matrix.confirmed" if is_new else "matrix.counted_before"
    return Result([document], lambda texts: [done(texts(key, person=arguments.person))])


async def devices(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Show the devices of a person, or ours, so that both sides can compare their keys by another way.

    Raises:
        InputError: ``not_owner``; as ``wiring.matrix.keys_of``.
        PartError: as ``wiring.matrix.keys_of``.
    """
    must_be_initialised(settings.data)
    identity.must_own(settings.data, "matrix devices")
    from bot.wiring import matrix  # noqa: PLC0415 - what talks to a homeserver comes with the command

    found, counts = await matrix.keys_of(settings, arguments.person)
    is_known = None if counts is None else counts == found.master
    listed = [
        {"device": one.id, "key": one.ed25519, "confirmed": one in found.confirmed and is_known is not False}
        for one in found.devices
    ]
    document = {"person": found.person, "master": found.master, "counts": is_known, "devices": listed}
    return Result([document], lambda texts: _compared(document, listed, texts))


async def forget(settings: Settings, arguments: argparse.Namespace) -> Result:
    """Take a person out of what our device keeps in its files, when nobody answers from them.

    Raises:
        InputError: ``not_owner``, ``identity``.
        PartError: ``matrix_store``, ``matrix_trust``.
    """
    must_be_initialised(settings.data)
    identity.must_own(settings.data, "matrix forget")
    from bot.matrix.forgetting import forget as forget_in  # noqa: PLC0415 - what signs and checks comes with the command
    from bot.matrix.pins import Pins  # noqa: PLC0415

    person = identity.parse(arguments.person)
    was_there = forget_in(settings.data / "matrix", Pins(master_key(settings.data).parent), [person])
    key, status = ("matrix.forgotten", "done") if was_there else ("matrix.not_kept", "unchanged")
    return Result([{"person": person, "status": status}], lambda texts: [done(texts(key, person=person))])


async def reset(settings: Settings, _arguments: argparse.Namespace) -> Result:
    """Give our account new keys in the place of those that are lost or that somebody else may have.

    Raises:
        InputError: ``not_owner``; as ``wiring.matrix.reset``.
        PartError: as ``wiring.matrix.reset``.
    """
    must_be_initialised(settings.data)
    identity.must_own(settings.data, "matrix reset")
    from bot.wiring import matrix  # noqa: PLC0415 - what talks to a homeserver comes with the command

    key = await matrix.reset(settings)
    return Result([{"key": key}], lambda texts: [done(texts("matrix.reset", key=key)), texts("matrix.back_up")])


def _shown(people: Sequence[Mapping[str, Any]], texts: Texts) -> Sequence[RenderableType]:
    changed = [one for one in people if one["other"] is not None]
    if not changed:
        return [texts("matrix.all_trusted", count=len(people))]
    headings = [texts(f"matrix.{name}") for name in ("person", "key", "other")]
    rows = [[one["person"], one["key"], one["other"]] for one in changed]
    return [Table(headings, rows), warning(texts("matrix.how_to_confirm"))]


def _compared(
    document: Mapping[str, Any], devices: Sequence[Mapping[str, Any]], texts: Texts
) -> Sequence[RenderableType]:
    person, master, counts = document["person"], document["master"], document["counts"]
    of_master = {None: "master_unmet", True: "master_counts", False: "master_other"}[counts]
    told = texts("matrix.master_none", person=person)
    if master is not None:
        told = texts(f"matrix.{of_master}", person=person, key=_spelt(master))
    shown = [warning(told) if counts is False else told]
    if not devices:
        return [*shown, texts("matrix.no_devices", person=person)]
    headings = [texts(f"matrix.{name}") for name in ("device", "session_key", "is_confirmed")]
    answers = {True: texts("matrix.yes"), False: texts("matrix.no")}
    rows = [[one["device"], _spelt(one["key"]), answers[one["confirmed"]]] for one in devices]
    return [*shown, Table(headings, rows), texts("matrix.how_to_compare")]


def _spelt(key: str) -> str:
    """Return a key in groups of four, as Element shows it."""
    return " ".join(key[start : start + 4] for start in range(0, len(key), 4))
