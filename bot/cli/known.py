"""``known`` and ``diff``: what is known as of an instant, and what changed in it between two."""

import argparse
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from rich.console import RenderableType
from rich.text import Text

from bot.changes import (
    Key,
    by_key,
    changes_table,
    document_changes,
    mandate_changes,
    mandate_documents,
    mandate_table,
    people_in,
    place_under,
    version_document,
)
from bot.cli.command import Commands, Result
from bot.output import Table, shown_day, shown_instant, shown_last_day, warning
from bot.text import Texts
from domain.asking.admission import Admission
from domain.asking.values import Ask
from domain.asking.visibility import Horizon, VisibleVersion
from domain.errors import AccessError, InputError
from domain.instants import parse_day
from domain.recording import Actor

if TYPE_CHECKING:
    from bot.wiring import App


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
    state = await _state(app, admission, valid_on)
    document = {
        "at": state.at.astimezone(UTC).isoformat(),
        "position": state.position,
        "documents": [version_document(state.versions[key], state.names[key[0]]) for key in state.keys],
    }
    if erased := await app.mandates.erased_libraries(admission.mandate):
        document["erased"] = list(erased)
        arguments.out.note(warning(arguments.out.texts("erasing.libraries", libraries=", ".join(erased))))
    return Result([document], lambda texts: [_known_table(state, texts)])


async def diff(app: "App", arguments: argparse.Namespace) -> Result:
    """List what changed in what was known between two instants, for a day, and in the mandate itself."""
    valid_on, now = _valid_on(arguments), app.now()
    earlier, later = [await admitted(app, arguments, at, now) for at in (arguments.since, arguments.until)]
    if (earlier.at or now) > (later.at or now):
        raise InputError("instants_backwards", earlier=arguments.since, later=arguments.until)
    before, after = [await _state(app, admission, valid_on) for admission in (earlier, later)]
    changes = document_changes(before.versions, after.versions, {**before.names, **after.names}, after.own)
    states = [await app.mandates.by_id(after.own, up_to=one.position) for one in (before, after)]
    present = later.present or later.mandate
    policies = mandate_changes(states[0], states[1], present, later.asker)
    mandate = mandate_documents(policies, await app.people.names(people_in(policies)))
    document = {
        "from": before.at.astimezone(UTC).isoformat(),
        "to": after.at.astimezone(UTC).isoformat(),
        "from_position": before.position,
        "to_position": after.position,
        "documents": [change.document() for change in changes],
        "mandate": mandate,
    }

    def show(texts: Texts) -> list[RenderableType]:
        zone = after.admission.mandate.time_zone
        earlier, later = (shown_instant(texts, state.at, zone) for state in (before, after))
        if not changes and not mandate:
            return [Text(texts("diff.nothing", earlier=earlier, later=later))]
        stands = (texts("diff.stand", instant=earlier), texts("diff.stand", instant=later))
        tables = [changes_table(changes, after.admission.mandate.key, stands, texts)] if changes else []
        return [*tables, *([mandate_table(mandate, stands, texts)] if mandate else [])]

    return Result([document], show)


@dataclass(frozen=True, slots=True)
class _State:
    """What is known at an instant."""

    admission: Admission
    at: datetime
    position: int
    versions: dict[Key, VisibleVersion]

    @property
    def own(self) -> UUID:
        """Return the id of the mandate."""
        return self.admission.mandate.id

    @property
    def keys(self) -> list[Key]:
        """Return the documents, the mandate's own first."""
        return sorted(self.versions, key=place_under(self.own))

    @property
    def names(self) -> dict[UUID, str]:
        """Return the keys of the mandate and its libraries."""
        mandate = self.admission.mandate
        return {mandate.id: mandate.key, **mandate.libraries}


def _valid_on(arguments: argparse.Namespace) -> date | None:
    return None if arguments.valid_on is None else parse_day(arguments.valid_on)


async def _state(app: "App", admission: Admission, valid_on: date | None) -> _State:
    at, position = admission.at, admission.position
    if at is None or position is None:
        at, position = await _present(app)
    # Nothing else is read here, so nobody waits for what is slow to build, or is shown what was known before that.
    await app.views.bring("knowledge")
    horizon = Horizon(admission.scope, admission.levels, position, valid_on or admission.today)
    visible = await app.known.visible(horizon)
    return _State(admission, at, position, by_key(visible.versions.values()))


async def _present(app: "App") -> tuple[datetime, int]:
    """Return the present instant and the position that it means for ever; nothing recorded is missing before it."""
    head, now = await app.store.head(), app.now()
    return now, max(head, await app.store.position_at(now))


def _known_table(state: _State, texts: Texts) -> RenderableType:
    if not state.versions:
        return texts("knowledge.nothing_known")
    columns = ("document", "version", "title", "level", "valid_from", "valid_to")
    rows = [
        (
            one.key,
            str(one.version),
            one.title,
            one.level,
            shown_day(texts, one.valid_from),
            shown_last_day(texts, one.valid_to),
        )
        for one in (state.versions[key] for key in state.keys)
    ]
    return Table([texts(f"knowledge.{name}") for name in columns], rows)
