"""References: §, article, paragraph, number, letter, and file numbers."""

from collections.abc import Iterator

from domain.verifying.alignment import Alignment
from domain.verifying.passage import Passage
from domain.verifying.references import Reference
from domain.verifying.values import Finding, Outcome

UNSTATED = 0.3


def check(alignment: Alignment, passage: Passage) -> Iterator[Finding]:
    """Yield the references of the claim that are neither in the sentence nor above it."""
    unit = alignment.unit
    here = {(one.part, one.number) for one in unit.sentence.references if not one.between}
    above = {(one.part, one.number) for one in passage.heading.references}
    for one in alignment.claim.references:
        key = (one.part, one.number)
        rivals = [other for other in unit.sentence.references if other.part == one.part]
        is_place = (key in above or _is_place(one, unit.paragraph)) and not (rivals and _is_told(alignment, one))
        if one.between or key in here or is_place:
            continue
        words = alignment.claim.text[one.start : one.end]
        theirs = rivals[0].number if rivals else ""
        if one.part in {"sentence", "number", "letter", "figure"} and not rivals:
            yield Finding("reference", Outcome.LACKS, words, "", UNSTATED)
        else:
            yield Finding("reference", Outcome.CONTRADICTS, words, theirs, 1.0)


def _is_told(alignment: Alignment, one: Reference) -> bool:
    """Say whether the claim speaks of the reference; "Nach § 3" in front or "(§ 3)" only says where it stands."""
    before = alignment.claim.text[: one.start].strip().lower()
    return before not in {
        "nach",
        "gemäß",
        "laut",
        "in",
        "under",
        "according to",
        "pursuant to",
    } and not before.endswith("(")


def _is_place(one: Reference, paragraph: str) -> bool:
    """Say whether it names the paragraph or the clause that the sentence stands in."""
    return one.part in {"paragraph", "clause"} and one.number == paragraph
