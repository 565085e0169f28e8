"""What the verifier finds in a pair of sentence and evidence, and what it concludes."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What a guard says about one thing that a claim states."""

    CONTRADICTS = "contradicts"
    LACKS = "lacks"
    UNSURE = "unsure"


class Standing(StrEnum):
    """What the evidence says about a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_SUPPORTED = "not_supported"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one guard found.

    Attributes:
        guard: name of the guard ("number", "negation").
        outcome: contradicts, lacks (the evidence is silent), unsure (it weakens the confidence only).
        claim: the words of the claim that were looked at.
        evidence: the words of the evidence that they were held against, empty where there are none.
        cost: what the finding takes off the confidence, in [0, 1].
    """

    guard: str
    outcome: Outcome
    claim: str
    evidence: str = ""
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """Check A for one claim.

    Attributes:
        standing: supported, contradicted or not supported.
        confidence: how sure it is that the evidence carries the claim, in [0, 1]: 1 less what each step of the
            alignment may have got wrong. It is not a share of common words.
        reason: name of the guard that decided, ``verbatim`` or ``covered`` for a supported claim.
        findings: what speaks against the claim or weakens it, most serious first.
        evidence: the sentence that it was held against, with its lead-in.
    """

    standing: Standing
    confidence: float
    reason: str
    findings: tuple[Finding, ...]
    evidence: str

    @property
    def is_supported(self) -> bool:
        """Say whether the claim stands."""
        return self.standing is Standing.SUPPORTED
