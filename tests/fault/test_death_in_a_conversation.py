"""Death at any step of a question in a room, with the inbox in PostgreSQL."""

from uuid import uuid4

from adapters.chat.inbox import PostgresInbox
from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import open_recording
from adapters.postgres.database import Database
from tests.chat_world import ChatWorld, dies


async def test_a_death_at_any_step_neither_loses_nor_doubles_an_answer(database: Database) -> None:
    """What is noted is pending until its answer is, and the next process finds both."""
    recording = await open_recording(database, MasterKey(bytes(32)))
    try:
        step, has_died = 0, True
        while has_died:
            step += 1
            inbox = PostgresInbox(database, recording.people, f"matrix @{uuid4()}:x")
            has_died = await dies(await ChatWorld(inbox).open(), step)
    finally:
        await recording.close()

    assert step > 20
