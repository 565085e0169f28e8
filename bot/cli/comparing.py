"""``run diff``: a recorded question beside the same one as of another instant."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from rich.console import RenderableType
from rich.text import Text

from bot.answer_documents import answer_document
from bot.changes import (
    DocumentChange,
    by_key,
    changes_table,
    document_changes,
    mandate_changes,
    mandate_documents,
    mandate_table,
    people_in,
)
from bot.cli.command import Commands, Result
from bot.cli.runs import run_id
from bot.output import Table, done, shown_instant, warning
from bot.text import Texts
from domain.asking.outcome import AnswerDelivered
from domain.asking.rehearsal import RunDifference
from domain.asking.values import Answer
from domain.journal.viewing import RUN_DIFF
from domain.knowledge.events import DocumentRegistered
from domain.mandates.state import Mandate
from domain.recording import Recorded

if TYPE_CHECKING:
    from bot.wiring import App


def register(commands: Commands) -> None:
    """Add the command."""
    words = commands.texts
    parser = commands.group("run").add("diff", diff)
    parser.add_argument("run_id", metavar="RUN", help=words("options.run"))
    parser.add_argument("--at", required=True, metavar="T", help=words("options.at"))
    parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def diff(app: "App", arguments: argparse.Namespace) -> Result:
    """Say whether a question would be answered differently as of an instant, and what made the difference."""
    run, looker = run_id(arguments.run_id), await app.looker(arguments.as_user)
    mandate = await app.runs.mandate(run, looker.person)
    moment = await app.mandates.moment(mandate, arguments.at, looker, app.now())
    found = await app.rehearsals.compare(run, looker.person, moment)
    await app.viewing.at_run(RUN_DIFF, run, looker)
    told = await _compared(app, found, mandate, looker.person)
    return Result([_document(told, arguments.out.texts)], lambda texts: [*_shown(told, texts)])


@dataclass(frozen=True, slots=True)
class _Compared:
    found: RunDifference
    documents: tuple[DocumentChange, ...]
    mandate: list[dict[str, Any]]
    cause: dict[str, Any] | None
    key: str
    zone: str


async def _compared(app: "App", found: RunDifference, mandate: Mandate, reader: UUID) -> _Compared:
    states = (found.as_before.mandate, found.as_after.mandate)
    names = {key: name for one in states for key, name in ((one.id, one.key), *one.libraries.items())}
    before, after = (by_key(one.versions.values()) for one in (found.seen_before, found.seen_after))
    policies = mandate_changes(*states, mandate, reader)
    return _Compared(
        found,
        document_changes(before, after, names, mandate.id),
        mandate_documents(policies, await app.people.names(people_in(policies))),
        None if found.cause is None else await _cause(app, found, found.cause),
        mandate.key,
        mandate.time_zone,
    )


async def _cause(app: "App", found: RunDifference, event: Recorded) -> dict[str, Any]:
    """Return the event as JSON; its document is named where the reader can see any version of it."""
    first = next((one.event for one in await app.store.read(event.stream, up_to=event.position)), None)
    key = first.key if isinstance(first, DocumentRegistered) else None
    open_ones = await app.known.documents(found.seen_before.horizon) | await app.known.documents(
        found.seen_after.horizon
    )
    return {
        "position": event.position,
        "at": event.logged_at.isoformat(),
        "event": type(event.event).__name__ if event.event is not None else None,
        "document": key if key in open_ones else None,
    }


def _document(told: _Compared, texts: Texts) -> dict[str, Any]:
    found = told.found
    return {
        "run": str(found.run),
        "differs": found.differs,
        "reproduced": found.reproduced,
        "from_position": found.seen_before.horizon.position,
        "to_position": found.seen_after.horizon.position,
        "cause": told.cause,
        "before": _side(found.before, texts),
        "after": _side(found.after, texts),
        "documents": [change.document() for change in told.documents],
        "mandate": told.mandate,
    }


def _side(answer: Answer, texts: Texts) -> dict[str, Any]:
    document = answer_document(answer, texts)
    return {name: document[name] for name in ("outcome", "verdict", "note", "text", "sources", "refusal")}


def _shown(told: _Compared, texts: Texts) -> Iterator[RenderableType]:
    found = told.found
    instants = [shown_instant(texts, one.at, told.zone) for one in (found.as_before, found.as_after) if one.at]
    stands = (texts("diff.stand", instant=instants[0]), texts("diff.stand", instant=instants[-1]))
    sides = [_ending(found.before, texts), _ending(found.after, texts)]
    yield Table(["", *stands], [[texts("compare.answer"), *sides]])
    yield warning(texts("compare.differs")) if found.differs else done(texts("compare.same"))
    if told.cause is not None:
        yield Text(_because(told, texts))
    if not found.reproduced:
        yield warning(texts("compare.not_reproduced"))
    if told.documents:
        yield changes_table(told.documents, told.key, stands, texts)
    if told.mandate:
        yield mandate_table(told.mandate, stands, texts)


def _ending(answer: Answer, texts: Texts) -> str:
    if isinstance(answer.end, AnswerDelivered):
        return " ".join(sentence.text for sentence in answer.end.sentences)
    return texts("compare.refused", step=texts(f"runs.step_{answer.end.step}"))


def _because(told: _Compared, texts: Texts) -> str:
    cause = told.cause or {}
    event = texts(f"compare.event_{cause['event']}") if cause["event"] in _NAMED else texts("compare.event_other")
    document = cause["document"]
    subject = f" „{document}“" if document and texts.language == "de" else f" “{document}”" if document else ""
    return texts("compare.cause", event=f"{event}{subject}", position=cause["position"])


_NAMED = frozenset(
    {
        *("VersionIngested", "VersionSuperseded", "VersionCorrected", "LevelAssigned", "DocumentWithdrawn"),
        *("LibrarySubscribed", "LevelDefined", "ThresholdSet", "RuleSet", "ModelBound", "ModelRetired"),
    }
)
"""Events that have words of their own."""
