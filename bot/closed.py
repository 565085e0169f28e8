"""Documents that came in and cannot be searched: an event of theirs was set aside, so they are closed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

from bot.ingesting import Outcome
from domain.errors import InputError
from domain.knowledge.handler import NAME_KIND
from domain.recording import StreamName

if TYPE_CHECKING:
    from bot.wiring import App


async def failed_after_all(app: "App", mandate: UUID, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes with those as failed whose document no search could take in."""
    closed = {one.stream for one in await app.views.set_aside() if one.mandate == mandate}
    if not closed:
        return list(outcomes)
    return [await _checked(app, mandate, outcome, closed) for outcome in outcomes]


async def _checked(app: "App", mandate: UUID, outcome: Outcome, closed: set[UUID]) -> Outcome:
    if outcome.error is not None or outcome.document is None:
        return outcome
    if await app.store.find(StreamName(NAME_KIND, outcome.document, mandate)) not in closed:
        return outcome
    return replace(outcome, ingested=None, error=InputError("document_closed", document=outcome.document))
