"""Erasing, and what a mandate keeps beyond its terms."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

from bot.erasing import InstallationShredder, folders_under, indexes_among
from domain.asking.quoting import Quotes
from domain.erasing.eraser import OrderingEraser
from domain.erasing.events import Due
from domain.erasing.reviewing import Retention
from domain.journal.erasures import Erasures
from domain.mandates.state import Mandate
from projections.ended import PostgresEndedVersions

if TYPE_CHECKING:
    from bot.wiring.app import App


def shredder(app: "App") -> InstallationShredder:
    """Return what deletes in this installation."""

    async def rebuild(name: str) -> None:
        # The views and the engines behind them are loaded only where there is something to build anew.
        await app.views.rebuild(name)

    return InstallationShredder(
        app.database,
        lambda: [*indexes_among(app.projections), folders_under(app.settings.data / "index")],
        rebuild,
        ours=app.settings.postgres_url is None,
    )


def erasures(app: "App") -> Erasures:
    """Return what was ordered to be erased, done."""
    return Erasures(app.store, shredder(app), Quotes(app.store), uuid4)


def eraser(app: "App") -> OrderingEraser:
    """Return what erases by order of two people."""
    return OrderingEraser(app.erasures, app.mandates, app.store, Quotes(app.store), shredder(app))


def retention(app: "App") -> Retention:
    """Return what mandates keep beyond their terms."""
    return Retention(app.store, app.mandates, app.proposing, app.runs_view, PostgresEndedVersions(app.database))


def still_due(app: "App") -> Callable[[Mandate, Sequence[Due]], Awaitable[bool]]:
    """Return what says whether all of these records may still be erased."""

    async def asked(mandate: Mandate, records: Sequence[Due]) -> bool:
        await app.views.bring("knowledge")
        return await app.retention.still_due(mandate, records, app.now())

    return asked
