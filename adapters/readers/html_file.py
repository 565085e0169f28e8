"""Web pages: what a reader of the page reads, without what surrounds it."""

import re
from collections.abc import Iterator
from typing import Final

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement, PreformattedString
from lxml import etree

from adapters.readers.decoding import decode
from adapters.readers.errors import broken, too_large
from adapters.readers.formulas import linear
from adapters.readers.markdown import document, escape, first_heading, heading, one_line, table
from domain.knowledge.search_text import shown
from domain.knowledge.text import Extract

_CHARSET: Final = re.compile(
    rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{1,40})|<\?xml[^>]{0,100}encoding=[\"']([\w-]{1,40})", re.IGNORECASE
)
_DROPPED: Final = re.compile(
    "script|style|nav|aside|footer|noscript|template|svg|iframe|object|embed|canvas|audio|video|button|select|input"
    "|textarea|head"
)
_BLOCKS: Final = re.compile(
    "^(?:address|article|blockquote|body|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|form|h[1-6]"
    "|header|hr|html|li|main|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$"
)
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# libxml2 stops at 256 levels and leaves out what is below; a page near that is refused rather than cut.
_MOST_NESTING: Final = 200
_MOST_COLUMNS: Final = 200
# Opening and closing tags: each costs about 20 µs and 1 kB.
MOST_MARKS: Final = 300_000


def read_html(name: str, content: bytes) -> Extract:
    """Read a page; the charset is that of a byte order mark, of what is plausible, then of its ``meta`` element."""
    found = _CHARSET.search(content[:4096])
    declared = next((group.decode("ascii") for group in found.groups() if group), None) if found else None
    source = decode(name, content, declared)
    title, text = page_text(name, source)
    return Extract(text, "markdown", title, (), "html/1")


def page_text(name: str, source: str) -> tuple[str | None, str]:
    """Return title and Markdown of a page.

    Raises:
        InputError: ``file_broken``, elements are nested deeper than can be read; ``file_too_large``, too many of them.
    """
    if source.count("<") > MOST_MARKS:
        raise too_large(name)
    page = BeautifulSoup(source, "lxml", multi_valued_attributes=None)
    title = one_line(page.title.get_text()) if page.title else ""
    root = page.body or page
    if _depth(root) > _MOST_NESTING:
        raise broken(name)
    text = document(list(_blocks(root)))
    first = first_heading(text)
    return title or (shown(first, "markdown") if first else None), text


def _depth(root: Tag) -> int:
    deepest, pending = 0, [(root, 0)]
    while pending:
        node, depth = pending.pop()
        deepest = max(deepest, depth)
        pending.extend((child, depth + 1) for child in node.children if isinstance(child, Tag))
    return deepest


def _is_dropped(node: Tag) -> bool:
    if _DROPPED.fullmatch(node.name) or node.has_attr("hidden") or node.get("aria-hidden") == "true":
        return True
    if node.name == "header":
        return node.find(["h1", "h2", "h3"]) is None
    return bool(_HIDDEN.search(str(node.get("style") or "")))


def _blocks(node: Tag) -> Iterator[str]:
    """Yield the blocks below ``node``; words between block elements become paragraphs."""
    words = ""
    for child in node.children:
        if isinstance(child, Tag) and _is_dropped(child):
            continue
        if isinstance(child, Tag) and (_BLOCKS.match(child.name) or _holds_blocks(child)):
            yield _paragraph(words)
            words = ""
            yield from _block(child)
        else:
            words += _inline(child)
    yield _paragraph(words)


def _holds_blocks(node: Tag) -> bool:
    if node.name in {"math", "ruby"}:
        return False
    return any(isinstance(inner, Tag) and _BLOCKS.match(inner.name) for inner in node.descendants)


def _block(node: Tag) -> Iterator[str]:
    match node.name:
        case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
            words = _inline_children(node)
            yield heading(int(node.name[1]), words) if words.strip() else ""
        case "ul" | "ol":
            yield _list(node)
        case "table":
            yield from _table(node)
        case "pre":
            yield escape(node.get_text().strip("\n"))
        case "blockquote":
            yield "\n\n".join(_blocks(node)).strip().replace("\n", "\n> ").join(("> ", ""))
        case "dt":
            yield f"{_inline_children(node).strip()}:"
        case _:
            yield from _blocks(node)


def _paragraph(words: str) -> str:
    return "\n".join(line for line in (one_line(line) for line in words.split("\x1e")) if line)


def _inline(node: PageElement) -> str:
    if isinstance(node, PreformattedString):
        return ""
    if isinstance(node, NavigableString):
        return escape(str(node).replace("\x1e", ""))
    return _inline_element(node) if isinstance(node, Tag) and not _is_dropped(node) else ""


def _inline_element(node: Tag) -> str:
    match node.name:
        case "br":
            return "\x1e"
        case "img":
            return escape(str(node.get("alt") or ""))
        case "math":
            return escape(_formula(node))
        case "sup" | "sub":
            return f"<{node.name}>{_inline_children(node)}</{node.name}>"
        case _:
            return _inline_children(node)


def _inline_children(node: Tag) -> str:
    return "".join(_inline(child) for child in node.children)


def _formula(node: Tag) -> str:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(str(node).encode(), parser)
    return linear(root) if root is not None else ""


def _list(node: Tag, indent: str = "") -> str:
    lines: list[str] = []
    number = _integer(node.get("start"), 1)
    for child in node.children:
        if not isinstance(child, Tag) or _is_dropped(child):
            continue
        if child.name in {"ul", "ol"}:
            lines.append(_list(child, indent + "  "))
            continue
        number = _integer(child.get("value"), number)
        mark = f"{_mark(number, str(node.get('type') or '1'))} " if node.name == "ol" else "- "
        number += 1
        lines.append(indent + mark + _item(child, indent + "  "))
    return "\n".join(line for line in lines if line.strip())


def _item(node: Tag, indent: str) -> str:
    words, inner = "", list[str]()
    for child in node.children:
        if isinstance(child, Tag) and child.name in {"ul", "ol"}:
            inner.append(_list(child, indent))
        elif isinstance(child, Tag) and (_BLOCKS.match(child.name) or _holds_blocks(child)) and not _is_dropped(child):
            words += " " + " ".join(_blocks(child)) + " "
        else:
            words += _inline(child).replace("\x1e", " ")
    return "\n".join([one_line(words), *inner])


def _mark(number: int, kind: str) -> str:
    if kind in {"a", "A"} and 1 <= number <= 26:
        return f"{chr(ord(kind) + number - 1)})"
    return f"{number}."


def _integer(value: object, default: int) -> int:
    text = str(value)
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else default


def _table(node: Tag) -> Iterator[str]:
    caption = node.find("caption")
    if isinstance(caption, Tag):
        yield _paragraph(_inline_children(caption))
    rows = [row for row in node.find_all("tr") if row.find_parent("table") is node]
    grid = _grid(rows)
    if not grid:
        return
    if max(len(row) for row in grid) == 1:
        yield from (row[0] for row in grid)
    else:
        yield table(grid)


def _grid(rows: list[Tag]) -> list[list[str]]:
    """Return the words of the cells, spanning ones in each place that they span."""
    grid: list[list[str]] = []
    from_above: dict[int, tuple[int, str]] = {}
    for row in rows:
        cells: list[str] = []
        for cell in row.find_all(["td", "th"], recursive=False):
            _fill_from_above(cells, from_above)
            words = one_line(" ".join(_blocks(cell)))
            below = _integer(cell.get("rowspan"), 1) - 1
            for _ in range(min(max(_integer(cell.get("colspan"), 1), 1), _MOST_COLUMNS - len(cells))):
                if below > 0:
                    from_above[len(cells)] = (below, words)
                cells.append(words)
        _fill_from_above(cells, from_above)
        if any(cells):
            grid.append(cells)
    return grid


def _fill_from_above(cells: list[str], from_above: dict[int, tuple[int, str]]) -> None:
    while len(cells) in from_above:
        column = len(cells)
        left, words = from_above.pop(column)
        cells.append(words)
        if left > 1:
            from_above[column] = (left - 1, words)
