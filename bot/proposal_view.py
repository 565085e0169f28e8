"""What is shown of changes that take two people: JSON documents, and the same for people."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.console import RenderableType

from bot.id_list import IdList
from bot.output import done, shown_instant, verbatim, warning
from bot.text import Texts
from domain.mandates.approving import people_in
from domain.mandates.attempts import UNCHANGED
from domain.mandates.four_eyes import Verdict
from domain.mandates.proposals import ABOUT_PEOPLE, APPROVED, Decided, Proposal
from domain.mandates.state import Mandate
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App


async def proposal_documents(app: "App", mandate: Mandate) -> list[dict[str, Any]]:
    """Return the changes that wait for a second person, oldest first."""
    names = await _names(app, mandate.proposals)
    return [_proposal(one, names) for one in mandate.proposals]


async def erasing_documents(app: "App", mandate: Mandate) -> list[dict[str, Any]]:
    """Return the erasures that two people have agreed on and that are not complete."""
    names = await _names(app, mandate.erasing)
    return [_proposal(one, names) for one in mandate.erasing]


async def decided_documents(app: "App", mandate: Mandate) -> list[dict[str, Any]]:
    """Return the changes that no longer wait, in the order in which they were decided."""
    decided = list(mandate.decided.values())
    names = await _names(
        app, [one.proposal for one in decided], [person for one in decided for person in _by_whom(one)]
    )
    return [_decided(one, names) for one in decided]


async def verdict_document(app: "App", verdict: Verdict) -> dict[str, Any]:
    """Return what has become of one change."""
    names = await _names(app, [verdict.decided.proposal], _by_whom(verdict.decided))
    return {"mandate": verdict.mandate.key, **_decided(verdict.decided, names), "status": verdict.status}


async def _names(app: "App", proposals: Iterable[Proposal], others: Iterable[UUID] = ()) -> Mapping[UUID, str]:
    return await app.people.names([*(person for one in proposals for person in people_in(one)), *others])


def _by_whom(one: Decided) -> list[UUID]:
    people = [one.handed_in_by] if one.by is None else [one.by.person, one.by.operator, one.handed_in_by]
    return [person for person in people if person is not None]


def _proposal(one: Proposal, names: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        "change": str(one.change),
        "kind": one.kind,
        "subject": names.get(UUID(one.subject)) if one.about_person else one.subject or None,
        "value": one.value or None,
        "because": one.because or None,
        "proposed_by": _name(one.proposed_by, names),
        "operator": _operator(one.proposed_by, names),
        "proposed_at": one.proposed_at.isoformat(),
    }


def _decided(one: Decided, names: Mapping[UUID, str]) -> dict[str, Any]:
    return {
        **_proposal(one.proposal, names),
        "outcome": one.outcome,
        "decided_by": _name(one.by, names),
        "decided_operator": _operator(one.by, names),
        "handed_in_by": None if one.handed_in_by is None else names.get(one.handed_in_by),
        "decided_at": one.at.isoformat(),
        "decided_because": one.because or None,
    }


def _name(actor: Actor | None, names: Mapping[UUID, str]) -> str | None:
    return None if actor is None else names.get(actor.person)


def _operator(actor: Actor | None, names: Mapping[UUID, str]) -> str | None:
    return None if actor is None or actor.operator is None else names.get(actor.operator)


def show_erasing(texts: Texts, documents: Sequence[Mapping[str, Any]]) -> Sequence[RenderableType]:
    """Say which erasures are agreed on and not complete."""
    return [warning(texts("policy.erasing", what=_what(texts, one), change=one["change"])) for one in documents]


def show_proposals(texts: Texts, documents: Sequence[Mapping[str, Any]], zone: str) -> Sequence[RenderableType]:
    """Show what waits for a second person."""
    if not documents:
        return [texts("policy.nothing_pending")]
    headings = [texts(f"policy.{name}") for name in (*_COLUMNS, "since", "because")]
    rows = [
        [*_columns(texts, one), _instant(texts, one["proposed_at"], zone), one["because"] or ""] for one in documents
    ]
    commands = [verbatim(f"  {_consent(one)}") for one in documents]
    return [IdList(headings, rows, 0, (1, 2, 3)), texts("policy.second_person"), *commands]


def _consent(one: Mapping[str, Any]) -> str:
    """Return the command by which a second person agrees in a file, ready to be copied."""
    words = ("fundstelle", "policy", "consent", one["change"], one["kind"], one["subject"] or "", one["value"] or "")
    return shlex.join([*(words if words[-1] else words[:-1]), "--out", f"{one['change'][:8]}.consent"])


def show_decided(texts: Texts, documents: Sequence[Mapping[str, Any]], zone: str) -> Sequence[RenderableType]:
    """Show what no longer waits."""
    if not documents:
        return [texts("policy.nothing_decided")]
    headings = [texts(f"policy.{name}") for name in (*_COLUMNS, "outcome", "decided_by", "since")]
    rows = [
        [
            *_columns(texts, one),
            texts(f"outcome.{one['outcome']}"),
            _by(texts, one["decided_by"], one["decided_operator"] or one["handed_in_by"]),
            _instant(texts, one["decided_at"], zone),
        ]
        for one in documents
    ]
    return [IdList(headings, rows, 0, (1, 2, 3))]


def show_verdict(texts: Texts, document: Mapping[str, Any], zone: str) -> Sequence[RenderableType]:
    """Say what has become of a change, or that it had been decided before, by whom and when."""
    facts = {
        "what": _what(texts, document),
        "mandate": document["mandate"],
        "by": _by(texts, document["decided_by"], document["decided_operator"] or document["handed_in_by"]),
        "at": _instant(texts, document["decided_at"], zone),
    }
    if document["status"] == UNCHANGED:
        return [done(texts(f"policy.{document['outcome']}_already", **facts))]
    say = done if document["outcome"] == APPROVED else warning
    return [say(texts(f"policy.{document['outcome']}", **facts))]


_COLUMNS = ("change", "kind", "subject", "value", "proposed_by")


def _columns(texts: Texts, one: Mapping[str, Any]) -> list[str]:
    return [
        one["change"],
        texts(f"kind.{one['kind']}"),
        _subject(texts, one),
        one["value"] or "",
        _by(texts, one["proposed_by"], one["operator"]),
    ]


def _what(texts: Texts, document: Mapping[str, Any]) -> str:
    kind = texts(f"kind.{document['kind']}")
    told = ", ".join(part for part in (_subject(texts, document), document["value"]) if part)
    if told == texts("person.erased"):  # in brackets already
        return f"{kind} {told}"
    return f"{kind} ({told})" if told else kind


def _subject(texts: Texts, document: Mapping[str, Any]) -> str:
    nobody = texts("person.erased") if document["kind"] in ABOUT_PEOPLE else ""
    return document["subject"] or nobody


def _by(texts: Texts, person: str | None, operator: str | None) -> str:
    named = person or texts("person.erased")
    return named if operator is None else f"{named} ({operator})"


def _instant(texts: Texts, instant: str, zone: str) -> str:
    return shown_instant(texts, datetime.fromisoformat(instant), zone)
