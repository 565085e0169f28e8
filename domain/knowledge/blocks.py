"""The lines of a stored text as blocks: headings, paragraphs, list items, table rows, metadata.

A block is what one sentence cannot leave: blank lines, headings, list marks and rows end it, a line break inside
a paragraph does not. Block markup (``#``, ``|``, ``>``, bullets, fences, tags) lies outside the block's range, and
so does the mark of a numbered paragraph, "(1)"; the mark of an item, "3." or "a)", is part of its text.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import Enum

from domain.knowledge.numbered_headings import numbered_heading


class Kind(Enum):
    """What a block is; only the first four are content that may answer."""

    PROSE = "prose"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    HEADING = "heading"
    METADATA = "metadata"


CONTENT = frozenset({Kind.PROSE, Kind.ITEM, Kind.ROW, Kind.CODE})


@dataclass(frozen=True, slots=True)
class Block:
    """A block and its range in the text.

    Attributes:
        kind: what it is.
        start: first code point of its text, behind the markup.
        end: behind its last visible code point.
        marks: marks of the item, outermost first ("3.", "a)", "-"), else empty.
        paragraph: number of the paragraph when the block opens one ("1a" of "(1a)"), else empty.
        level: depth of a heading from 1, else 0.
        opens_table: the row is the first of its table.
    """

    kind: Kind
    start: int
    end: int
    marks: tuple[str, ...] = ()
    paragraph: str = ""
    level: int = 0
    opens_table: bool = False


# Visible nothing: soft hyphen, zero-width characters, marks of direction.
_UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BLANK = re.compile(rf"[\s{_UNSEEN}]*+\Z")
_LINE = re.compile(r"[^\n]*+\n?")

_TAGS = (
    "address|article|aside|blockquote|body|br|caption|center|col|colgroup|dd|div|dl|dt|fieldset|figure|footer|form|"
    "h[1-6]|head|header|hr|html|img|legend|li|link|main|meta|nav|ol|option|p|pre|section|table|tbody|td|tfoot|th|"
    "thead|title|tr|ul"
)
_BLOCK_TAG = re.compile(rf"</?(?:{_TAGS})(?:[\s/][^<>]*+)?>|<!--(?:(?!-->)[^\n])*+-->", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>|!?\[\]\([^()\s]*+\)")
_RULE = re.compile(r"\s*+(?:\\?-|\\?[*_=~-](?:[ \t]*+[*_=~-]){2,}+)\s*+\Z")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)++")
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]++|(?=\n|\Z))")
_FENCE = re.compile(r"[ \t]*+(`{3,}|~{3,}|\$\$)")
_NOTE = re.compile(r"\s*+\(\+\+\+\s*+")
_TITLE = re.compile(r"%[ \t]*+")
_PARAGRAPH = re.compile(r"\s*+\((\d{1,3}[a-z]{0,2})\)(?=\s)\s*+|\s*+([\u00b9\u00b2\u00b3\u2070-\u2079]++[a-z]?)\s++")
_BULLET = re.compile(r"\s*+([-*+•–—·‣▪▫◦●○■□➢➤✓✔→])(?:\s++(?:\[[ xX]\]\s++)?|\s*+\Z)")
_SAFE_BULLETS = frozenset("•·‣▪▫◦●○■□➢➤✓✔→")
_ITEM = re.compile(
    r"\s*+(\d{1,3}[a-z]{0,2}\\?[.)]|\d{1,3}(?:\.\d{1,3}){1,4}\.?|[a-zäöü]\.|([a-zäöü])\2{0,2}\)|[ivx]{1,5}\)"
    r"|\([a-zäöü]{1,4}\)|[A-Z]\)|[IVX]{1,5}\.)(?=\s|\Z)"
)
_DATE = re.compile(
    r"\s++(?:Jan|Jän|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Mar|May|Oct|Dec|\d{1,2}\.)[\w.]*+(?:\s|\Z|,)"
)
_ABBREVIATED = re.compile(r"\s++\w{1,2}\.")
_SEPARATOR = re.compile(r"[ \t]*+\|?[ \t]*+:?-[-:| \t]*+\Z")
_VISIBLE = re.compile(r"\S[^\n]*+")
_CLOSING_HASHES = re.compile(r"(?:\A|(?<=\s))#++\s*+\Z|\s++\Z")
_DEEPEST = 3
_ENDED = (".", ";", ":", "!", "?", ",", " und", " oder", " sowie", " and", " or")


def is_blank(text: str) -> bool:
    """Say whether ``text`` shows nothing."""
    return _BLANK.match(text) is not None


def blocks(text: str, markup: str) -> list[Block]:
    """Return the blocks of a text in order.

    Args:
        text: the stored text.
        markup: ``markdown`` or ``plain``.
    """
    return _Scan(text, is_markdown=markup == "markdown").run()


class _Scan:
    """One pass over the lines; at most one block is open at a time."""

    def __init__(self, text: str, *, is_markdown: bool) -> None:
        self._text = text
        self._is_markdown = is_markdown
        self._found: list[Block] = []
        self._open: Block | None = None
        self._lines_open = 0
        self._fence = ""
        self._in_note = False
        self._in_table = False
        self._at_top = True
        self._letter = ""

    def run(self) -> list[Block]:
        """Return all blocks."""
        for line in _LINE.finditer(self._text, self._front_matter()):
            start, end = line.span()
            if start < end:
                self._read(start, end - 1 if self._text[end - 1] == "\n" else end)
        self._close()
        return self._found

    def _front_matter(self) -> int:
        """Record the YAML block at the top of a Markdown file, and return where the body begins."""
        if not (self._is_markdown and self._text.startswith("---\n")):
            return 0
        end = self._text.find("\n---\n", 3)
        if end < 0 or "\n\n" in self._text[:end]:
            return 0
        for line in _LINE.finditer(self._text, 4, end):
            self._begin(Kind.METADATA, line.start(), line.end())
        self._close()
        return end + 5

    def _read(self, start: int, end: int) -> None:
        line = self._text[start:end]
        if not line or line.isspace() or is_blank(line):
            self._in_table = self._in_note = False
            self._close()
        elif self._fence or (self._is_markdown and _FENCE.match(line)):
            self._read_code(line, start, end)
        elif self._in_note or _NOTE.match(line):
            self._read_note(line, start, end)
        elif self._at_top and line.startswith("%") and (title := _TITLE.match(line)):
            self._begin(Kind.METADATA, start + title.end(), end)
            self._close()
        else:
            self._at_top = False
            self._read_text(start, end)

    def _read_code(self, line: str, start: int, end: int) -> None:
        mark = _FENCE.match(line)
        if not self._fence and mark:
            self._close()
            self._fence = mark[1]
        elif mark and mark[1].startswith(self._fence):
            self._close()
            self._fence = ""
        elif self._open:
            self._extend(end)
        else:
            self._begin(Kind.CODE, start, end)

    def _read_note(self, line: str, start: int, end: int) -> None:
        mark = _NOTE.match(line)
        if mark:
            self._begin(Kind.METADATA, start + mark.end(), end)
        else:
            self._extend(end)
        self._in_note = not line.rstrip().endswith("+++)")
        if not self._in_note:
            self._close()

    def _read_text(self, start: int, end: int) -> None:
        if self._is_markdown:
            start = self._behind_markup(start, end)
        if is_blank(self._text[start:end]):
            return
        if rule := _RULE.match(self._text, start, end):
            self._read_rule(rule[0].strip())
        elif self._is_markdown and (heading := _HEADING.match(self._text, start, end)):
            self._begin(Kind.HEADING, heading.end(), end, level=len(heading[1]))
            self._close()
        elif self._is_markdown and self._read_row(start, end):
            pass
        elif not self._read_marked(start, end):
            self._read_prose(start, end)

    def _behind_markup(self, start: int, end: int) -> int:
        """Skip quote marks and block tags at the beginning; a tag other than a line break ends the open block."""
        text = self._text
        if quote := _QUOTE.match(text, start, end):
            start = quote.end()
        while start < end:
            behind = start + len(text[start:end]) - len(text[start:end].lstrip())
            tag = _BLOCK_TAG.match(text, behind, end) if text.startswith("<", behind) else None
            if tag is None:
                break
            if not tag[0].lower().startswith("<br"):
                self._close()
            start = tag.end()
        return start

    def _read_rule(self, rule: str) -> None:
        """Underline a heading, or separate blocks."""
        block = self._open
        underlines = rule[0] in "=-" and len(set(rule)) == 1 and len(rule) > 1
        if block and block.kind is Kind.PROSE and self._lines_open == 1 and underlines:
            self._open = replace(block, kind=Kind.HEADING, level=1 if rule[0] == "=" else 2)
        self._close()

    def _read_row(self, start: int, end: int) -> bool:
        """Read a table row; the line below the head tells that the row above was it."""
        line = self._text[start:end]
        if "|" not in line and not self._in_table:
            return False
        if "-" in line and "|" in line and _SEPARATOR.match(line):
            if self._open and self._lines_open == 1 and "|" in self._text[self._open.start - 1 : self._open.end]:
                self._open = replace(self._open, kind=Kind.ROW, opens_table=True)
            self._close()
            self._in_table = True
            return True
        if not (self._in_table or line.lstrip().startswith("|")):
            return False
        visible = line.lstrip(" \t\u00a0|")
        if not is_blank(visible.rstrip(" \t\u00a0|")):
            self._begin(Kind.ROW, end - len(visible), end)
        else:
            self._close()
        return True

    def _read_marked(self, start: int, end: int) -> bool:
        """Read a line that begins with the mark of a paragraph or an item."""
        text = self._text
        if (found := _PARAGRAPH.match(text, start, end)) and self._may_interrupt(
            continues=self._open is not None and bool(self._open.paragraph)
        ):
            number = found[1] or unicodedata.normalize("NFKC", found[2])
            items, _ = self._marks(found.end(), end)
            kind = Kind.ITEM if items else Kind.PROSE
            self._begin(kind, found.end(), end, marks=items, paragraph=number)
            return True
        if (found := _BULLET.match(text, start, end)) and self._is_bullet(found[1]):
            self._begin(Kind.ITEM, found.end(), end, marks=(found[1],))
            return True
        items, begin = self._marks(start, end)
        if not items or not self._may_interrupt(continues=self._open is not None and bool(self._open.marks)):
            return False
        if not self._is_markdown and self._heading_level(start, end):
            return False
        self._begin(Kind.ITEM, begin, end, marks=items)
        return True

    def _read_prose(self, start: int, end: int) -> None:
        if (
            not self._is_markdown
            and self._may_interrupt(continues=False)
            and (level := self._heading_level(start, end))
        ):
            self._begin(Kind.HEADING, start, end, level=level)
            self._close()
        elif self._open and self._open.kind in {Kind.PROSE, Kind.ITEM}:
            self._extend(end)
        else:
            self._begin(Kind.PROSE, start, end)

    def _marks(self, start: int, end: int) -> tuple[tuple[str, ...], int]:
        """Return the item marks at the beginning of a line, outermost first, and where the first begins."""
        found: list[str] = []
        begin = position = start
        while len(found) < _DEEPEST and (mark := _ITEM.match(self._text, position, end)):
            if not self._is_mark(mark[1], mark.end(), end):
                break
            begin = begin if found else mark.start(1)
            found.append(mark[1].replace("\\", ""))
            position = mark.end()
        return tuple(found), begin

    def _is_mark(self, mark: str, position: int, end: int) -> bool:
        """Tell "3. im Übrigen" from "3. Oktober", and "a. der Käufer" from "s. oben" and "i. d. R."."""
        if mark[0].isdigit():
            return not (mark.endswith(".") and _DATE.match(self._text, position, end))
        if not mark.endswith("."):
            return True
        if _ABBREVIATED.match(self._text, position, end):
            return False
        if mark[0].islower():
            follows = mark[0] == "a" or ord(mark[0]) == ord(self._letter or "\0") + 1
            self._letter = mark[0] if follows else self._letter
            return follows
        return True

    def _may_interrupt(self, *, continues: bool) -> bool:
        """Say whether a mark may begin here: after a blank line, a finished line, or in a row of such marks."""
        block = self._open
        if block is None or continues:
            return True
        return self._text[max(block.start, block.end - 6) : block.end].endswith(_ENDED)

    def _is_bullet(self, mark: str) -> bool:
        if mark in _SAFE_BULLETS or (self._is_markdown and mark in "-*+"):
            return True
        return self._may_interrupt(continues=self._open is not None and self._open.marks[-1:] == (mark,))

    def _heading_level(self, start: int, end: int) -> int:
        following = _VISIBLE.search(self._text, end)
        below = following[0] if following else ""
        gap = following is None or "\n" in self._text[end + 1 : following.start()]
        in_list = bool(self._found) and self._found[-1].kind is Kind.ITEM
        return numbered_heading(self._text[start:end], below, gap=gap, in_list=in_list)

    def _begin(
        self, kind: Kind, start: int, end: int, *, marks: tuple[str, ...] = (), paragraph: str = "", level: int = 0
    ) -> None:
        self._close()
        self._open = Block(kind, start, end, marks, paragraph, level)
        self._lines_open = 1
        self._extend(end, lines=0)

    def _extend(self, end: int, *, lines: int = 1) -> None:
        """Let the open block reach to the last visible code point before ``end``."""
        if self._open:
            self._open = replace(self._open, end=self._last_visible(self._open, end))
            self._lines_open += lines

    def _last_visible(self, block: Block, end: int) -> int:
        text = self._text
        end = _strip_end(text, block.start, end)
        if block.kind is Kind.METADATA and text.endswith("+++)", block.start, end):
            end = _strip_end(text, block.start, end - 4)
        while self._is_markdown and text.endswith(">", block.start, end):
            tag = _BLOCK_TAG.fullmatch(text, max(block.start, text.rfind("<", block.start, end)), end)
            if not tag:
                break
            end = _strip_end(text, block.start, tag.start())
        if block.kind is Kind.HEADING and self._is_markdown:
            end = block.start + len(_CLOSING_HASHES.sub("", text[block.start : end]))
        if block.kind is Kind.ROW:
            end = block.start + len(text[block.start : end].rstrip(" \t\u00a0|"))
        return end

    def _close(self) -> None:
        """Record the open block unless it shows nothing but markup."""
        block, self._open = self._open, None
        if block is None:
            return
        start = first_visible(self._text, block.start, block.end)
        shown = self._text[start : block.end]
        if self._is_markdown and ("<" in shown or "](" in shown):
            shown = _TAG.sub("", shown)
        if not is_blank(shown):
            self._found.append(replace(block, start=start))


def _strip_end(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def first_visible(text: str, start: int, end: int) -> int:
    """Return where white space ends, or the base character when a combining mark would come first."""
    first = start + len(text[start:end]) - len(text[start:end].lstrip())
    while 0 < first < end and extends(text[first]) and text[first - 1] not in "\n\r":
        first -= 1
    return first


def extends(character: str) -> bool:
    """Say whether a character belongs to the grapheme of the one before it."""
    if character < "\u0300":
        return False
    skin_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return skin_tone or character == "\u200d" or unicodedata.category(character) in {"Mn", "Me", "Mc"}
