"""Checkpoints and proofs of a real journal hold in an implementation that is not ours, and only the right ones do."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from adapters.eventstore.keys import MasterKey
from adapters.eventstore.recording import open_recording
from adapters.journal.keys import KeyFiles, verifies
from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from domain.journal.handler import NO_WITNESSES, Journal, Signed
from domain.knowledge.events import DocumentRegistered
from domain.recording import Actor
from projections.journal import PostgresJournalTree
from tests.transparency import Older, Record, holds

ACTOR = Actor(uuid4())
GROWTH = (1, 2, 5, 30)


async def _signed(database: Database, folder: Path) -> tuple[str, list[Signed]]:
    """Let a journal grow, and return its public key and a checkpoint for each stage."""
    recording = await open_recording(database, MasterKey(bytes(32)))
    tree, signer = PostgresJournalTree(database), KeyFiles(folder, "example.org/journal")
    journal = Journal(recording.events, tree, signer, uuid4, verifies=verifies, witnesses=NO_WITNESSES)
    checkpoints = []
    try:
        for count in GROWTH:
            for _ in range(count):
                await recording.events.append(uuid4(), uuid4(), 0, [DocumentRegistered("D")], ACTOR)
            checkpoints.append(await journal.checkpoint(ACTOR))
    finally:
        await recording.close()
    return str(journal.key), checkpoints


async def _entries(database: Database) -> list[bytes]:
    async with database.connection(Role.WRITER) as connection:
        rows = await (await connection.execute("SELECT hash FROM journal_entries ORDER BY position")).fetchall()
    return [bytes(row[0]) for row in rows]


@pytest.mark.transparency
async def test_another_implementation_agrees(database: Database, tmp_path: Path) -> None:
    """The last checkpoint, every event under it, and each earlier checkpoint as its beginning."""
    key, checkpoints = await _signed(database, tmp_path)
    tree, last = PostgresJournalTree(database), checkpoints[-1]
    size = last.checkpoint.size
    entries = await _entries(database)
    records = [Record(place, entries[place], await tree.inclusion(place + 1, size)) for place in range(size)]
    paths = await tree.consistency([one.checkpoint.size for one in checkpoints[:-1]], size)
    older = [Older(str(one.note), path) for one, path in zip(checkpoints, paths, strict=False)]
    note = str(last.note)
    assert holds(key, note, records, older)
    assert not holds(key, note.replace(f"\n{size}\n", f"\n{size + 1}\n"), [], [])
    assert not holds(key, note, [replace(records[3], index=4)], [])
    assert not holds(key, note, [replace(records[3], entry=bytes(32))], [])
    assert not holds(key, note, [], [replace(older[1], path=older[0].path)])
