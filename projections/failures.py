"""What a projection could not take in: set aside, so that it holds up no other document.

The document of such an event is closed (``knowledge.sql`` leaves it out), and ``doctor`` shows the event. A rebuild
tries again. A failure of a part, such as the database, a disk or a model, is none of these: it is waited out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import psycopg
from psycopg import errors

from adapters.postgres.database import AnyConnection
from adapters.postgres.sql import statements
from domain.errors import PartError
from domain.recording import Recorded
from projections.projection import Projection

_SQL: Final = statements("projections", "failures.sql")
_DAMAGED: Final = "blob_damaged"


@dataclass(frozen=True, slots=True)
class SetAside:
    """An event that a projection could not take in; ``kind`` is that of the error."""

    projection: str
    position: int
    mandate: UUID
    stream: UUID
    kind: str


async def take(connection: AnyConnection, projection: Projection, events: Sequence[Recorded]) -> None:
    """Apply ``events`` in order; those that cannot be taken in are set aside, and nothing is left of them.

    Raises:
        Exception: whatever does not lie in the events themselves.
    """
    try:
        async with connection.transaction():
            await projection.apply(connection, events)
    except Exception as error:
        if not _lies_in_the_event(error):
            raise
        if len(events) == 1:
            await _set_aside(connection, projection, events[0], error)
            return
        half = len(events) // 2
        for part in (events[:half], events[half:]):
            await take(connection, projection, part)


async def forget(connection: AnyConnection, projection: str) -> None:
    """Forget what was set aside: it is tried again."""
    await connection.execute(_SQL["forget"], {"projection": projection})


async def found(connection: AnyConnection) -> tuple[SetAside, ...]:
    """Return all that is set aside, by projection and position."""
    rows = await (await connection.execute(_SQL["all"])).fetchall()
    return tuple(SetAside(*row) for row in rows)


async def _set_aside(connection: AnyConnection, projection: Projection, recorded: Recorded, error: Exception) -> None:
    row = {
        "projection": projection.name,
        "position": recorded.position,
        "mandate": recorded.mandate,
        "stream": recorded.stream,
        "kind": error.key if isinstance(error, PartError) else type(error).__name__,
    }
    await connection.execute(_SQL["set_aside"], row)


def _lies_in_the_event(error: Exception) -> bool:
    match error:
        case errors.DataError() | errors.IntegrityError() | errors.ProgramLimitExceeded():
            return True
        case psycopg.Error() | OSError():
            return False
        case PartError():
            return error.key == _DAMAGED
        case _:
            return True
