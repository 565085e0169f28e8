"""The sentences that an answer can be made of, each with what introduces it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain.asking.ports import LabelledText, PassageText, Quotable
from domain.knowledge.block import Kind
from domain.knowledge.outline import Piece, outline
from domain.knowledge.search_text import search_text
from domain.knowledge.text import Span


@dataclass(frozen=True, slots=True)
class Candidate(Quotable):
    """A sentence of a selected passage, as it is judged.

    Attributes:
        kind: what its block is.
        is_named: a short value in the question singles it out from the rows of its table.
    """

    kind: Kind = Kind.PROSE
    is_named: bool = False

    @property
    def own(self) -> str:
        """Return its words without the lead-in, as a person reads them."""
        return search_text(words_of(self.passage, self.span), self.passage.markup).text

    @property
    def introduction(self) -> str:
        """Return the words of the lead-in as a person reads them, empty without one."""
        return search_text(words_of(self.passage, self.lead_in), self.passage.markup).text if self.lead_in else ""

    @property
    def plain(self) -> str:
        """Return lead-in and sentence as a person reads them."""
        return search_text(self.text, self.passage.markup).text


def candidates(passages: Sequence[LabelledText]) -> tuple[Candidate, ...]:
    """Return every sentence of ``passages`` that can stand in an answer, each place once."""
    found: dict[tuple[int, int], Candidate] = {}
    for one in passages:
        for piece, span, lead_in in _sentences(one.passage):
            is_row = piece.kind is Kind.ROW
            opening = "" if lead_in is None else words_of(one.passage, lead_in) + ("\n" if is_row else " ")
            text = opening + words_of(one.passage, span)
            form = "rows" if is_row else "prose"
            candidate = Candidate(one.label, one.passage, span, lead_in, text, form, kind=piece.kind)
            found.setdefault((one.passage.id.ordinal, span.start), candidate)
    return tuple(found.values())


def words_of(passage: PassageText, span: Span) -> str:
    """Return the stored words of a span of a passage, or of its lead-in."""
    if span == passage.lead_in_span:
        return passage.lead_in
    return _moved(span, -passage.span.start).of(passage.text)


def _sentences(passage: PassageText) -> Iterator[tuple[Piece, Span, Span | None]]:
    """Yield the sentences that say something by themselves, where they stand and what introduces them."""
    text = passage.mark + passage.text
    start = passage.span.start - len(passage.mark)
    sentences = tuple(_moved(span, -start) for span in passage.sentences)
    pieces = [piece for section in outline(text, sentences, passage.markup) for piece in section.pieces]
    introduces = {piece.lead_in.end for piece in pieces if piece.lead_in}
    goes_on = True
    for piece in pieces:
        # Items at the top of a passage belong to a list that begins above it.
        goes_on = (goes_on and piece.kind is not Kind.PROSE) or piece is pieces[0]
        lead_in = _moved(piece.lead_in, start) if piece.lead_in else passage.lead_in_span if goes_on else None
        words = piece.span.of(text)
        ends = piece.span.end in introduces or words.rstrip().endswith(":") or words in passage.section
        if not ends and _says_something(words, piece.kind):
            yield piece, _moved(piece.span, start), lead_in


def _says_something(words: str, kind: Kind) -> bool:
    """Say whether there is a word; a row says what its columns are called, so a figure is enough."""
    return any(one.isalpha() or (kind is Kind.ROW and one.isdigit()) for one in words)


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)
