r"""Writing Markdown that ``domain/knowledge/markup.py`` reads back to the same words."""

import re
from collections.abc import Sequence
from typing import Final

_BLANKS: Final = re.compile(r"[ \t\r\n\f\v]+")
_MARKS: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|\Z)|`|\||<(?=[a-zA-Z/!])|&(?=#?\w{1,32};)|\[(?=\^)|\](?=\()|\{(?=[#.])"
    r"|\*(?!(?<=\s\*)\s)|_(?!(?<=\w_)[^\W_])(?!(?<=\s_)\s)"
)
# Whatever the patterns begin with: most texts have none of it.
_SPECIAL: Final = re.compile(r"[\\`|<&\[\]{*_#~]|^[ \t]*[>%=+:-]", re.MULTILINE)
_LINE_START: Final = re.compile(
    r"^([ \t]*)(?=#{1,6}(?:\s|$)|>|%[ ]|[-=+:][-=+: \t]+$|(?:[-][ \t]*){3,}$|~~~)", re.MULTILINE
)
_LINE_END: Final = re.compile(r"(?<=\s)(?=#+[ \t]*$)", re.MULTILINE)


def escape(text: str) -> str:
    """Return ``text`` with a backslash before whatever Markdown would read as a mark."""
    if not _SPECIAL.search(text):
        return text
    text = _MARKS.sub(r"\\\g<0>", text)
    return _LINE_END.sub(r"\\", _LINE_START.sub(r"\1\\", text))


def one_line(text: str) -> str:
    """Return ``text`` with each run of blanks and line breaks as one blank; no-break spaces stay."""
    return _BLANKS.sub(" ", text).strip(" ")


def heading(level: int, text: str) -> str:
    """Return a heading; ``text`` is escaped already, ``level`` counts from 1 and ends at 6."""
    return f"{'#' * min(max(level, 1), 6)} {one_line(text)}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a pipe table whose first row is the head; cells are escaped already."""
    width = max(len(row) for row in rows)
    lines = ["| " + " | ".join(one_line(cell) for cell in (*row, *[""] * (width - len(row)))) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * width)
    return "\n".join(lines)


def document(blocks: Sequence[str]) -> str:
    """Return blocks parted by an empty line, empty blocks left out."""
    return "\n\n".join(block for block in (block.strip("\n") for block in blocks) if block.strip()) + "\n"


def first_heading(text: str) -> str | None:
    """Return the words of the first heading of a Markdown text."""
    found = re.search(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", text, re.MULTILINE)
    return found[1] if found else None
