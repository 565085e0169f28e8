"""Ports of a question: searches, models, and the texts behind hits.

A search that cannot answer raises ``PartError`` with its own name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from domain.asking.visibility import Visible
from domain.knowledge.text import Span

ELISION: Final = "[…]"
"""Stands for what is left out of a quote."""


@dataclass(frozen=True, slots=True, order=True)
class PassageId:
    """A passage: ordinal of its version and its number inside the version, from 0."""

    ordinal: int
    number: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with the score of one search; higher is better."""

    passage: PassageId
    score: float


@dataclass(frozen=True, slots=True)
class PassageText:
    """A passage with its words.

    Attributes:
        text: cut from the stored text, ``span.of(stored)``; ``markup``: ``markdown`` or ``plain``, how to show it.
        mark: what stands before it in its line, such as the mark of a list item.
        lead_in: words that introduce the enumeration, or empty; ``lead_in_span``: where they stand.
        sentences: spans of its sentences in the stored text, in order.
        page: physical page from 1 and printed label, if the version has pages.
        search_text: what the searches see: heading path, lead-in and words, without markup and hyphenation.
        place: citation place inside the section; ``places``: of each sentence, empty where all stand in ``place``.
        goes_on: the list or the table that it ends in has more in the next passage.
    """

    id: PassageId
    span: Span
    text: str
    mark: str
    markup: str
    section: tuple[str, ...]
    place: str
    lead_in: str
    lead_in_span: Span | None
    sentences: tuple[Span, ...]
    page: int | None
    page_label: str | None
    search_text: str
    places: tuple[str, ...] = ()
    goes_on: bool = False

    def place_of(self, sentence: Span) -> str:
        """Return the citation place of a sentence, that of the passage where it has none of its own."""
        own = dict(zip(self.sentences, self.places, strict=False))
        return own.get(sentence, self.place)


class DenseEncoder(Protocol):
    """Maps texts to unit vectors.

    ``fingerprint`` names model, version and weights; vectors of two fingerprints never meet in one search.
    """

    name: str

    @property
    def version(self) -> str:
        """Version of the model."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and weights."""
        ...

    async def encode(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return one unit vector for each text of a passage, all of the same size."""
        ...

    async def question(self, text: str) -> tuple[float, ...]:
        """Return the unit vector of a question; some models read questions otherwise than passages."""
        ...


class SparseEncoder(Protocol):
    """Maps texts to weights of features: which parts of words, or which words, count how much.

    Another model than the dense one. ``fingerprint`` names model, version and weights, as for ``DenseEncoder``.
    """

    name: str

    @property
    def version(self) -> str:
        """Version of the model."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and weights."""
        ...

    async def encode(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Return the positive weights of each text of a passage, by feature."""
        ...

    async def question(self, text: str) -> dict[str, float]:
        """Return the positive weights of a question, by feature."""
        ...


class SparseIndex(Protocol):
    """Search by weighted features."""

    async def search(self, weights: Mapping[str, float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that share at least one feature with the question, best first, ties by passage.

        What a feature counts depends on the question, the passage and the visible passages, and on nothing else.
        """
        ...


class DenseIndex(Protocol):
    """Search by meaning."""

    async def search(self, vector: Sequence[float], visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return the nearest passages by cosine similarity, best first, ties by passage."""
        ...

    async def vectors(self, passages: Sequence[PassageId], visible: Visible) -> list[tuple[float, ...]]:
        """Return the stored unit vectors in the order asked; every passage must belong to ``visible``."""
        ...


class LexicalIndex(Protocol):
    """Search by words (BM25, Robertson et al. 1994) under statistics of the visible passages only."""

    async def search(self, text: str, visible: Visible, limit: int) -> tuple[Hit, ...]:
        """Return passages that share at least one term with ``text``, best first, ties by passage."""
        ...


class PassageTexts(Protocol):
    """The words behind hits."""

    async def texts(self, passages: Sequence[PassageId], visible: Visible) -> tuple[PassageText, ...]:
        """Return the passages in the order asked; every one must belong to ``visible``."""
        ...


class Reranker(Protocol):
    """Reads question and passage together.

    ``fingerprint`` names model, version and weights; thresholds are bound to it. ``threshold`` is the relevance
    threshold that it was calibrated for, ``None`` when nobody has calibrated it yet.
    """

    name: str

    @property
    def version(self) -> str:
        """Version of the model."""
        ...

    @property
    def threshold(self) -> float | None:
        """The threshold that it was calibrated for."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version and weights."""
        ...

    async def scores(self, question: str, passages: Sequence[PassageText]) -> list[float]:
        """Return for each passage how well it answers the question, in [0, 1]."""
        ...


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A selected passage under its label, with the score that it was selected for.

    ``is_cited``: the question cites it by number, and it passes the relevance gate by itself.
    """

    label: str
    passage: PassageText
    score: float
    is_cited: bool = False


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence that an answer can be made of.

    Attributes:
        span: where it stands in the stored text.
        lead_in: where the words stand that introduce it.
        text: lead-in and sentence, each as stored, a space between them, or a line break where they are shown on
            lines of their own.
        form: ``prose``, ``list`` for a whole enumeration, ``rows`` for a table or a part of it.
        is_late, is_cut: items lie between the lead-in and the first one, or behind the last one.
    """

    label: str
    passage: PassageText
    span: Span
    lead_in: Span | None
    text: str
    form: str = "prose"
    is_late: bool = False
    is_cut: bool = False

    @property
    def opening(self) -> int:
        """Code points of ``text`` that introduce the rest."""
        return self.lead_in.end - self.lead_in.start if self.lead_in else 0

    @property
    def told(self) -> str:
        """Return the text with a mark on a line of its own for items that are left out."""
        head = f"{self.text[: self.opening]}\n{ELISION}" if self.is_late else self.text[: self.opening]
        return head + self.text[self.opening :] + (f"\n{ELISION}" if self.is_cut else "")
