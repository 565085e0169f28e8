"""Step 8: what stands behind the labels of a draft. A label that stands for nothing spoils the whole answer."""

from collections.abc import Mapping, Sequence

from domain.asking.events import AnchorsResolved, LabelledPassage, ResolvedLabel
from domain.asking.policies import INTEGRITY_RULE
from domain.asking.ports import Hit, Quotable
from domain.knowledge.place import joint
from domain.knowledge.text import Span


def label(hits: Sequence[Hit]) -> tuple[LabelledPassage, ...]:
    """Give the selected passages their labels S1, S2, ... in the order of selection."""
    return tuple(LabelledPassage(f"S{number}", hit.passage, hit.score) for number, hit in enumerate(hits, 1))


def resolve(
    draft: Sequence[Quotable], selected: Sequence[LabelledPassage], stored: Mapping[int, str]
) -> AnchorsResolved:
    """Resolve the labels of ``draft`` to spans.

    Args:
        draft: the drafted sentences.
        selected: the passages that were given labels.
        stored: stored texts of the cited versions by ordinal; a text that is missing resolves nothing.
    """
    passages = {one.label: one.passage for one in selected}
    sound = [one for one in draft if passages.get(one.label) == one.passage.id and _is_stored(one, stored)]
    unknown = dict.fromkeys(one.label for one in draft if one not in sound)
    names = dict.fromkeys(one.label for one in sound)
    resolved = tuple(_resolved(name, [one for one in sound if one.label == name]) for name in names)
    return AnchorsResolved(resolved, tuple(unknown), INTEGRITY_RULE)


def whole(spans: Sequence[Span]) -> Span:
    """Return the span from the beginning of the first to the end of the last."""
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def _resolved(name: str, cited: Sequence[Quotable]) -> ResolvedLabel:
    passage = cited[0].passage
    spans = tuple(one.span for one in cited)
    return ResolvedLabel(
        label=name,
        passage=passage.id,
        spans=spans,
        lead_in=_before(whole(spans), [one.lead_in for one in cited if one.lead_in]),
        place=joint([passage.place_of(one.span) for one in cited], passage.place),
    )


def _before(cut: Span, lead_ins: Sequence[Span]) -> Span | None:
    """Return the introduction above ``cut``; one inside is quoted with it already."""
    above = [one for one in lead_ins if one.end <= cut.start]
    return above[0] if above else None


def _is_stored(sentence: Quotable, stored: Mapping[int, str]) -> bool:
    """Say whether the sentence is what the stored text says, to the last character."""
    text = stored.get(sentence.passage.id.ordinal)
    inside = sentence.passage.span.start <= sentence.span.start < sentence.span.end <= sentence.passage.span.end
    if text is None or not inside or sentence.span.end > len(text):
        return False
    pieces = [sentence.lead_in, sentence.span] if sentence.lead_in else [sentence.span]
    return sentence.text in {between.join(piece.of(text) for piece in pieces) for between in (" ", "\n")}
