"""The Merkle tree over the journal, with the roots of whole blocks kept so that proofs stay cheap."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Final

from adapters.postgres.database import AnyConnection, Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.errors import PartError
from domain.journal.tree import (
    EMPTY_ROOT,
    CompleteSubtree,
    complete_within,
    consistency_path,
    cover,
    inclusion_path,
    joined,
    leaf_hash,
    root_of,
    subtrees_of,
)

_SQL: Final = statements("projections", "journal.sql")

LEVEL: Final = 10
BLOCK: Final = 1 << LEVEL
"""Leaves in a block."""

_BLOCKS_AT_ONCE: Final = 64


class PostgresJournalTree:
    """Implements ``JournalTree`` over ``journal_entries``, whose hashes are taken as they stand.

    It reads under the role ``writer``: nobody else sees the journal.

    Raises:
        PartError: ``journal_damaged`` when entries are missing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def size(self) -> int:
        """See ``JournalTree``."""
        async with self._database.connection(Role.WRITER) as connection:
            return await _size(connection)

    async def root(self, size: int) -> bytes:
        """See ``JournalTree``."""
        if size == 0:
            return EMPTY_ROOT
        async with self._reading(size) as tree:
            return joined([tree.subtree(level, index) for level, index in complete_within(0, size)])

    async def inclusion(self, position: int, size: int) -> Sequence[bytes]:
        """See ``JournalTree``."""
        async with self._reading(size) as tree:
            await tree.take(position - 1)
            return inclusion_path(position - 1, size, tree.subtree)

    async def cover(self, positions: Sequence[int], size: int) -> Sequence[bytes]:
        """See ``JournalTree``."""
        leaves = [position - 1 for position in positions]
        async with self._reading(size) as tree:
            await tree.take(*leaves)
            return cover(leaves, size, tree.subtree)

    async def consistency(self, firsts: Sequence[int], second: int) -> Sequence[Sequence[bytes]]:
        """See ``JournalTree``."""
        found = []
        async with self._reading(second) as tree:
            for first in firsts:
                # In ascending order one block after the other is at hand, each read once.
                await tree.take(first)
                found.append(consistency_path(first, second, tree.subtree))
        return found

    @asynccontextmanager
    async def _reading(self, size: int) -> AsyncIterator["_Tree"]:
        async with self._database.connection(Role.WRITER) as connection:
            if not 0 < size <= await _size(connection):
                raise ValueError("the journal has no such size")
            tree = _Tree(connection, size, await _blocks(connection, size // BLOCK))
            await tree.take()
            yield tree


class _Tree:
    """The tree of ``size`` leaves, as far as it is at hand: its right edge, all above blocks, and some blocks."""

    def __init__(self, connection: AnyConnection, size: int, blocks: Sequence[bytes]) -> None:
        self._connection = connection
        self._size = size
        self._above = cache(subtrees_of(blocks))
        self._within: dict[int, CompleteSubtree] = {}

    async def take(self, *leaves: int) -> None:
        """Have the blocks of ``leaves`` at hand, and no others but the last one."""
        wanted = {leaf // BLOCK for leaf in (self._size - 1, *leaves) if 0 <= leaf < self._size}
        self._within = {
            number: self._within.get(number) or cache(subtrees_of(await self._block(number))) for number in wanted
        }

    def subtree(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree, which lies at the edge, above blocks or in one that was taken."""
        if level >= LEVEL:
            return self._above(level - LEVEL, index)
        number, start = divmod(index << level, BLOCK)
        return self._within[number](level, start >> level)

    async def _block(self, number: int) -> list[bytes]:
        return await _leaves(self._connection, number * BLOCK, min(self._size, (number + 1) * BLOCK))


async def _size(connection: AnyConnection) -> int:
    cursor = await connection.execute(_SQL["size"])
    ((found,),) = await cursor.fetchall()
    return int(found)


async def _blocks(connection: AnyConnection, count: int) -> list[bytes]:
    """Return the roots of the first ``count`` blocks; those that are not kept yet are made and kept."""
    cursor = await connection.execute(_SQL["blocks"], {"count": count})
    kept = [bytes(row[0]) for row in await cursor.fetchall()]
    while len(kept) < count:
        more = min(count - len(kept), _BLOCKS_AT_ONCE)
        leaves = await _leaves(connection, len(kept) * BLOCK, (len(kept) + more) * BLOCK)
        made = [root_of(leaves[start : start + BLOCK]) for start in range(0, len(leaves), BLOCK)]
        rows = {"numbers": list(range(len(kept), len(kept) + more)), "hashes": made}
        await connection.execute(_SQL["insert_blocks"], rows)
        kept += made
    return kept


async def _leaves(connection: AnyConnection, start: int, end: int) -> list[bytes]:
    cursor = await connection.execute(_SQL["hashes"], {"after": start, "up_to": end})
    found = [leaf_hash(bytes(row[0])) for row in await cursor.fetchall()]
    if len(found) != end - start:
        raise PartError("journal_damaged")
    return found
