"""Events of the verifier: what it found of each sentence of a draft, and what it makes of the whole."""

from dataclasses import dataclass

from domain.recording import Event


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """What check A found of one sentence.

    Attributes:
        sentence: its number in the draft, from 0.
        is_covered: whether the cited passages carry it, surely enough.
        confidence: in [0, 1], ``None`` when the judge did not answer.
        reason: the guard that decided, ``verbatim`` or ``covered``, ``section`` for a § that is not there, ``anchor``
            for labels that all stand for nothing, or ``failed`` when the judge did not answer.
        words: the words of the sentence that the reason is about; ``evidence``: what the source has instead.
        is_weak: it is covered, and something about it could not be decided.
    """

    sentence: int
    is_covered: bool
    confidence: float | None
    reason: str
    words: str = ""
    evidence: str = ""
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class SuspiciousSpot:
    """A sentence without a source that states what would need one, or that the sources contradict.

    ``reason`` is ``number``, ``date``, ``reference``, ``duty``, ``name``, ``section``, or the guard that contradicts.
    """

    sentence: int
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimsChecked(Event):
    """Both checks have looked at the draft.

    Attributes:
        judge, guards: fingerprints of who judged, and of the rules that come before.
        threshold: confidence below which a claim is dropped.
        spots: what check B found.
        unsure: numbers of the other sentences without a source of which no guard can say that they are in order.
        failed: parts that did not answer, as their ``PartError`` names them: of check A, of check B; empty where
            they did.
        is_self_check: the model that wrote the draft judged it.
    """

    judge: str
    guards: str
    threshold: float
    claims: tuple[CheckedClaim, ...]
    spots: tuple[SuspiciousSpot, ...]
    failed: tuple[str, str] = ("", "")
    is_self_check: bool = False
    unsure: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictReached(Event):
    """What the checks make of the answer: ``verified``, ``partially_verified`` or ``rejected``.

    Attributes:
        claims, dropped, spots, weak: what was counted.
        rule: what becomes of an answer whose check B failed: ``reject`` or ``allow``.
    """

    verdict: str
    claims: int
    dropped: int
    spots: int
    weak: int
    rule: str
