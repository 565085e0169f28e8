"""The rule of the two time axes, said as naively as possible: look at every recorded version for one day."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from domain.knowledge.events import DocumentWithdrawn, LevelAssigned, VersionCorrected, VersionIngested
from domain.recording import Event


@dataclass(frozen=True)
class Row:
    """A version as it stands after some events."""

    position: int
    version: int
    title: str
    level: str
    valid_from: date | None
    valid_to: date | None

    def claims(self, day: date) -> bool:
        after_start = self.valid_from is None or self.valid_from <= day
        return after_start and (self.valid_to is None or day < self.valid_to)


def fold(events: Sequence[tuple[int, Event]]) -> list[Row]:
    """Return the versions that are not withdrawn after ``events``, given with their positions."""
    rows: list[Row] = []
    for position, event in events:
        match event:
            case VersionIngested():
                rows.append(Row(position, event.version, event.title, event.level, event.valid_from, event.valid_to))
            case VersionCorrected():
                rows = [
                    replace(row, title=event.title, valid_from=event.valid_from, valid_to=event.valid_to)
                    if row.version == event.version
                    else row
                    for row in rows
                ]
            case LevelAssigned():
                rows = [replace(row, level=event.level) for row in rows]
            case DocumentWithdrawn():
                rows = []
    return rows


def levels_now(events: Sequence[tuple[int, Event]]) -> dict[int, str]:
    """Return the level that each version ever recorded has today."""
    levels: dict[int, str] = {}
    for _, event in events:
        if isinstance(event, VersionIngested):
            levels[event.version] = event.level
        elif isinstance(event, LevelAssigned):
            levels = dict.fromkeys(levels, event.level)
    return levels


def answering(rows: Sequence[Row], day: date) -> Row | None:
    """Return the version that answers on ``day``."""
    claiming = [row for row in rows if row.claims(day)]
    return max(
        claiming, key=lambda row: (row.valid_from or date.min, row.valid_from is not None, row.version), default=None
    )
