"""HTML made of values: whatever is not markup already is escaped, and control characters become visible."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

from bot.output import clean


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


Content: TypeAlias = Markup | str | None
"""What stands in an element; plain text is escaped, ``None`` is nothing."""


def safe(content: Content) -> Markup:
    """Return content as HTML."""
    if isinstance(content, Markup):
        return content
    return Markup(escape(clean(content or "")))


def element(name: str, *content: Content, kind: str = "", identity: str = "") -> Markup:
    """Return an element; ``kind`` is its class, ``identity`` its id."""
    told = f' class="{escape(kind)}"' * bool(kind) + f' id="{escape(identity)}"' * bool(identity)
    return Markup(f"<{name}{told}>{joined(content)}</{name}>")


def joined(parts: Iterable[Content]) -> Markup:
    """Return the parts one after the other."""
    return Markup("".join(map(safe, parts)))


def link(target: str, content: Content) -> Markup:
    """Return a link to another place of the same page; others are never made."""
    return Markup(f'<a href="#{escape(target)}">{safe(content)}</a>')


def facts(rows: Iterable[tuple[str, Content]]) -> Markup:
    """Return names and values, without those that have none."""
    shown = [(name, value) for name, value in rows if value]
    return element("dl", *[joined([element("dt", name), element("dd", value)]) for name, value in shown])


def table(headings: Sequence[str], rows: Sequence[Sequence[Content]], kind: str = "") -> Markup:
    """Return a table; none without rows."""
    if not rows:
        return Markup()
    head = element("thead", element("tr", *[element("th", one) for one in headings]))
    body = element("tbody", *[element("tr", *[element("td", one) for one in row]) for row in rows])
    return element("div", element("table", head, body, kind=kind), kind="wide")
