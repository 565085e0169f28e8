"""Step 7: an answer made of the best sentences themselves, cut from the selected passages.

The sentences stay as they are: no word is added, dropped or moved. An item of an enumeration brings along what
introduces it, a heading is never an answer, and one sentence is enough when further ones tell nothing new.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.asking.policies import CLOSE, SENTENCES
from domain.asking.ports import PassageText, Reranker
from domain.asking.words import content_words, named_in
from domain.knowledge.text import Span

_HEADING: Final = re.compile(r"\s*#{1,6}\s")
_ITEM: Final = re.compile(r"\s*(?:[-*•–]|\(?\d{1,3}[.)]|\(?[a-z]{1,2}\)|[IVXivx]{1,5}[.)])\s")


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A selected passage under its label, with the score that it was selected for."""

    label: str
    passage: PassageText
    score: float


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence that an answer can be made of.

    Attributes:
        span: where it stands in the stored text.
        lead_in: where the words stand that introduce it.
        text: lead-in and sentence, each as stored, one space between them.
    """

    label: str
    passage: PassageText
    span: Span
    lead_in: Span | None
    text: str


class Extractive:
    """The formulator that writes nothing of its own."""

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
        weighed = [score * context[one.label] for one, score in zip(sentences, scores, strict=True)]
        return choose(question, sentences, weighed)


def quotables(passages: Sequence[LabelledText]) -> tuple[Quotable, ...]:
    """Return every sentence of ``passages`` that can stand in an answer, each place once."""
    found: dict[tuple[int, int], Quotable] = {}
    for one in passages:
        for index, span in enumerate(one.passage.sentences):
            words = _cut(one.passage, span)
            place = (one.passage.id.ordinal, span.start)
            if place not in found and _can_answer(words, one.passage.section):
                lead_in, opening = _lead_in(one.passage, index)
                found[place] = Quotable(one.label, one.passage, span, lead_in, f"{opening} {words}".strip())
    return tuple(found.values())


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
        further = named_in(asked, sentence.text) - named
        if chosen and (score < best * CLOSE or not further or sentence.text in {one.text for one in chosen}):
            continue
        chosen.append(sentence)
        named |= further
        if len(chosen) == SENTENCES:
            break
    documents = list(dict.fromkeys(one.passage.id.ordinal for one in chosen))
    return tuple(sorted(chosen, key=lambda one: (documents.index(one.passage.id.ordinal), one.span.start)))


def _cut(passage: PassageText, span: Span) -> str:
    return passage.text[span.start - passage.span.start : span.end - passage.span.start]


def _can_answer(words: str, section: Sequence[str]) -> bool:
    plain = words.strip()
    heading = _HEADING.match(words) is not None or plain in section
    return not heading and not plain.endswith(":") and any(character.isalpha() for character in plain)


def _lead_in(passage: PassageText, index: int) -> tuple[Span | None, str]:
    """Return what introduces a sentence: the passage's own lead-in, or the nearest one above inside it."""
    if passage.lead_in_span is not None:
        return passage.lead_in_span, passage.lead_in
    if not _ITEM.match(_cut(passage, passage.sentences[index])):
        return None, ""
    for span in reversed(passage.sentences[:index]):
        words = _cut(passage, span)
        if words.rstrip().endswith(":"):
            return span, words
        if not _ITEM.match(words):
            break
    return None, ""


def _alone(sentence: Quotable) -> PassageText:
    """Return the sentence as a passage of its own, so that it is judged by what it says itself."""
    return replace(
        sentence.passage,
        span=sentence.span,
        text=_cut(sentence.passage, sentence.span),
        sentences=(sentence.span,),
        search_text=sentence.text,
    )
