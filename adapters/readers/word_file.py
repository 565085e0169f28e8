"""Word documents: headings, list numbers, tables, notes, formulas; insertions taken in, deletions left out."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from docx import Document
from lxml import etree

from adapters.readers.archives import open_archive
from adapters.readers.formulas import linear
from adapters.readers.markdown import document, escape, first_heading, heading, one_line, table
from adapters.readers.word_lists import WordLists
from domain.knowledge.search_text import shown
from domain.knowledge.text import Extract

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_CHOICE_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# What is not part of the text as it now stands: deletions, field codes, properties, comments' marks.
_SKIPPED: Final = frozenset(
    {
        *(f"{W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr", "sdtPr", "tblPr")),
        _CHOICE_FALLBACK,
    }
)
_CHARACTERS: Final = {
    f"{W}tab": " ",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "\u2011",
    f"{W}softHyphen": "\u00ad",
}
_NOTES: Final = (("footnotes", "footnote", ""), ("endnotes", "endnote", "e"))


def read_word(name: str, content: bytes) -> Extract:
    """Read a .docx file; nothing outside the file is fetched."""
    open_archive(name, content).close()
    opened = Document(BytesIO(content))
    reading = _Reading(opened)
    blocks = [*reading.blocks(opened.element.body), *reading.notes()]
    text = document(blocks)
    title = (opened.core_properties.title or "").strip() or reading.title or first_heading(text)
    return Extract(text, "markdown", shown(title, "markdown") if title else None, (), "docx/1")


class _Reading:
    def __init__(self, opened: Any) -> None:
        self._package = opened.part
        self._lists = WordLists(opened)
        self._seen_notes: list[tuple[str, str, str]] = []
        self.title: str | None = None

    def blocks(self, parent: Any) -> Iterator[str]:
        """Yield the Markdown blocks of paragraphs and tables; successive list items are one block."""
        items: list[str] = []
        for element in _content(parent):
            if element.tag == f"{W}tbl":
                yield "\n".join(items)
                items = []
                yield self._table(element)
                continue
            block, is_item = self._paragraph(element)
            if is_item:
                items.append(block)
            else:
                yield "\n".join(items)
                items = []
                yield block
            for box in _text_boxes(element):
                yield from self.blocks(box)
        yield "\n".join(items)

    def _paragraph(self, paragraph: Any) -> tuple[str, bool]:
        words = "\n".join(one_line(line) for line in self._words(paragraph).split("\n")).strip()
        style = self._lists.style(paragraph)
        number = self._lists.number(paragraph)
        if not words:
            return "", False
        if style.level:
            words = f"{number} {words}" if number else words
            if style.is_title and self.title is None:
                self.title = words
            return heading(style.level, words), False
        if number:
            return f"{'  ' * self._lists.depth(paragraph)}{number} {words}", True
        return words, False

    def _words(self, element: Any) -> str:
        parts: list[str] = []
        for child in element:
            tag = child.tag
            if tag in _SKIPPED or (tag == f"{W}r" and _is_hidden(child)) or tag == f"{W}txbxContent":
                continue
            if tag == f"{W}t":
                parts.append(escape(child.text or ""))
            elif tag in _CHARACTERS:
                parts.append("" if child.get(f"{W}type") in {"page", "column"} else _CHARACTERS[tag])
            elif tag in {f"{_MATH}oMath", f"{_MATH}oMathPara"}:
                parts.append(f" {escape(linear(child).strip())} ")
            elif tag == f"{W}r" and (raised := _raised(child)):
                words = self._words(child)
                parts.append(f"<{raised}>{words}</{raised}>" if words.strip() and "[^" not in words else words)
            elif tag in {f"{W}footnoteReference", f"{W}endnoteReference"}:
                parts.append(self._reference(child))
            else:
                parts.append(self._words(child))
        return "".join(parts)

    def _reference(self, element: Any) -> str:
        kind, number = element.tag.removeprefix(W).removesuffix("Reference"), element.get(f"{W}id", "")
        mark = next(f"{prefix}{number}" for _, name, prefix in _NOTES if name == kind)
        self._seen_notes.append((kind, number, mark))
        return f"[^{mark}]"

    def notes(self) -> Iterator[str]:
        """Yield the notes that the text refers to, in order."""
        texts = {(kind, element.get(f"{W}id")): element for kind, element in self._note_elements()}
        for kind, number, mark in self._seen_notes:
            if (kind, number) in texts:
                words = " ".join(self.blocks(texts[kind, number]))
                yield f"[^{mark}]: {one_line(words)}"

    def _note_elements(self) -> Iterator[tuple[str, Any]]:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        for relation in self._package.rels.values():
            for part, kind, _ in _NOTES:
                if not relation.is_external and relation.reltype.endswith(f"/{part}"):
                    root = etree.fromstring(relation.target_part.blob, parser)
                    yield from ((kind, element) for element in root.iter(f"{W}{kind}"))

    def _table(self, element: Any) -> str:
        rows: list[list[str]] = []
        for row in element.iter(f"{W}tr"):
            if _nearest_table(row) is not element or row.find(f"{W}trPr/{W}del") is not None:
                continue
            cells: list[str] = []
            for cell in _content(row, f"{W}tc"):
                merged = cell.find(f"{W}tcPr/{W}vMerge")
                column = len(cells)
                goes_on = merged is not None and merged.get(f"{W}val", "continue") == "continue"
                above = rows[-1][column] if rows and column < len(rows[-1]) else ""
                words = above if goes_on else one_line(" ".join(self.blocks(cell)))
                span = cell.find(f"{W}tcPr/{W}gridSpan")
                cells.extend([words] * min(int(span.get(f"{W}val", "1")) if span is not None else 1, 100))
            rows.append(cells)
        rows = [row for row in rows if any(row)]
        if rows and max(len(row) for row in rows) == 1:
            return "\n\n".join(row[0] for row in rows)
        return table(rows) if rows else ""


def _content(parent: Any, *tags: str) -> Iterator[Any]:
    """Yield paragraphs and tables (or the ``tags``) below wrappers such as content controls and insertions."""
    wanted = tags or (f"{W}p", f"{W}tbl")
    for child in parent:
        if child.tag in wanted:
            yield child
        elif child.tag in {f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml", f"{W}smartTag"}:
            yield from _content(child, *tags)


def _nearest_table(row: Any) -> Any:
    return next(row.iterancestors(f"{W}tbl"), None)


def _text_boxes(paragraph: Any) -> Iterator[Any]:
    for box in paragraph.iter(f"{W}txbxContent"):
        if not any(above.tag == _CHOICE_FALLBACK for above in box.iterancestors()):
            yield box


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{W}rPr/{W}vanish")
    return vanish is not None and vanish.get(f"{W}val", "1") not in {"0", "false"}


def _raised(run: Any) -> str:
    align = run.find(f"{W}rPr/{W}vertAlign")
    return {"superscript": "sup", "subscript": "sub"}.get(align.get(f"{W}val", ""), "") if align is not None else ""
