"""What a document is, and what may happen to it.

``apply`` folds events into a ``Document``; ``decide_*`` return what must happen next and raise when it must not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from typing import Final

from domain.errors import AccessError, InputError
from domain.knowledge.events import (
    DocumentRegistered,
    DocumentWithdrawn,
    LevelAssigned,
    ValidPeriod,
    VersionCorrected,
    VersionIngested,
)
from domain.knowledge.headlines import title_line, web_link
from domain.knowledge.versions import Claim, overlap, period, place
from domain.mandates.naming import level_among, reason
from domain.recording import Event

VALID_FROM_KINDS: Final = ("legal", "observed", "assumed")


@dataclass(frozen=True, slots=True)
class Statement:
    """What an administrator says about a text; ``None`` is not stated.

    ``valid_from`` speaks for all three: with it, a missing ``valid_to`` is open; without it, ``valid_from_kind`` says
    nothing.
    """

    level: str
    title: str | None = None
    url: str | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    valid_from_kind: str | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """A recorded version as it stands now; ``live`` until the document is withdrawn.

    ``characters``, ``sentences`` and ``passages`` count them.
    """

    number: int
    sha256: str
    characters: int
    sentences: int
    passages: int
    title: str
    url: str | None
    level: str
    valid: ValidPeriod
    valid_from_kind: str
    live: bool = True

    @property
    def claim(self) -> Claim:
        """Return the validity that it claims."""
        return Claim(self.number, self.valid)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as its events tell.

    Attributes:
        key: ``None`` before it is registered.
        assigned: the level that an administrator gave to the whole document, if any.
        erased: how many events have been erased behind the last version that can be read.
    """

    key: str | None = None
    versions: tuple[Version, ...] = ()
    assigned: str | None = None
    erased: int = 0

    @property
    def next_number(self) -> int:
        """Return the number of the next version; those of erased ones are not given again."""
        return (self.versions[-1].number if self.versions else 0) + self.erased + 1

    @property
    def live(self) -> tuple[Version, ...]:
        """Return the versions that have not been withdrawn."""
        return tuple(version for version in self.versions if version.live)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return what the live versions claim."""
        return tuple(version.claim for version in self.live)


@dataclass(frozen=True, slots=True)
class NewVersion:
    """The text is recorded as a version of its own."""

    number: int
    level: str
    title: str | None
    url: str | None
    valid: ValidPeriod
    valid_from_kind: str


@dataclass(frozen=True, slots=True)
class KnownText:
    """The text is version ``number``; ``events`` put right what is stated differently (none: unchanged)."""

    number: int
    events: tuple[VersionCorrected | LevelAssigned, ...]


def document(events: Iterable[Event | None], state: Document | None = None) -> Document:
    """Return the document that ``events`` of its stream tell after ``state``.

    An erased event was a version or put one right that is erased too. Nobody knows which, so a number may be left out.
    """
    return reduce(_after, events, state or Document())


def _after(state: Document, event: Event | None) -> Document:
    return replace(state, erased=state.erased + 1) if event is None else apply(state, event)


def apply(state: Document, event: Event) -> Document:
    """Return the document after ``event``."""
    match event:
        case DocumentRegistered():
            return replace(state, key=event.key)
        case VersionIngested():
            return replace(state, versions=(*state.versions, _recorded(event)), erased=0)
        case VersionCorrected():
            return _each(state, event.version, event)
        case LevelAssigned():
            versions = tuple(replace(version, level=event.level) for version in state.versions)
            return replace(state, versions=versions, assigned=event.level)
        case DocumentWithdrawn():
            return replace(state, versions=tuple(replace(version, live=False) for version in state.versions))
        case _:
            return state


def decide_ingest(
    state: Document, sha256: str, stated: Statement, today: date, levels: Sequence[str]
) -> NewVersion | KnownText:
    """Decide what a text means for the document.

    The same text as a live version is that version, put right where something else is stated, unless another
    version lies between the two in time: then it came back and is a version of its own (A, B, A). So it is when the
    stated validity and the recorded one share no day. After a withdrawal every text is a new version. An ingest may
    raise a level; only ``decide_level`` lowers one that was assigned.

    Args:
        state: the document.
        sha256: hash of the stored text.
        stated: what is said about the text.
        today: the day in the mandate's time zone.
        levels: the mandate's levels, lowest first.

    Raises:
        InputError: ``level_unknown``, ``validity_empty``, ``valid_from_kind``, ``url``.
    """
    stated = _checked(stated, levels)

    def likely(version: Version) -> tuple[bool, tuple[int, int]]:
        return version.valid.start == stated.valid_from, place(version.claim)

    for version in sorted(state.live, key=likely, reverse=True):
        if version.sha256 == sha256 and _in_place(state, version, stated, today):
            return KnownText(version.number, _corrections(version, stated, levels))
    kind = stated.valid_from_kind or "legal" if stated.valid_from else "assumed"
    level = _higher(stated.level, state.assigned, levels)
    return NewVersion(state.next_number, level, stated.title, stated.url, _validity(state, stated, today), kind)


def decide_withdraw(state: Document, because: str) -> DocumentWithdrawn:
    """Withdraw the document.

    Raises:
        AccessError: it does not exist or has been withdrawn already.
        InputError: ``reason``.
    """
    if not state.live:
        raise AccessError
    return DocumentWithdrawn(reason(because))


def decide_level(state: Document, level: str, levels: Sequence[str]) -> tuple[LevelAssigned, ...]:
    """Give all versions of the document a level, withdrawn ones as well; nothing when they have it.

    Raises:
        AccessError: the document does not exist.
        InputError: ``level_unknown``.
    """
    if not state.versions:
        raise AccessError
    level_among(levels, level)
    if state.assigned == level and all(version.level == level for version in state.versions):
        return ()
    return (LevelAssigned(level),)


def _recorded(event: VersionIngested) -> Version:
    return Version(
        event.version,
        event.blob.sha256,
        event.characters,
        len(event.sentences),
        len(event.passages),
        event.title,
        event.url,
        event.level,
        ValidPeriod(event.valid_from, event.valid_to),
        event.valid_from_kind,
    )


def _each(state: Document, number: int, event: VersionCorrected) -> Document:
    return replace(
        state,
        versions=tuple(
            replace(
                version,
                title=event.title,
                url=event.url,
                valid=ValidPeriod(event.valid_from, event.valid_to),
                valid_from_kind=event.valid_from_kind,
            )
            if version.number == number
            else version
            for version in state.versions
        ),
    )


def _checked(stated: Statement, levels: Sequence[str]) -> Statement:
    level_among(levels, stated.level)
    if stated.valid_from_kind not in (None, *VALID_FROM_KINDS):
        raise InputError("valid_from_kind", value=stated.valid_from_kind, known=", ".join(VALID_FROM_KINDS))
    period(stated.valid_from, stated.valid_to)
    url = None if stated.url is None else web_link(stated.url)
    return replace(stated, title=title_line(stated.title or "") or None, url=url)


def _validity(state: Document, stated: Statement, today: date) -> ValidPeriod:
    if stated.valid_from is None and state.live:
        return period(today, stated.valid_to)
    return period(stated.valid_from, stated.valid_to)


def _in_place(state: Document, version: Version, stated: Statement, today: date) -> bool:
    """Say whether the statement is about ``version``: nothing lies between the two, and they share a day."""
    start = stated.valid_from or today
    ends = sorted((place(version.claim), place(Claim(state.next_number, ValidPeriod(start, None)))))
    if any(ends[0] < place(other.claim) < ends[1] for other in state.live):
        return False
    return stated.valid_from is None or overlap(version.valid, ValidPeriod(stated.valid_from, stated.valid_to))


def _corrections(
    version: Version, stated: Statement, levels: Sequence[str]
) -> tuple[VersionCorrected | LevelAssigned, ...]:
    corrected = VersionCorrected(version.number, *_put_right(version, stated))
    events: list[VersionCorrected | LevelAssigned] = []
    if _higher(version.level, stated.level, levels) != version.level:
        events.append(LevelAssigned(stated.level))
    if corrected != _as_recorded(version):
        events.append(corrected)
    return tuple(events)


def _put_right(version: Version, stated: Statement) -> tuple[str, str | None, date | None, date | None, str]:
    title, url = stated.title or version.title, stated.url or version.url
    if stated.valid_from is None:
        valid = period(version.valid.start, stated.valid_to or version.valid.end)
        return title, url, valid.start, valid.end, version.valid_from_kind
    same_start = stated.valid_from == version.valid.start
    kind = stated.valid_from_kind or (version.valid_from_kind if same_start else "legal")
    return title, url, stated.valid_from, stated.valid_to, kind


def _as_recorded(version: Version) -> VersionCorrected:
    valid = version.valid
    return VersionCorrected(version.number, version.title, version.url, valid.start, valid.end, version.valid_from_kind)


def _higher(level: str, other: str | None, levels: Sequence[str]) -> str:
    """Return the higher of two levels; one that is no longer defined counts as the highest (fail closed)."""
    if other is None:
        return level
    return max(level, other, key=lambda name: levels.index(name) if name in levels else len(levels))
