"""What the searches see of a stored text, with the way back, and what a person is shown.

``markup.py`` holds the rules. The search text is never stored: it is made from the stored text whenever it is needed.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from domain.knowledge.markup import Edit, edits
from domain.knowledge.text import Span


class Run(NamedTuple):
    """``length`` characters of a search text from ``start`` came from the stored span.

    Runs of equal length correspond character by character; in others (a ligature, an entity, a run of blanks) each
    character came from the whole span.
    """

    start: int
    length: int
    stored_start: int
    stored_length: int


@dataclass(frozen=True, slots=True)
class SearchText:
    """A text without markup, hyphenation and other typography.

    Attributes:
        text: what the searches see.
        offsets: where its characters come from; the runs follow each other without gaps in ``text``, and in order in
            the stored text, with gaps where something was left out.
    """

    text: str
    offsets: tuple[Run, ...]

    def stored_span(self, start: int, end: int) -> Span:
        """Return the stored code points that characters ``start`` to ``end`` came from.

        The span reaches from the first to the last of them and includes what was left out between. An empty range
        gives an empty span.

        Raises:
            ValueError: not ``0 <= start <= end <= len(text)``.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError((start, end, len(self.text)))
        if start == end:
            at = self._source(start)[0] if start < len(self.text) else self._end()
            return Span(at, at)
        return Span(self._source(start)[0], self._source(end - 1)[1])

    def _source(self, position: int) -> tuple[int, int]:
        run = self.offsets[bisect_right(self.offsets, position, key=lambda run: run.start) - 1]
        if run.length != run.stored_length:
            return run.stored_start, run.stored_start + run.stored_length
        at = run.stored_start + position - run.start
        return at, at + 1

    def _end(self) -> int:
        return self._source(len(self.text) - 1)[1] if self.text else 0


def search_text(text: str, markup: str) -> SearchText:
    """Return what the searches see of a stored text or of a part of it.

    Args:
        text: stored form.
        markup: ``markdown`` or ``plain``.
    """
    return _apply(text, edits(text, markup, searched=True))


def shown(text: str, markup: str) -> str:
    """Return a stored text or a part of it as a person reads it: without markup, hyphenation resolved.

    Unlike the search text it keeps no-break spaces and the joiners of emoji and of right-to-left text.
    """
    return _apply(text, edits(text, markup, searched=False)).text


def _apply(text: str, changes: Iterable[Edit]) -> SearchText:
    parts: list[str] = []
    runs: list[Run] = []
    length = position = 0
    last = "\n"
    for start, end, replacement in (*changes, Edit(len(text), len(text), "")):
        if position < start:
            skipped = 1 if last in " \n" and text[position] == " " else 0
            piece = text[position + skipped : start]
            if piece:
                parts.append(piece)
                runs.append(Run(length, len(piece), position + skipped, len(piece)))
                length += len(piece)
                last = piece[-1]
        piece = replacement.lstrip(" ") if last in " \n" else replacement
        piece = "" if last == "\n" and piece.strip("| ") in {"", "\n"} else piece
        if piece:
            parts.append(piece)
            runs += _replaced(length, len(piece), start, end - start)
            length += len(piece)
            last = piece[-1]
        position = end
    whole = "".join(parts)
    return _trimmed(whole, runs)


def _replaced(at: int, length: int, start: int, stored_length: int) -> list[Run]:
    """Return the runs of a replacement; one that happens to be as long as what it replaces is no copy of it."""
    if length != stored_length or length == 1:
        return [Run(at, length, start, stored_length)]
    return [Run(at + place, 1, start, stored_length) for place in range(length)]


def _trimmed(text: str, runs: list[Run]) -> SearchText:
    kept = text.rstrip(" \n")
    while runs and runs[-1].start >= len(kept):
        runs.pop()
    if runs and runs[-1].start + runs[-1].length > len(kept):
        start, _, stored_start, stored_length = runs[-1]
        cut = runs[-1].start + runs[-1].length - len(kept)
        same = runs[-1].length == stored_length
        runs[-1] = Run(start, len(kept) - start, stored_start, stored_length - cut if same else stored_length)
    return SearchText(kept, tuple(runs))
