"""The inbox of one account, in PostgreSQL. Implements ``Inbox``.

Who has sent something is kept as a pseudonym of the directory of people, so that erasing a person takes their identity
from here as well; what they had sent and nobody had dealt with yet is then of nobody, and left alone.
"""

from collections.abc import Sequence
from datetime import UTC
from typing import Any, Final
from uuid import UUID

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.inbox import EDITED, Answered, Noted
from domain.recording import People

_SQL: Final = statements("adapters.chat", "inbox.sql")
_LONGEST: Final = 255
"""No id of a platform is longer."""


class PostgresInbox:
    """What came in for one account.

    Args:
        database: where it is kept.
        people: the directory of people.
        account: our own identity, with its platform in front.
    """

    def __init__(self, database: Database, people: People, account: str) -> None:
        self._database = database
        self._people = people
        self._account = account

    async def token(self) -> str | None:
        """See ``Inbox``."""
        rows = await self._rows("token")
        return rows[0][0] if rows else None

    async def take_in(self, token: str, noted: Sequence[Noted]) -> tuple[Noted, ...]:
        """See ``Inbox``."""
        given: dict[str, Noted] = {}
        for one in noted:
            given.setdefault(one.event, one)
        columns = await self._columns(list(given.values()))
        async with self._database.connection(Role.WRITER) as connection:
            await connection.execute(_SQL["set_token"], {"account": self._account, "token": token})
            cursor = await connection.execute(_SQL["note"], {"account": self._account, **columns})
            fresh = {event for (event,) in await cursor.fetchall()}
        return tuple(one for one in given.values() if one.event in fresh)

    async def noted(self, event: str) -> Noted | None:
        """See ``Inbox``."""
        found = await self._noted(await self._rows("noted", event=event))
        return found[0] if found else None

    async def pending(self) -> tuple[Noted, ...]:
        """See ``Inbox``."""
        return await self._noted(await self._rows("pending"))

    async def finish(self, event: str, answer: str | None = None, run: UUID | None = None) -> None:
        """See ``Inbox``."""
        values = {"account": self._account, "event": event, "answer": answer, "run": run}
        async with self._database.connection(Role.WRITER) as connection:
            await connection.execute(_SQL["finish"], values)

    async def answered(self, question: str) -> Answered | None:
        """See ``Inbox``."""
        return _first(await self._rows("answered", question=question))

    async def wordings(self, question: str) -> tuple[str, ...]:
        """See ``Inbox``."""
        return tuple(event for (event,) in await self._rows("wordings", question=question))

    async def answering(self, answer: str) -> Answered | None:
        """See ``Inbox``."""
        return _first(await self._rows("answering", answer=answer))

    async def of_run(self, run: UUID) -> Answered | None:
        """See ``Inbox``."""
        return _first(await self._rows("of_run", run=run))

    async def _rows(self, statement: str, **values: object) -> list[Any]:
        async with self._database.connection(Role.WRITER) as connection:
            cursor = await connection.execute(_SQL[statement], {"account": self._account, **values})
            return await cursor.fetchall()

    async def _noted(self, rows: Sequence[tuple[Any, ...]]) -> tuple[Noted, ...]:
        names = await self._people.names(list({row[2] for row in rows})) if rows else {}
        return tuple(_noted(row, names[row[2]]) for row in rows if row[2] in names)

    async def _columns(self, noted: Sequence[Noted]) -> dict[str, list[object]]:
        known = {sender: await self._people.register(sender) for sender in {one.sender for one in noted}}
        return {
            "events": [one.event for one in noted],
            "rooms": [one.room for one in noted],
            "people": [known[one.sender] for one in noted],
            "instants": [one.sent_at for one in noted],
            "kinds": [one.kind for one in noted],
            "targets": [None if one.target is None else _storable(one.target) for one in noted],
            "details": [_storable(one.detail) for one in noted],
            "questions": [_storable(_question(one)) for one in noted],
        }


def _storable(text: str) -> str:
    """Return what the database takes: a stranger may name a target or a sign of any length, with any character."""
    return text[:_LONGEST].encode("utf-8", "replace").decode().replace("\0", "?")


def _question(noted: Noted) -> str:
    return noted.target if noted.kind == EDITED and noted.target is not None else noted.event


def _noted(row: tuple[Any, ...], sender: str) -> Noted:
    event, room, _, sent_at, kind, target, detail = row
    return Noted(event, room, sender, sent_at.astimezone(UTC), kind, target, detail)


def _first(rows: Sequence[tuple[Any, ...]]) -> Answered | None:
    return Answered(*rows[0]) if rows else None
