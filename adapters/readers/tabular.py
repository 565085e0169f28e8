r"""Rows of a spreadsheet as text in which each row is understood on its own.

A row under a head becomes a list item ``- Sparte: Hausrat; Selbstbehalt: 250 €``: found alone, quoted alone, it
still says what its values mean, however long the sheet is. Rows of one cell are paragraphs; a table without
recognisable head is a pipe table without one.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from adapters.readers.markdown import escape, one_line


def tabular(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return Markdown blocks for the rows; an empty row ends a block."""
    blocks: list[str] = []
    head: list[str] = []
    for filled, group in groupby(rows, key=any):
        if filled:
            head = _block([list(row) for row in group], head, blocks)
    return blocks


def _block(rows: list[list[str]], head: list[str], blocks: list[str]) -> list[str]:
    """Write one block of rows and return the head that rows after it stand under."""
    while rows and _is_single(rows[0]) and (len(rows) == 1 or not head or not _is_single(rows[-1])):
        blocks.append(escape(one_line(next(cell for cell in rows.pop(0) if cell))))
        head = []
    if not head and len(rows) > 1 and _is_head(rows[0], rows[1:]):
        head = [escape(one_line(cell)) for cell in rows.pop(0)]
    if head and rows:
        blocks.append("\n".join(_item(head, row) for row in rows))
    elif rows:
        blocks.append("\n".join("| " + " | ".join(escape(one_line(cell)) for cell in row) + " |" for row in rows))
    return head


def _is_single(row: list[str]) -> bool:
    return len({cell for cell in row if cell}) == 1 and (len([cell for cell in row if cell]) == 1 or len(row) > 2)


def _is_head(row: list[str], rows: list[list[str]]) -> bool:
    names = [cell for cell in row if cell]
    widest = max(sum(1 for cell in other if cell) for other in rows)
    return len(names) >= 2 and len(names) >= widest - 1 and not any(_is_value(cell) for cell in names)


def _is_value(cell: str) -> bool:
    digits = sum(character.isdigit() for character in cell)
    years = len(cell) == 4 and digits == 4
    return not years and digits > 0 and digits >= len(cell.strip(" €%")) / 2


def _item(head: list[str], row: list[str]) -> str:
    names = [*head, *[""] * (len(row) - len(head))]
    cells = [
        f"{name}: {escape(one_line(cell))}" if name else escape(one_line(cell))
        for name, cell in zip(names, row, strict=False)
        if cell.strip()
    ]
    return "- " + "; ".join(cells)
