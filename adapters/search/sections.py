"""Sections by number, read from the view of sections."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from adapters.postgres.database import Database
from adapters.postgres.endpoint import Role
from adapters.postgres.sql import statements
from domain.asking.ports import PassageId
from domain.asking.sections import SectionPassage
from domain.asking.visibility import VisibleVersion
from domain.knowledge.numbered import Numbered

_SQL: Final = statements("adapters.search", "search.sql")


class StoredSections:
    """Finds the passages of sections under the role ``reader``. Implements ``Sections``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(
        self, wanted: Collection[Numbered], versions: Collection[VisibleVersion], scope: Sequence[UUID]
    ) -> tuple[SectionPassage, ...]:
        """Return the passages of the sections ``wanted`` in ``versions``.

        Raises:
            PartError: ``database`` when it does not answer.
        """
        if not wanted or not versions:
            return ()
        named = {"signs": [one.sign for one in wanted], "sections": [one.number for one in wanted]}
        rows = await self._read("sections", versions, scope, named)
        return tuple(
            SectionPassage(Numbered(sign, section), PassageId(ordinal, passage), tuple(paragraphs))
            for sign, section, ordinal, passage, paragraphs in rows
        )

    async def numbered(self, versions: Collection[VisibleVersion], scope: Sequence[UUID]) -> frozenset[int]:
        """Return the ordinals of those of ``versions`` that have numbered sections at all.

        Raises:
            PartError: ``database`` when it does not answer.
        """
        rows = await self._read("numbered_versions", versions, scope, {}) if versions else []
        return frozenset(ordinal for (ordinal,) in rows)

    async def _read(
        self, statement: str, versions: Collection[VisibleVersion], scope: Sequence[UUID], values: Mapping[str, object]
    ) -> list[tuple[Any, ...]]:
        within = {
            "mandates": sorted({version.mandate for version in versions}),
            "ordinals": sorted({version.ordinal for version in versions}),
        }
        async with self._database.connection(Role.READER) as connection:
            await connection.execute(_SQL["scope"], {"scope": ",".join(map(str, scope))})
            return await (await connection.execute(_SQL[statement], {**within, **values})).fetchall()
