"""Check A over many claims: the guards decide first, then the judge about what they let through."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.errors import PartError
from domain.verifying.judge import judge as guard
from domain.verifying.ports import Claim, DeterministicJudge, Judge
from domain.verifying.values import Judgement, Outcome, Standing

VERBATIM: Final = "verbatim"
LANGUAGE: Final = "language"
"""Reason of a claim in another language than its evidence: words cannot be compared, nothing else is against it."""

OPEN: Final = frozenset({"content", "subject", LANGUAGE})
"""Guards that know too few words to have the last one: whether others say the same, a model may know better."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with what it rests on.

    Attributes:
        evidence: the words of each passage that it cites, and of all of them together last.
        is_cut: it was cut from its source to the last character and is its own evidence.
        quotes: the stretches of the evidence that it cites.
    """

    text: str
    evidence: Sequence[str]
    is_cut: bool = False
    quotes: Sequence[str] = ()


async def check_a(judge: Judge, statements: Sequence[Statement]) -> list[Judgement]:
    """Return what guards and judge say of each statement.

    What the guards find contradicted no judge can save, nor a number, date or § that the evidence lacks; a sentence of
    its source needs none.

    Raises:
        PartError: the judge does not answer, or not about every claim.
    """
    found = [_guarded(one) for one in statements]
    if isinstance(judge, DeterministicJudge):
        return found
    left = [n for n, one in enumerate(found) if not _is_settled(one)]
    if left:
        judged = await judge.judge([_claim(statements[n]) for n in left])
        if len(judged) != len(left):
            raise PartError("judge", model=judge.name, kind="count")
        for number, one in zip(left, judged, strict=True):
            found[number] = _with_doubts(one, found[number])
    return found


def _with_doubts(judged: Judgement, guarded: Judgement) -> Judgement:
    """Keep of the guards what they could not decide: a claim that a model carries stands on it no firmer."""
    if not judged.is_supported:
        return judged
    doubts = (one for one in guarded.findings if one.outcome is Outcome.UNSURE)
    return replace(judged, findings=(*judged.findings, *doubts))


def _claim(statement: Statement) -> Claim:
    return Claim(statement.text, statement.evidence[-1], tuple(statement.quotes))


def _is_settled(found: Judgement) -> bool:
    """Say whether no judge needs to be asked, or none may be."""
    if found.is_supported:
        return found.reason == VERBATIM
    lacking = {one.guard for one in found.findings if one.outcome is Outcome.LACKS}
    return found.standing is Standing.CONTRADICTED or not lacking or not lacking <= OPEN


def _guarded(statement: Statement) -> Judgement:
    """Return what the guards say: one passage that carries a claim is enough, else all of them together must.

    What one of the passages contradicts the words of the others cannot carry, unless one of them does so alone.
    """
    if statement.is_cut:
        return Judgement(Standing.SUPPORTED, 1.0, VERBATIM, (), statement.text)
    found = [guard(statement.text, one) for one in statement.evidence]
    contradicted = [one for one in found if one.standing is Standing.CONTRADICTED]
    single = found[:-1] or found
    carried = [one for one in single if one.is_supported] or ([] if contradicted else found)
    return max(carried, key=_carries) if carried else contradicted[0]


def _carries(found: Judgement) -> tuple[bool, float, bool]:
    """Order what the guards say: in another language nothing is carried, but one passage may lack no figure."""
    return found.is_supported, found.confidence, found.reason == LANGUAGE
