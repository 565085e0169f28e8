"""Comma-, semicolon- or tab-separated values."""

import csv
from io import StringIO
from typing import Final

from adapters.readers.decoding import decode
from adapters.readers.errors import broken, too_large
from adapters.readers.markdown import document
from adapters.readers.tabular import tabular
from domain.knowledge.stored_text import stored
from domain.knowledge.text import Extract

_DELIMITERS: Final = ";,\t|"
_MOST_ROWS: Final = 500_000
_SAMPLE: Final = 50


def read_csv(name: str, content: bytes) -> Extract:
    """Read a CSV file; a first line ``sep=;`` names the delimiter, otherwise the most regular one is taken."""
    text = stored(decode(name, content))
    delimiter = None
    if text[:4].lower() == "sep=" and text[5:6] == "\n":
        delimiter, text = text[4], text[6:]
    rows: list[list[str]] = []
    try:
        for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter or _delimiter(text), strict=True):
            rows.append([cell.strip() for cell in row])
            if len(rows) > _MOST_ROWS:
                raise too_large(name)
    except csv.Error as error:
        raise broken(name) from error
    return Extract(document(tabular(rows)), "markdown", None, (), "csv/1")


def _delimiter(text: str) -> str:
    sample = "\n".join(text.split("\n", _SAMPLE)[:_SAMPLE])
    return max(_DELIMITERS, key=lambda delimiter: _regularity(sample, delimiter))


def _regularity(sample: str, delimiter: str) -> float:
    """Return the share of rows with the most frequent number of columns, times that number; 0 for one column."""
    try:
        widths = [len(row) for row in csv.reader(StringIO(sample, newline=""), delimiter=delimiter) if row]
    except csv.Error:
        return 0.0
    many = [width for width in widths if width > 1]
    if not many:
        return 0.0
    usual = max(set(many), key=many.count)
    return widths.count(usual) / len(widths) + usual / 1000
