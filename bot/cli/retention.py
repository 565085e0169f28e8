"""``mandate retention``: what a mandate keeps beyond its term, and proposing to erase it."""

import argparse
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.id_list import IdList
from bot.output import done, shown_day, warning
from bot.text import Texts
from domain.erasing.reviewing import Found, Review
from domain.journal.viewing import RETENTION, RecordViewed
from domain.mandates.access import must_oversee
from domain.mandates.attempts import PENDING

if TYPE_CHECKING:
    from bot.wiring import App

_DUE: Final = "due"
_NOTHING: Final = "nothing_due"


def register(commands: Commands) -> None:
    """Add the command."""
    words = commands.texts
    parser = commands.group("mandate").add("retention", retention)
    parser.add_argument("mandate", metavar="M", help=words("options.mandate"))
    parser.add_argument("--propose", action="store_true", help=words("options.propose"))


async def retention(app: "App", arguments: argparse.Namespace) -> Result:
    """Show what is due, and propose to erase it."""
    looker = await app.looker()
    mandate = await app.mandates.find(arguments.mandate)
    must_oversee(mandate, looker.person)
    position = await app.views.bring("runs", "knowledge")
    review = await app.retention.review(mandate, looker.person, position, app.now())
    await app.viewing.record(mandate.id, looker, RecordViewed(RETENTION, position=position))
    status, change = _DUE if review.found else _NOTHING, None
    if arguments.propose:
        proposed = await app.retention.propose(review, looker)
        if proposed.status == PENDING:
            status, change = PENDING, str(proposed.proposal)
    documents = [_document(one, change) for one in review.found]
    document = {
        "mandate": mandate.key,
        "today": review.today.isoformat(),
        "rules": review.terms,
        "due": documents,
        "held": review.held,
        "status": status,
        "change": change,
    }
    return Result([document], lambda texts: _shown(review, documents, status, texts))


def _document(found: Found, change: str | None) -> dict[str, Any]:
    due, version = found.due, found.version
    return {
        "kind": due.kind,
        "run": str(due.stream) if version is None else None,
        "document": None if version is None else version.key,
        "version": None if version is None else version.number,
        "since": due.since.isoformat(),
        "change": change if found.change is None else str(found.change),
    }


def _shown(
    review: Review, documents: Sequence[Mapping[str, Any]], status: str, texts: Texts
) -> Sequence[RenderableType]:
    shown: list[RenderableType] = [
        texts("retention.rules", terms=", ".join(f"{name} {term}" for name, term in review.terms.items()))
    ]
    if documents:
        headings = [texts(f"retention.{name}") for name in ("what", "since", "change")]
        rows = [
            [_what(one, texts), shown_day(texts, date.fromisoformat(one["since"])), one["change"] or ""]
            for one in documents
        ]
        shown.append(IdList(headings, rows, 2, (0,)))
    if review.held:
        shown.append(warning(texts("retention.held", count=review.held)))
    if status == PENDING:
        shown.append(warning(texts("mandate.pending", mandate=review.mandate.key)))
    elif not documents:
        shown.append(done(texts("retention.nothing_due")))
    elif any(one["change"] is None for one in documents):
        shown.append(texts("retention.propose", mandate=review.mandate.key))
    return shown


def _what(one: Mapping[str, Any], texts: Texts) -> str:
    if one["run"] is not None:
        return texts("retention.run", run=one["run"])
    return texts("retention.version", document=one["document"], version=one["version"])
