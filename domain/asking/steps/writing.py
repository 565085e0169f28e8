"""Steps 7 to 9: the draft, its anchors, the gates after it, and the verifier.

A draft that does not pass is discarded and another one written, once, if the formulator may write another one; the
same gates wait for it.
"""

from dataclasses import replace
from math import inf
from typing import Final

from domain.asking.anchors import resolve
from domain.asking.case import Case
from domain.asking.delivery import nothing_found, refuse
from domain.asking.drafting import sentence
from domain.asking.drafts import DraftRequest
from domain.asking.events import CandidatesReranked, CandidatesRetrieved, PassagesSelected, RelevanceDecided
from domain.asking.gates import coverage_gate
from domain.asking.language import language_of
from domain.asking.outcome import AnchorsResolved, AnswerDiscarded, AnswerDrafted, CoverageDecided
from domain.asking.ports import LabelledText
from domain.asking.retrieval import cited_list, nearest
from domain.asking.run import Run
from domain.asking.verdicts import ClaimsChecked
from domain.asking.verification import check
from domain.mandates.policies import COVERAGE
from domain.mandates.rules import DISCARD, INTEGRITY, rule
from domain.recording import Event
from domain.verifying.checking import LANGUAGE
from domain.verifying.verdict import REJECTED

OTHER_LANGUAGE: Final = "verifier_language"
"""Reason of a refusal: only a model could say whether the sources carry a draft in another language than theirs."""


async def formulate(case: Case, run: Run) -> tuple[Event, ...]:
    """Have a draft written from the selected passages; nobody sees it."""
    selected = run.must(PassagesSelected).passages
    texts = await case.texts([one.passage for one in selected])
    threshold = run.must(RelevanceDecided).threshold
    least = inf if threshold is None else threshold
    cited = nearest(cited_list(run.must(CandidatesRetrieved)))
    labelled = [
        LabelledText(one.label, texts[one.passage], one.score, one.passage in cited and one.score >= least)
        for one in selected
    ]
    formulator = case.formulator
    draft = await formulator.draft(DraftRequest(case.text, language_of(case.text), labelled, run.attempt))
    drafted = AnswerDrafted(
        formulator.name,
        formulator.version,
        tuple(map(sentence, draft.sentences)),
        fingerprint=formulator.fingerprint,
        nothing_found=draft.nothing_found,
        problem=draft.problem,
        reply=draft.reply,
    )
    if draft.nothing_found:
        return drafted, nothing_found(in_a_wiki=case.admission.searches_a_wiki)
    return (drafted,)


async def anchors(case: Case, run: Run) -> tuple[Event, ...]:
    """Resolve the labels of the draft; it fails where one stands for nothing or too few sentences have any."""
    draft, selected = run.must(AnswerDrafted).sentences, run.must(PassagesSelected).passages
    texts = await case.texts([one.passage for one in selected])
    labels = {label for one in draft for label in one.labels}
    stored = await case.stored(one.passage.ordinal for one in selected if one.label in labels)
    found = resolve(draft, selected, texts, stored, rule(case.admission.mandate, INTEGRITY).value)
    known = frozenset(one.label for one in found.resolved)
    coverage = coverage_gate(draft, known, case.admission.threshold(COVERAGE))
    if found.unknown and (found.rule == DISCARD or not known):
        return found, coverage, await _failed("integrity", case, run)
    if not (draft and coverage.passed):
        return found, coverage, await _failed("coverage", case, run, coverage)
    return found, coverage


async def verify(case: Case, run: Run) -> tuple[Event, ...]:
    """Hold the draft against its sources; a rejected one is withheld."""
    draft, selected = run.must(AnswerDrafted).sentences, run.must(PassagesSelected).passages
    texts = await case.texts([one.passage for one in selected])
    claims, verdict = await check(case, draft, run.must(AnchorsResolved), selected, texts)
    if verdict.verdict == REJECTED:
        return claims, verdict, await _failed("verifier", case, run, reason=_why(claims))
    return claims, verdict


def _why(claims: ClaimsChecked) -> str:
    """Return why a draft is withheld: nothing could compare its language with that of its sources, or the checks."""
    dropped = [one.reason for one in claims.claims if not one.is_covered]
    return OTHER_LANGUAGE if dropped and set(dropped) == {LANGUAGE} and not claims.spots else "verifier"


async def _failed(
    step: str, case: Case, run: Run, gate: CoverageDecided | None = None, *, reason: str | None = None
) -> Event:
    if run.attempt < case.formulator.attempts:
        return AnswerDiscarded(step, run.attempt)
    reranked = run.must(CandidatesReranked).entries
    refused = refuse(step, case.visible, gate, reranked, await case.texts([one.passage for one in reranked]))
    return replace(refused, reason=reason or step)
