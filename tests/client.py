"""A client in a process of its own, driven by lines on standard input, one reply a line (see ``servers.Client``)."""

import asyncio
import sys
import time
from pathlib import Path

from adapters.postgres.database import Database, open_database
from adapters.postgres.endpoint import Role
from domain.errors import FundstelleError


def say(*words: object) -> None:
    sys.stdout.write(f"{' '.join(str(word) for word in words)}\n")
    sys.stdout.flush()


async def count_up(database: Database) -> None:
    """Write numbers for ever and say each one once it is acknowledged."""
    number = 0
    while True:
        number += 1
        async with database.connection(Role.OWNER) as connection:
            await connection.execute("INSERT INTO numbers VALUES (%s)", [number])
        say(number)


async def query(database: Database) -> str:
    started = time.monotonic()
    async with database.connection(Role.READER) as connection:
        await connection.execute("SELECT count(*) FROM migrations")
    return f"{time.monotonic() - started:.3f}"


async def obey(command: str, database: Database | None, data: Path) -> Database | None:
    if command == "open":
        started = time.monotonic()
        opened = open_database(data, None)
        await opened.migrate()
        say("opened", f"{time.monotonic() - started:.3f}")
        return opened
    assert database is not None
    if command == "close":
        await database.close()
        say("closed")
        return None
    if command == "query":
        say("answered", await query(database))
    if command == "count":
        await count_up(database)
    return database


async def main() -> None:
    data = Path(sys.argv[1])
    database: Database | None = None
    say("started")
    while command := (await asyncio.to_thread(sys.stdin.readline)).strip():
        try:
            database = await obey(command, database, data)
        except FundstelleError as error:
            say("failed", error)
    if database is not None:
        await database.close()


asyncio.run(main())
