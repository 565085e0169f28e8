"""Offences: what is punished says what nobody may do, and nothing about how things are."""

import re
from collections.abc import Iterator
from typing import Final

from domain.verifying.alignment import Alignment
from domain.verifying.cues import FORBIDDEN, NEGATIONS
from domain.verifying.passage import Passage
from domain.verifying.values import Finding, Outcome

_PUNISHES: Final = re.compile(
    r"\bordnungswidrig(?: im sinne \S.{0,60}?)? handelt\b|\bhandelt (?:\w+ )?ordnungswidrig\b"
    r"|\bwird (?:\S+ )*?bestraft\b|\b(?:commits|guilty of) an? (?:\w+ )?offen[cs]e\b"
    r"|\b(?:is|be|are) (?:punished|punishable|liable to (?:a|imprisonment))\b"
)
_SPEAKS_OF_IT: Final = re.compile(
    r"straf|ordnungswidrig|buss?geld|bußgeld|geldbuss?e|geldbuße|sanktion|geahndet|ahndung|verfolg|verstoss|verstoß|verstöß"
    r"|verletz|haft\b|\btat\b|\btäter|versuch|offen[cs]e|crim|penal|punish|\bfine|prison|guilty|liable|violat|breach"
    r"|illegal|unlawful|contraven"
)


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:  # noqa: ARG001 - guards are called alike
    """Yield a claim that takes something else from an offence than that it is one, or that it is forbidden."""
    if not _PUNISHES.search(alignment.unit.sentence.low) or _SPEAKS_OF_IT.search(alignment.claim.low):
        return
    words = {token.low for token in alignment.claim.tokens}
    if not words & (FORBIDDEN | NEGATIONS):
        yield Finding("subject", Outcome.LACKS, alignment.claim.text, "", 1.0)
