"""Which sentences of a passage carry a sentence that somebody else has written."""

from collections.abc import Sequence

from domain.asking.candidates import Candidate, candidates
from domain.asking.outcome import Cut
from domain.asking.ports import LabelledText, PassageText
from domain.asking.words import content_words, named_in
from domain.verifying.judge import judge
from domain.verifying.values import Judgement


def supporting(sentence: str, passage: PassageText) -> tuple[Cut, ...]:
    """Return the sentence of ``passage`` that carries ``sentence`` best, or two that do so only together.

    Where none carries it, it is the one that has most in common with it; whether that is enough the verifier says.
    """
    found = candidates([LabelledText("", passage, 0.0)])
    if not found:
        return (Cut(passage.span),)
    ranked = sorted(found, key=lambda one: _rank(sentence, one))
    if not _judged(sentence, ranked[:1]).is_supported:
        for other in ranked[1:]:
            if _judged(sentence, [ranked[0], other]).is_supported:
                return tuple(sorted((_cut(ranked[0]), _cut(other)), key=lambda one: one.span.start))
    return (_cut(ranked[0]),)


def _rank(sentence: str, one: Candidate) -> tuple[bool, float, int, int]:
    found = _judged(sentence, [one])
    return not found.is_supported, -found.confidence, -len(named_in(content_words(sentence), one.plain)), one.span.start


def _judged(sentence: str, evidence: Sequence[Candidate]) -> Judgement:
    heading = " · ".join(evidence[0].passage.section)
    return judge(sentence, "\n".join([heading, *(one.plain for one in evidence)]))


def _cut(one: Candidate) -> Cut:
    return Cut(one.span, one.lead_in)
