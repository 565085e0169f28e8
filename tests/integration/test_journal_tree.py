"""The tree over the database: the same roots and proofs as over the plain list, across blocks and processes."""

import asyncio
from uuid import uuid4

import pytest

from adapters.journal import verifier
from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from domain.errors import PartError
from domain.journal.tree import EMPTY_ROOT, extends, includes, leaf_hash, root_of
from projections import journal
from projections.journal import BLOCK, PostgresJournalTree

SIZE = 3 * BLOCK + 17


async def fill(database: Database, count: int) -> list[bytes]:
    """Put entries into the journal as if there had been events, and return their leaves."""
    hashes = [number.to_bytes(32) for number in range(1, count + 1)]
    async with database.connection(Role.OWNER) as connection:
        await connection.execute(
            "INSERT INTO journal_entries (position, logged_at, mandate, number, hash) "
            "SELECT place, now(), %s, place, hash FROM unnest(%s::bytea[]) WITH ORDINALITY AS given (hash, place)",
            [uuid4(), hashes],
        )
    return [leaf_hash(entry) for entry in hashes]


async def test_roots_are_those_of_the_list(database: Database) -> None:
    """At every size around the borders of blocks, whatever was asked for before."""
    leaves = await fill(database, SIZE)
    tree = PostgresJournalTree(database)
    assert await tree.size() == SIZE
    for size in (SIZE, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, 3 * BLOCK, SIZE - 1):
        assert await tree.root(size) == root_of(leaves[:size]), size


async def test_the_empty_journal_has_a_root(database: Database) -> None:
    """Nothing recorded yet."""
    tree = PostgresJournalTree(database)
    assert (await tree.size(), await tree.root(0)) == (0, EMPTY_ROOT)


async def test_proofs_convince(database: Database) -> None:
    """Inclusion of events at the borders of blocks, growth between sizes."""
    leaves = await fill(database, SIZE)
    tree = PostgresJournalTree(database)
    for size in (1, BLOCK, BLOCK + 1, SIZE):
        root = await tree.root(size)
        for position in {1, 2, BLOCK, BLOCK + 1, 2 * BLOCK, size} & set(range(1, size + 1)):
            path = await tree.inclusion(position, size)
            assert includes(root, size, leaves[position - 1], position - 1, path), (position, size)
        firsts = sorted({1, 5, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3, size} & set(range(1, size + 1)))
        for first, path in zip(firsts, await tree.consistency(firsts, size), strict=True):
            assert extends(await tree.root(first), first, root, size, path), (first, size)


async def test_the_growth_since_many_sizes_reads_each_leaf_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many checkpoints as there are: a bundle proves the growth since each of them."""
    await fill(database, SIZE)
    tree = PostgresJournalTree(database)
    await tree.root(SIZE)  # The roots of blocks are kept from here on.
    read: list[int] = []

    async def counted(connection: AnyConnection, start: int, end: int) -> list[bytes]:
        read.append(end - start)
        return await leaves_of(connection, start, end)

    leaves_of = journal._leaves
    monkeypatch.setattr(journal, "_leaves", counted)
    paths = await tree.consistency(range(1, SIZE, 7), SIZE)

    assert len(paths) == len(range(1, SIZE, 7))
    assert sum(read) == SIZE


async def test_one_proof_covers_events_of_many_blocks(database: Database) -> None:
    """Around the borders of blocks, at sizes inside and at the end of one."""
    await fill(database, SIZE)
    tree = PostgresJournalTree(database)
    for size in (5, BLOCK, 2 * BLOCK + 1, SIZE):
        positions = sorted({1, 4, BLOCK, BLOCK + 1, 2 * BLOCK, size} & set(range(1, size + 1)))
        shown = {position - 1: position.to_bytes(32) for position in positions}
        proof = await tree.cover(positions, size)
        assert verifier.root_of(shown, size, proof) == await tree.root(size), size


async def test_blocks_are_made_by_many_at_once(database: Database) -> None:
    """Processes that ask for the first time together agree, and each block is kept once."""
    leaves = await fill(database, SIZE)
    roots = await asyncio.gather(*(PostgresJournalTree(database).root(SIZE) for _ in range(5)))
    assert set(roots) == {root_of(leaves)}
    async with database.connection(Role.WRITER) as connection:
        rows = await (await connection.execute("SELECT number FROM journal_blocks ORDER BY 1")).fetchall()
    assert rows == [(0,), (1,), (2,)]


@pytest.mark.parametrize("size", [-1, SIZE + 1])
async def test_a_size_that_never_was_is_refused(database: Database, size: int) -> None:
    """Nobody can be told a root of events that do not exist."""
    await fill(database, 3)
    with pytest.raises(ValueError, match="no such size"):
        await PostgresJournalTree(database).root(size)


async def test_missing_entries_are_noticed(database: Database) -> None:
    """A hole in the journal is never closed in silence."""
    await fill(database, 5)
    async with database.connection(Role.OWNER) as connection:
        await connection.execute("DELETE FROM journal_entries WHERE position = 3")
    with pytest.raises(PartError, match="journal_damaged"):
        await PostgresJournalTree(database).root(5)
