"""From printed lines to Markdown: columns in reading order, running heads left out, paragraphs, headings, tables."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from adapters.readers.markdown import escape, heading, table
from adapters.readers.pdf_lines import Piece

Row = list[Piece]

_PAGE_NUMBER: Final = re.compile(
    r"(?:[-–|]\s*)?(?:(?:Seite|Page|S\.)\s*)?(\d{1,4}|[ivxlc]{1,7})(?:\s*(?:von|of|/)\s*\d{1,4})?(?:\s*[-–|])?",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(
    r"(?:§+\s*\d+[a-z]?|Art(?:ikel|\.)\s*\d+[a-z]?|\d{1,2}(?:\.\d{1,2}){1,4}\.?)\s+[A-ZÄÖÜ(–-]"
)
_DEPTH: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s")
_ITEM: Final = re.compile(r"(?:[•▪●◦■‣·–-]|\d{1,3}[.)]|\(\d{1,3}[a-z]?\)|[a-z]\))\s")
_BULLET: Final = re.compile(r"^[•▪●◦■‣·]\s*")
_LEADERS: Final = re.compile(r"(?:\.[ ]?){4}|…{2}")
_LONGEST_HEADING: Final = 150
_LONGEST_RUNNING_HEAD: Final = 70
_EDGE_ROWS: Final = 3
_LARGER: Final = 1.12
_COLUMN_PIECES: Final = 5
_COLUMN_WORDS: Final = 20


@dataclass(frozen=True, slots=True)
class Style:
    """What is usual in the document: size of the running text, sizes of headings (largest first), line pitch."""

    size: float
    headings: tuple[float, ...]
    pitch: float


def rows_in_order(pieces: Sequence[Piece]) -> list[Row]:
    """Return the rows of a page in reading order; columns are read one after the other."""
    gutter = _gutter(pieces)
    if gutter is None:
        return _rows(pieces)
    rows: list[Row] = []
    left: list[Piece] = []
    right: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (-round(piece.y), piece.left)):
        if piece.left < gutter - 1 and piece.right > gutter + 1:
            rows += [*_rows(left), *_rows(right), [piece]]
            left, right = [], []
        else:
            (left if piece.right <= gutter + 1 else right).append(piece)
    return [*rows, *_rows(left), *_rows(right)]


def _rows(pieces: Sequence[Piece]) -> list[Row]:
    rows: list[Row] = []
    for piece in pieces:
        if rows and abs(rows[-1][-1].y - piece.y) < 0.4 * piece.size and piece.left >= rows[-1][-1].right:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return rows


def _gutter(pieces: Sequence[Piece]) -> float | None:
    """Return the left edge of a second column of running text, ``None`` for a page of one column."""
    if len(pieces) < 2 * _COLUMN_PIECES:
        return None
    begin, end = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    edges = Counter(round(piece.left) for piece in pieces if 0.3 < (piece.left - begin) / max(end - begin, 1) < 0.7)
    for edge, _ in edges.most_common(3):
        left = [piece for piece in pieces if piece.right <= edge + 1]
        right = [piece for piece in pieces if piece.left >= edge - 1]
        crossing = len(pieces) - len(left) - len(right)
        if (
            min(len(left), len(right)) >= _COLUMN_PIECES
            and crossing <= len(pieces) // 3
            and _is_text(left)
            and _is_text(right)
        ):
            return float(edge)
    return None


def _is_text(pieces: Sequence[Piece]) -> bool:
    return median(len(piece.text) for piece in pieces) >= _COLUMN_WORDS


def without_running_heads(pages: Sequence[list[Row]]) -> tuple[list[list[Row]], list[str]]:
    """Leave out what repeats at the edges of most pages, and page numbers; return the printed number of each page."""
    edges = [_edges(rows, _EDGE_ROWS if len(pages) > 2 else 1) for rows in pages]
    seen = Counter(key for page in edges for key in {_key(row) for row in page})
    often = max(2, 0.4 * len(pages))
    kept: list[list[Row]] = []
    numbers: list[str] = []
    for rows, edge in zip(pages, edges, strict=True):
        printed = [found[1] for row in edge if (found := _PAGE_NUMBER.fullmatch(_text(row)))]
        running = [
            row for row in edge if len(pages) > 1 and (_PAGE_NUMBER.fullmatch(_text(row)) or seen[_key(row)] >= often)
        ]
        kept.append([row for row in rows if not any(row is other for other in running)])
        numbers.append(printed[-1] if printed else "")
    return kept, numbers


def _edges(rows: list[Row], deep: int) -> list[Row]:
    by_height = sorted(rows, key=lambda row: -row[0].y)
    return by_height if len(rows) <= 2 * deep else by_height[:deep] + by_height[-deep:]


def _key(row: Row) -> tuple[str, int]:
    text = _text(row)
    numberless = re.sub(r"\d+|\b[ivxlc]+\b", "#", text) if len(text) < _LONGEST_RUNNING_HEAD else text
    return numberless, round(row[0].y / 4)


def _text(row: Row) -> str:
    return " ".join(piece.text for piece in row)


def usual_style(pages: Sequence[list[Row]]) -> Style:
    """Return what is usual over all pages, weighed by characters."""
    rows = [row for page in pages for row in page]
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row[0].size] += len(_text(row))
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    headings = sorted({row[0].size for row in rows if row[0].size >= _LARGER * size}, reverse=True)
    pitches = [
        above[0].y - below[0].y
        for page in pages
        for above, below in pairwise(page)
        if abs(below[0].size - size) < 0.5 and 0 < above[0].y - below[0].y < 3 * size
    ]
    return Style(size, tuple(headings[:6]), _usual(pitches) if pitches else 1.2 * size)


def _usual(lengths: list[float]) -> float:
    """Return the most frequent length to half a point, of equally frequent ones the smallest."""
    counts = Counter(round(2 * length) / 2 for length in lengths)
    return min(counts, key=lambda length: (-counts[length], length))


def page_blocks(rows: Sequence[Row], style: Style) -> list[str]:
    """Return the Markdown blocks of a page."""
    blocks: list[str] = []
    index = 0
    while index < len(rows):
        end = _table_end(rows, index)
        if end - index > 1:
            blocks.append(table([_cells(rows[index], row) for row in rows[index:end]]))
        else:
            end = _paragraph_end(rows, index, style)
            blocks.append(_paragraph(rows[index:end], style, alone=_stands_alone(rows, index, end, style)))
        index = end
    return blocks


def _table_end(rows: Sequence[Row], begin: int) -> int:
    end = begin + 1
    while end < len(rows) and len(rows[begin]) > 1 and len(rows[end]) > 1 and _cells(rows[begin], rows[end]):
        end += 1
    return end


def _cells(head: Row, row: Row) -> list[str]:
    """Return the words of a row under the columns of the first row, nothing if it does not stand in them."""
    cells = [""] * len(head)
    column = 0
    for piece in row:
        while column < len(head) and not _is_aligned(head[column], piece):
            column += 1
        if column == len(head):
            return []
        cells[column] = escape(piece.text)
        column += 1
    return cells


def _is_aligned(a: Piece, b: Piece) -> bool:
    middles = abs(a.left + a.right - b.left - b.right) / 2
    return min(abs(a.left - b.left), abs(a.right - b.right), middles) < 0.8 * a.size


def _paragraph_end(rows: Sequence[Row], begin: int, style: Style) -> int:
    end = begin + 1
    while (
        end < len(rows) and not _begins_paragraph(rows[end - 1], rows[end], style) and _table_end(rows, end) - end < 2
    ):
        end += 1
    return end


def _begins_paragraph(above: Row, row: Row, style: Style) -> bool:
    gap = above[0].y - row[0].y
    if abs(above[0].size - row[0].size) > 0.08 * style.size or above[0].bold != row[0].bold:
        return True
    if gap < -2:
        # A new column: the sentence may go on there.
        return not _text(row)[:1].islower()
    if gap < 2 * style.pitch and _goes_on(_text(above), _text(row)):
        return False
    pitch = max(style.pitch, 1.1 * row[0].size) if row[0].size > _LARGER * style.size else style.pitch
    return gap > 1.35 * pitch or bool(_ITEM.match(_text(row))) or _is_numbered_heading(row)


def _goes_on(above: str, below: str) -> bool:
    return below[:1].islower() and above[-1:] not in ".:;!?" and not _ITEM.match(below)


def _is_numbered_heading(row: Row) -> bool:
    text = _text(row)
    return bool(_NUMBERED.match(text)) and len(text) < 90 and text[-1] not in ".,;:-"


def _stands_alone(rows: Sequence[Row], begin: int, end: int, style: Style) -> bool:
    return (
        end == len(rows)
        or end - begin > 1
        or rows[begin][0].y - rows[end][0].y > 1.2 * style.pitch
        or rows[end][0].bold != rows[begin][0].bold
    )


def _paragraph(rows: Sequence[Row], style: Style, *, alone: bool) -> str:
    lines = [_text(row) for row in rows]
    level = _heading_level(rows, lines, style, alone=alone)
    if level:
        return heading(level, escape(" ".join(lines)))
    lines[0] = _BULLET.sub("- ", lines[0])
    return "\n".join(escape(line) for line in lines)


def _heading_level(rows: Sequence[Row], lines: Sequence[str], style: Style, *, alone: bool) -> int:
    text, first = " ".join(lines), rows[0][0]
    if (
        len(text) > _LONGEST_HEADING
        or text[-1] in ".,;:-"
        or _LEADERS.search(text)
        or not any(letter.isalpha() for letter in text)
    ):
        return 0
    depth = _DEPTH.match(text)
    if first.size >= _LARGER * style.size:
        return style.headings.index(first.size) + 1 if first.size in style.headings else 6
    if not (alone and ((first.bold and len(lines) <= 2) or (len(lines) == 1 and _is_numbered_heading(rows[0])))):
        return 0
    return len(style.headings) + (depth[1].count(".") + 1 if depth else 1)
