"""Excel workbooks: the shown values of each visible sheet, row by row."""

import re
import zipfile
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any, Final

from openpyxl import load_workbook

from adapters.readers.archives import open_archive
from adapters.readers.errors import too_large
from adapters.readers.markdown import document, escape, heading
from adapters.readers.tabular import tabular
from domain.knowledge.text import Extract

MOST_CELLS: Final = 500_000
_MOST_FILLED_BY_MERGING: Final = 10_000
_SHEET: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
# Formatted cells and rows without content carry no text, and a sheet can have millions of them.
_EMPTY: Final = re.compile(rb"<c\b[^<>]*/>|<c\b[^<>]*></c>|<row\b[^<>]*/>")
_EMPTY_ROW: Final = re.compile(rb"<row\b[^<>]*>\s*</row>")
_NOT_COMPUTED: Final = re.compile(
    rb"<c\b([^<>]*?)(?:\st=\"\w+\")?((?:\s[a-su-z]\w*=\"[^\"]*\")*)>\s*<f\b[^<>]*>([^<]*)</f>\s*(?:<v\s*/>|<v></v>)?\s*</c>"
)
_VALUE: Final = re.compile(rb"<(?:\w+:)?(?:v|is)[ >]")
_DECIMALS: Final = re.compile(r"[0#?][.]([0#?]+)")


def read_excel(name: str, content: bytes) -> Extract:
    """Read a workbook; formulas by the value that was saved with them, without one by their text."""
    with open_archive(name, content) as archive:
        slim = _without_empty_cells(name, archive)
    workbook = load_workbook(slim, data_only=True, keep_links=False)
    blocks: list[str] = []
    for sheet in workbook.worksheets:
        rows = _rows(sheet) if sheet.sheet_state == "visible" else []
        if any(any(row) for row in rows):
            blocks.extend((heading(1, escape(sheet.title)), *tabular(rows)))
    return Extract(document(blocks), "markdown", (workbook.properties.title or "").strip() or None, (), "xlsx/1")


def _without_empty_cells(name: str, archive: zipfile.ZipFile) -> BytesIO:
    cells = 0
    slim = BytesIO()
    with zipfile.ZipFile(slim, "w", zipfile.ZIP_STORED) as target:
        for part in archive.infolist():
            data = archive.read(part)
            if _SHEET.fullmatch(part.filename):
                data = _EMPTY_ROW.sub(b"", _EMPTY.sub(b"", data))
                data = _NOT_COMPUTED.sub(rb'<c\1\2 t="inlineStr"><is><t>=\3</t></is></c>', data)
                cells += sum(1 for _ in _VALUE.finditer(data))
                if cells > MOST_CELLS:
                    raise too_large(name)
            if part.filename.startswith(("xl/media/", "xl/drawings/", "xl/embeddings/", "xl/vbaProject")):
                continue
            target.writestr(part.filename, data)
    slim.seek(0)
    return slim


def _rows(sheet: Any) -> list[list[str]]:
    """Return the texts of the visible rows and columns; a row left out in the file is an empty row, once."""
    cells: dict[int, dict[int, str]] = {}
    for (row, column), cell in sheet._cells.items():  # noqa: SLF001 - iter_rows would make every cell in between
        text = shown_value(cell.value, cell.number_format)
        if text:
            cells.setdefault(row, {})[column] = text
    _fill_merged(sheet, cells)
    hidden = {letter for letter, dimension in sheet.column_dimensions.items() if dimension.hidden}
    columns = [
        column
        for column in sorted({column for row in cells.values() for column in row})
        if _letter(sheet, column) not in hidden
    ]
    rows: list[list[str]] = []
    before = 0
    for number in sorted(cells):
        if sheet.row_dimensions[number].hidden:
            continue
        if rows and number > before + 1:
            rows.append([""] * len(columns))
        rows.append([cells[number].get(column, "") for column in columns])
        before = number
    return rows


def _letter(sheet: Any, column: int) -> str:
    return str(sheet.cell(1, column).column_letter)


def _fill_merged(sheet: Any, cells: dict[int, dict[int, str]]) -> None:
    """Give every cell of a merged range the text that it shows."""
    filled = 0
    for merged in sheet.merged_cells.ranges:
        text = cells.get(merged.min_row, {}).get(merged.min_col)
        size = merged.size["rows"] * merged.size["columns"]
        filled += size
        if text is None or filled > _MOST_FILLED_BY_MERGING:
            continue
        for row, column in merged.cells:
            cells.setdefault(row, {})[column] = text


def shown_value(value: Any, number_format: str) -> str:
    """Return a cell's value as a reader of the sheet sees it: ISO dates, decimal comma, no thousands separators."""
    match value:
        case None:
            return ""
        case bool():
            return "ja" if value else "nein"
        case datetime():
            has_time = "h" in number_format.lower() or value.time() != time()
            return value.strftime("%Y-%m-%d %H:%M") if has_time else value.date().isoformat()
        case date() | time() | timedelta():
            return str(value)
        case int() | float():
            return _number(value, number_format)
        case _:
            return str(value).strip()


def _number(value: float, number_format: str) -> str:
    section = number_format.split(";", maxsplit=1)[0]
    percent = "%" in section
    value = value * 100 if percent else value
    decimals = _DECIMALS.search(re.sub(r'"[^"]*"|\[[^\]]*\]', "", section))
    if decimals:
        digits = f"{value:.{len(decimals[1])}f}"
    elif section == "General" or "E" in section:
        digits = f"{value:.10f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else str(value)
    else:
        digits = f"{value:.0f}"
    unit = " %" if percent else " €" if "€" in section or "EUR" in section else " $" if "$$" in section else ""
    return digits.replace(".", ",") + unit
