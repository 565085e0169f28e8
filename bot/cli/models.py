"""Which models answer for a mandate, and how one takes the place of another."""

import argparse
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from bot.cli.command import Commands, Result, told_when_stopped
from bot.mandate_view import show_change
from bot.output import Table, shown_fingerprint, shown_instant, warning
from bot.swapping import bindings, kept, prepare, retire, swap
from bot.text import Texts
from domain.mandates.access import must_administer
from domain.mandates.models import MODEL_ROLES
from domain.mandates.policies import has_lapsed

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands of models."""
    group = commands.group("model")
    group.add("list", list_models).add_argument("mandate", metavar="M", help=group.texts("options.mandate"))
    swapping = group.add("swap", swap_model)
    swapping.add_argument("role", metavar="ROLE", help=group.texts("options.model_role", known=", ".join(MODEL_ROLES)))
    retiring = group.add("retire", retire_model)
    retiring.add_argument("model", metavar="FINGERPRINT", help=group.texts("options.model"))
    for parser in (swapping, retiring):
        parser.add_argument("--mandate", metavar="M", required=True, help=group.texts("options.mandate"))
        parser.add_argument("--because", metavar="TEXT", required=True, help=group.texts("options.because"))


async def list_models(app: "App", arguments: argparse.Namespace) -> Result:
    """Show what is bound to each role, and whose vectors are kept."""
    person = await app.asker()
    mandate = await app.mandates.find(arguments.mandate)
    must_administer(mandate, person)
    roles = [
        {
            "role": one.role,
            "fingerprint": one.fingerprint,
            "since": one.since.isoformat(),
            "available": one.is_available,
            "configured": one.configured,
        }
        for one in await bindings(app, mandate)
    ]
    vectors = [
        {
            "role": one.role,
            "fingerprint": one.encoded.encoder,
            "versions": one.encoded.versions,
            "passages": one.encoded.passages,
        }
        for one in await kept(app, mandate.id)
    ]
    lapsed = has_lapsed(mandate, app.bound.threshold_model(mandate))
    document = {"mandate": mandate.key, "roles": roles, "vectors": vectors, "threshold_lapsed": lapsed}
    return Result([document], lambda texts: _show(texts, document, mandate.time_zone))


async def swap_model(app: "App", arguments: argparse.Namespace) -> Result:
    """Encode everything with the configured model beside the live index, then switch to it."""
    out, role = arguments.out, arguments.role
    actor = await app.actor()
    with told_when_stopped(lambda: out.note(warning(out.texts("model.stopped")))):
        wanted = await prepare(app, arguments.mandate, role, arguments.because, actor)
        with out.progress(out.texts("model.encoding"), wanted.versions) as done:
            change = await swap(app, wanted, actor, done)
    fingerprint = app.bound.in_use(change.mandate, role)
    lapsed = has_lapsed(change.mandate, app.bound.threshold_model(change.mandate))
    document = {
        "mandate": change.mandate.key,
        "role": role,
        "fingerprint": fingerprint,
        "status": change.status,
        "change": None,
        "threshold_lapsed": lapsed,
    }

    def show(texts: Texts) -> Sequence[RenderableType]:
        subject = {"role": texts(f"model.{role}"), "model": fingerprint}
        shown = show_change(texts, "model.swapped", change.mandate, change.status, subject)
        return [*shown, warning(texts("model.lapsed", mandate=change.mandate.key))] if lapsed else shown

    return Result([document], show)


async def retire_model(app: "App", arguments: argparse.Namespace) -> Result:
    """Delete the vectors of an encoder that is not bound any more."""
    change = await retire(app, arguments.mandate, arguments.model, arguments.because, await app.actor())
    document = {"mandate": change.mandate.key, "fingerprint": arguments.model, "status": change.status, "change": None}
    subject = {"model": arguments.model}
    return Result([document], lambda texts: show_change(texts, "model.retired", change.mandate, change.status, subject))


def _show(texts: Texts, document: Mapping[str, Any], zone: str) -> Sequence[RenderableType]:
    headings = [texts(f"model.{name}") for name in ("role", "model", "since", "available", "configured")]
    rows = [
        [
            texts(f"model.{one['role']}"),
            shown_fingerprint(one["fingerprint"]),
            shown_instant(texts, datetime.fromisoformat(one["since"]), zone),
            texts("model.yes" if one["available"] else "model.no"),
            shown_fingerprint(one["configured"]),
        ]
        for one in document["roles"]
    ]
    vectors = [
        [texts(f"model.{one['role']}"), one["fingerprint"], str(one["versions"]), str(one["passages"])]
        for one in document["vectors"]
    ]
    shown: list[RenderableType] = [
        Table(headings, rows),
        Table(
            [texts(f"model.{name}") for name in ("role", "model", "versions", "passages")],
            vectors,
            texts("model.vectors"),
        ),
    ]
    if document["threshold_lapsed"]:
        shown.append(warning(texts("model.lapsed", mandate=document["mandate"])))
    return shown
