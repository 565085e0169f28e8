"""Markdown and plain text: the file's own text, markup kept, so that offsets are the file's."""

import re
from typing import Final

from adapters.readers.decoding import decode
from domain.knowledge.search_text import shown
from domain.knowledge.stored_text import stored
from domain.knowledge.text import Extract

_TITLE_LINE: Final = re.compile(r"\A%[ \t]+(\S.*)")
_HEADING: Final = re.compile(r"^(?:#{1,6}[ \t]+(\S.*)|(\S.*)\n(?:={3,}|-{3,})[ \t]*)$", re.MULTILINE)
_FRONT_MATTER: Final = re.compile(r"\A---\n(?:.*\n)*?title:[ \t]*[\"']?(.+?)[\"']?[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)\n")


def read_markdown(name: str, content: bytes) -> Extract:
    """Read a Markdown file; its title is that of a pandoc title block, of front matter, or the first heading."""
    text = stored(decode(name, content))
    found = _TITLE_LINE.search(text) or _FRONT_MATTER.search(text[:5_000]) or _HEADING.search(text)
    title = next((group for group in found.groups() if group), None) if found else None
    return Extract(text, "markdown", shown(title, "markdown") if title else None, (), "markdown/1")


def read_text(name: str, content: bytes) -> Extract:
    """Read a plain text file; it has no title of its own."""
    return Extract(stored(decode(name, content)), "plain", None, (), "text/1")
