"""OpenDocument texts, read with lxml: headings, lists, tables, notes, formulas; tracked deletions left out."""

import zipfile
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from adapters.readers.archives import open_archive
from adapters.readers.errors import broken, encrypted
from adapters.readers.formulas import linear
from adapters.readers.markdown import document, escape, first_heading, heading, one_line, table
from domain.knowledge.search_text import shown
from domain.knowledge.text import Extract

_SPACE: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT: Final = f"{{{_SPACE}text:1.0}}"
_TABLE: Final = f"{{{_SPACE}table:1.0}}"
_OFFICE: Final = f"{{{_SPACE}office:1.0}}"
_STYLE: Final = f"{{{_SPACE}style:1.0}}"
_DRAW: Final = f"{{{_SPACE}drawing:1.0}}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"
_SKIPPED: Final = frozenset(
    {f"{_TEXT}{name}" for name in ("tracked-changes", "table-of-content", "hidden-text", "hidden-paragraph")}
    | {f"{_OFFICE}annotation", f"{_OFFICE}annotation-end", f"{_OFFICE}forms", f"{_TEXT}sequence-decls"}
)
_MOST_REPEATED: Final = 100


def read_odt(name: str, content: bytes) -> Extract:
    """Read an .odt file."""
    with open_archive(name, content) as archive:
        parts = set(archive.namelist())
        if "META-INF/manifest.xml" in parts and b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise encrypted(name)
        if "content.xml" not in parts:
            raise broken(name)
        reading = _Reading(archive)
        body = _parsed(archive, "content.xml").find(f"{_OFFICE}body/{_OFFICE}text")
        if body is None:
            raise broken(name)
        text = document([*reading.blocks(body), *reading.notes])
        meta = _parsed(archive, "meta.xml").find(f".//{_TITLE}") if "meta.xml" in parts else None
    title = (meta.text or "").strip() if meta is not None else ""
    title = escape(title) or reading.title or first_heading(text) or ""
    return Extract(text, "markdown", shown(title, "markdown") or None, (), "odt/1")


def _parsed(archive: zipfile.ZipFile, part: str) -> Any:
    return etree.fromstring(archive.read(part), etree.XMLParser(resolve_entities=False, no_network=True))


class _Reading:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._parts = set(archive.namelist())
        self._list_styles: dict[str, dict[int, tuple[str, str, str, int]]] = {}
        self._title_styles = {"Title"}
        for part in ("styles.xml", "content.xml"):
            if part in self._parts:
                self._learn_styles(_parsed(archive, part))
        self.notes: list[str] = []
        self.title: str | None = None

    def _learn_styles(self, root: Any) -> None:
        for style in root.iter(f"{_TEXT}list-style"):
            self._list_styles[style.get(f"{_STYLE}name", "")] = dict(_list_levels(style))
        self._title_styles |= {
            style.get(f"{_STYLE}name")
            for style in root.iter(f"{_STYLE}style")
            if style.get(f"{_STYLE}parent-style-name") == "Title"
        }

    def blocks(self, parent: Any) -> Iterator[str]:
        """Yield the Markdown blocks below ``parent``."""
        for child in parent:
            if not isinstance(child.tag, str) or child.tag in _SKIPPED:
                continue
            if child.tag == f"{_TEXT}h":
                yield heading(_number(child, f"{_TEXT}outline-level", 1), self._words(child))
            elif child.tag == f"{_TEXT}p":
                yield self._paragraph(child)
                yield from self._boxes(child)
            elif child.tag == f"{_TEXT}list":
                yield "\n".join(self._items(child, child.get(f"{_TEXT}style-name", ""), 1))
            elif child.tag == f"{_TABLE}table":
                yield self._table(child)
            else:
                yield from self.blocks(child)

    def _paragraph(self, element: Any) -> str:
        words = "\n".join(one_line(line) for line in self._words(element).split("\n")).strip()
        if words and element.get(f"{_TEXT}style-name") in self._title_styles:
            self.title = self.title or words
            return heading(1, words)
        return words

    def _words(self, element: Any) -> str:
        parts = [escape(one_blank(element.text))]
        for child in element:
            if isinstance(child.tag, str) and child.tag not in _SKIPPED:
                parts.append(self._word(child))
            parts.append(escape(one_blank(child.tail)))
        return "".join(parts)

    def _word(self, child: Any) -> str:
        match child.tag.removeprefix(_TEXT):
            case "s":
                return " " * min(_number(child, f"{_TEXT}c", 1), _MOST_REPEATED)
            case "tab":
                return " "
            case "line-break":
                return "\n"
            case "note":
                return self._note(child)
            case _ if child.tag == f"{_DRAW}frame":
                return self._formula(child)
            case _:
                return self._words(child)

    def _note(self, note: Any) -> str:
        body = note.find(f"{_TEXT}note-body")
        if body is None:
            return ""
        mark = str(len(self.notes) + 1)
        self.notes.append("")
        self.notes[int(mark) - 1] = f"[^{mark}]: {one_line(' '.join(self.blocks(body)))}"
        return f"[^{mark}]"

    def _formula(self, frame: Any) -> str:
        linked = frame.find(f"{_DRAW}object")
        if linked is None:
            return ""
        inline = next((child for child in linked if isinstance(child.tag, str) and child.tag.endswith("}math")), None)
        part = f"{linked.get(_HREF, '').removeprefix('./')}/content.xml"
        if inline is None and part in self._parts:
            inline = _parsed(self._archive, part)
        is_formula = inline is not None and inline.tag.endswith("}math")
        return f" {escape(linear(inline).strip())} " if is_formula else ""

    def _boxes(self, paragraph: Any) -> Iterator[str]:
        for box in paragraph.iter(f"{_DRAW}text-box"):
            yield from self.blocks(box)

    def _items(self, element: Any, style: str, depth: int) -> Iterator[str]:
        style = element.get(f"{_TEXT}style-name", style)
        kind, prefix, suffix, number = self._list_styles.get(style, {}).get(depth, ("", "", "", 1))
        for item in element:
            if item.tag not in {f"{_TEXT}list-item", f"{_TEXT}list-header"}:
                continue
            number = _number(item, f"{_TEXT}start-value", number)
            mark = f"{prefix}{_counted(number, kind)}{suffix}" if kind else "-"
            words, inner = [], list[str]()
            for child in item:
                if child.tag == f"{_TEXT}list":
                    inner.extend(self._items(child, style, depth + 1))
                elif child.tag in {f"{_TEXT}p", f"{_TEXT}h"}:
                    words.append(one_line(self._words(child)))
            if item.tag == f"{_TEXT}list-header" or any(words):
                yield f"{'  ' * (depth - 1)}{'' if item.tag.endswith('header') else mark + ' '}{' '.join(words)}"
                number += item.tag == f"{_TEXT}list-item"
            yield from inner

    def _table(self, element: Any) -> str:
        rows: list[list[str]] = []
        for row in element.iter(f"{_TABLE}table-row"):
            if next(row.iterancestors(f"{_TABLE}table"), None) is not element:
                continue
            cells: list[str] = []
            for cell in row:
                if cell.tag == f"{_TABLE}covered-table-cell":
                    words = cells[-1] if cells else rows[-1][0] if rows and rows[-1] else ""
                elif cell.tag == f"{_TABLE}table-cell":
                    words = one_line(" ".join(self.blocks(cell)))
                else:
                    continue
                cells.extend([words] * min(_number(cell, f"{_TABLE}number-columns-repeated", 1), _MOST_REPEATED))
            if any(cells):
                rows.append(cells)
        return table(rows) if rows else ""


def _list_levels(style: Any) -> Iterator[tuple[int, tuple[str, str, str, int]]]:
    for level in style:
        if isinstance(level.tag, str) and level.tag.endswith("}list-level-style-number"):
            kind = level.get(f"{_STYLE}num-format", "")
            prefix, suffix = level.get(f"{_STYLE}num-prefix", ""), level.get(f"{_STYLE}num-suffix", "")
            start = _number(level, f"{_TEXT}start-value", 1)
            yield _number(level, f"{_TEXT}level", 1), (kind, prefix, suffix or ("" if prefix else "."), start)


def _counted(number: int, kind: str) -> str:
    if kind in {"a", "A"} and 1 <= number <= 26:
        return chr(ord(kind) + number - 1)
    return str(number)


def _number(element: Any, name: str, default: int) -> int:
    value = element.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 9 else default


def one_blank(text: str | None) -> str:
    """Return a text node with its runs of XML blanks collapsed, as OpenDocument reads them."""
    if not text:
        return ""
    collapsed = one_line(text)
    first = " " if text[0].isspace() else ""
    last = " " if collapsed and text[-1].isspace() else ""
    return first + collapsed + last
