"""Concessions: "auch dann, wenn", "even if": a claim that holds in spite of something needs a source that says so."""

import re
from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.values import Finding, Outcome

UNSAID, ALSO_UNSAID = 0.5, 0.3

_IN_SPITE: Final = re.compile(
    r"\b(?:auch (?:dann|wenn|bei|ohne|nach|fur|in|im|gegen|unter)|selbst (?:wenn|bei|dann|ohne)|sogar|ungeachtet|trotz"
    r"|unabhangig (?:davon|von|vom)|gleichgultig|egal|ohne rucksicht|ohne ausnahme|ausnahmslos"
    r"|even (?:if|when|where|though|without|for|in|after)|regardless|irrespective"
    r"|no matter|in spite|despite|without exception|notwithstanding)\b"
)
_ALSO: Final = re.compile(r"\b(?:auch|also|even|sogar)\b")
_SAYS_SO: Final = re.compile(
    r"\b(?:auch|selbst|sogar|ungeachtet|trotz|unabhangig"
    r"|gleichgultig|ohne rucksicht|jederzeit|ob \w+ oder|gleichfalls|ebenfalls|ebenso|entsprechend|unberuhrt"
    r"|even|also|regardless|irrespective|whether or not|notwithstanding|despite)\b"
)


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the concession of a claim that neither the sentence that carries it nor one beside it makes."""
    found = _IN_SPITE.search(alignment.claim.low) or _ALSO.search(alignment.claim.low)
    if found is None:
        return
    singles = passage.singles
    at = next((number for number, one in enumerate(singles) if one is alignment.unit), None)
    near = singles if at is None else singles[max(0, at - 1) : at + 2]
    if not any(_SAYS_SO.search(one.sentence.low) for one in (alignment.unit, *near)):
        cost = ALSO_UNSAID if _ALSO.fullmatch(found[0]) else UNSAID
        yield Finding("concession", Outcome.LACKS, found[0], "", cost)
