"""Step 9: every sentence of a draft is held against what it cites, and the rest against all sources.

A sentence that was cut from its source to the last character is its own evidence. Of all others the guards decide
first: what they find contradicted no judge can save.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from domain.asking.anchors import is_stored
from domain.asking.case import Case
from domain.asking.events import LabelledPassage
from domain.asking.fixed import detail
from domain.asking.outcome import AnchorsResolved, Sentence
from domain.asking.ports import PassageId, PassageText
from domain.asking.verdicts import CheckedClaim, ClaimsChecked, SuspiciousSpot, VerdictReached
from domain.errors import PartError
from domain.knowledge.search_text import search_text
from domain.mandates.policies import CONFIDENCE
from domain.mandates.rules import FOREIGN_CHECK, REJECT, rule
from domain.verifying.checking import Statement, check_a
from domain.verifying.foreign import foreign_content
from domain.verifying.judge import VERSION, judge
from domain.verifying.values import Judgement, Outcome, Standing
from domain.verifying.verdict import REJECTED, verdict

FAILED: Final = "failed"
SECTION: Final = "section"
ANCHOR: Final = "anchor"
EMPTY: Final = "empty"
"""What the guards say of a sentence without a word that states anything."""

Texts = Mapping[PassageId, PassageText]


async def check(
    case: Case, draft: Sequence[Sentence], anchors: AnchorsResolved, selected: Sequence[LabelledPassage], texts: Texts
) -> tuple[ClaimsChecked, VerdictReached]:
    """Hold a draft against its sources.

    Args:
        case: the question.
        draft: its sentences.
        anchors: what its labels stand for; a sentence without one of them is no claim.
        selected: all passages that it was written from.
        texts: their words.
    """
    known = {one.label for one in anchors.resolved}
    cited = {number: tuple(label for label in one.labels if label in known) for number, one in enumerate(draft)}
    passages = {one.label: texts[one.passage] for one in selected}
    claims = {number: one for number, one in enumerate(draft) if cited[number]}
    others = {number: one for number, one in enumerate(draft) if not (cited[number] or one.labels or one.malformed)}
    evidence = {number: [passages[label] for label in cited[number]] for number in claims}
    quotes = {number: tuple(_quotes(cited[number], passages, anchors)) for number in claims}
    statements = await _statements(case, claims, evidence, quotes)
    checked, failed_a = await _check_a(case, statements)
    sources = _evidence(list(passages.values()))[-1]
    own = {number: one for number, one in enumerate(draft) if number not in statements or not statements[number].is_cut}
    checked, spots, failed_b = await _check_b(case, own, checked, others, sources)
    rules = rule(case.admission.mandate, FOREIGN_CHECK).value
    found = ClaimsChecked(
        judge=case.parts.judge.fingerprint,
        guards=VERSION,
        threshold=_threshold(case),
        claims=tuple(sorted([*checked, *_unanchored(draft, cited)], key=lambda one: one.sentence)),
        spots=spots,
        unsure=tuple(_unsure(case, others, {one.sentence for one in spots}, sources)),
        failed=(failed_a, failed_b),
        is_self_check=bool(case.parts.judge.model) and case.parts.judge.model == case.formulator.model,
    )
    return found, _reached(found, rules)


def _reached(found: ClaimsChecked, rules: str) -> VerdictReached:
    dropped = sum(not one.is_covered for one in found.claims)
    weak = sum(one.is_weak for one in found.claims) + len(found.unsure)
    said = verdict(len(found.claims), dropped, len(found.spots), weak)
    if found.failed[1] and rules == REJECT:
        said = REJECTED
    return VerdictReached(said, len(found.claims), dropped, len(found.spots), weak, rules)


def _quotes(labels: Collection[str], passages: Mapping[str, PassageText], anchors: AnchorsResolved) -> Iterator[str]:
    """Yield the words of the spans that stand behind labels, as they are read."""
    for one in anchors.resolved:
        if one.label in labels:
            passage = passages[one.label]
            start = passage.span.start
            for span in one.spans:
                yield search_text(passage.text[span.start - start : span.end - start], passage.markup).text


async def _statements(
    case: Case,
    claims: Mapping[int, Sentence],
    cited: Mapping[int, Sequence[PassageText]],
    quotes: Mapping[int, Sequence[str]],
) -> dict[int, Statement]:
    """Return the claims with the words that they rest on; that one was cut from them is looked up once more."""
    cut = [number for number, one in claims.items() if one.cut is not None]
    stored = await case.stored({one.id.ordinal for number in cut for one in cited[number]}) if cut else {}
    return {
        number: Statement(
            one.text,
            _evidence(cited[number]),
            any(is_stored(one, passage, stored) for passage in cited[number]),
            quotes[number],
        )
        for number, one in claims.items()
    }


async def _check_a(case: Case, statements: Mapping[int, Statement]) -> tuple[tuple[CheckedClaim, ...], str]:
    """Return what the guards and the judge say of each claim; all are dropped where the judge does not answer."""
    try:
        found = await check_a(case.parts.judge, list(statements.values()))
    except PartError as error:
        return _unchecked(statements), error.key
    if not all(0.0 <= one.confidence <= 1.0 for one in found):
        return _unchecked(statements), case.parts.judge.name
    threshold = _threshold(case)
    return tuple(_checked(number, one, threshold) for number, one in zip(statements, found, strict=True)), ""


def _unchecked(numbers: Iterable[int]) -> tuple[CheckedClaim, ...]:
    return tuple(CheckedClaim(number, is_covered=False, confidence=None, reason=FAILED) for number in numbers)


def _unanchored(draft: Sequence[Sentence], cited: Mapping[int, Sequence[str]]) -> Iterator[CheckedClaim]:
    """Yield the sentences that cite only what stands for nothing: dropped, by whatever rule they came this far."""
    for number, one in enumerate(draft):
        unknown = (*one.labels, *one.malformed)
        if unknown and not cited[number]:
            yield CheckedClaim(number, is_covered=False, confidence=None, reason=ANCHOR, words=", ".join(unknown))


def _unsure(case: Case, others: Mapping[int, Sentence], spots: Collection[int], sources: str) -> Iterator[int]:
    """Yield the sentences without a source of which nothing can be said: no source carries them, and none is lacking.

    A gap may only name what was asked or what the sources speak of; whoever names something else, says that it is.
    """
    for number, one in others.items():
        if number in spots:
            continue
        if one.is_gap:
            is_open = bool(foreign_content(detail(one.text), f"{sources}\n{case.text}"))
        else:
            found = judge(one.text, sources)
            is_open = not found.is_supported and found.reason != EMPTY
        if is_open:
            yield number


def _checked(number: int, found: Judgement, threshold: float) -> CheckedClaim:
    first = found.findings[0] if found.findings else None
    is_covered = found.is_supported and found.confidence >= threshold
    return CheckedClaim(
        sentence=number,
        is_covered=is_covered,
        confidence=found.confidence,
        reason=found.reason,
        words="" if first is None or is_covered else first.claim,
        evidence="" if first is None or is_covered else first.evidence,
        is_weak=is_covered and any(one.outcome is Outcome.UNSURE for one in found.findings),
    )


async def _check_b(
    case: Case,
    own: Mapping[int, Sentence],
    checked: tuple[CheckedClaim, ...],
    others: Mapping[int, Sentence],
    sources: str,
) -> tuple[tuple[CheckedClaim, ...], tuple[SuspiciousSpot, ...], str]:
    """Return the claims without those that cite a § which is not there, the suspicious spots, and what failed."""
    stated = ((number, _foreign(one.text, sources)) for number, one in others.items() if not one.is_gap)
    spots = {number: reason for number, reason in stated if reason}
    missing: dict[int, str] = {}
    failed = ""
    try:
        for number, one in own.items():
            if words := await case.parts.norms.missing(one.text, case.visible):
                missing[number] = words
    except PartError as error:
        failed = error.key
    # What was found before a failure counts: where the rule lets an unfinished check pass, that much is known.
    spots |= {number: SECTION for number in missing if number in others}
    return tuple(_without(one, missing) for one in checked), _spots(spots), failed


def _foreign(text: str, sources: str) -> str:
    """Return what a sentence without a source states that would need one, or why the sources contradict it."""
    found = judge(text, sources)
    contradicted = found.reason if found.standing is Standing.CONTRADICTED else ""
    return foreign_content(text, sources) or contradicted


def _without(one: CheckedClaim, missing: Mapping[int, str]) -> CheckedClaim:
    if one.sentence not in missing or not one.is_covered:
        return one
    return replace(one, is_covered=False, reason=SECTION, words=missing[one.sentence], is_weak=False)


def _spots(found: Mapping[int, str]) -> tuple[SuspiciousSpot, ...]:
    return tuple(SuspiciousSpot(number, reason) for number, reason in sorted(found.items()))


def _threshold(case: Case) -> float:
    value = case.admission.threshold(CONFIDENCE).value
    return 1.0 if value is None else value


def _evidence(passages: Sequence[PassageText]) -> list[str]:
    """Return the words of each passage, and of all of them together last."""
    single = [_words(one) for one in passages]
    return single if len(single) == 1 else [*single, "\n".join(single)]


def _words(passage: PassageText) -> str:
    """Return the words of a passage as they are read, with title and headings in the first line."""
    body, lead_in = (search_text(one, passage.markup).text for one in (passage.text, passage.lead_in))
    heads = passage.search_text.removesuffix(body).rstrip().removesuffix(lead_in)
    return "\n".join(one for one in (" · ".join(heads.split("\n")).strip(" ·"), lead_in, body) if one)
