"""The view of numbered sections: which a version has, and where its passages stand in them.

A question that cites "§ 8 VVG" is asked about exactly that, so it is looked up by number and not by words.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from psycopg import AsyncConnection

from adapters.postgres.sql import statements
from domain.knowledge.events import VersionIngested
from domain.knowledge.numbered import numbered_sections, paragraphs
from domain.recording import Recorded

_SQL: Final = statements("projections", "sections.sql")


class SectionProjection:
    """Keeps ``passage_sections``."""

    name = "sections"
    version = 1
    takes = (VersionIngested,)

    async def clear(self, connection: AsyncConnection[Any]) -> None:
        """Empty the view."""
        await connection.execute(_SQL["clear"])

    async def apply(self, connection: AsyncConnection[Any], events: Sequence[Recorded]) -> None:
        """Take in ``events`` in order."""
        rows = [
            row
            for recorded in events
            if isinstance(recorded.event, VersionIngested)
            for row in _rows(recorded, recorded.event)
        ]
        if rows:
            await connection.cursor().executemany(_SQL["sections"], rows)


def _rows(recorded: Recorded, event: VersionIngested) -> Iterator[tuple[object, ...]]:
    for number, passage in enumerate(event.passages):
        for section in numbered_sections(passage.section):
            named = list(paragraphs(passage.place, passage.places))
            yield (recorded.mandate, recorded.position, section.sign, section.number, number, named)
