"""Sentences gathered into passages, the runs that are searched.

A passage lies inside one section and, where it fits, is one numbered paragraph. Short neighbours share a passage,
long paragraphs are cut between sentences. Items that stand apart from what introduces them carry it as lead-in.

A heading without a body, "# § 10 – (weggefallen)", gives no passage: it holds no sentence that could be cited, and
a title alone would crowd out the sections that do answer. A body that says "(weggefallen)" is a sentence like any.
"""

from collections.abc import Iterator

from domain.knowledge.outline import Piece, Section, outline
from domain.knowledge.place import place
from domain.knowledge.text import Passage, Span

RULES = "passages/2"

# Sizes in code points. A passage should be about 300 to 600 long.
_SHORT = 200
_TARGET = 600
_WHOLE_PARAGRAPH = 700
# A shorter beginning, such as "4. Leistungen in Form einer", would say nothing on its own.
_FRAGMENT = 100


def cut(text: str, sentences: tuple[Span, ...], markup: str) -> tuple[Passage, ...]:
    """Gather the sentences of a text into passages.

    Args:
        text: the stored text.
        sentences: the spans of ``sentences.split``.
        markup: ``markdown`` or ``plain``.

    Returns:
        Passages in order; each sentence that may answer lies in exactly one, headings and metadata in none.
    """
    return tuple(
        _passage(chunk, section) for section in outline(text, sentences, markup) for chunk in _joined(_chunks(section))
    )


def _chunks(section: Section) -> Iterator[list[Piece]]:
    """Yield the paragraphs of a section, long ones in parts; a gap in the numbering ends a chunk as well."""
    group: list[Piece] = []
    for piece in section.pieces:
        if group and (piece.opens_group or piece.index != group[-1].index + 1):
            yield from _parts(group)
            group = []
        group.append(piece)
    yield from _parts(group)


def _parts(group: list[Piece]) -> Iterator[list[Piece]]:
    if _length(group) <= _WHOLE_PARAGRAPH:
        yield group
        return
    part: list[Piece] = []
    for piece in group:
        if part and piece.span.end - part[0].span.start > _TARGET and _length(part) >= _FRAGMENT:
            yield part
            part = []
        part.append(piece)
    yield part


def _joined(chunks: Iterator[list[Piece]]) -> Iterator[list[Piece]]:
    """Let short neighbours share a passage."""
    held: list[Piece] = []
    for chunk in chunks:
        if held and _may_join(held, chunk):
            held = held + chunk
        else:
            if held:
                yield held
            held = chunk
    if held:
        yield held


def _may_join(first: list[Piece], second: list[Piece]) -> bool:
    is_short = min(_length(first), _length(second)) < _SHORT
    follows = second[0].index == first[-1].index + 1
    return is_short and follows and second[-1].span.end - first[0].span.start <= _TARGET


def _length(pieces: list[Piece]) -> int:
    return pieces[-1].span.end - pieces[0].span.start


def _passage(pieces: list[Piece], section: Section) -> Passage:
    first = pieces[0]
    common = place(pieces)
    places = tuple(place([piece]) for piece in pieces)
    return Passage(
        span=Span(first.span.start, pieces[-1].span.end),
        sentences=(first.index, pieces[-1].index + 1),
        section=section.heading,
        lead_in=first.lead_in,
        place=common,
        places=() if set(places) == {common} else places,
    )
