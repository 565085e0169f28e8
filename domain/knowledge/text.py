"""Values that describe a text: spans, sentences, passages, pages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Code points ``start`` (inclusive) to ``end`` (exclusive) of a stored text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Cut the span out of ``text``."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Page:
    """A page begins at ``start``; ``number`` counts from 1, ``label`` is what is printed ("iv", "17")."""

    start: int
    number: int
    label: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The searchable run of consecutive sentences.

    Attributes:
        span: from the first sentence to the end of the last.
        sentences: index of the first sentence and the index behind the last, into the version's sentences.
        section: heading path, outermost first, as plain text ("Teil 1", "§ 3 – Kündigung").
        lead_in: what introduces the enumeration that the passage is an item of.
        place: citation place inside the section as far as it is known ("Abs. 2 Nr. 3").
        places: citation place of each of its sentences, empty where all stand in ``place``.
    """

    span: Span
    sentences: tuple[int, int]
    section: tuple[str, ...]
    lead_in: Span | None = None
    place: str = ""
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extract:
    r"""What a reader made of a file.

    Attributes:
        text: stored form: NFC, line ends ``\\n``, otherwise exactly what the reader gave.
        markup: ``markdown`` or ``plain``; readers of other formats write headings, lists and tables as Markdown.
        title: the document's own title, if it has one.
        pages: where pages begin, in order; empty for formats without pages.
        reader: name and version of the reader, for example ``pdf/1``.
    """

    text: str
    markup: str
    title: str | None
    pages: tuple[Page, ...]
    reader: str
