"""Step 7: an answer made of the best sentences themselves, cut from the selected passages.

The sentences stay as they are: no word is added, dropped or moved. An item of an enumeration brings along what
introduces it, a heading is never an answer, and one sentence is enough when further ones tell nothing new.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from domain.asking.fit import focus, has_what_is_asked
from domain.asking.policies import BESIDE_THE_POINT, CLOSE, SENTENCES
from domain.asking.ports import LabelledText, PassageText, Quotable, Reranker
from domain.asking.words import content_words, named_in
from domain.knowledge.block import Kind
from domain.knowledge.outline import outline
from domain.knowledge.search_text import search_text
from domain.knowledge.text import Span


class Extractive:
    """``Formulator`` that writes nothing of its own."""

    name: Final = "extractive"
    version: Final = "1"

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    async def draft(self, question: str, passages: Sequence[LabelledText]) -> tuple[Quotable, ...]:
        """Return one to three sentences that answer ``question``; none when the passages hold no sentence."""
        sentences = quotables(passages)
        if not sentences:
            return ()
        scores = await self._reranker.scores(question, [_alone(sentence) for sentence in sentences])
        context = {one.label: one.score for one in passages}
        judged = [score * context[one.label] for one, score in zip(sentences, scores, strict=True)]
        return choose(question, sentences, [weigh(question, *one) for one in zip(sentences, judged, strict=True)])


def quotables(passages: Sequence[LabelledText]) -> tuple[Quotable, ...]:
    """Return every sentence of ``passages`` that can stand in an answer, each place once."""
    found: dict[tuple[int, int], Quotable] = {}
    for one in passages:
        for span, lead_in in _sentences(one.passage):
            opening = "" if lead_in is None else _words(one.passage, lead_in) + " "
            text = opening + _words(one.passage, span)
            found.setdefault(
                (one.passage.id.ordinal, span.start), Quotable(one.label, one.passage, span, lead_in, text)
            )
    return tuple(found.values())


def weigh(question: str, sentence: Quotable, judged: float) -> float:
    """Return how good an answer the sentence is: what the reranker says of it, and how it fits the question."""
    words = _plain(sentence)
    fitting = judged + focus(question, words)
    return fitting if has_what_is_asked(question, words) else fitting * BESIDE_THE_POINT


def choose(question: str, sentences: Sequence[Quotable], scores: Sequence[float]) -> tuple[Quotable, ...]:
    """Return the best sentence and up to two that come close and name more of what the question names.

    They come in the order of their document; documents in the order of their best sentence.
    """
    ranked = sorted(zip(scores, sentences, strict=True), key=lambda pair: -pair[0])
    asked = content_words(question)
    best = ranked[0][0]
    chosen: list[Quotable] = []
    named: frozenset[str] = frozenset()
    for score, sentence in ranked:
        further = named_in(asked, _plain(sentence)) - named
        if chosen and (score < best * CLOSE or not further or sentence.text in {one.text for one in chosen}):
            continue
        chosen.append(sentence)
        named |= further
        if len(chosen) == SENTENCES:
            break
    documents = list(dict.fromkeys(one.passage.id.ordinal for one in chosen))
    return tuple(sorted(chosen, key=lambda one: (documents.index(one.passage.id.ordinal), one.span.start)))


def _sentences(passage: PassageText) -> Iterator[tuple[Span, Span | None]]:
    """Yield the sentences that say something by themselves, with what introduces them."""
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
        if not ends and any(character.isalpha() for character in words):
            yield _moved(piece.span, start), lead_in


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _words(passage: PassageText, span: Span) -> str:
    if span == passage.lead_in_span:
        return passage.lead_in
    return _moved(span, -passage.span.start).of(passage.text)


def _plain(sentence: Quotable) -> str:
    return search_text(sentence.text, sentence.passage.markup).text


def _alone(sentence: Quotable) -> PassageText:
    """Return the sentence as a passage of its own, so that it is judged by what it says itself."""
    return replace(
        sentence.passage,
        span=sentence.span,
        text=_words(sentence.passage, sentence.span),
        sentences=(sentence.span,),
        search_text=_plain(sentence),
    )
