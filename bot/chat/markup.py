"""A message as a tree: written once, shown as HTML and as plain text with the same words."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final, TypeAlias

from bot.chat.hygiene import TAGS, addresses, isolated, link, unlinked, visible

_STRUCK: Final = "~~"
_MARGINS: Final = {"li": ("- ", "  "), "blockquote": ("  ", "  ")}
"""What stands before the first line of a block, and before each line behind it."""


@dataclass(frozen=True, slots=True)
class Element:
    """A tag with what stands in it.

    Raises:
        ValueError: the tag is none that our messages have (a fault of ours).
    """

    tag: str
    children: "tuple[Node, ...]" = ()
    href: str = ""

    def __post_init__(self) -> None:
        if self.tag not in TAGS:
            raise ValueError(self.tag)


Node: TypeAlias = Element | str
"""Text is escaped; a line break in it is one in the message."""


def element(tag: str, *children: Node) -> Element:
    """Return an element."""
    return Element(tag, children)


def anchor(url: str | None) -> tuple[Node, ...]:
    """Return a link that shows where it leads; nothing for an address that may not be followed."""
    safe = link(url)
    return (Element("a", (safe,), href=safe),) if safe else ()


def linked(sentence: str, url: str) -> tuple[Node, ...]:
    """Return a sentence of ours that leads somewhere; the sentence alone for an address that may not be followed."""
    safe = link(url)
    return (Element("a", (sentence,), href=safe),) if safe else (sentence,)


def words(text: str) -> tuple[Node, ...]:
    """Return the words of others as they are, so that they are nothing but words.

    What a client would make a link or a mention of stands as code, in which it looks for neither.
    """
    return tuple(
        element("code", piece) if is_address else piece for piece, is_address in addresses(isolated(visible(text)))
    )


def spoken(sentence: str) -> tuple[Node, ...]:
    """Return a sentence of ours, in which what is to be typed or copied stands between two backticks."""
    return tuple(
        element("code", piece) if number % 2 else isolated(unlinked(piece))
        for number, piece in enumerate(sentence.split("`"))
        if piece
    )


def parted(nodes: Iterable[Iterable[Node]], by: Node = " · ") -> tuple[Node, ...]:
    """Return what is there of several things, parted by a sign."""
    told = [tuple(one) for one in nodes]
    return tuple(node for one in told if one for node in (by, *one))[1:]


def html(nodes: Iterable[Node]) -> str:
    """Return nodes as HTML."""
    return "".join(map(_html, nodes))


def _html(node: Node) -> str:
    if isinstance(node, str):
        return escape(node, quote=False).replace("\n", "<br>")
    if node.tag == "br":
        return "<br>"
    href = f' href="{escape(node.href)}"' if node.href else ""
    return f"<{node.tag}{href}>{html(node.children)}</{node.tag}>"


def plain(nodes: Iterable[Node]) -> str:
    """Return nodes as plain text: paragraphs, lists with marks, what is struck between two tildes each."""
    return _plain(nodes).strip("\n")


def _plain(nodes: Iterable[Node]) -> str:
    text = ""
    for node in nodes:
        if isinstance(node, str):
            text += node
        elif node.tag in _BLOCKS:
            text = _on_a_line_of_its_own(text, _BLOCKS[node.tag]) + _block(node)
        else:
            text += "\n" if node.tag == "br" else _inline(node)
    return text


_BLOCKS: Final = {"p": 2, "details": 2, "ul": 1, "li": 1, "blockquote": 1, "summary": 1, "pre": 2}
"""Line breaks before a block, unless nothing stands before it."""


def _on_a_line_of_its_own(text: str, breaks: int) -> str:
    return f"{text.rstrip(chr(10))}{chr(10) * breaks}" if text else ""


def _block(node: Element) -> str:
    inside = _plain(node.children).strip("\n")
    first, later = _MARGINS.get(node.tag, ("", ""))
    return first + inside.replace("\n", f"\n{later}") + "\n"


def _inline(node: Element) -> str:
    inside = _plain(node.children)
    return f"{_STRUCK}{inside}{_STRUCK}" if node.tag == "del" else inside
