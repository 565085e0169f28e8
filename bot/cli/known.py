"""``known`` and ``diff``: what is known as of an instant, and what changed in it between two."""

import argparse
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from rich.console import RenderableType

from bot.cli.command import Commands, Result
from bot.output import Table, shown_day, shown_instant, shown_last_day
from bot.text import Texts
from domain.asking.admission import Admission
from domain.asking.values import Ask
from domain.asking.visibility import Horizon, VisibleVersion
from domain.errors import AccessError, InputError
from domain.instants import parse_day
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App

_Key = tuple[UUID, str]
"""Mandate and key of a document; of each, at most one version is known for a day."""

_ADDED: Final = "added"
_REMOVED: Final = "removed"
_CHANGED: Final = "changed"

_UNSURE: Final = ("observed", "assumed")
"""Kinds of dates that are named beside them."""


def register(commands: Commands) -> None:
    """Add the commands."""
    words = commands.texts
    listing, comparing = commands.add("known", known), commands.add("diff", diff)
    for parser in (listing, comparing):
        parser.add_argument("--mandate", required=True, metavar="M", help=words("options.mandate"))
    listing.add_argument("--at", metavar="T", help=words("options.at"))
    comparing.add_argument("--from", dest="since", required=True, metavar="T", help=words("options.diff_from"))
    comparing.add_argument("--to", dest="until", required=True, metavar="T", help=words("options.diff_to"))
    for parser in (listing, comparing):
        parser.add_argument("--valid-on", metavar="D", help=words("options.valid_on"))
        parser.add_argument("--as", dest="as_user", metavar="USER", help=words("options.as"))


async def admitted(
    app: "App", arguments: argparse.Namespace, at: str | None = None, now: datetime | None = None
) -> Admission:
    """Return what the person may look at.

    Raises:
        AccessError: unknown mandate, or not admitted.
        InputError: ``day``, ``instant``, ``instant_future``.
    """
    asker = await app.asker(arguments.as_user)
    if asker is None:
        raise AccessError
    looking = Ask(arguments.mandate, asker, Actor(asker), "", at=at)
    return await app.admissions.admit(looking, now or app.now())


async def known(app: "App", arguments: argparse.Namespace) -> Result:
    """List what is known, as of an instant and for a day."""
    valid_on, now = _valid_on(arguments), app.now()
    admission = await admitted(app, arguments, arguments.at, now)
    state = await _state(app, admission, valid_on, now)
    document = {
        "at": state.at.astimezone(UTC).isoformat(),
        "position": state.position,
        "documents": [state.document(key) for key in sorted(state.versions, key=state.place)],
    }
    return Result([document], lambda texts: [_known_table(state, texts)])


async def diff(app: "App", arguments: argparse.Namespace) -> Result:
    """List what changed in what was known between two instants, for a day."""
    valid_on, now = _valid_on(arguments), app.now()
    earlier, later = [await admitted(app, arguments, at, now) for at in (arguments.since, arguments.until)]
    if (earlier.at or now) > (later.at or now):
        raise InputError("instants_backwards", earlier=arguments.since, later=arguments.until)
    before, after = [await _state(app, admission, valid_on, now) for admission in (earlier, later)]
    keys = sorted({*before.versions, *after.versions}, key=after.place)
    changes = [_Change(before.versions.get(key), after.versions.get(key), after.names(before)[key[0]]) for key in keys]
    changes = [change for change in changes if change.before != change.after]
    document = {
        "from": before.at.astimezone(UTC).isoformat(),
        "to": after.at.astimezone(UTC).isoformat(),
        "from_position": before.position,
        "to_position": after.position,
        "documents": [change.document() for change in changes],
    }
    return Result([document], lambda texts: [_changes_table(before, after, changes, texts)])


@dataclass(frozen=True, slots=True)
class _State:
    """What is known at an instant."""

    admission: Admission
    at: datetime
    position: int
    versions: dict[_Key, VisibleVersion]

    def place(self, key: _Key) -> tuple[bool, str, str]:
        """Return the sort key of a document: the mandate's own come first."""
        return key[0] != self.admission.mandate.id, key[1], str(key[0])

    def names(self, other: "_State | None" = None) -> dict[UUID, str]:
        """Return the keys of the mandate and its libraries, also of those that another state knows."""
        mandate = self.admission.mandate
        return {**(other.names() if other else {}), mandate.id: mandate.key, **mandate.libraries}

    def document(self, key: _Key) -> dict[str, object]:
        """Return the JSON of a version."""
        return _document(self.versions[key], self.names()[key[0]])


@dataclass(frozen=True, slots=True)
class _Change:
    """A document before and after; ``mandate`` is the key of the mandate that it belongs to."""

    before: VisibleVersion | None
    after: VisibleVersion | None
    mandate: str

    @property
    def kind(self) -> str:
        return _ADDED if self.before is None else _REMOVED if self.after is None else _CHANGED

    @property
    def key(self) -> str:
        either = self.after or self.before
        return either.key if either else ""

    def document(self) -> dict[str, object]:
        """Return the JSON of the change."""
        before, after = (one and _document(one, self.mandate) for one in (self.before, self.after))
        return {"document": self.key, "mandate": self.mandate, "change": self.kind, "before": before, "after": after}


def _valid_on(arguments: argparse.Namespace) -> date | None:
    return None if arguments.valid_on is None else parse_day(arguments.valid_on)


async def _state(app: "App", admission: Admission, valid_on: date | None, now: datetime) -> _State:
    position = await app.views.reach(admission.position)
    horizon = Horizon(admission.scope, admission.levels, position, valid_on or admission.today)
    visible = await app.known.visible(horizon)
    versions = {(one.mandate, one.key): one for one in visible.versions.values()}
    return _State(admission, admission.at or now, position, versions)


def _document(version: VisibleVersion, mandate: str) -> dict[str, object]:
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


def _known_table(state: _State, texts: Texts) -> RenderableType:
    if not state.versions:
        return texts("knowledge.nothing_known")
    columns = ("document", "version", "title", "level", "valid_from", "valid_to")
    versions = [state.versions[key] for key in sorted(state.versions, key=state.place)]
    rows = [
        (
            one.key,
            str(one.version),
            one.title,
            one.level,
            shown_day(texts, one.valid_from),
            shown_last_day(texts, one.valid_to),
        )
        for one in versions
    ]
    return Table([texts(f"knowledge.{name}") for name in columns], rows)


def _changes_table(before: _State, after: _State, changes: list[_Change], texts: Texts) -> RenderableType:
    zone, own = after.admission.mandate.time_zone, after.admission.mandate.key
    earlier, later = (shown_instant(texts, state.at, zone) for state in (before, after))
    if not changes:
        return texts("diff.nothing", earlier=earlier, later=later)
    rows = [
        (
            texts(f"diff.{one.kind}"),
            one.key if one.mandate == own else f"{one.key} ({one.mandate})",
            _told(one.before, one.after, texts),
            _told(one.after, one.before, texts),
        )
        for one in changes
    ]
    stands = (texts("diff.stand", instant=instant) for instant in (earlier, later))
    return Table([texts("diff.change"), texts("knowledge.document"), *stands], rows)


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
