"""The outline of a text: section, paragraph and list place of each sentence, and what introduces a list."""

import re
from dataclasses import dataclass

from domain.knowledge.block import CONTENT, Block, Kind
from domain.knowledge.blocks import blocks
from domain.knowledge.headlines import title_line
from domain.knowledge.numbered_headings import division_rank
from domain.knowledge.text import Span


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence in its place.

    Attributes:
        index: into the version's sentences.
        span: the sentence.
        kind: what its block is.
        paragraph: number of the paragraph ("2" of "(2)"), empty without.
        path: marks of the items around it, outermost first.
        lead_in: what introduces the list or the table it belongs to.
        opens_group: a new paragraph begins here.
    """

    index: int
    span: Span
    kind: Kind
    paragraph: str
    path: tuple[str, ...]
    lead_in: Span | None
    opens_group: bool


@dataclass(frozen=True, slots=True)
class Section:
    """The sentences below one heading; ``heading`` is the path of titles, outermost first."""

    heading: tuple[str, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    rank: int
    title: str


@dataclass(frozen=True, slots=True)
class _Level:
    style: str
    mark: str
    lead_in: Span | None


_LONGEST_LEAD_IN = 400
_MARKUP = re.compile(
    r"!?\[([^\[\]]*+)\]\([^()\s]*+\)|</?[A-Za-z][^<>]*+>|<!--.*?-->|(?<!\\)[*_`~]{1,3}(?=\S)|(?<=\S)(?<!\\)[*_`~]{1,3}"
)
_ESCAPE = re.compile(r"\\(?=[^\w\s])")
_FIRST_MARKS = frozenset({"1", "a", "aa", "aaa", "i", "I", "A"})
_CONTENTS = re.compile(r"(?:amtliche )?(?:inhaltsübersicht|inhaltsverzeichnis|table of contents)", re.IGNORECASE)
_ENDS = re.compile(r"[.!?…][\s\"'”“’»«›‹)\]*_]*\Z")
_LEADER_WINDOW = 80
_BULLET = "-"
_ROMANS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"])
_LEADER = re.compile(r"(?:\.[ \u00a0]?){4,}[ \u00a0]*\d{1,4}\Z")


def outline(text: str, sentences: tuple[Span, ...], markup: str) -> list[Section]:
    """Return the sections of a text with its sentences that may answer, in order.

    Headings, metadata and tables of contents are left out: they hold no answer.
    """
    return _Outline(text, sentences).read(blocks(text, markup))


def plain(title: str) -> str:
    """Strip inline markup from a heading and make it a line like a title: bounded, without invisible characters."""
    return title_line(_ESCAPE.sub("", _MARKUP.sub(r"\1", title)))


class _Outline:
    def __init__(self, text: str, sentences: tuple[Span, ...]) -> None:
        self._text = text
        self._sentences = sentences
        self._next = 0
        self._headings: list[_Heading] = []
        self._sections: list[Section] = []
        self._pieces: list[Piece] = []
        self._start_section()

    def _start_section(self) -> None:
        if self._pieces:
            heading = tuple(heading.title for heading in self._headings)
            self._sections.append(Section(heading, tuple(self._pieces)))
        self._pieces = []
        self._paragraph = ""
        self._start_paragraph()

    def _start_paragraph(self) -> None:
        self._levels: list[_Level] = []
        self._last: Span | None = None
        self._last_kind = Kind.PROSE
        self._is_broken = False
        self._is_bare = False
        self._table: Span | None = None

    def read(self, found: list[Block]) -> list[Section]:
        for block in found:
            if block.kind is Kind.HEADING:
                self._start_section()
                self._enter_heading(block.level, plain(self._text[block.start : block.end]))
            self._take(block)
        self._start_section()
        return self._sections

    def _enter_heading(self, level: int, title: str) -> None:
        """Keep the headings above; a § lies below its Abschnitt even where both have the same markup."""
        rank = division_rank(title)
        self._headings = [
            above for above in self._headings if above.level < level or (above.level == level and 0 < above.rank < rank)
        ]
        self._headings.append(_Heading(level, rank, title))

    def _take(self, block: Block) -> None:
        """Give the sentences of a block their place."""
        first = self._next
        while self._next < len(self._sentences) and self._sentences[self._next].start < block.end:
            self._next += 1
        spans = self._sentences[first : self._next]
        if not spans or block.kind not in CONTENT or self._is_contents(block):
            return
        opens_group = self._opens_group(block)
        path, lead_in = self._place(block)
        for offset, span in enumerate(spans):
            self._pieces.append(
                Piece(first + offset, span, block.kind, self._paragraph, path, lead_in, opens_group and offset == 0)
            )
        self._last, self._last_kind = spans[-1], block.kind
        self._is_bare = bool(block.marks) and self._text[block.start : block.end] == block.marks[-1]

    def _opens_group(self, block: Block) -> bool:
        if block.kind is Kind.PROSE and not block.paragraph:
            goes_on = self._paragraph or self._is_bare or self._text[block.start].islower()
            return not goes_on
        return bool(block.paragraph)

    def _place(self, block: Block) -> tuple[tuple[str, ...], Span | None]:
        """Return the marks around a block and what introduces it."""
        if block.paragraph:
            self._start_paragraph()
            self._paragraph = block.paragraph
        if block.kind is Kind.ROW:
            return (), self._enter_row(block)
        if block.marks:
            self._enter_item(block.marks)
        elif not self._is_bare:
            self._is_broken = True
            goes_on = bool(self._levels) and self._text[block.start].islower()
            return (), self._levels[0].lead_in if goes_on else None
        path = tuple(level.mark for level in self._levels if level.style != _BULLET)
        return path, self._levels[-1].lead_in

    def _enter_row(self, block: Block) -> Span | None:
        if self._last_kind is not Kind.ROW:
            self._table = self._last if self._last and self._last.of(self._text).endswith(":") else None
        introduced_by = self._table
        if block.opens_table:
            self._table = self._joined(introduced_by, Span(block.start, block.end))
        return introduced_by

    def _enter_item(self, marks: tuple[str, ...]) -> None:
        lead_in: Span | None = None
        for depth, mark in enumerate(marks):
            style = self._style(mark)
            known = next((n for n, level in enumerate(self._levels) if level.style == style), None)
            begins = mark.strip("().") in _FIRST_MARKS or (style == _BULLET and self._is_broken)
            if known is not None and not begins:
                lead_in = self._levels[known].lead_in
            elif depth == 0:
                lead_in = None if known is not None and not self._is_broken else self._introduction()
            del self._levels[len(self._levels) if known is None else known :]
            self._levels.append(_Level(style, mark, lead_in))
        self._is_broken = False

    def _introduction(self) -> Span | None:
        """Return the text before a list, with the outer introduction when that stands right before it.

        A sentence that is complete introduces nothing.
        """
        if self._last is None or self._last_kind is Kind.ROW or _ENDS.search(self._last.of(self._text)):
            return None
        outer = self._levels[-1].lead_in if self._levels and not self._is_broken else None
        return self._joined(outer, self._last)

    def _joined(self, outer: Span | None, inner: Span) -> Span:
        if outer is None or outer.end > inner.start or inner.end - outer.start > _LONGEST_LEAD_IN:
            return inner
        return Span(outer.start, inner.end) if self._text[outer.end : inner.start].isspace() else inner

    def _style(self, mark: str) -> str:
        bare = mark.strip("().")
        if not bare.isalnum() and not bare[:1].isdigit():
            return _BULLET
        if bare[0].isdigit():
            return "1" + "." * bare.count(".") + mark[-1]
        roman = "I" if bare[0].isupper() else "i"
        is_known = any(level.style == roman for level in self._levels)
        if bare.lower() in _ROMANS and (is_known or (bare == roman and not self._follows_h())):
            return roman
        return ("A" if bare[0].isupper() else "a" * len(bare)) + mark[0] * (mark[0] == "(")

    def _follows_h(self) -> bool:
        return any(level.mark.strip("().") in {"h", "H"} for level in self._levels)

    def _is_contents(self, block: Block) -> bool:
        shown = self._text[block.start : block.end]
        if _LEADER.search(shown, max(0, len(shown) - _LEADER_WINDOW)):
            return True
        titled = bool(self._headings) and _CONTENTS.fullmatch(self._headings[-1].title) is not None
        return titled and (block.kind is not Kind.PROSE or not shown.endswith((".", "!", "?")))
