"""The Merkle tree over the journal, with the roots of whole blocks kept so that proofs stay cheap."""

from collections.abc import Sequence
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
        subtree = await self._subtrees(size)
        return joined([subtree(level, index) for level, index in complete_within(0, size)])

    async def inclusion(self, position: int, size: int) -> Sequence[bytes]:
        """See ``JournalTree``."""
        return inclusion_path(position - 1, size, await self._subtrees(size, position - 1))

    async def cover(self, positions: Sequence[int], size: int) -> Sequence[bytes]:
        """See ``JournalTree``."""
        leaves = [position - 1 for position in positions]
        return cover(leaves, size, await self._subtrees(size, *leaves))

    async def consistency(self, first: int, second: int) -> Sequence[bytes]:
        """See ``JournalTree``."""
        return consistency_path(first, second, await self._subtrees(second, first))

    async def _subtrees(self, size: int, *leaves: int) -> CompleteSubtree:
        """Return the complete subtrees at the right edge of the tree and around ``leaves``, and all above blocks."""
        async with self._database.connection(Role.WRITER) as connection:
            if not 0 < size <= await _size(connection):
                raise ValueError("the journal has no such size")
            blocks = await _blocks(connection, size // BLOCK)
            found = {
                number: await _leaves(connection, number * BLOCK, min(size, (number + 1) * BLOCK))
                for number in {leaf // BLOCK for leaf in (size - 1, *leaves) if 0 <= leaf < size}
            }

        def subtree(level: int, index: int) -> bytes:
            if level >= LEVEL:
                return root_of(blocks[index << (level - LEVEL) : (index + 1) << (level - LEVEL)])
            number, start = divmod(index << level, BLOCK)
            return root_of(found[number][start : start + (1 << level)])

        return subtree


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
