"""Thresholds and rules of a mandate, and the changes that wait for a second person."""

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.cli.mandates import at
from bot.mandate_view import proposal_documents, show_change, show_proposals
from bot.output import Table, shown_fingerprint, shown_number
from bot.text import Texts
from domain.mandates.access import must_oversee
from domain.mandates.handler import Change
from domain.mandates.policies import THRESHOLDS, Threshold, threshold

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the commands of policies."""
    group = commands.group("policy")
    at(_with_mandate(group.add("show", show), group), group)
    setting = _with_mandate(group.add("set", set_policy), group)
    setting.add_argument("name", metavar="NAME", help=group.texts("options.policy_name", known=", ".join(THRESHOLDS)))
    setting.add_argument("value", metavar="VALUE", help=group.texts("options.policy_value"))
    setting.add_argument("--because", metavar="TEXT", required=True, help=group.texts("options.because"))
    _with_mandate(group.add("pending", pending), group)


def _with_mandate(parser: argparse.ArgumentParser, group: Commands) -> argparse.ArgumentParser:
    parser.add_argument("mandate", metavar="M", help=group.texts("options.mandate"))
    return parser


async def show(app: "App", arguments: argparse.Namespace) -> Result:
    """Show the thresholds in force, also as they were at an instant."""
    person = await app.asker()
    mandate, position = await app.mandates.seen(arguments.mandate, person, arguments.at, app.now())
    model = app.retrieval.model
    thresholds = [_threshold(threshold(mandate, name, model)) for name in THRESHOLDS]
    document = {"mandate": mandate.key, "at": arguments.at, "position": position, "thresholds": thresholds}
    return Result([document], lambda texts: _show_thresholds(texts, thresholds))


async def set_policy(app: "App", arguments: argparse.Namespace) -> Result:
    """Set a threshold."""
    name, value = arguments.name, arguments.value
    model = app.retrieval.model if name in THRESHOLDS and THRESHOLDS[name].bound else None
    change = await app.mandates.set_threshold(
        arguments.mandate, name, value, arguments.because, await app.actor(), model=model
    )
    now = threshold(change.mandate, name, model)
    proposal = None if change.proposal is None else str(change.proposal)
    document = {"mandate": change.mandate.key, **_threshold(now), "status": change.status, "change": proposal}
    return Result([document], lambda texts: _show_set(texts, change, now))


def _show_set(texts: Texts, change: Change, now: Threshold) -> Sequence[RenderableType]:
    subject = {"name": now.name, "value": "–" if now.value is None else shown_number(texts, now.value)}
    return show_change(texts, "policy.done", change.mandate, change.status, subject)


async def pending(app: "App", arguments: argparse.Namespace) -> Result:
    """List the changes that wait for a second person."""
    person = await app.asker()
    mandate = await app.mandates.find(arguments.mandate)
    must_oversee(mandate, person)
    documents = await proposal_documents(app, mandate)
    return Result(
        [{"mandate": mandate.key, "pending": documents}],
        lambda texts: show_proposals(texts, documents, mandate.time_zone),
    )


def _threshold(one: Threshold) -> dict[str, Any]:
    return {
        "name": one.name,
        "value": one.value,
        "fingerprint": one.fingerprint or None,
        "origin": one.origin,
        "because": one.rationale or None,
    }


def _show_thresholds(texts: Texts, thresholds: Sequence[Mapping[str, Any]]) -> Sequence[RenderableType]:
    headings = [texts(f"policy.{name}") for name in ("name", "value", "origin", "model", "because")]
    rows = [
        [
            texts(f"threshold.{one['name']}"),
            "–" if one["value"] is None else shown_number(texts, one["value"]),
            texts(f"origin.{one['origin']}"),
            shown_fingerprint(one["fingerprint"] or ""),
            one["because"] or "",
        ]
        for one in thresholds
    ]
    return [Table(headings, rows)]
