"""How results reach a person or a script: one look for all commands.

On a terminal: tables, panels, colour (``NO_COLOR`` is honoured). Into a file or a pipe: plain lines that a screen
reader or ``grep`` can follow, nothing wrapped or cut. With ``--json`` standard output holds JSON documents only.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, TextIO
from zoneinfo import ZoneInfo

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.panel import Panel as RichPanel
from rich.segment import Segment
from rich.table import Table as RichTable
from rich.text import Text

from bot.text import Texts

_UNLIMITED: Final = 1_000_000
_GAP: Final = 2
"""Blanks between two columns."""

_ID: Final = 36
"""Width of an id; what is longer is a fingerprint or a path, and may be broken."""

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What acts on a terminal or turns the order of what is read; marks of direction are not among the words of a text."""

_RAW: Final = re.compile(r"[\x7f-\x9f]")
"""Control characters that JSON lets stand as they are."""

_DIGEST: Final = re.compile(r"[0-9a-f]{12,}")
_NAMED: Final = 3
"""Parts of a fingerprint that name the model itself; behind them stands what it rests on."""


class Output:
    """Standard output and standard error of one call."""

    def __init__(self, *, as_json: bool, texts: Texts) -> None:
        self.as_json = as_json
        self.texts = texts
        self.console = _console(sys.stdout)
        self.errors = _console(sys.stderr)

    def document(self, document: object) -> None:
        """Print one JSON document on a line of its own, when ``--json`` asks for it."""
        if self.as_json:
            ascii_only = not _is_unicode(sys.stdout)
            line = json.dumps(document, ensure_ascii=ascii_only, allow_nan=False)
            sys.stdout.write(_RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", line) + "\n")

    def show(self, *items: RenderableType) -> None:
        """Print for a person, unless ``--json`` asks for documents."""
        if not self.as_json:
            for item in items:
                _print(self.console, item)

    def note(self, *items: RenderableType) -> None:
        """Print on standard error, whatever the format."""
        for item in items:
            _print(self.errors, item)

    def progress(self, words: str, total: int | None = None) -> "AbstractContextManager[Callable[[int], None]]":
        """Show a bar on standard error, if it is a terminal; the value inside takes the number of steps done."""
        from bot.progress import bar  # noqa: PLC0415 - only long commands show one

        return bar(self.errors, words, total)

    def stages(self) -> "AbstractContextManager[Callable[[str], None]]":
        """Show on standard error how a question gets on, if it is a terminal; the value inside takes each step."""
        from bot.progress import stages  # noqa: PLC0415 - as above

        return stages(self.errors, self.texts)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a drawn table on a terminal, aligned lines elsewhere."""
        if self.title:
            yield from [Text("")] if console.is_terminal else []
            yield Text(self.title, style="bold")
        lines = [[clean(cell) for cell in line] for line in (self.headings, *self.rows)]
        widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
        if console.is_terminal:
            yield self._drawn(lines, self._fitting(lines, widths, options.max_width))
            yield Text("")
        else:
            yield from self._plain(lines, widths)

    @staticmethod
    def _drawn(lines: Sequence[Sequence[str]], widths: Sequence[int]) -> RichTable:
        table = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, _GAP - 1, 0, 0))
        for heading, width in zip(lines[0], widths, strict=True):
            table.add_column(heading, overflow="fold", width=width)
        for line in lines[1:]:
            table.add_row(*map(Text, line))
        return table

    @staticmethod
    def _fitting(lines: Sequence[Sequence[str]], widths: Sequence[int], available: int) -> list[int]:
        """Return how wide each column is drawn: no word is broken while there is room, the rest goes to all alike."""
        words = [
            min(_ID, max(cell_len(word) for cell in column for word in ("", *cell.split())))
            for column in zip(*lines, strict=True)
        ]
        given = [1] * len(widths)
        left = available - _GAP * (len(widths) - 1) - len(widths)
        for limits in (words, widths):
            while left > 0 and (short := [n for n, limit in enumerate(limits) if given[n] < limit]):
                given[min(short, key=given.__getitem__)] += 1
                left -= 1
        return given

    @staticmethod
    def _plain(lines: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterable[Text]:
        for line in lines:
            padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True))
            yield Text("  ".join(padded).rstrip())


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with values, one a line."""

    pairs: Sequence[tuple[str, str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield an aligned list on a terminal, "name: value" elsewhere."""
        if not console.is_terminal:
            yield from (Text(f"{name}: {value}") for name, value in self.pairs)
            return
        table = RichTable.grid(padding=(0, 2, 0, 0))
        for name, value in self.pairs:
            table.add_row(Text(name, style="dim"), Text(clean(value), overflow="fold"))
        yield table


@dataclass(frozen=True, slots=True)
class Card:
    """A framed block with a title, for example a source."""

    title: str
    body: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a panel on a terminal, title and body as plain lines elsewhere."""
        if console.is_terminal:
            yield RichPanel(self.body, title=Text(clean(self.title)), title_align="left", box=box.ROUNDED)
        else:
            yield Text(self.title)
            yield self.body


def clean(text: str) -> str:
    """Return ``text`` with its control characters made visible, so that its width is what is counted."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def done(words: str) -> Text:
    """Return the line that says what has been done; the mark is never the only sign."""
    return Text.assemble(("✔ ", "green"), words)


def warning(words: str) -> Text:
    """Return a line that deserves attention."""
    return Text.assemble(("! ", "yellow"), words)


def failure(words: str) -> Text:
    """Return an error for a person."""
    return Text.assemble(("✖ ", "red"), words)


def verbatim(words: str) -> Text:
    """Return what is there to be copied: a terminal breaks it where it must, we never do."""
    return Text(words, no_wrap=True)


def shown_number(texts: Texts, number: float) -> str:
    """Return a number with the decimal sign of the language."""
    return f"{number:.10g}".replace(".", texts("format.decimal"))


def shown_size(texts: Texts, size: int) -> str:
    """Return a number of bytes for people, in decimal units."""
    value, unit = float(size), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{shown_number(texts, round(value, 1))} {unit}"


def shown_fingerprint(fingerprint: str) -> str:
    """Return the fingerprint of a model with its digests cut: enough to tell two apart in a table."""
    parts = [_DIGEST.sub(lambda found: f"{found[0][:6]}…", part) for part in fingerprint.split("/")]
    return "/".join([*parts[:_NAMED], *(part for part in parts[_NAMED:] if part.endswith("…"))])


def shown_day(texts: Texts, day: date | None) -> str:
    """Return a day in the form of the language, empty for none."""
    return "" if day is None else day.strftime(texts("format.day"))


def shown_last_day(texts: Texts, end: date | None) -> str:
    """Return the last day before ``end``: records keep the first day that is out, people read the last one in."""
    return "" if end is None else shown_day(texts, end - timedelta(days=1))


def shown_instant(texts: Texts, instant: datetime, time_zone: str) -> str:
    """Return an instant in the mandate's time zone, in the form of the language."""
    return instant.astimezone(ZoneInfo(time_zone)).strftime(texts("format.instant"))


class _SafeConsole(Console):
    """Shows texts of others without letting their control characters reach the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments with control characters taken out."""
        for segment in super().render(renderable, options):
            if segment.control or not _CONTROLS.search(segment.text):
                yield segment
            else:
                yield Segment(clean(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Leave it to ``main``, which knows the exit code."""
        raise BrokenPipeError


def _console(stream: TextIO) -> Console:
    return _SafeConsole(file=stream, markup=False, emoji=False, highlight=False)


def _print(console: Console, item: RenderableType) -> None:
    if console.is_terminal:
        console.print(item, soft_wrap=isinstance(item, Text) and bool(item.no_wrap))
    else:
        console.print(item, width=_UNLIMITED, soft_wrap=True)


def _is_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")
