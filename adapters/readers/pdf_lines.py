"""The printed lines of a PDF page, with place and size, as PDFium finds them."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

import pypdfium2.raw as pdfium

# A gap this many times as wide as the font is high parts columns or cells; word gaps of justified lines stay below.
_GAP: Final = 1.0
_BROKEN_HYPHENS: Final = frozenset({0x02, 0xFFFE, 0xAD})
_LINE_ENDS: Final = frozenset({0x0A, 0x0D})
_BOLD_WEIGHT: Final = 600


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words on one baseline without a wide gap; lengths in points, ``y`` grows upwards."""

    text: str
    left: float
    right: float
    y: float
    size: float
    bold: bool


def page_pieces(page: Any) -> list[Piece]:
    """Return the pieces of a page in the order of its content."""
    text = page.get_textpage()
    try:
        return list(_pieces(text.raw, text.count_chars()))
    finally:
        text.close()


def _pieces(text: Any, count: int) -> Iterator[Piece]:
    codes = [pdfium.FPDFText_GetUnicode(text, index) for index in range(count)]
    begin = 0
    for index in range(count + 1):
        code = codes[index] if index < count else 0x0A
        broken = code in _BROKEN_HYPHENS and _ends_line(text, codes, index)
        if code in _LINE_ENDS or broken:
            yield from _line(text, codes, begin, index, "-" if broken and code != 0xAD else "\u00ad" if broken else "")
            begin = index + 1


def _ends_line(text: Any, codes: list[int], index: int) -> bool:
    """Tell whether the next printed character stands on another line than the hyphen's word."""
    if index + 1 >= len(codes) or codes[index + 1] in _LINE_ENDS or index == 0:
        return True
    before, after = _box(text, index - 1), _box(text, index + 1)
    return bool(after.left < before.right or abs(after.bottom - before.bottom) > (before.top - before.bottom) / 2)


def _line(text: Any, codes: list[int], begin: int, end: int, hyphen: str) -> Iterator[Piece]:
    while begin < end and codes[begin] in {0x20, 0xA0}:
        begin += 1
    if begin == end:
        return
    start, right = begin, 0.0
    size = _size(text, begin)
    for index in range(begin, end):
        if codes[index] == 0x20 and index + 1 < end and codes[index + 1] != 0x20:
            right = _box(text, index - 1 if codes[index - 1] != 0x20 else index).right
            if _box(text, index + 1).left - right > _GAP * size:
                yield _piece(text, codes, start, index, "")
                start = index + 1
    yield _piece(text, codes, start, end, hyphen)


def _piece(text: Any, codes: list[int], begin: int, end: int, hyphen: str) -> Piece:
    left, last = _box(text, begin).left, _box(text, max(begin, end - 1))
    words = "".join(map(chr, codes[begin:end])).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    bold = _is_bold(text, begin) and _is_bold(text, max(begin, end - 1))
    return Piece(words.strip() + hyphen, left, last.right, _baseline(text, begin), _size(text, begin), bold)


def _size(text: Any, index: int) -> float:
    """Return the printed size of the font, to half a point."""
    matrix = pdfium.FS_MATRIX()
    scaled = pdfium.FPDFText_GetMatrix(text, index, matrix)
    scale = hypot(matrix.c, matrix.d) if scaled else 1.0
    size: float = pdfium.FPDFText_GetFontSize(text, index)
    return max(round(2 * size * scale) / 2, 0.5)


def _baseline(text: Any, index: int) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text, index, x, y)
    return float(y.value)


def _is_bold(text: Any, index: int) -> bool:
    return bool(pdfium.FPDFText_GetFontWeight(text, index) >= _BOLD_WEIGHT) or b"bold" in _font(text, index).lower()


def _box(text: Any, index: int) -> Any:
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(text, index, box)
    return box


def _font(text: Any, index: int) -> bytes:
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text, index, name, 128, ctypes.c_int())
    return name.value
