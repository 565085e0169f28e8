"""Step 10: the answer as it is shown, or the refusal."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from domain.asking.anchors import whole
from domain.asking.events import Ranked, RelevanceDecided
from domain.asking.force import Standing
from domain.asking.links import linked
from domain.asking.outcome import (
    AnswerDelivered,
    AnswerRefused,
    CoverageDecided,
    NearPassage,
    ResolvedLabel,
    Sentence,
    SourceShown,
)
from domain.asking.policies import NEAREST
from domain.asking.ports import PassageId, PassageText
from domain.asking.visibility import Visible

VERBATIM: Final = "verbatim"
"""Key of the note: the sentences are the sources' own, and nobody has checked more than that."""


def deliver(
    sentences: Sequence[Sentence],
    resolved: Sequence[ResolvedLabel],
    texts: Mapping[PassageId, PassageText],
    visible: Visible,
    *,
    standing: Standing,
    known: Visible,
    domains: Sequence[str],
) -> AnswerDelivered:
    """Return the answer as it is shown.

    Args:
        sentences: the sentences with their labels.
        resolved: what stands behind the labels.
        texts: the words of the passages behind them.
        visible: the versions that the question saw.
        standing: what is in force on the day of the question.
        known: what is in force on that day as far as the question's own knowledge goes.
        domains: those that links may lead to.
    """
    found = (_source(one, texts[one.passage], visible, standing, known) for one in resolved)
    sources = sorted(found, key=lambda source: int(source.label[1:]))
    urls = linked((one.url for one in sources), domains)
    shown = (replace(one, url=url) for one, url in zip(sources, urls, strict=True))
    return AnswerDelivered(VERBATIM, tuple(sentences), tuple(shown))


def refuse(
    step: str,
    visible: Visible,
    gate: RelevanceDecided | CoverageDecided | None = None,
    near: Sequence[Ranked] = (),
    texts: Mapping[PassageId, PassageText] | None = None,
) -> AnswerRefused:
    """Return the refusal of ``step`` with what the gate measured and what came near, each section once."""
    found: dict[tuple[str, ...], NearPassage] = {}
    for one in near:
        text = (texts or {})[one.passage]
        version = visible.versions[one.passage.ordinal]
        if one.score is not None:
            passage = NearPassage(one.passage, version.title, text.section, text.place, one.score)
            found.setdefault((version.key, *text.section), passage)
    value, threshold = (gate.value, gate.threshold) if gate else (None, None)
    return AnswerRefused(step, step, value, threshold, tuple(found.values())[:NEAREST])


def nothing_found(*, in_a_wiki: bool) -> AnswerRefused:
    """Return the refusal of a question for which no search found anything."""
    return AnswerRefused("none_found", "none_found_wiki" if in_a_wiki else "none_found", None, None, ())


def _source(
    resolved: ResolvedLabel, text: PassageText, visible: Visible, standing: Standing, known: Visible
) -> SourceShown:
    version = visible.versions[resolved.passage.ordinal]
    return SourceShown(
        label=resolved.label,
        ordinal=version.ordinal,
        mandate=version.mandate,
        document=version.key,
        version=version.version,
        title=version.title,
        url=version.url,
        section=text.section,
        place=resolved.place,
        page=text.page,
        page_label=text.page_label,
        markup=text.markup,
        span=whole(resolved.spans),
        lead_in=resolved.lead_in,
        level=version.level,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        valid_from_kind=version.valid_from_kind,
        in_force=standing.in_force(version),
        ended_on=standing.ended_on(version),
        in_force_as_known=version.ordinal in known.versions,
    )
