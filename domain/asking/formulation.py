"""Step 7: an answer made of the best sentences themselves, cut from the selected passages.

The sentences stay as they are: no word is added, dropped or moved. An item of an enumeration brings along what
introduces it, or its whole list where it fits no better than the others. A heading is never an answer, and one
sentence is enough when further ones tell nothing new. Whoever asks about a section by its number is answered from it,
unless it does not pass the gate: another one that departs from it says something else in the same words. Whoever asks
for the section itself reads how it begins.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from domain.asking.candidates import Candidate, candidates, words_of
from domain.asking.drafts import Draft, Drafted, DraftRequest
from domain.asking.fit import focus, has_what_is_asked
from domain.asking.lists import with_whole_lists
from domain.asking.policies import BESIDE_THE_POINT, CLOSE, NAMED, SENTENCES
from domain.asking.ports import LabelledText, PassageText, Quotable, Reranker
from domain.asking.rows import without_other_numbers, without_other_rows
from domain.asking.sought import asks_for_a_section
from domain.asking.words import content_words, named_in


class Extractive:
    """``Formulator`` that writes nothing of its own."""

    name: Final = "extractive"
    model: Final = ""
    attempts: Final = 1
    version: Final = "2"

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    @property
    def fingerprint(self) -> str:
        """Its own name and version, and the reranker that it chooses by."""
        return f"{self.name}/{self.version}/{self._reranker.fingerprint}"

    async def draft(self, request: DraftRequest) -> Draft:
        """Return one to three sentences that answer the question; none when the passages hold no sentence.

        Raises:
            PartError: the reranker does not answer.
        """
        chosen = await self._chosen(request.question, request.passages)
        return Draft(tuple(Drafted(one.told, (one.label,), quotable=one) for one in chosen))

    async def _chosen(self, question: str, passages: Sequence[LabelledText]) -> tuple[Quotable, ...]:
        meant = [one for one in passages if one.is_cited] or passages
        sentences = without_other_numbers(question, without_other_rows(question, candidates(meant)))
        if not sentences:
            return ()
        if asks_for_a_section(question) and meant is not passages:
            first = sorted(sentences, key=lambda one: (one.passage.id.ordinal, one.span.start))[:SENTENCES]
            return with_whole_lists(question, first, sentences)
        scores = await self._reranker.scores(question, [_alone(sentence) for sentence in sentences])
        context = {one.label: one.score for one in passages}
        judged = [score * context[one.label] for one, score in zip(sentences, scores, strict=True)]
        chosen = choose(question, sentences, [weigh(question, *one) for one in zip(sentences, judged, strict=True)])
        return with_whole_lists(question, chosen, sentences)


def weigh(question: str, sentence: Candidate, judged: float) -> float:
    """Return how good an answer the sentence is: what the reranker says of it, and how it fits the question."""
    words = sentence.plain
    fitting = judged + focus(question, words)
    if sentence.is_named:
        return fitting + NAMED
    return fitting if has_what_is_asked(question, words) else fitting * BESIDE_THE_POINT


def choose(question: str, sentences: Sequence[Candidate], scores: Sequence[float]) -> tuple[Candidate, ...]:
    """Return the best sentence and up to two that come close and name more of what the question names.

    They come in the order of their document; documents in the order of their best sentence.
    """
    ranked = sorted(zip(scores, sentences, strict=True), key=lambda pair: -pair[0])
    asked = content_words(question)
    best = ranked[0][0]
    chosen: list[Candidate] = []
    named: frozenset[str] = frozenset()
    for score, sentence in ranked:
        further = named_in(asked, sentence.plain) - named
        if chosen and (score < best * CLOSE or not further or sentence.text in {one.text for one in chosen}):
            continue
        chosen.append(sentence)
        named |= further
        if len(chosen) == SENTENCES:
            break
    documents = list(dict.fromkeys(one.passage.id.ordinal for one in chosen))
    return tuple(sorted(chosen, key=lambda one: (documents.index(one.passage.id.ordinal), one.span.start)))


def _alone(sentence: Candidate) -> PassageText:
    """Return the sentence as a passage of its own, so that it is judged by what it says itself."""
    return replace(
        sentence.passage,
        span=sentence.span,
        text=words_of(sentence.passage, sentence.span),
        sentences=(sentence.span,),
        search_text=sentence.plain,
    )
