"""What became of the files of an ingest, for people and as JSON; what has failed goes to standard error."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from bot.ingesting import Outcome
from bot.output import Output, done, failure, warning
from bot.text import Texts
from domain.errors import InputError
from domain.knowledge.handler import Ingested

_LISTED: Final = 20
"""Files of an ingest that a person sees one by one; of more, only those with something to tell."""


def outcome_document(outcome: Outcome, texts: Texts) -> dict[str, object]:
    """Return the JSON document of one file."""
    found, error = outcome.ingested, outcome.error
    return {
        "path": outcome.path,
        "document": outcome.document,
        "version": found.version if found else None,
        "status": "failed" if found is None else "ingested" if found.changed else "unchanged",
        "sha256": found.sha256 if found else None,
        "characters": found.characters if found else None,
        "sentences": found.sentences if found else None,
        "passages": found.passages if found else None,
        "note": _note(found, texts) or None if found else None,
        "error": texts(f"errors.{error.key}", **error.values) if error else None,
    }


def show_outcomes(outcomes: Sequence[Outcome], out: Output, skipped: int = 0) -> None:
    """Show what a person reads about an ingest; ``skipped`` counts files of a folder that nobody means."""
    failed = sum(1 for outcome in outcomes if outcome.ingested is None)
    for outcome in outcomes:
        if len(outcomes) <= _LISTED or outcome.ingested is None or outcome.ingested.notes:
            show_outcome(outcome, out)
    if len(outcomes) + skipped > 1:
        became = Counter(_became(outcome.ingested) for outcome in outcomes if outcome.ingested)
        counts = {name: became[name] for name in ("ingested", "corrected", "unchanged")}
        counted = out.texts("knowledge.summary", **counts, failed=failed)
        if skipped:
            counted += out.texts("knowledge.skipped", count=skipped)
        out.show(failure(counted) if failed else done(counted))


def show_outcome(outcome: Outcome, out: Output) -> None:
    """Show the line that a person reads about one file, on standard error if it has failed."""
    if outcome.ingested is None:
        error = outcome.error or InputError("conflict")
        # Readers know a file by its name alone; its place in the folder says which one it is.
        is_named = error.values.get("file") == PurePath(outcome.path).name
        message = out.texts(f"errors.{error.key}", **{**error.values, **({"file": outcome.path} if is_named else {})})
        out.note(failure(message if outcome.path in message else f"{outcome.path}: {message}"))
        return
    found = outcome.ingested
    words = out.texts(
        f"knowledge.{_became(found)}",
        document=found.document,
        version=found.version,
        sentences=out.texts.counted("sentence", found.sentences),
        passages=out.texts.counted("passage", found.passages),
    )
    told = f"{words}. {_note(found, out.texts)}" if found.notes else words
    out.show((warning if found.notes else done)(told))


def _note(found: Ingested, texts: Texts) -> str:
    """Return what somebody may not have expected of an ingest, empty for nothing."""
    return " ".join(texts(f"knowledge.{one}", document=found.document, level=found.level) for one in found.notes)


def _became(found: Ingested) -> str:
    return "corrected" if found.corrected else "ingested" if found.changed else "unchanged"


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """Return 0 if all went well, 1 if some of many failed, 2 if nothing did go well."""
    failed = sum(1 for outcome in outcomes if outcome.error is not None)
    if not failed:
        return 0
    return 2 if failed == len(outcomes) else 1
