"""A stored text as sentences.

``split`` gives every unit of the text: sentences, and also headings, table rows and metadata lines, each a span of
its own. What may answer a question is the units of the kinds in ``block.CONTENT``; only those lie in passages.

A dot, question mark, exclamation mark or ellipsis ends a sentence when white space follows and what comes next can
open one. For the dot the tables in ``sentence_rules.py`` decide. A quotation or bracket that the sentence goes on
behind is not cut.

No unit is longer than ``LONGEST``: data without a blank, or a list without an end, would otherwise be one sentence
that every search, model and reader has to take whole. The acts have no sentence of that length.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from domain.knowledge.block import Block, Kind
from domain.knowledge.blocks import blocks
from domain.knowledge.full_stops import ends_sentence
from domain.knowledge.sentence_rules import RULES
from domain.knowledge.text import Span
from domain.knowledge.visible import extends, first_visible, last_visible

__all__ = ["LONGEST", "RULES", "Unit", "split", "split_block", "units"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A span and what it is."""

    span: Span
    kind: Kind


_TERMINATOR = re.compile(
    r"(?:[.!?…‽؟۔।]++|[。！？]++)"
    r"(?:[)\]}\"”“»«’‘'›‹*_~`†‡\u00b9\u00b2\u00b3\u2070-\u2079]|\\[*_)\]]|<sup>[^<>\n]{1,8}</sup>|</?[A-Za-z][^<>\n]*+>|\[\^?\w{1,4}\])*+"
    r"(?:(?<=[a-zäöüß][a-zäöüß]\.)\d{1,2}(?=\s))?"
)
_NEXT = re.compile(
    r"\s++(?:[„“”\"»«‚‘’'›‹(\[{*_~`–—−•·|\u00b9\u00b2\u00b3\u2070-\u2079]|\\[*_\[(]|-\s|<[A-Za-z][^<>\n]*+>|\[…\]|\[\.\.\.\])*+\s*+"
)
LONGEST = 2_000
"""Code points of a unit at most, unless a single grapheme is longer."""

_PAIRS = {"(": ")", "[": "]", "„": '“”"', "»": "«", "«": "»", "“": "”", "‚": "‘’", "‹": "›", "›": "‹", '"': '"'}
_BRACKET = re.compile(r"[()\[\]„“”»«‚‘’‹›\"]")
_LONGEST_INSERTION = 500
_DEEPEST = 4
_GOES_ON = re.compile(r"[ \u00a0]?[,;.:!?)\]…]|\s++[a-zäöüß(–]")


def split(text: str, markup: str) -> tuple[Span, ...]:
    """Cut a text into its units, in order, without overlap.

    Args:
        text: the stored text.
        markup: ``markdown`` or ``plain``.

    Returns:
        Spans trimmed of white space; together they cover all that is not white space or block markup.
    """
    return tuple(span for block in blocks(text, markup) for span in split_block(text, block))


def units(text: str, markup: str) -> tuple[Unit, ...]:
    """Cut a text like ``split``, and say what each unit is."""
    return tuple(Unit(span, block.kind) for block in blocks(text, markup) for span in split_block(text, block))


def split_block(text: str, block: Block) -> list[Span]:
    """Cut one block; headings, rows, code and metadata stay whole as far as ``LONGEST`` lets them."""
    spans: list[Span] = []
    start = block.start
    for end, following in _boundaries(text, block) if block.kind in {Kind.PROSE, Kind.ITEM} else ():
        spans += _bounded(text, start, end)
        start = following
    return [*spans, *_bounded(text, start, block.end)]


def _bounded(text: str, start: int, end: int) -> Iterator[Span]:
    """Cut what is too long for a unit: at white space, else between two graphemes."""
    while end - start > LONGEST:
        border = _border(text, start, end)
        if border >= end:
            break
        yield Span(start, last_visible(text, start, border))
        start = first_visible(text, border, end)
    yield Span(start, end)


def _border(text: str, start: int, end: int) -> int:
    """Return where a unit from ``start`` on is cut; ``end`` where nothing but one grapheme is left."""
    backwards = range(start + LONGEST, start, -1)
    blank = next((at for at in backwards if text[at].isspace() and _is_border(text, at + 1)), None)
    if blank is not None:
        return blank
    places = (at for places in (backwards, range(start + LONGEST, end)) for at in places)
    return next((at for at in places if _is_border(text, at)), end)


def _is_border(text: str, at: int) -> bool:
    return text[at - 1] != "\u200d" and not extends(text[at])


def _boundaries(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield where a sentence ends and where the next begins."""
    insertions: list[tuple[int, int]] | None = None
    start = block.start
    for found in _TERMINATOR.finditer(text, block.start, block.end):
        end = found.end()
        if end >= block.end or not _may_end(text, start, found):
            continue
        if insertions is None:
            insertions = _insertions(text, block)
        if _is_inside(insertions, found.start()):
            continue
        following = first_visible(text, end, block.end)
        if following < block.end:
            yield end, following
            start = following


def _may_end(text: str, start: int, found: re.Match[str]) -> bool:
    end = found.end()
    if found[0][0] in "。！？":
        return not extends(text[end])
    if not text[end].isspace() or (end + 1 < len(text) and text[end] not in "\n\r" and extends(text[end + 1])):
        return False
    following = _NEXT.match(text, end)
    opening = following.end() if following else end
    return ends_sentence(text, start, found.start(), found[0], opening)


def _insertions(text: str, block: Block) -> list[tuple[int, int]]:
    """Return the brackets and quotations behind which the sentence goes on, outermost only, in order."""
    stack: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for sign in _BRACKET.finditer(text, block.start, block.end):
        position = sign.start()
        depth = next((n for n in range(1, min(len(stack), _DEEPEST) + 1) if sign[0] in _PAIRS[stack[-n][0]]), 0)
        if depth:
            opened = stack[-depth][1]
            del stack[-depth:]
            if position - opened <= _LONGEST_INSERTION and _GOES_ON.match(text, position + 1, block.end):
                while found and found[-1][0] > opened:
                    found.pop()
                found.append((opened, position))
        elif sign[0] in _PAIRS:
            stack.append((sign[0], position))
    return found


def _is_inside(insertions: list[tuple[int, int]], position: int) -> bool:
    index = bisect_left(insertions, (position, 0)) - 1
    return index >= 0 and position < insertions[index][1]
