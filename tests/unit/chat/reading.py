"""How a client reads a message of ours."""

import re
from html.parser import HTMLParser

from bot.chat.hygiene import TAGS
from bot.chat.outgoing import Content

VOID = {"br"}
INLINE = {"a", "code", "del", "em", "strong"}


class Reader(HTMLParser):
    """Reads HTML strictly: every tag is allowed, and closed in its order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.unlinked = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert [name for name, _ in attrs] == (["href"] if tag == "a" else [])
        self.links += [value or "" for _, value in attrs]
        self.tags.append(tag)
        self.open += [] if tag in VOID else [tag]
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._part(tag)

    def handle_data(self, data: str) -> None:
        self.text += data
        self.unlinked += "" if {"a", "code"} & set(self.open) else data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = unknown_decl = handle_pi = handle_comment

    def _part(self, tag: str) -> None:
        self.text += "" if tag in INLINE else "\n"
        self.unlinked += "" if tag in INLINE - {"code", "a"} else "\n"


def read(content: Content) -> Reader:
    """Return what a client finds in the HTML of a message, which is whole."""
    reader = Reader()
    reader.feed(content.html)
    reader.close()
    assert reader.open == []
    return reader


def plain_words(content: Content) -> list[str]:
    """Return the words of the plain body without the signs of its form."""
    return re.sub(r"(?m)^ *- |~~", "", content.plain).split()
