"""Steps 10 and 11: the answer as it is shown, with what is struck, and what is in force of its sources."""

from dataclasses import replace

from domain.asking.case import Case
from domain.asking.delivery import deliver as delivered
from domain.asking.force import Standing
from domain.asking.outcome import AnchorsResolved, AnswerDrafted, Sentence
from domain.asking.run import Run
from domain.asking.verdicts import CheckedClaim, ClaimsChecked, VerdictReached
from domain.asking.visibility import Visible
from domain.recording import Event


async def deliver(case: Case, run: Run) -> tuple[Event, ...]:
    """Say of every cited version whether it is in force, and deliver the answer."""
    found, checked = run.must(AnchorsResolved), run.must(ClaimsChecked)
    known = frozenset(one.label for one in found.resolved)
    claims = {one.sentence: one for one in checked.claims}
    sentences = [shown(one, claims.get(number), known) for number, one in enumerate(run.must(AnswerDrafted).sentences)]
    texts = await case.texts([one.passage for one in found.resolved])
    keys = tuple(sorted({case.visible.versions[one.passage.ordinal].key for one in found.resolved}))
    standing, force = await _standing(case, keys), await _in_force_as_known(case, keys)
    answer = delivered(
        sentences,
        found.resolved,
        texts,
        case.visible,
        standing=standing,
        known=force,
        domains=case.admission.mandate.domains,
    )
    verdict, seen = run.must(VerdictReached), standing.today.horizon
    return (
        replace(
            answer,
            note=verdict.verdict,
            claims=verdict.claims,
            dropped=verdict.dropped,
            is_self_check=checked.is_self_check,
            today=seen.valid_on,
            present=seen.position,
        ),
    )


def shown(sentence: Sentence, claim: CheckedClaim | None, known: frozenset[str]) -> Sentence:
    """Return a drafted sentence as it is shown: with the labels that stand for something, struck if it is dropped."""
    labels = tuple(label for label in sentence.labels if label in known)
    unknown = tuple(label for label in sentence.labels if label not in known) + sentence.malformed
    struck: tuple[str, ...] = ()
    if claim is not None and not claim.is_covered:
        struck = (claim.reason, claim.words, claim.evidence)
    return replace(sentence, labels=labels, malformed=unknown, cut=None, struck=struck)


async def _standing(case: Case, keys: tuple[str, ...]) -> Standing:
    """Return what is in force today, as far as it concerns the cited documents and is open to the asker."""
    horizon, today = case.visible.horizon, case.admission.today
    if case.admission.at is None and horizon.valid_on == today:
        return Standing(case.visible, case.visible)
    now = replace(horizon, position=await case.present(), valid_on=today, documents=keys)
    then = replace(now, valid_on=horizon.valid_on)
    return Standing(await case.parts.knowledge.visible(now), await case.parts.knowledge.visible(then))


async def _in_force_as_known(case: Case, keys: tuple[str, ...]) -> Visible:
    """Return what is in force today as far as the question's own knowledge goes; it never changes afterwards."""
    horizon = replace(case.visible.horizon, valid_on=case.admission.today, documents=keys)
    return await case.parts.knowledge.visible(horizon)
