"""Lists with ids that are there to be copied."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from bot.answers import SEPARATOR
from bot.output import Table, clean

_WIDE: Final = 150
"""Columns from which on a table has room for an id beside everything else."""


@dataclass(frozen=True, slots=True)
class IdList:
    """A table where it fits, else one entry below the other, so that no id is ever wrapped.

    Attributes:
        id_at: column of the ids.
        titles: columns that say what an entry is; the others are its facts.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    id_at: int
    titles: Sequence[int]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table or the entries."""
        if not console.is_terminal or options.max_width >= _WIDE:
            yield Table(self.headings, self.rows)
            return
        for row in self.rows:
            facts = [cell for place, cell in enumerate(row) if place not in {self.id_at, *self.titles}]
            yield Text(clean(_joined([row[place] for place in self.titles])), style="bold")
            if row[self.id_at]:
                yield Text(clean(row[self.id_at]), style="dim")
            yield Text(clean(_joined(facts)), style="dim")
            yield Text("")


def _joined(cells: Sequence[str]) -> str:
    return SEPARATOR.join(cell for cell in cells if cell)
