"""The lines of a stored text as blocks: headings, paragraphs, list items, table rows, metadata.

A block is what one sentence cannot leave: blank lines, headings, list marks and rows end it, a line break inside
a paragraph does not. Block markup (``#``, ``|``, ``>``, bullets, fences, tags) lies outside the block's range, and
so does the mark of a numbered paragraph, "(1)"; the mark of an item, "3." or "a)", is part of its text.
"""

import re
import unicodedata
from dataclasses import replace

from domain.knowledge.block import Block, Kind
from domain.knowledge.marks import bullet_mark, is_followed_up, is_sure_bullet, item_marks, paragraph_mark
from domain.knowledge.numbered_headings import is_title, numbered_heading
from domain.knowledge.visible import first_visible, is_blank, last_visible

_LINE = re.compile(r"[^\n]*+\n?")

_TAGS = (
    "address|article|aside|blockquote|body|br|caption|center|col|colgroup|dd|div|dl|dt|fieldset|figure|footer|form|"
    "h[1-6]|head|header|hr|html|img|legend|li|link|main|meta|nav|ol|option|p|pre|section|table|tbody|td|tfoot|th|"
    "thead|title|tr|ul"
)
_BLOCK_TAG = re.compile(rf"</?(?:{_TAGS})(?:[\s/][^<>]*+)?>|<!--(?:(?!-->)[^\n])*+-->", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>|!?\[\]\([^()\s]*+\)")
_RULE = re.compile(r"\s*+(?:\\?-|(?:\\?[*_=~-][ \t\u00a0]*+){3,}+)\s*+\Z")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)++")
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]++|(?=\n|\Z))")
_FENCE = re.compile(r"[ \t]*+(`{3,}|~{3,}|\$\$)")
_NOTE = re.compile(r"\s*+\(\+\+\+\s*+")
_TITLE = re.compile(r"%[ \t]*+")
_SEPARATOR = re.compile(r"[ \t]*+\|?[ \t]*+:?-[-:| \t]*+\Z")
_VISIBLE = re.compile(r"\S[^\n]*+")
_CLOSING_HASHES = re.compile(r"(?:\A|(?<=\s))#++\Z")
_SPACE = re.compile(r"\s*+")
_TAIL = 24
_ENDED = (".", ";", ":", "!", "?", ",", " und", " oder", " sowie", " and", " or")


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
            space = _SPACE.match(text, start, end)
            tag = _BLOCK_TAG.match(text, space.end() if space else start, end)
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
        text, block = self._text, self._open
        paragraph = paragraph_mark(text, start, end)
        if paragraph and self._may_interrupt(continues=block is not None and bool(block.paragraph)):
            number = paragraph[1] or unicodedata.normalize("NFKC", paragraph[2])
            marks, _ = item_marks(text, paragraph.end(), end, self._letter)
            kind = Kind.ITEM if marks else Kind.PROSE
            self._begin(kind, paragraph.end(), end, marks=marks, paragraph=number)
            return True
        bullet = bullet_mark(text, start, end)
        if bullet and self._is_bullet(bullet[1]):
            self._begin(Kind.ITEM, bullet.end(), end, marks=(bullet[1],))
            return True
        return self._read_item(start, end)

    def _read_item(self, start: int, end: int) -> bool:
        marks, begin = item_marks(self._text, start, end, self._letter)
        if not marks or not (self._may_interrupt(continues=self._is_item()) or self._is_followed_up(marks[0], end)):
            return False
        if not self._is_markdown and self._heading_level(start, end):
            return False
        if marks[0][0].isalpha() and marks[0].endswith("."):
            self._letter = marks[0][0]
        self._begin(Kind.ITEM, begin, end, marks=marks)
        return True

    def _is_item(self) -> bool:
        return self._open is not None and bool(self._open.marks)

    def _is_followed_up(self, mark: str, end: int) -> bool:
        return is_followed_up(self._text, mark, end)

    def _is_bullet(self, mark: str) -> bool:
        if is_sure_bullet(mark, is_markdown=self._is_markdown):
            return True
        return self._may_interrupt(continues=self._open is not None and self._open.marks[-1:] == (mark,))

    def _read_prose(self, start: int, end: int) -> None:
        if (
            not self._is_markdown
            and self._may_interrupt(continues=False)
            and (level := self._heading_level(start, end) or self._title_level(start, end))
        ):
            self._begin(Kind.HEADING, start, end, level=level)
            self._close()
        elif self._open and self._open.kind in {Kind.PROSE, Kind.ITEM}:
            self._extend(end)
        else:
            self._begin(Kind.PROSE, start, end)

    def _may_interrupt(self, *, continues: bool) -> bool:
        """Say whether a mark may begin here: after a blank line, a finished line, or in a row of such marks."""
        block = self._open
        if block is None or continues:
            return True
        return self._text[max(block.start, block.end - _TAIL) : block.end].rstrip().endswith(_ENDED)

    def _heading_level(self, start: int, end: int) -> int:
        below, gap = self._below(end)
        in_list = bool(self._found) and self._found[-1].kind is Kind.ITEM
        return numbered_heading(self._text[start:end], below, gap=gap, in_list=in_list)

    def _title_level(self, start: int, end: int) -> int:
        """Return 1 for the line above everything else of a text, set apart from it, 0 for any other."""
        below, gap = self._below(end)
        is_first = not self._found and self._open is None
        return 1 if is_first and below and gap and is_title(self._text[start:end]) else 0

    def _below(self, end: int) -> tuple[str, bool]:
        """Return the next line that is not blank, and whether a blank one lies before it."""
        following = _VISIBLE.search(self._text, end)
        if following is None:
            return "", True
        return following[0], "\n" in self._text[end + 1 : following.start()]

    def _begin(
        self, kind: Kind, start: int, end: int, *, marks: tuple[str, ...] = (), paragraph: str = "", level: int = 0
    ) -> None:
        self._close()
        self._open = Block(kind, start, end, marks, paragraph, level)
        self._lines_open = 1

    def _extend(self, end: int) -> None:
        if self._open:
            self._open = replace(self._open, end=end)
            self._lines_open += 1

    def _close(self) -> None:
        """Record the open block unless it shows nothing but markup."""
        block, self._open = self._open, None
        if block is None:
            return
        start = first_visible(self._text, block.start, block.end)
        end = self._last_visible(block)
        shown = self._text[start:end]
        if self._is_markdown and ("<" in shown or "](" in shown):
            shown = _TAG.sub("", shown)
        if not is_blank(shown):
            self._found.append(replace(block, start=start, end=end))

    def _last_visible(self, block: Block) -> int:
        """Return where the block ends without the markup behind it."""
        text, start = self._text, block.start
        end = last_visible(text, start, block.end, also="|" if block.kind is Kind.ROW else "")
        if block.kind is Kind.METADATA and text.endswith("+++)", start, end):
            return last_visible(text, start, end - 4)
        if not self._is_markdown:
            return end
        while text.endswith(">", start, end):
            tag = _BLOCK_TAG.fullmatch(text, max(start, text.rfind("<", start, end)), end)
            if not tag:
                break
            end = last_visible(text, start, tag.start())
        hashes = _CLOSING_HASHES.search(text, start, end) if block.kind is Kind.HEADING else None
        return last_visible(text, start, hashes.start()) if hashes else end
