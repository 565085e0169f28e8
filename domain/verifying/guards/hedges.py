"""What somebody claims, expects, wants or demands is not what is so."""

from collections.abc import Iterator

from domain.verifying.alignment import Alignment
from domain.verifying.cues import ATTRIBUTED, CLAIMING, DOUBTING, HEDGES, SHOULD, WILL
from domain.verifying.passage import Passage
from domain.verifying.values import Finding, Outcome


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the hedge of the evidence that the claim leaves out."""
    del passage
    claim = {token.low for token in alignment.claim.tokens}
    unit = alignment.unit.sentence
    clauses = {
        clause for mine in {pair.mine.clause for pair in alignment.pairs} for clause in alignment.clause_of(mine)[:1]
    }
    for at, token in enumerate(unit.tokens):
        is_near = unit.clauses[at] in clauses or unit.clauses[at] + 1 in clauses
        if token.low in DOUBTING and unit.clauses[at] < max(unit.clauses) and not _is_hedged(claim):
            yield Finding("hedge", Outcome.LACKS, "", token.text, 0.5)
            return
        if not is_near or (token.is_capital and unit.language == "de" and at > 0):
            continue
        if token.low in CLAIMING and not claim & CLAIMING:
            yield Finding("hedge", Outcome.CONTRADICTS, "", token.text, 1.0)
            return
        if token.low in HEDGES | WILL and unit.language == "de" and not _is_hedged(claim):
            yield Finding("hedge", Outcome.LACKS, "", token.text, 0.5)
            return
        if token.low in HEDGES and unit.language == "en" and not _is_hedged(claim):
            yield Finding("hedge", Outcome.LACKS, "", token.text, 0.5)
            return


def _is_hedged(claim: set[str]) -> bool:
    return bool(claim & (HEDGES | WILL | SHOULD | ATTRIBUTED | DOUBTING))
