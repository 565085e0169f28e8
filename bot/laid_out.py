"""The words of an answer's sentence as they are laid out: running text, a list, or rows of a table."""

import re
from typing import Final

from domain.asking.labels import unlike_labels
from domain.asking.outcome import Sentence
from domain.asking.ports import ELISION
from domain.asking.rows import row
from domain.knowledge.search_text import shown

_MARK: Final = re.compile(r"(?:[-*+•–—▪◦]|\(?\d{1,3}[a-z]?[.)]|\(?[A-Za-z]{1,4}[.)])(?=\s)")


def said(sentence: Sentence, markup: str) -> str:
    """Return the words as a person reads them: a list and the rows of a table on lines of their own.

    What a document says in the form of a label stands in round brackets; the quote below the answer keeps its own.
    """
    return unlike_labels(_laid_out(sentence, markup))


def _laid_out(sentence: Sentence, markup: str) -> str:
    if sentence.form == "prose":
        return " ".join(shown(sentence.text, markup).split("\n"))
    head, rest = sentence.text[: sentence.opening], sentence.text[sentence.opening :].strip("\n")
    late, cut = rest.startswith(f"{ELISION}\n"), rest.endswith(f"\n{ELISION}")
    opening = _lines(head, markup)
    lines = _lines(rest[len(ELISION) * late : len(rest) - len(ELISION) * cut], markup)
    if sentence.form == "rows":
        body, opening = [_in_words(opening[-1:], line) for line in lines], opening[:-1]
    else:
        body = _items(lines)
    return "\n".join([*filter(None, [" ".join(opening)]), *[ELISION] * late, *body, *[ELISION] * cut])


def itemised(words: str) -> str:
    """Return shown items with a mark for the first as well: its own stands before the quote."""
    first, *more = words.split("\n")
    marks = all(_MARK.match(line) and not line[:1].isalnum() for line in more)
    return f"- {words}" if more and marks and not _MARK.match(first) else words


def between(left: str, right: str) -> str:
    """Return what parts two sentences of an answer: a line break where one of them has lines."""
    return "" if not left else "\n" if "\n" in left + right else " "


def _in_words(head: list[str], line: str) -> str:
    """Return each value of a row behind its heading."""
    cells = row(head[0], line) if head else ()
    return "; ".join(f"{name}: {value}" for name, value in cells) or line


def _items(lines: list[str]) -> list[str]:
    """Return one line for each item, all with a mark."""
    items: list[str] = []
    for line in lines:
        if items and not _MARK.match(line):
            items[-1] += f" {line}"
        else:
            items.append(line)
    bullets = any(_MARK.match(item) for item in items if not item[:1].isalnum())
    return [f"- {item}" if bullets and not _MARK.match(item) else item for item in items]


def _lines(stored: str, markup: str) -> list[str]:
    return [line for line in shown(stored, markup).split("\n") if line]
