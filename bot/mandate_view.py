"""What is shown of mandates: JSON documents, and the same for people."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.console import RenderableType

from bot.output import Facts, Table, done, shown_instant, warning
from bot.text import Texts
from domain.mandates.attempts import PENDING, UNCHANGED
from domain.mandates.state import Mandate

if TYPE_CHECKING:
    from bot.wiring import App


async def mandate_document(
    app: "App", mandate: Mandate, person: UUID | None, *, oversees: bool = True
) -> dict[str, Any]:
    """Return a mandate as JSON; what only administrators and compliance see is null for others."""
    names = await app.people.names(list(mandate.members))
    own = None if person is None else mandate.members.get(person)
    members = [
        {"user": names.get(one), "role": member.role, "clearance": member.clearance}
        for one, member in mandate.members.items()
    ]
    channels = [{"channel": channel, "ceiling": ceiling} for channel, ceiling in mandate.channels.items()]
    return {
        "mandate": mandate.key,
        "name": mandate.name,
        "library": mandate.library,
        "time_zone": mandate.time_zone,
        "opened_at": mandate.opened_at.isoformat(),
        "levels": list(mandate.levels),
        "libraries": list(mandate.libraries.values()),
        "own": None if own is None else {"role": own.role, "clearance": own.clearance},
        "members": sorted(members, key=lambda one: one["user"] or "") if oversees else None,
        "channels": channels if oversees else None,
        "domains": list(mandate.domains),
        "pending": len(mandate.proposals) if oversees else None,
    }


def show_change(
    texts: Texts, key: str, mandate: Mandate, status: str, subject: Mapping[str, Any]
) -> Sequence[RenderableType]:
    """Say what a command has come to."""
    if status == PENDING:
        return [warning(texts("mandate.pending", mandate=mandate.key))]
    if status == UNCHANGED:
        return [done(texts("mandate.unchanged", mandate=mandate.key))]
    values = {name: " < ".join(value) if isinstance(value, list) else value for name, value in subject.items()}
    if key == "mandate.role":
        values["role"] = texts(f"role.{values['role']}")
    return [done(texts(key, mandate=mandate.key, **values))]


def show_list(texts: Texts, documents: Sequence[Mapping[str, Any]]) -> Sequence[RenderableType]:
    """Show the mandates of a person."""
    if not documents:
        return [texts("mandate.none")]
    headings = [texts(f"mandate.{name}") for name in ("key", "name", "role_heading", "clearance")]
    rows = [
        [one["mandate"], _with_library(texts, one), texts(f"role.{one['role']}"), one["clearance"]] for one in documents
    ]
    return [Table(headings, rows)]


def show_mandate(texts: Texts, document: Mapping[str, Any]) -> Sequence[RenderableType]:
    """Show one mandate."""
    zone = document["time_zone"]
    facts = [
        (texts("mandate.key"), document["mandate"]),
        (texts("mandate.name"), _with_library(texts, document)),
        (texts("mandate.time_zone"), zone),
        (texts("mandate.opened_at"), shown_instant(texts, datetime.fromisoformat(document["opened_at"]), zone)),
        (texts("mandate.levels_heading"), " < ".join(document["levels"])),
        (texts("mandate.libraries"), ", ".join(document["libraries"]) or "–"),
        (texts("mandate.domains"), ", ".join(document["domains"]) or "–"),
    ]
    if document.get("at") is not None:
        facts.insert(0, (texts("mandate.as_of"), document["at"]))
    if document["own"] is not None:
        own = document["own"]
        facts.append((texts("mandate.own"), f"{texts('role.' + own['role'])}, {own['clearance']}"))
    if document["pending"]:
        facts.append((texts("mandate.pending_heading"), str(document["pending"])))
    return [Facts(facts), *_members_and_channels(texts, document)]


def _members_and_channels(texts: Texts, document: Mapping[str, Any]) -> Sequence[RenderableType]:
    shown: list[RenderableType] = []
    if document["members"]:
        rows = [
            [one["user"] or texts("person.erased"), texts(f"role.{one['role']}"), one["clearance"]]
            for one in document["members"]
        ]
        headings = [texts("mandate.user"), texts("mandate.role_heading"), texts("mandate.clearance")]
        shown.append(Table(headings, rows, texts("mandate.members")))
    if document["channels"]:
        rows = [[one["channel"], one["ceiling"]] for one in document["channels"]]
        shown.append(Table([texts("mandate.channel"), texts("mandate.ceiling")], rows, texts("mandate.channels")))
    return shown


def show_levels(texts: Texts, levels: Sequence[str], clearance: str) -> Sequence[RenderableType]:
    """Show the levels, lowest first, and where one's own clearance ends."""
    own = texts("mandate.own_clearance")
    rows = [[str(number), level, own if level == clearance else ""] for number, level in enumerate(levels, 1)]
    return [Table(["#", texts("mandate.level"), ""], rows)]


def _with_library(texts: Texts, document: Mapping[str, Any]) -> str:
    return f"{document['name']} ({texts('mandate.library')})" if document["library"] else str(document["name"])
