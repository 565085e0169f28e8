"""How far the checkpoints of the journal have been posted to rooms, in PostgreSQL."""

from typing import Final

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements

_SQL: Final = statements("adapters.chat", "posts.sql")


class PostgresPosts:
    """What one account has posted.

    Args:
        database: where it is kept.
        account: our own identity, with its platform in front.
    """

    def __init__(self, database: Database, account: str) -> None:
        self._database = database
        self._account = account

    async def posted(self, room: str) -> int | None:
        """Return how many checkpoints a room has had, ``None`` for a room that is new.

        Raises:
            PartError: the database does not answer.
        """
        async with self._database.connection(Role.WRITER) as connection:
            cursor = await connection.execute(_SQL["posted"], {"account": self._account, "room": room})
            row = await cursor.fetchone()
        return None if row is None else row[0]

    async def post(self, room: str, count: int) -> None:
        """Remember that a room has had the first ``count`` checkpoints.

        Raises:
            PartError: the database does not answer.
        """
        async with self._database.connection(Role.WRITER) as connection:
            await connection.execute(_SQL["post"], {"account": self._account, "room": room, "posted": count})
