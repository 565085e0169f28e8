"""Thresholds and rules of a mandate, and the changes that wait for a second person."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.cli.mandates import at
from bot.config import Settings
from bot.consent import Statement, read_consent, write_consent
from bot.identity import system_user
from bot.mandate_view import show_change
from bot.output import Table, done, shown_fingerprint, shown_number
from bot.proposal_view import (
    decided_documents,
    erasing_documents,
    proposal_documents,
    show_decided,
    show_erasing,
    show_proposals,
    show_verdict,
    verdict_document,
)
from bot.text import Texts
from domain.erasing.events import ERASURES
from domain.errors import AccessError, InputError
from domain.mandates.access import must_oversee
from domain.mandates.attempts import Change
from domain.mandates.four_eyes import Verdict
from domain.mandates.policies import THRESHOLDS, Threshold, threshold
from domain.mandates.proposals import APPROVED, KINDS
from domain.mandates.rules import RULES, Rule, rule
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App

_NAMES: Final = (*THRESHOLDS, *RULES)
_EXAMPLES: Final = "; ".join(f"{name} {kind.example}" for name, kind in RULES.items())


def register(commands: Commands) -> None:
    """Add the commands of policies."""
    group = commands.group("policy")
    at(_with_mandate(group.add("show", show), group), group)
    setting = _with_mandate(group.add("set", set_policy), group)
    setting.add_argument("name", metavar="NAME", help=group.texts("options.policy_name", known=", ".join(_NAMES)))
    setting.add_argument("value", metavar="VALUE", help=group.texts("options.policy_value", examples=_EXAMPLES))
    setting.add_argument("--because", metavar="TEXT", required=True, help=group.texts("options.because"))
    waiting = _with_mandate(group.add("pending", pending), group)
    waiting.add_argument("--decided", action="store_true", help=group.texts("options.decided"))
    agreeing, rejecting = group.add("approve", approve), group.add("reject", reject)
    for parser in (agreeing, rejecting):
        parser.add_argument("change", metavar="ID", help=group.texts("options.change"))
    agreeing.add_argument("--consent", metavar="FILE", type=Path, help=group.texts("options.consent"))
    _consenting(group)
    rejecting.add_argument("--because", metavar="TEXT", help=group.texts("options.because"))


def _consenting(group: Commands) -> None:
    parser = group.add_bare("consent", consent)
    parser.add_argument("change", metavar="ID", help=group.texts("options.change"))
    parser.add_argument("kind", metavar="KIND", help=group.texts("options.consent_kind"))
    parser.add_argument("subject", metavar="SUBJECT", help=group.texts("options.consent_subject"))
    parser.add_argument("value", metavar="VALUE", nargs="?", default="", help=group.texts("options.consent_value"))
    parser.add_argument(
        "--out", dest="file", metavar="FILE", type=Path, required=True, help=group.texts("options.consent_out")
    )


def _with_mandate(parser: argparse.ArgumentParser, group: Commands) -> argparse.ArgumentParser:
    parser.add_argument("mandate", metavar="M", help=group.texts("options.mandate"))
    return parser


async def show(app: "App", arguments: argparse.Namespace) -> Result:
    """Show the thresholds and rules in force, also as they were at an instant."""
    person = await app.asker()
    mandate, position = await app.mandates.seen(arguments.mandate, person, arguments.at, app.now())
    model = app.bound.threshold_model(mandate)
    thresholds = [_threshold(threshold(mandate, name, model)) for name in THRESHOLDS]
    rules = [_rule(rule(mandate, name)) for name in RULES]
    document = {"mandate": mandate.key, "at": arguments.at, "position": position}
    document |= {"thresholds": thresholds, "rules": rules}
    return Result([document], lambda texts: [*_show_thresholds(texts, thresholds), *_show_rules(texts, rules)])


async def set_policy(app: "App", arguments: argparse.Namespace) -> Result:
    """Set a threshold or a rule.

    Raises:
        InputError: ``policy_unknown``, or what the value or the reason lacks.
    """
    name = arguments.name
    if name not in _NAMES:
        raise InputError("policy_unknown", name=name, known=", ".join(_NAMES))
    return await (_set_rule if name in RULES else _set_threshold)(app, arguments)


async def _set_threshold(app: "App", arguments: argparse.Namespace) -> Result:
    name, value = arguments.name, arguments.value
    mandate = await app.mandates.find(arguments.mandate)
    model = app.bound.threshold_model(mandate) if THRESHOLDS[name].bound else None
    change = await app.mandates.set_threshold(
        arguments.mandate, name, value, arguments.because, await app.actor(), model=model
    )
    now = threshold(change.mandate, name, model)
    shown = "–" if now.value is None else shown_number(arguments.out.texts, now.value)
    return _changed(change, _threshold(now), shown)


async def _set_rule(app: "App", arguments: argparse.Namespace) -> Result:
    change = await app.mandates.set_rule(
        arguments.mandate, arguments.name, arguments.value, arguments.because, await app.actor()
    )
    now = rule(change.mandate, arguments.name)
    return _changed(change, {**_rule(now), "fingerprint": None}, now.value)


def _changed(change: Change, policy: Mapping[str, Any], shown: str) -> Result:
    proposal = None if change.proposal is None else str(change.proposal)
    document = {"mandate": change.mandate.key, **policy, "status": change.status, "change": proposal}
    subject = {"name": policy["name"], "value": shown}
    return Result([document], lambda texts: show_change(texts, "policy.done", change.mandate, change.status, subject))


async def pending(app: "App", arguments: argparse.Namespace) -> Result:
    """List the changes that wait for a second person, or those that no longer wait."""
    person = await app.asker()
    mandate = await app.mandates.find(arguments.mandate)
    must_oversee(mandate, person)
    zone = mandate.time_zone
    if arguments.decided:
        decided = await decided_documents(app, mandate)
        return Result([{"mandate": mandate.key, "decided": decided}], lambda texts: show_decided(texts, decided, zone))
    waiting, erasing = await proposal_documents(app, mandate), await erasing_documents(app, mandate)
    document = {"mandate": mandate.key, "pending": waiting, "erasing": erasing}
    return Result([document], lambda texts: [*show_proposals(texts, waiting, zone), *show_erasing(texts, erasing)])


async def approve(app: "App", arguments: argparse.Namespace) -> Result:
    """Agree to a change as the second person, or hand in somebody's consent."""
    change = change_id(arguments.change)
    if arguments.consent is not None:
        actor, verdict = await _handed_in(app, change, arguments.consent)
    else:
        actor = await app.actor()
        verdict = await app.four_eyes.approve(change, actor)
    # Told before it is done: who has erased themselves has no name afterwards.
    told = await _verdict(app, verdict)
    decided = verdict.decided
    if decided.proposal.kind not in ERASURES or decided.outcome != APPROVED:
        return told
    # Of two who have agreed, one may be gone by now: whoever says it once more goes on with it.
    await app.erasing.execute(change, actor)
    return Result(told.documents, lambda texts: [*told.show(texts), texts("erasing.backups")])


async def _handed_in(app: "App", change: UUID, file: Path) -> tuple[Actor, Verdict]:
    """Let the owner of a file agree to what it says, and return who that is.

    Raises:
        AccessError: there is no such proposal, or it is not open to the owner of the file.
        InputError: ``consent_other``, or as ``read_consent`` and ``FourEyes.approve``.
    """
    user, statement = read_consent(file)
    person = await app.people.find(user)
    if person is None:
        raise AccessError
    mandate, waiting = await app.four_eyes.waiting(change, person)
    shown = [] if waiting is None else await proposal_documents(app, replace(mandate, proposals=(waiting,)))
    if statement.change != change or not all(map(statement.matches, shown)):
        raise InputError("consent_other", file=file, change=change)
    bringing = await app.actor()
    actor = Actor(person)
    return actor, await app.four_eyes.approve(change, actor, handed_in_by=bringing.operator or bringing.person)


async def consent(_settings: Settings, arguments: argparse.Namespace) -> Result:
    """Write down what one agrees to, for whoever runs the installation.

    Raises:
        InputError: ``consent_kind``, or as ``write_consent``.
    """
    change, file = change_id(arguments.change), arguments.file
    if arguments.kind not in KINDS:
        raise InputError("consent_kind", kind=arguments.kind, known=", ".join(KINDS))
    write_consent(file, Statement(change, arguments.kind, arguments.subject, arguments.value))
    document = {"change": str(change), "file": str(file), "user": system_user(), "status": "done"}
    return Result([document], lambda texts: [done(texts("policy.consented", file=file, change=change))])


async def reject(app: "App", arguments: argparse.Namespace) -> Result:
    """Turn a change down."""
    change = change_id(arguments.change)
    return await _verdict(app, await app.four_eyes.reject(change, arguments.because, await app.actor()))


async def _verdict(app: "App", verdict: Verdict) -> Result:
    document = await verdict_document(app, verdict)
    return Result([document], lambda texts: show_verdict(texts, document, verdict.mandate.time_zone))


def change_id(text: str) -> UUID:
    """Return the id of a proposal.

    Raises:
        InputError: ``change_id``.
    """
    try:
        return UUID(text)
    except ValueError:
        raise InputError("change_id", change=text) from None


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


def _rule(one: Rule) -> dict[str, Any]:
    return {"name": one.name, "value": one.value or None, "origin": one.origin, "because": one.rationale or None}


def _show_rules(texts: Texts, rules: Sequence[Mapping[str, Any]]) -> Sequence[RenderableType]:
    headings = [texts(f"policy.{name}") for name in ("rule", "value", "origin", "because")]
    rows = [
        [
            texts(f"rule.{one['name']}"),
            one["value"] or texts("rule.of_the_models"),
            texts(f"origin.{one['origin']}"),
            one["because"] or "",
        ]
        for one in rules
    ]
    return [Table(headings, rows)]
