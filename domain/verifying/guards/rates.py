"""How often, or per what: "monatlich" is not "jährlich"."""

from collections.abc import Iterator

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.values import Finding, Outcome

UNSTATED, NEARLY = 0.3, 0.1


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the rates of the claim that the evidence does not have."""
    theirs = alignment.unit.sentence.rates
    for rate, words in alignment.claim.rates.items():
        if rate in theirs or rate in passage.heading.rates:
            continue
        if rate == "day" and "workday" in theirs:
            yield Finding("rate", Outcome.UNSURE, words, theirs["workday"], NEARLY)
        elif theirs:
            yield Finding("rate", Outcome.CONTRADICTS, words, next(iter(theirs.values())), 1.0)
        else:
            yield Finding("rate", Outcome.LACKS, words, "", UNSTATED)
