"""Step 8: what stands behind the labels of a draft. A label that stands for nothing spoils the whole answer."""

from collections.abc import Iterator, Mapping, Sequence

from domain.asking.candidates import candidates
from domain.asking.events import LabelledPassage
from domain.asking.outcome import AnchorsResolved, Cut, ResolvedLabel, Sentence
from domain.asking.ports import ELISION, Hit, LabelledText, PassageId, PassageText
from domain.asking.support import supporting
from domain.knowledge.place import joint
from domain.knowledge.text import Span


def label(hits: Sequence[Hit]) -> tuple[LabelledPassage, ...]:
    """Give the selected passages their labels S1, S2, ... in the order of selection."""
    return tuple(LabelledPassage(f"S{number}", hit.passage, hit.score) for number, hit in enumerate(hits, 1))


def resolve(
    draft: Sequence[Sentence],
    selected: Sequence[LabelledPassage],
    texts: Mapping[PassageId, PassageText],
    stored: Mapping[int, str],
    rule: str,
) -> AnchorsResolved:
    """Resolve the labels of ``draft`` to spans: where a sentence was cut, or what carries it best in its passage.

    Args:
        draft: the drafted sentences.
        selected: the passages that were given labels.
        texts: the words of those passages.
        stored: stored texts of their versions by ordinal; a text that is missing resolves nothing.
        rule: of the mandate, what is done about labels that stand for nothing.
    """
    passages = {one.label: texts[one.passage] for one in selected}
    cuts: dict[str, list[Cut]] = {}
    unknown: dict[str, None] = {}
    for sentence in draft:
        unknown |= dict.fromkeys(sentence.malformed)
        for name in sentence.labels:
            found = _cuts(sentence, passages[name], stored) if name in passages else ()
            if found:
                cuts.setdefault(name, []).extend(found)
            else:
                unknown[name] = None
    resolved = tuple(_resolved(name, passages[name], cited) for name, cited in cuts.items())
    return AnchorsResolved(resolved, tuple(unknown), rule)


def whole(spans: Sequence[Span]) -> Span:
    """Return the span from the beginning of the first to the end of the last."""
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def _resolved(name: str, passage: PassageText, cited: Sequence[Cut]) -> ResolvedLabel:
    cited = sorted(dict.fromkeys(cited), key=lambda one: one.span.start)
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


def _cuts(sentence: Sentence, passage: PassageText, stored: Mapping[int, str]) -> tuple[Cut, ...]:
    """Return where the evidence of a sentence stands; nothing where the stored text is not what it should be."""
    if sentence.cut is not None:
        return (sentence.cut,) if is_stored(sentence, passage, stored) else ()
    text = stored.get(passage.id.ordinal)
    return () if text is None or passage.span.of(text) != passage.text else supporting(sentence.text, passage)


def is_stored(sentence: Sentence, passage: PassageText, stored: Mapping[int, str]) -> bool:
    """Say whether a sentence is what the stored text says where it was cut from, whole and to the last character."""
    cut, text = sentence.cut, stored.get(passage.id.ordinal)
    if cut is None or text is None or cut.span.end > len(text):
        return False
    return _is_whole(cut, passage) and sentence.text in set(_forms(cut, text))


def _is_whole(cut: Cut, passage: PassageText) -> bool:
    """Say whether a cut begins and ends where sentences do, and has what introduces them; half of one may mislead."""
    inside = [
        one
        for one in candidates([LabelledText("", passage, 0.0)])
        if cut.span.start <= one.span.start and one.span.end <= cut.span.end
    ]
    begins = any(one.span.start == cut.span.start for one in inside)
    ends = any(one.span.end == cut.span.end for one in inside)
    return begins and ends and any(one.lead_in == cut.lead_in for one in inside)


def _forms(cut: Cut, text: str) -> Iterator[str]:
    """Yield the cut words in each form in which they are told."""
    own = cut.span.of(text)
    for rest in (own, f"{own}\n{ELISION}"):
        if cut.lead_in is None:
            yield rest
            continue
        opening = cut.lead_in.of(text)
        for between in (" ", "\n", f"\n{ELISION} ", f"\n{ELISION}\n"):
            yield f"{opening}{between}{rest}"
