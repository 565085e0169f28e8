"""What changed in what was known, as JSON and for people: documents and their versions, and the mandate itself."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from bot.output import Table, shown_day, shown_fingerprint, shown_last_day, shown_number
from bot.text import Texts
from domain.asking.visibility import VisibleVersion
from domain.mandates.access import OVERSIGHT
from domain.mandates.changes import (
    HOLD,
    LEVELS,
    MODEL,
    OF_OVERSIGHT,
    ROLE,
    THRESHOLD,
    THRESHOLD_MODEL,
    MandateChange,
    changes_between,
)
from domain.mandates.state import Mandate

Key = tuple[UUID, str]
"""Mandate and key of a document; of each, at most one version is known for a day."""

Versions = Mapping[Key, VisibleVersion]

_ADDED: Final = "added"
_REMOVED: Final = "removed"
_CHANGED: Final = "changed"

_UNSURE: Final = ("observed", "assumed")
"""Kinds of dates that are named beside them."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document before and after; ``mandate`` is the key of the mandate that it belongs to."""

    before: VisibleVersion | None
    after: VisibleVersion | None
    mandate: str

    @property
    def kind(self) -> str:
        """Return ``added``, ``removed`` or ``changed``."""
        return _ADDED if self.before is None else _REMOVED if self.after is None else _CHANGED

    @property
    def key(self) -> str:
        """Return the document's key."""
        either = self.after or self.before
        return either.key if either else ""

    def document(self) -> dict[str, object]:
        """Return the JSON of the change."""
        before, after = (one and version_document(one, self.mandate) for one in (self.before, self.after))
        return {"document": self.key, "mandate": self.mandate, "change": self.kind, "before": before, "after": after}


def by_key(versions: Iterable[VisibleVersion]) -> dict[Key, VisibleVersion]:
    """Return versions by mandate and key of their document."""
    return {(one.mandate, one.key): one for one in versions}


def place_under(own: UUID) -> Callable[[Key], tuple[bool, str, str]]:
    """Return the sort key of documents: those of the mandate ``own`` come first."""
    return lambda key: (key[0] != own, key[1], str(key[0]))


def document_changes(
    before: Versions, after: Versions, names: Mapping[UUID, str], own: UUID
) -> tuple[DocumentChange, ...]:
    """Return what changed, the documents of the mandate ``own`` first; ``names`` are the keys of mandates."""
    keys = sorted({*before, *after}, key=place_under(own))
    changes = (DocumentChange(before.get(key), after.get(key), names[key[0]]) for key in keys)
    return tuple(change for change in changes if change.before != change.after)


def version_document(version: VisibleVersion, mandate: str) -> dict[str, object]:
    """Return the JSON of a version.

    What is known at a position has, at that position, no end yet: ``recorded_to`` is null, and stays so for ever.
    """
    return {
        "document": version.key,
        "version": version.version,
        "title": version.title,
        "url": version.url,
        "level": version.level,
        "recorded_from": version.recorded_at.isoformat(),
        "recorded_position": version.ordinal,
        "recorded_to": None,
        "valid_from": version.valid_from and version.valid_from.isoformat(),
        "valid_to": version.valid_to and version.valid_to.isoformat(),
        "valid_from_kind": version.valid_from_kind,
        "sha256": version.blob.sha256,
        "mandate": mandate,
    }


def changes_table(changes: Sequence[DocumentChange], own: str, stands: tuple[str, str], texts: Texts) -> Table:
    """Return a table of changes; ``stands`` head the columns of before and after."""
    rows = [
        (
            texts(f"diff.{one.kind}"),
            one.key if one.mandate == own else f"{one.key} ({one.mandate})",
            _told(one.before, one.after, texts),
            _told(one.after, one.before, texts),
        )
        for one in changes
    ]
    return Table([texts("diff.change"), texts("knowledge.document"), *stands], rows)


def mandate_changes(
    before: Mandate | None, after: Mandate | None, present: Mandate, reader: UUID | None
) -> tuple[MandateChange, ...]:
    """Return what changed in the mandate, as far as ``reader`` may see it today."""
    member = None if reader is None else present.members.get(reader)
    oversees = member is not None and member.role in OVERSIGHT
    return tuple(one for one in changes_between(before, after) if oversees or one.kind not in OF_OVERSIGHT)


def people_in(changes: Iterable[MandateChange]) -> list[UUID]:
    """Return the people whom changes are about."""
    return list({one.subject for one in changes if isinstance(one.subject, UUID)})


def mandate_documents(changes: Iterable[MandateChange], people: Mapping[UUID, str]) -> list[dict[str, Any]]:
    """Return the JSON of changes in a mandate; somebody who has been erased has no name."""
    return [
        {
            "kind": one.kind,
            "subject": people.get(one.subject) if isinstance(one.subject, UUID) else one.subject or None,
            "before": one.before,
            "after": one.after,
            **({"of": "person" if one.subject else "mandate"} if one.kind == HOLD else {}),
        }
        for one in changes
    ]


def mandate_table(documents: Sequence[Mapping[str, Any]], stands: tuple[str, str], texts: Texts) -> Table:
    """Return a table of changes in a mandate."""
    headings = [texts("diff.matter"), texts("diff.subject"), *stands]
    return Table(headings, [_mandate_row(one, texts) for one in documents])


def _mandate_row(change: Mapping[str, Any], texts: Texts) -> tuple[str, ...]:
    kind = change["kind"]
    sides = (change["before"], change["after"])
    return texts(f"diff.kind_{kind}"), _about(change, texts), *(_shown(kind, one, texts) for one in sides)


def _about(change: Mapping[str, Any], texts: Texts) -> str:
    if change["kind"] == LEVELS:
        return ""
    if change.get("of") == "mandate":
        return texts("hold.all")
    return change["subject"] or texts("person.erased")


def _shown(kind: str, value: str | None, texts: Texts) -> str:
    if value is None:
        return "–"
    if kind == ROLE:
        return texts(f"role.{value}")
    if kind in {MODEL, THRESHOLD_MODEL}:
        return shown_fingerprint(value)
    return shown_number(texts, float(value)) if kind == THRESHOLD else value


def _told(version: VisibleVersion | None, other: VisibleVersion | None, texts: Texts) -> str:
    """Return what a person reads about a version: its number, and what sets it apart from the other."""
    if version is None:
        return "–"
    facts, others = (None if one is None else _facts(one, texts) for one in (version, other))
    apart = [fact for fact in facts or () if fact and fact not in (others or ())]
    return ", ".join([texts("knowledge.version_of", version=version.version), *apart])


def _facts(version: VisibleVersion, texts: Texts) -> tuple[str, ...]:
    start, end = shown_day(texts, version.valid_from), shown_last_day(texts, version.valid_to)
    kind = texts(f"answer.kind_{version.valid_from_kind}") if version.valid_from_kind in _UNSURE else ""
    days = [f"{texts('knowledge.valid_from')} {start}{kind}"] if start else []
    days += [f"{texts('knowledge.valid_to')} {end}"] if end else []
    return version.title, version.level, " ".join(days) or texts("diff.unlimited"), version.url or ""
