"""Which encoders projections keep up with: the embedded ones, and others that mandates are or will be bound to.

They are live in all mandates, since a search uses one encoder for the own mandate and its libraries alike. An encoder
becomes live before a swap begins, so that what comes in meanwhile has its vectors too.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar
from uuid import UUID

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from projections.encodings import Encoder, Live

T = TypeVar("T")

_SQL: Final = statements("projections", "live.sql")


def live_among(embedded: Sequence[Encoder[T]], others: Callable[[], Sequence[Encoder[T]]]) -> Live[T]:
    """Return the choice of what is ``embedded`` and of those ``others`` that have been declared live."""

    async def chosen(connection: AnyConnection, _mandate: UUID) -> Sequence[Encoder[T]]:
        rows = await (await connection.execute(_SQL["live"])).fetchall()
        if not rows:
            return embedded
        live = {encoder for (encoder,) in rows}
        return (*embedded, *(one for one in others() if one.fingerprint in live))

    return chosen


async def keep_up(database: Database, encoder: str) -> None:
    """Let projections keep the rows of an encoder up to date from now on.

    Raises:
        PartError: the database does not answer.
    """
    async with database.connection(Role.PROJECTOR) as connection:
        await connection.execute(_SQL["keep"], {"encoder": encoder})
