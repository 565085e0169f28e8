"""Puts the parts of the event store together."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from adapters.eventstore.blobs import PostgresBlobs
from adapters.eventstore.keyring import Keyring
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.mapper import Mapper
from adapters.eventstore.people import PostgresPeople
from adapters.eventstore.recorder import JournalRecorder, datastore
from adapters.eventstore.sealed import PostgresSealedStore
from adapters.eventstore.store import PostgresEventStore
from adapters.eventstore.threads import THREADS, Threads
from adapters.eventstore.topics import TOPICS, Topics
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role

_WAIT_SECONDS: Final = 2.0


def utc_now() -> datetime:
    """Return the time of the system's clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Recording:
    """The ports of recording on one database, and the threads they share.

    Attributes:
        sealed: events and texts as they are stored.
        text_mac: marks a text of a mandate, so that views can tell equal texts without holding them.
        store: names the installation, whatever becomes of its keys.
    """

    events: PostgresEventStore
    people: PostgresPeople
    blobs: PostgresBlobs
    sealed: PostgresSealedStore
    threads: Threads
    text_mac: Callable[[UUID, str], bytes]
    store: str

    async def close(self) -> None:
        """Finish what is in flight and close all connections."""
        await self.threads.close()


async def open_recording(
    database: Database, master: MasterKey, clock: Callable[[], datetime] = utc_now, topics: Topics = TOPICS
) -> Recording:
    """Open the event store of a migrated database.

    Raises:
        PartError: the database does not answer, or ``master_key`` when the master key does not fit it.
    """
    pool = datastore(database.endpoint(Role.WRITER), THREADS, _WAIT_SECONDS, database.revive)
    threads = Threads(pool)
    keyring = Keyring(pool, master)
    try:
        marking = await threads.run(keyring.marking)
        # It asks the database for the library's composite type, so it is made once the database answers.
        recorder = await asyncio.to_thread(JournalRecorder, pool, clock)
    except BaseException:
        await threads.close()
        raise
    mapper = Mapper(topics)
    return Recording(
        PostgresEventStore(threads, recorder, keyring, mapper, master=master, marking=marking),
        PostgresPeople(threads, pool, keyring, master, marking),
        PostgresBlobs(threads, pool, keyring, master),
        PostgresSealedStore(threads, pool, recorder, master=master, mapper=mapper),
        threads,
        marking.text_mac,
        marking.store,
    )
