"""PDF: text in reading order with physical and printed page numbers."""

import re
from collections import Counter
from threading import Lock
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from adapters.readers.errors import broken, encrypted, no_text, too_large
from adapters.readers.markdown import document, first_heading
from adapters.readers.pdf_layout import page_blocks, rows_in_order, usual_style, without_running_heads
from adapters.readers.pdf_lines import Piece, page_pieces
from domain.knowledge.search_text import shown
from domain.knowledge.stored_text import stored
from domain.knowledge.text import Extract, Page

MOST_PAGES: Final = 10_000
_MOST_CHARACTERS: Final = 30_000_000
_NOT_LETTERS: Final = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08]")
_BLOCK: Final = re.compile(r"[#|-]|\(?\d{1,3}[a-z]?[.)]|[a-z]\)|§|Art(?:\.|ikel)\s")
_FULL_LINE: Final = 40
_NO_TITLES: Final = frozenset({"", "untitled", "unbenannt", "unknown", "microsoft word"})
# PDFium keeps global state and must not be entered by two threads.
_PDFIUM: Final = Lock()


def read_pdf(name: str, content: bytes) -> Extract:
    """Read a PDF.

    Raises:
        InputError: ``file_no_text`` if the pages are pictures, or their fonts do not say which letters they show.
    """
    with _PDFIUM:
        pages, labels, title = _read(name, content)
    found = [piece.text for page in pages for piece in page]
    unknown = sum(len(_NOT_LETTERS.findall(text)) for text in found)
    if not any(text.strip() for text in found) or unknown > 0.3 * sum(map(len, found)):
        raise no_text(name)
    rows, numbers = without_running_heads([rows_in_order(page) for page in pages])
    style = usual_style(rows)
    text, starts = _joined([stored(document(page_blocks(page, style))) for page in rows])
    printed = labels if any(labels) else _printed(numbers)
    marks = tuple(
        Page(start, number, label or str(number))
        for number, (start, label) in enumerate(zip(starts, printed, strict=True), start=1)
    )
    own = first_heading(text)
    if not title and own:
        title = shown(own, "markdown")
    return Extract(text, "markdown", title or None, marks, "pdf/1")


def _read(name: str, content: bytes) -> tuple[list[list[Piece]], list[str], str]:
    opened = _opened(name, content)
    try:
        if len(opened) > MOST_PAGES:
            raise too_large(name)
        pages: list[list[Piece]] = []
        characters = 0
        for index in range(len(opened)):
            page = opened[index]
            pages.append(page_pieces(page))
            page.close()
            characters += sum(len(piece.text) for piece in pages[-1])
            if characters > _MOST_CHARACTERS:
                raise too_large(name)
        title = str(opened.get_metadata_value("Title")).strip()
        labels = [str(opened.get_page_label(index)) for index in range(len(opened))]
    finally:
        opened.close()
    is_title = title.lower() not in _NO_TITLES and not re.search(r"\.(?:docx?|indd|pdf|tex)$", title, re.IGNORECASE)
    return pages, labels, title if is_title else ""


def _opened(name: str, content: bytes) -> Any:
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
            raise encrypted(name) from error
        raise broken(name) from error


def _joined(pages: list[str]) -> tuple[str, list[int]]:
    """Join the pages; a sentence that goes on over the page is not parted by an empty line."""
    text, starts = "", list[int]()
    parts: list[str] = []
    length = 0
    for page in pages:
        page_text = page.strip("\n")
        gap = "" if not parts or not page_text else "\n" if _goes_on(text, page_text) else "\n\n"
        starts.append(length + len(gap))
        parts += [gap, page_text]
        length += len(gap) + len(page_text)
        text = page_text or text
    return "".join(parts) + "\n", starts


def _goes_on(above: str, below: str) -> bool:
    """Tell whether the last paragraph of a page goes on at the top of the next one."""
    last = above.rpartition("\n")[2]
    if not last or last[-1] in ".:;!?|" or last.startswith("#") or _BLOCK.match(below):
        return False
    return below[0].islower() or len(last) >= _FULL_LINE


def _printed(numbers: list[str]) -> list[str]:
    """Return page numbers found on the pages as labels if they count on with the pages, else none."""
    shifts = Counter(int(number) - index for index, number in enumerate(numbers) if number.isdecimal())
    if not shifts:
        return [""] * len(numbers)
    shift, pages = shifts.most_common(1)[0]
    if pages < max(2, len(numbers) / 2):
        return [""] * len(numbers)
    return [str(index + shift) if index + shift > 0 else "" for index in range(len(numbers))]
