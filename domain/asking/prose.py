"""Plain prose with labels in it, as sentences.

A label belongs to the sentence that it stands in or behind. A line that begins with one and ends without one is
written the other way round: there each label belongs to what follows it. Items of a list bring along the sentence that
introduces them, as items of a stored enumeration do: alone they say nothing that could be checked.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from domain.asking.drafts import Drafted
from domain.asking.fixed import says_gap
from domain.asking.labels import CLOSING, OPENING, Mark, marks, once
from domain.knowledge.sentences import split
from domain.knowledge.text import Span

_BULLET: Final = re.compile(r"(?:[-*+•‣▪·–—]|(?P<number>\d{1,2})[.)])\s+(?=\S)")
_HEADING: Final = re.compile(r"\A(?:#{1,6}\s+|(?:>\s?)+)")
_RULE: Final = re.compile(r"(?:[-*_=]\s*){3,}|[|\s:=-]*\|[|\s:=-]*")
_ENDS: Final = re.compile(r"[.!?:;…][\"”“»«'’)\]]*\s*\Z")
_ANNOUNCES: Final = re.compile(r"\A(?:antwort|answer)\s*:\s*", re.IGNORECASE)
_BRACKETS: Final = str.maketrans(dict.fromkeys(f"{OPENING}{CLOSING}(){{}}<>", " "))
_JOINS: Final = re.compile(r"[\s,;&]*(?:und|and)?\s*")
_LISTS_SOURCES: Final = re.compile(
    r"(?:quellen?|quellenangaben?|sources?|belege?|fundstellen?|references?|anker|anchors?)?[\s:,;.()–-]*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Line:
    """A line of prose; ``marks`` are where labels stood, as positions in ``text``, which has none any more."""

    text: str
    marks: list[tuple[int, Mark]]
    is_item: bool
    leads: bool


@dataclass(slots=True)
class _Open:
    """What has been read: sentences, marks that wait for one, and what introduces the list that is being read."""

    found: list[Drafted] = field(default_factory=list)
    waiting: list[Mark] = field(default_factory=list)
    lead_in: Drafted | None = None


def sentences(text: str) -> tuple[Drafted, ...]:
    """Return the sentences of cleaned prose, each with what it cites; those without a letter or digit are none."""
    state = _Open()
    for line in _lines(_ANNOUNCES.sub("", text)):
        if not line.is_item:
            state.lead_in = None
        if _LISTS_SOURCES.fullmatch(line.text):
            _cite(state, [mark for _, mark in line.marks])
        else:
            _take(state, line)
    if state.found:
        _cite(state, state.waiting)
    return tuple(replace(one, is_gap=says_gap(one.text)) for one in state.found)


def _take(state: _Open, line: _Line) -> None:
    """Add the sentences of a line, each with its marks."""
    spans = [span for span in split(line.text, "plain") if any(map(str.isalnum, span.of(line.text)))]
    if not spans:
        state.waiting += (mark for _, mark in line.marks)
        return
    if line.is_item and state.lead_in is None and state.found and state.found[-1].text.endswith(":"):
        state.lead_in = state.found.pop()
    cited: dict[int, list[Mark]] = defaultdict(list, {0: state.waiting})
    state.waiting = []
    for at, mark in line.marks:
        cited[_home(at, spans, leads=line.leads)].append(mark)
    for number, span in enumerate(spans):
        drafted = _drafted(span.of(line.text), cited[number])
        state.found.append(_introduced(state.lead_in, drafted) if line.is_item and number == 0 else drafted)


def _home(at: int, spans: Sequence[Span], *, leads: bool) -> int:
    """Return the number of the sentence that a mark belongs to."""
    before = bisect_right(spans, at, key=lambda one: one.end)
    if before < len(spans) and spans[before].start < at:
        return before
    return min(before, len(spans) - 1) if leads else max(before - 1, 0)


def _cite(state: _Open, found: Sequence[Mark]) -> None:
    """Give marks on a line of their own to the sentence before them, else let them wait for one."""
    if not state.found:
        state.waiting += found
        return
    last = state.found[-1]
    state.found[-1] = replace(
        last,
        labels=once([*last.labels, *(label for one in found for label in one.labels)]),
        malformed=once([*last.malformed, *(label for one in found for label in one.malformed)]),
    )


def _drafted(text: str, cited: Sequence[Mark]) -> Drafted:
    labels = once(label for one in cited for label in one.labels)
    return Drafted(" ".join(text.split("\n")), labels, once(label for one in cited for label in one.malformed))


def _introduced(lead_in: Drafted | None, item: Drafted) -> Drafted:
    if lead_in is None:
        return item
    labels, malformed = once((*item.labels, *lead_in.labels)), once((*item.malformed, *lead_in.malformed))
    return Drafted(f"{lead_in.text} {item.text}", labels, malformed)


def _lines(text: str) -> Iterator[_Line]:
    rows = [_HEADING.sub("", one.strip(), count=1) for one in text.split("\n")]
    rows = _joined([one for one in rows if one and not _RULE.fullmatch(one)])
    counted = _are_counted(rows)
    for row in rows:
        bullet = _BULLET.match(row)
        is_item = bool(bullet and (counted or not bullet["number"]))
        yield _line(row[bullet.end() :] if bullet and is_item else row, is_item=is_item)


def _are_counted(rows: Sequence[str]) -> bool:
    """Say whether lines are numbered 1, 2, ...; one number alone is an ordinal, as in "1. Januar"."""
    numbers = [int(found["number"]) for row in rows if (found := _BULLET.match(row)) and found["number"]]
    return len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))


def _joined(rows: Sequence[str]) -> list[str]:
    """Join lines that a model broke in the middle of a sentence."""
    found: list[list[str]] = []
    for row in rows:
        goes_on = row[0].islower() and not _BULLET.match(row)
        if found and goes_on and not _ENDS.search(found[-1][-1]):
            found[-1].append(row)
        else:
            found.append([row])
    return [" ".join(parts) for parts in found]


def _line(row: str, *, is_item: bool) -> _Line:
    """Take the labels out of a line, and the blanks that stood before them."""
    places: list[tuple[int, Mark]] = []
    text, position = "", 0
    for mark in marks(row):
        between = row[position : mark.start]
        text += "" if places and _JOINS.fullmatch(between) else between
        position = mark.end
        following = row[position : position + 1]
        if not following or following.isspace() or following in ".,;:!?)":
            text = text.rstrip()
        elif text and not text[-1].isspace():
            text += " "
        places.append((len(text), mark))
        if not text:
            position += len(row[position:]) - len(row[position:].lstrip())
    text += row[position:]
    if marks(text):
        # A label around a label: what is left of it would pass for an anchor in the text.
        places += ((one.start, Mark(one.start, one.end, (), (text[one.start : one.end],))) for one in marks(text))
        text = text.translate(_BRACKETS)
    begins, ends = bool(places) and places[0][0] == 0, bool(places) and not text[places[-1][0] :].strip(" .;!?")
    return _Line(text, places, is_item, leads=begins and not ends)
